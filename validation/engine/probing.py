"""What is asked of the mail hosts, and what they answered."""

import math
import random
import string
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Protocol

from validation.engine.clock import Clock
from validation.engine.mailhosts import MailHosts
from validation.engine.replies import Reading, classify
from validation.engine.smtp import Session, Stage
from validation.engine.syntax import Address
from validation.engine.vocabulary import Check, FollowUp, Reason, Wait
from validation.engine.wire import Reply, clipped

_RANDOM_ALPHABET = string.ascii_lowercase + string.digits
_RANDOM_LENGTH = 18


@dataclass(frozen=True, slots=True)
class RandomOutcome:
    """What became of a mailbox that cannot exist: accepted, refused, or None where that is undecided."""

    accepted: bool | None
    reply: str
    expires_at: float
    remembered: bool = False


@dataclass(frozen=True, slots=True)
class DomainOutcome:
    """A decided outcome as others may keep it: whether the domain accepts every name, by which reply, until when
    (epoch seconds)."""

    domain: str
    accepts_all: bool
    reply: str
    expires_at: float


@dataclass(slots=True)
class SessionFacts:
    """What a session looked like, shared by all whom it asked for. `checks` keeps the evidence made of it."""

    host: str
    ip: str
    route: str
    greeting: str
    tls: str
    sender: str
    time_ms: float
    transcript: tuple[str, ...]
    checks: tuple[Check, ...] = ()

    @classmethod
    def of(cls, session: Session) -> "SessionFacts":
        """The facts of an open session."""
        return cls(
            session.host,
            session.ip,
            session.route,
            session.greeting,
            session.tls,
            session.sender,
            session.time_ms,
            tuple(map(clipped, session.transcript[:30])),
        )


@dataclass(frozen=True, slots=True)
class Probe:
    """All that the mail hosts told about one recipient.

    `wait` is set where nobody was asked because of a limit of ours; `at_second_hand` where the hosts turned us away
    before this recipient's turn had come.
    """

    reading: Reading
    stage: Stage
    reply: Reply | None = None
    session: SessionFacts | None = None
    mail: Reply | None = None
    random: RandomOutcome | None = None
    detail: str = ""
    attempts: tuple[str, ...] = ()
    time_ms: float = 0.0
    wait: Wait | None = None
    at_second_hand: bool = False

    @property
    def is_temporary(self) -> bool:
        """Whether the host said that it may think otherwise later (RFC 5321 section 4.2.1)."""
        return self.reply is not None and 400 <= self.reply.code < 500

    def heard_by_others(self) -> "Probe":
        """The same, for who was not asked for himself."""
        return replace(self, at_second_hand=True)

    @property
    def said(self) -> str:
        """The host's own words, or what else went wrong."""
        return str(self.reply) if self.reply is not None else self.detail


class Queue(Protocol):
    """Where an address stands in line."""

    def why_unasked(self) -> "Probe | None":
        """What is to be said of who was not asked for until now; None where its hosts were dialled in vain."""


@dataclass(slots=True)
class Ticket:
    """One address waiting for its probe.

    `index` and `email` are where it stood in the list and how it was written there, `twins` the same of its
    repetitions. `accepted` holds a yes that still lacks the random recipient's answer; `earlier` is how it was asked
    for before. `patience_s` is how long it may stand in line, `queue` where it does, None as long as it does not or
    when it was asked for. `settle_with` is called once, with None for an address that need not be asked for.
    """

    address: Address
    settle_with: "Callable[[Ticket, Probe | None], None]"
    index: int = 0
    email: str = ""
    twins: tuple[tuple[int, str], ...] = ()
    earlier: FollowUp | None = None
    done: bool = False
    tries: int = 0
    patience_s: float = math.inf
    queue: "Queue | None" = None
    accepted: Probe | None = None
    last: Probe | None = None
    said: Probe | None = None

    def settle(self, probe: Probe | None) -> None:
        """Hand over the probe, once."""
        if not self.done:
            self.done = True
            self.settle_with(self, probe)

    def give_up(self, probe: Probe) -> None:
        """Hand over the best there is: a yes, or the last that a host said, rather than that it said nothing then."""
        said = self.said if probe.reply is None else None
        self.settle(self.accepted or said or probe)


@dataclass(slots=True)
class Job:
    """Some addresses of one domain, asked for in one envelope."""

    hosts: MailHosts
    tickets: list[Ticket] = field(default_factory=list)


class CatchAllMemory:
    """The outcome of the random recipient by domain, while it counts.

    `learned` holds what was decided here, for whoever wants to keep it: the newest, where nobody fetches it.
    """

    def __init__(self, clock: Clock, ttl_s: float, size: int = 100_000) -> None:
        self._clock = clock
        self._ttl_s = ttl_s
        self._size = size
        self._known: OrderedDict[str, RandomOutcome] = OrderedDict()
        self._undecided: OrderedDict[str, str] = OrderedDict()
        self.learned: deque[DomainOutcome] = deque(maxlen=size)

    def recall(self, domain: str) -> RandomOutcome | None:
        """What is remembered and still counts."""
        known = self._known.get(domain)
        return known if known is not None and known.expires_at > self._clock.time() else None

    def put(self, outcome: DomainOutcome) -> None:
        """Take over what somebody has kept, unless something newer is known."""
        known = self._known.get(outcome.domain)
        if known is None or known.expires_at < outcome.expires_at:
            kept = RandomOutcome(outcome.accepts_all, outcome.reply, outcome.expires_at, remembered=True)
            self._remember(outcome.domain, kept)

    def decoy(self, domain: str) -> str:
        """The random recipient that was put off and should be asked for again; "" where a new one will do."""
        return self._undecided.get(domain, "")

    def put_off(self, domain: str, decoy: str) -> None:
        """Remember a random recipient without an answer: a greylisting host knows it from then on."""
        self._undecided[domain] = decoy
        self._undecided.move_to_end(domain)
        if len(self._undecided) > self._size:
            self._undecided.popitem(last=False)

    def learn(self, domain: str, decoy: str, reply: Reply, provider: str) -> RandomOutcome:
        """Read the reply to the random recipient `decoy`; only a decided outcome is remembered."""
        reading = classify(reply, provider=provider, recipient=decoy)
        is_refused = reading.is_definite and reading.reason is not Reason.MAILBOX_FULL  # what is full is there
        accepted = True if reply.is_positive else False if is_refused else None
        outcome = RandomOutcome(accepted, clipped(str(reply)), self._clock.time() + self._ttl_s)
        if accepted is None:
            self.put_off(domain, decoy)
        else:
            self._undecided.pop(domain, None)
            self._remember(domain, replace(outcome, remembered=True))
            self.learned.append(DomainOutcome(domain, accepted, outcome.reply, outcome.expires_at))
        return outcome

    def _remember(self, domain: str, outcome: RandomOutcome) -> None:
        self._known[domain] = outcome
        self._known.move_to_end(domain)
        if len(self._known) > self._size:
            self._known.popitem(last=False)


def random_recipient(domain: str, rng: random.Random) -> str:
    """A mailbox that nobody has, in letters and digits so that no server stumbles over its form."""
    return "".join(rng.choices(_RANDOM_ALPHABET, k=_RANDOM_LENGTH)) + "@" + domain
