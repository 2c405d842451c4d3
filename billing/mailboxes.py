"""Which mailboxes had their sign-up credits: kept as keyed hashes, also after the account is gone."""

from billing.models import CreditedMailbox
from emailcheck.common import sealing

_WITHOUT_DOTS = {"gmail.com", "googlemail.com"}


def remember(email: str) -> bool:
    """Note that the owner of a mailbox had the credits. True the first time."""
    digest = sealing.keyed_hash(_mailbox(email), purpose="mailbox")
    return CreditedMailbox.objects.get_or_create(pk=digest)[1]


def _mailbox(email: str) -> str:
    """One spelling for the addresses of one mailbox, as far as their form tells: case, +tags, dots at Gmail.

    It is hashed and never written to.
    """
    local, _, domain = email.strip().casefold().rpartition("@")
    local = local.partition("+")[0] or local
    if domain in _WITHOUT_DOTS:
        return f"{local.replace('.', '')}@gmail.com"
    return f"{local}@{domain}"
