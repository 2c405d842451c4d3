"""The knowledge of a validation service about an address of the simulated world.

It probes from its own networks, so hosts that block, delay or greylist others accept it. An address of a host that is
down or violates the protocol stays unknown to it too. At hosts that accept every name it has earlier data: names that
announce a missing mailbox have bounced, names of two words have received mail.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import idna

from emailcheck.sandbox.mailworld.scenario.expectations import decide_mailbox_state
from emailcheck.sandbox.mailworld.scenario.mailboxes import State
from emailcheck.sandbox.mailworld.scenario.world import (
    Dns,
    Domain,
    Greeting,
    Operator,
    Recipient,
    World,
    encode_a_labels,
)

_ROLES = frozenset({"abuse", "admin", "billing", "contact", "help", "info", "office", "postmaster", "sales", "support"})
_FREE = frozenset({"gmail.com", "outlook.com", "hotmail.com", "yahoo.com", "gmx.net", "web.de", "icloud.com"})
_TYPOS: Final = {"gmaio.com": "gmail.com", "outloook.com": "outlook.com", "yhoo.com": "yahoo.com"}
_ADDRESS = re.compile(r"(?:[^\s@\"(),:;<>\[\]\\]{1,64}|\"[^\"]{1,62}\")@[^\s@]{1,253}")


class Finding(StrEnum):
    """The result for an address."""

    EXISTS = "exists"
    MISSING = "missing"
    FULL = "full"
    DISABLED = "disabled"
    ACCEPTS_ALL = "accepts_all"
    BOUNCED = "bounced"
    """Missing at a host that accepts every name: known from bounces alone."""
    WRITTEN_TO = "written_to"
    """Used at a host that accepts every name: known from senders alone."""
    DISPOSABLE = "disposable"
    SYNTAX = "syntax"
    NO_DOMAIN = "no_domain"
    TAKES_NO_MAIL = "takes_no_mail"
    BOGUS = "bogus"
    TYPO = "typo"
    DNS_TROUBLE = "dns_trouble"
    NO_CONNECTION = "no_connection"
    SILENT = "silent"
    NONSENSE = "nonsense"
    TEMPORARY = "temporary"


@dataclass(frozen=True, slots=True)
class AddressTruth:
    """A service's knowledge of an address; `host`: its first mail host, "" for none."""

    address: str
    local: str
    domain: str
    finding: Finding
    is_role: bool
    is_free: bool
    suggestion: str
    host: str

    @property
    def has_mail_host(self) -> bool:
        return bool(self.host)

    @property
    def accepts_all(self) -> bool:
        return self.finding in {Finding.ACCEPTS_ALL, Finding.BOUNCED, Finding.WRITTEN_TO}


_DNS = {
    Dns.NULL_MX: Finding.TAKES_NO_MAIL,
    Dns.NO_MAIL: Finding.TAKES_NO_MAIL,
    Dns.BOGUS: Finding.BOGUS,
    Dns.NXDOMAIN: Finding.NO_DOMAIN,
    Dns.SERVFAIL: Finding.DNS_TROUBLE,
    Dns.TIMEOUT: Finding.DNS_TROUBLE,
}
_GREETING = {
    Greeting.GARBAGE: Finding.NONSENSE,
    Greeting.FLOOD: Finding.NONSENSE,
    Greeting.SILENT: Finding.SILENT,
    Greeting.DROP: Finding.NO_CONNECTION,
}
_RECIPIENT = {Recipient.GARBAGE: Finding.NONSENSE, Recipient.DROP: Finding.NO_CONNECTION}
_STATE = {
    State.ACCEPTED: Finding.EXISTS,
    State.MISSING: Finding.MISSING,
    State.FULL: Finding.FULL,
    State.OVERFLOW: Finding.FULL,
    State.DISABLED: Finding.DISABLED,
    State.BUSY: Finding.EXISTS,
    State.TEMPORARY: Finding.TEMPORARY,
    State.GUARDED: Finding.EXISTS,
}


def inspect_address(world: World, address: str) -> AddressTruth:
    """Inspect an address. Domains outside the world do not exist."""
    local, _, name = address.strip().rpartition("@")
    if not _ADDRESS.fullmatch(address.strip()):
        return AddressTruth(address, local, name, Finding.SYNTAX, False, False, "", "")
    domain, suggestion = _find_domain(world, name), _TYPOS.get(name.lower(), "")
    target = world.mail_domain(domain) if domain else None
    operator = target.operator if target else None
    return AddressTruth(
        address=address,
        local=local,
        domain=name.lower(),
        finding=Finding.TYPO if suggestion else _decide_finding(world, domain, local),
        is_role=local.lower() in _ROLES,
        is_free=name.lower() in _FREE,
        suggestion=f"{local}@{suggestion}" if suggestion else "",
        host=operator.hosts[0].name_for(target.name) if operator and target else "",
    )


def _find_domain(world: World, name: str) -> Domain | None:
    try:
        return world.domain_of(encode_a_labels(name))
    except (idna.IDNAError, UnicodeError):
        return None


def _decide_finding(world: World, domain: Domain | None, local: str) -> Finding:
    if domain is None:
        return Finding.NO_DOMAIN
    if domain.kind == "disposable":
        return Finding.DISPOSABLE
    target = world.mail_domain(domain)
    if target.operator is None:
        return _DNS[target.dns]
    return _decide_smtp_finding(world, target, target.operator, local)


def _decide_smtp_finding(world: World, domain: Domain, operator: Operator, local: str) -> Finding:
    if not operator.reachable:
        return Finding.NO_CONNECTION
    nothing = _GREETING.get(operator.greeting) or _RECIPIENT.get(operator.recipient)
    if nothing:
        return nothing
    if not domain.hosted:
        return Finding.TAKES_NO_MAIL
    if operator.accepts_all:
        return _decide_by_history(world, local)
    return _STATE[decide_mailbox_state(world, operator, local)]


def _decide_by_history(world: World, local: str) -> Finding:
    named = world.mailboxes.named_state(local)
    if named is State.MISSING:
        return Finding.BOUNCED
    if named is not None and named is not State.ACCEPTED:
        return _STATE[named]
    known = "." in local and world.mailboxes.looks_like_a_name(local)
    return Finding.WRITTEN_TO if known else Finding.ACCEPTS_ALL
