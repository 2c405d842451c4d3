"""The simulated mail internet as data: operators, their hosts and behaviour, and the domains."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

import idna

from emailcheck.sandbox.mailworld.scenario.limits import Limits
from emailcheck.sandbox.mailworld.scenario.mailboxes import MailboxRules, State


class HostState(StrEnum):
    """The response to a connection attempt."""

    UP = "up"
    REFUSED = "refused"
    UNREACHABLE = "unreachable"
    SILENT = "silent"


class Greeting(StrEnum):
    """The host's first reply."""

    NORMAL = "normal"
    BLOCKED = "blocked"
    BUSY = "busy"
    GARBAGE = "garbage"
    FLOOD = "flood"
    SILENT = "silent"
    DROP = "drop"


class Sender(StrEnum):
    """The host's reply to MAIL FROM."""

    NORMAL = "normal"
    BLOCKED = "blocked"
    TEMPORARY = "temporary"


class Recipient(StrEnum):
    """The host's reply to RCPT TO, for every recipient."""

    NORMAL = "normal"
    BLOCKED = "blocked"
    RATE_LIMITED = "rate_limited"
    GARBAGE = "garbage"
    DROP = "drop"


class StartTls(StrEnum):
    """Whether TLS is available (RFC 3207)."""

    NO = "no"
    OFFERED = "offered"
    REQUIRED = "required"


class Dns(StrEnum):
    """The DNS's behaviour for a domain."""

    MX = "mx"
    IMPLICIT = "implicit"
    NULL_MX = "null_mx"
    NO_MAIL = "no_mail"
    BOGUS = "bogus"
    CNAME = "cname"
    NXDOMAIN = "nxdomain"
    SERVFAIL = "servfail"
    TIMEOUT = "timeout"


@dataclass(frozen=True, slots=True)
class Host:
    """One mail host. `name` may hold `{dashed}`: the served domain with dots as dashes."""

    name: str
    preference: int
    addresses: tuple[str, ...]
    state: HostState = HostState.UP

    def name_for(self, domain: str) -> str:
        """The name under which the host serves a domain: the same for all, or one for each."""
        return self.name.replace("{dashed}", domain.replace(".", "-"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Operator:
    """A set of mail hosts and its habits. Delays are in seconds; a limit of 0 means none.

    `company` is who runs it: all its operators count each source address together. Without one an operator stands
    for itself.
    """

    key: str
    company: str
    title: str
    replies: Mapping[str, str]
    hosts: tuple[Host, ...]
    accepts_all: bool = False
    unlikely: State = State.MISSING
    pipelining: bool = True
    smtputf8: bool = False
    starttls: StartTls = StartTls.NO
    greeting: Greeting = Greeting.NORMAL
    sender: Sender = Sender.NORMAL
    recipient: Recipient = Recipient.NORMAL
    greylisting: bool = False
    greeting_delay: float = 0.0
    reply_delay: float = 0.0
    recipients_per_transaction: int = 0
    recipients_per_session: int = 0
    errors_per_session: int = 0
    sessions_at_once: int = 0

    @property
    def reachable(self) -> bool:
        """True when at least one host takes connections."""
        return any(host.state is HostState.UP for host in self.hosts)


@dataclass(frozen=True, slots=True)
class Target:
    """An MX target that leads nowhere: a private or loopback address, or none."""

    name: str
    preference: int
    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Domain:
    """A domain of the simulated world; `name` in A-labels, `title` as people write it. `share` is its percentage of a
    list as it is in life."""

    name: str
    title: str
    group: str
    note: str
    dns: Dns
    operator: Operator | None = None
    hosted: bool = True
    cname: str = ""
    kind: str = ""
    targets: tuple[Target, ...] = ()
    examples: tuple[str, ...] = ()
    weight: int = 0
    share: float = 0.0


@dataclass(frozen=True, slots=True)
class Visitor:
    """A source of connections: its name, the verifier's public address there, and the `key` by which a proxy user
    chooses it.
    """

    key: str
    name: str
    address: str


@dataclass(frozen=True, slots=True)
class World:
    """Everything the simulated servers know. `greylist_s` and the TTLs are in seconds.

    `limits` are those of the companies, as in life; the world bears `limits_factor` times their rates.
    """

    visitors: tuple[Visitor, ...]
    limits: Mapping[str, Limits]
    limits_factor: float
    positive_ttl: int
    negative_ttl: int
    greylist_s: float
    mailboxes: MailboxRules
    operators: Mapping[str, Operator]
    domains: Mapping[str, Domain]
    hosts_by_address: Mapping[str, tuple[Operator, Host]] = field(repr=False)

    @property
    def visitor(self) -> Visitor:
        """The default visitor of the proxy."""
        return self.visitors[0]

    def visitor_called(self, name: str) -> Visitor | None:
        """The visitor with that key or that address."""
        return next((visitor for visitor in self.visitors if name in {visitor.key, visitor.address}), None)

    def domain_of(self, name: str) -> Domain | None:
        """The domain of that name, given in U-labels or A-labels."""
        return self.domains.get(name.lower()) or self.domains.get(encode_a_labels(name))

    def mail_domain(self, domain: Domain) -> Domain:
        """The domain whose records answer: itself, or where its CNAME leads."""
        return self.domains[domain.cname] if domain.cname else domain


def encode_a_labels(name: str) -> str:
    """The domain in lower-case A-labels (IDNA 2008). Raises `idna.IDNAError`."""
    return name.lower() if name.isascii() else idna.encode(name, uts46=True).decode("ascii")
