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


class OptionalCheck(StrEnum):
    """A check that a caller may leave out; it is not made then, and what it would have decided is `not_in_plan`."""

    DISPOSABLE = "disposable"
    """Whether the domain gives out throw-away mailboxes."""
    MAILBOX = "mailbox"
    """What the mail servers say, whether they accept every name included: one says little without the other."""


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
    """How to ask again later so that a greylisting host knows us: by the same triplet (RFC 6647 section 2.2).

    `route` and `sender` are the way out and the MAIL FROM that were used, `decoy` the random recipient that was asked
    for beside the address, each "" where there was none; `first_at` is when the address was first asked for (epoch
    seconds), `tries` how often by now, `wait_s` how long to wait from now on.
    """

    route: str
    sender: str
    decoy: str
    first_at: float
    tries: int
    wait_s: float


class WaitCause(StrEnum):
    """What an address stands in line for that was not asked about yet."""

    RATE = "rate"
    """Our own limit of recipients a minute, or a day, at the operator."""
    SESSION = "session"
    """A session with the operator or host: all that it takes, or that we open, are busy."""
    EGRESS = "egress"
    """An egress address: those that could ask the operator rest, because it turned them away."""
    LOOKUP = "lookup"
    """The domain name system: our own limit of questions at once."""


@dataclass(frozen=True, slots=True)
class Wait:
    """Why and for how long an address that was not asked about has to wait.

    `operator` is the name of its profile, "" for all hosts without one; `seconds` is when it would be worth asking
    again, `per_s` how many addresses a second the operator may be asked for on all our egress addresses together, 0
    where nothing is known.
    """

    operator: str
    cause: WaitCause
    seconds: float
    per_s: float = 0.0


@dataclass(slots=True, kw_only=True)
class Verdict:
    """All that is known about one address. Made once, then only read; that is not enforced, because a frozen object
    of so many fields takes 1.4 microseconds longer to make.

    `follow_up` is set where asking again later may decide; `wait` where nobody was asked yet, because of a limit of
    ours (`Reason.NOT_ASKED`): then the verdict is no answer, and who can wait should.
    `None` in a yes/no field means that the question was not asked or could not be decided.
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
