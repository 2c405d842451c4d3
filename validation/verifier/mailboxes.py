"""The mailbox of an address: one mailbox has many spellings."""

from functools import lru_cache

from emailcheck.common.registry import Mailbox
from validation.engine.knowledge.domains import DomainLists
from validation.engine.syntax import AddressSyntaxError, parse

_GMAIL = {"gmail.com", "googlemail.com"}


def mailbox_of(address: str) -> Mailbox:
    """The mailbox of an address, without letter case, `+tag` and, at Gmail, dots.

    An invalid address is its own mailbox.
    """
    try:
        parsed = parse(address)
    except AddressSyntaxError:
        return Mailbox(address.lower(), disposable=False)
    local, domain = parsed.mailbox.lower().partition("+")[0], parsed.domain
    if domain in _GMAIL:
        local, domain = local.replace(".", ""), "gmail.com"
    return Mailbox(f"{local}@{domain}", disposable=_load_knowledge().about(domain).is_disposable_domain is True)


def is_public_mail_domain(domain: str) -> bool:
    """Whether anybody can get a mailbox or a name at a domain: a freemail provider, one for disposable addresses, what
    is below them, or a public suffix."""
    lists = _load_knowledge()
    return lists.is_open_to_all(domain) or lists.about(domain).is_disposable_domain is True


@lru_cache(maxsize=1)
def _load_knowledge() -> DomainLists:
    return DomainLists()
