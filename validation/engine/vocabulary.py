"""The words of a verdict. Values are stable: new ones may be added, none changes its meaning."""

from dataclasses import dataclass
from enum import StrEnum


class Category(StrEnum):
    """What a sender should make of an address."""

    VALID = "valid"
    INVALID = "invalid"
    CATCH_ALL = "catch_all"
    DISPOSABLE = "disposable"
    SPAM_TRAP = "spam_trap"
    UNKNOWN = "unknown"


class Reason(StrEnum):
    """Why an address has its category."""

    MAILBOX_EXISTS = "mailbox_exists"
    SYNTAX = "syntax"
    NO_DOMAIN = "no_domain"
    NO_MAIL_HOST = "no_mail_host"
    NULL_MX = "null_mx"
    BOGUS_MX = "bogus_mx"
    MAILBOX_NOT_FOUND = "mailbox_not_found"
    MAILBOX_DISABLED = "mailbox_disabled"
    MAILBOX_FULL = "mailbox_full"
    DOMAIN_NOT_HOSTED = "domain_not_hosted"
    SMTPUTF8_REQUIRED = "smtputf8_required"
    ACCEPTS_ALL = "accepts_all"
    DISPOSABLE_DOMAIN = "disposable_domain"
    KNOWN_TRAP = "known_trap"
    DNS_ERROR = "dns_error"
    CONNECT_FAILED = "connect_failed"
    TIMEOUT = "timeout"
    GREYLISTED = "greylisted"
    BLOCKED = "blocked"
    RATE_LIMITED = "rate_limited"
    TEMPORARY = "temporary"
    PROTOCOL_ERROR = "protocol_error"
    NOT_PROBED = "not_probed"
    NOT_IN_PLAN = "not_in_plan"
    NOT_ASKED = "not_asked"
    TEST_ADDRESS = "test_address"


class OptionalCheck(StrEnum):
    """A check that a caller may leave out. What it would have decided is `not_in_plan` then."""

    DISPOSABLE = "disposable"
    """Whether the domain gives out throw-away mailboxes."""
    MAILBOX = "mailbox"
    """What the mail servers say, including whether they accept every name: neither says much without the other."""


EVERY_CHECK = frozenset(OptionalCheck)


class Flag(StrEnum):
    """What else is worth knowing about an address; a flag never decides the category by itself."""

    ROLE = "role"
    FREE = "free"
    DISPOSABLE = "disposable"
    RELAY = "relay"
    FORWARDER = "forwarder"
    ALIAS = "alias"
    SUBADDRESSED = "subaddressed"
    INTERNATIONALISED = "internationalised"
    QUOTED = "quoted"
    FULL = "full"
    DISABLED = "disabled"
    DISPUTED = "disputed"


class Outcome(StrEnum):
    """How a single check ended."""

    PASS = "pass"
    FAIL = "fail"
    WARN = "warn"
    UNKNOWN = "unknown"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Check:
    """One named piece of evidence.

    `source` names the rule, list, DNS record, SMTP stage or cache it rests on; `time_ms` is the time the
    check took, where it took any; `expires_at` is when the fact should be asked again (epoch seconds).
    """

    name: str
    outcome: Outcome
    detail: str
    source: str
    time_ms: float | None = None
    expires_at: float | None = None


@dataclass(frozen=True, slots=True)
class FollowUp:
    """How to ask again so that a greylisting host recognises us: by the same triplet (RFC 6647 section 2.2).

    `route` and `sender` are the route and MAIL FROM that were used; `decoy` is the catch-all probe address that was
    sent with the address (the field's name is stored with waiting rows). Each is "" where there was none. `first_at` is
    the time of the first attempt in epoch seconds, `tries` the number of attempts, `wait_s` how long to wait from now.
    """

    route: str
    sender: str
    decoy: str
    first_at: float
    tries: int
    wait_s: float


class WaitCause(StrEnum):
    """What an address that was not asked about yet waits for."""

    RATE = "rate"
    """Our own limit of recipients a minute, or a day, at the operator."""
    SESSION = "session"
    """A session: all that the operator or host accepts, or that we open, are in use."""
    EGRESS = "egress"
    """An egress address: all that could ask the operator rest, because it turned them away."""
    LOOKUP = "lookup"
    """The DNS: our own limit of concurrent look-ups."""


@dataclass(frozen=True, slots=True)
class Wait:
    """Why and how long an address that was not asked about has to wait.

    `operator` is the name of its profile, "" for all hosts without one. `seconds` is when it is worth asking again.
    `per_s` is how many addresses a second the operator may be asked about over all our egress addresses; 0 where
    unknown.
    """

    operator: str
    cause: WaitCause
    seconds: float
    per_s: float = 0.0


@dataclass(slots=True, kw_only=True)
class Verdict:
    """Everything known about one address. Made once and then only read; a frozen class would take 1.4 microseconds
    longer.

    `follow_up` is set where asking again may decide. `wait` is set where nobody was asked yet because of a limit of
    ours (`Reason.NOT_ASKED`); ask again later then. None in a yes/no field means not asked, or not decidable.
    """

    email: str
    normalized: str | None = None
    domain: str | None = None
    category: Category
    reason: Reason
    confidence: float = 0.0
    safe_to_send: bool = False
    sentence: str
    syntax_valid: bool = True
    domain_valid: bool | None = None
    smtp_valid: bool | None = None
    is_disposable: bool | None = None
    is_catch_all: bool | None = None
    is_spam_trap: bool | None = None
    is_free: bool = False
    is_role: bool = False
    flags: tuple[Flag, ...] = ()
    did_you_mean: str | None = None
    mx_hosts: tuple[str, ...] = ()
    checks: tuple[Check, ...] = ()
    transcript: tuple[str, ...] = ()
    retry_after: float | None = None
    follow_up: FollowUp | None = None
    duration_ms: float = 0.0
    wait: Wait | None = None
