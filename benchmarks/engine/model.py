"""What a generated world consists of: names, hosts with their manners, mailboxes with their replies, the truth."""

from dataclasses import dataclass, field
from enum import StrEnum


class Tls(StrEnum):
    """What a host does about STARTTLS."""

    NONE = "none"
    OFFERED = "offered"
    REQUIRED = "required"
    BROKEN = "broken"
    UNAVAILABLE = "unavailable"


class Pipelining(StrEnum):
    """What a host does about commands that arrive together."""

    YES = "yes"
    NO = "no"  # not offered, but borne
    PUNISHED = "punished"  # not offered; who does it all the same is thrown out
    SWALLOWED = "swallowed"  # offered, but only the first command of each flush is heard


class Drop(StrEnum):
    """Where a host hangs up without a word."""

    NEVER = "never"
    CONNECT = "connect"
    MAIL = "mail"
    RCPT = "rcpt"


class Noise(StrEnum):
    """How a host talks when it does not talk SMTP."""

    NONE = "none"
    GARBAGE_GREETING = "garbage greeting"
    GARBAGE_RCPT = "garbage to RCPT"
    ENDLESS_EHLO = "endless EHLO"
    DRIPPING_EHLO = "dripping EHLO"
    SILENT = "silent"


@dataclass(frozen=True, slots=True)
class Manner:
    """How a host talks. Texts are whole replies with their line ends; `{0}` stands for the recipient.

    Delays are in seconds. A limit of 0 is none. `reply_delay` passes before each single reply. `greylist_s` is how
    long an unknown triplet has to wait. `difficult` hosts are served by the long way; without it only the limits of
    well-kept hosts count.
    """

    greeting: bytes
    ehlo: bytes
    mail_ok: bytes
    accepted: bytes
    missing: bytes
    reset_ok: bytes
    bye: bytes
    relay_denied: bytes
    too_many_errors: bytes
    helo: bytes = b"250 Hello\r\n"
    utf8: bool = True
    tls: Tls = Tls.NONE
    pipelining: Pipelining = Pipelining.YES
    errors_per_session: int = 0
    nonmail_per_session: int = 0
    greeting_delay: float = 0.0
    reply_delay: float = 0.0
    ehlo_refused: bytes = b""
    mail_refused: bytes = b""
    named_sender_refused: bytes = b""
    rcpt_refused: bytes = b""
    recipients_per_mail: int = 0
    recipients_per_session: int = 0
    over_mail: bytes = b""
    over_session: bytes = b""
    connections_per_client: int = 0
    too_many_connections: bytes = b""
    drop: Drop = Drop.NEVER
    noise: Noise = Noise.NONE
    greylist_s: float = 0.0
    greylisted: bytes = b""
    difficult: bool = False


class Line(StrEnum):
    """What happens to a connection to an address."""

    ANSWERED = "answered"
    REFUSED = "refused"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Host:
    """One address with a mail host behind it, or with nothing."""

    name: str
    ip: str
    manner: Manner
    line: Line = Line.ANSWERED


class Rcode(StrEnum):
    """Answers of the name server that carry no records."""

    NO_NAME = "NXDOMAIN"
    FAILURE = "SERVFAIL"
    SILENCE = "silence"


@dataclass(slots=True)
class Zone:
    """Records by name. A name in `broken` answers its code to every question; what is nowhere does not exist."""

    mx: dict[str, tuple[tuple[int, str], ...]] = field(default_factory=dict)
    a: dict[str, tuple[str, ...]] = field(default_factory=dict)
    cname: dict[str, str] = field(default_factory=dict)
    broken: dict[str, Rcode] = field(default_factory=dict)
    empty: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Truth:
    """The verdict that an address deserves; several reasons where the same event may fairly be named in several ways.

    `later` is the verdict once a greylisting host has been given its time. `kind` says what the address stands for.
    """

    category: str
    reasons: frozenset[str]
    kind: str
    later: "Truth | None" = None


@dataclass(slots=True)
class World:
    """A whole generated world. `replies` holds what hosts say of known recipients, `strangers` what they say of
    others at a domain; a domain that is in neither is not served."""

    seed: int
    zone: Zone = field(default_factory=Zone)
    hosts: list[Host] = field(default_factory=list)
    replies: dict[bytes, bytes] = field(default_factory=dict)
    strangers: dict[bytes, bytes] = field(default_factory=dict)
    questions: list[tuple[str, Truth]] = field(default_factory=list)


def truth(category: str, *reasons: str, kind: str = "") -> Truth:
    """A verdict, named after its first reason unless a kind is given."""
    return Truth(category, frozenset(reasons), kind or reasons[0])
