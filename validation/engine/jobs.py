"""Jobs: the addresses of one domain on their way through a call, and the queues of host groups that they stand in.

    read     `Call` parses addresses and adds them to the job of their domain
    look up  `Call` fills in `verdicts`, which hold what lists and the DNS say of the domain
    queue    a `JobQueue` for each host group has those that wait to be probed, and returns who can wait no longer
    probe    a host group asks about portions of it, and gives each address its probe
    decide   `Sink` makes the verdicts, and keeps them until the call's reader takes them

A job knows its sink, and nobody who moves it.
"""

import asyncio
import math
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from validation.engine.clock import Clock
from validation.engine.knowledge.domains import CatchAllCache, DomainLists
from validation.engine.limits.operators import Operator
from validation.engine.limits.shared_limits import Lane
from validation.engine.probes.failed_probes import SESSION_ENDED_EARLY, build_unasked_probe
from validation.engine.probes.probe import Probe
from validation.engine.replies.readings import Subject
from validation.engine.syntax import Address
from validation.engine.verdict.verdicts import (
    DomainVerdicts,
    RetryContext,
    build_bad_syntax_verdict,
    can_be_retried,
)
from validation.engine.vocabulary import FollowUp, Verdict, Wait

Arrival = tuple[int, Verdict]
"""An address's index in the call, and its verdict."""
FollowUpRoute = tuple[str, str] | None  # the egress address and the sender that a follow-up must take
LIST_PATIENCE_S = 10.0
"""Seconds that a list's address stands in line in a process before it is handed back to wait elsewhere."""


@dataclass(frozen=True, slots=True)
class Patience:
    """The lane of a call's addresses, and how many seconds each may stand in line."""

    lane: Lane
    seconds: float = math.inf


ENDLESS_PATIENCE = Patience(Lane.SHORT)


@dataclass(slots=True, eq=False)
class Ticket:
    """One address of a job.

    `index` and `email` are its position in the list and its spelling there; `duplicates` are those of its repetitions.
    `earlier` is the follow-up it came with. `trap`: whether it is a known trap; None without a list. `is_waiting` says
    that its hosts were not asked since it was queued. `accepted` is a positive answer that lacks the random recipient's
    outcome.
    """

    job: "Job"
    address: Address
    index: int
    email: str
    earlier: FollowUp | None = None
    trap: bool | None = None
    duplicates: tuple[tuple[int, str], ...] = ()
    done: bool = False
    is_waiting: bool = False
    tries: int = 0
    accepted: Probe | None = None
    last: Probe | None = None
    earlier_probe: Probe | None = None

    def deliver_probe(self, probe: Probe | None) -> None:
        """End the address's way, once; with None where no host needs to be asked."""
        if not self.done:
            self.done = True
            self.job.sink.decide(self, probe)

    def give_up(self, probe: Probe) -> None:
        """Deliver the best answer known: an acceptance, or the last reply rather than later silence."""
        earlier_probe = self.earlier_probe if probe.reply is None else None
        self.deliver_probe(self.accepted or earlier_probe or probe)


class Job:
    """The addresses of one domain in a call that share a route: any route, or that of an earlier attempt.

    An address given twice is probed once.
    """

    def __init__(self, sink: "Sink", domain: str, follow_up_route: FollowUpRoute, patience_s: float) -> None:
        self.sink = sink
        self.domain = domain
        self.follow_up_route = follow_up_route
        self.patience_s = patience_s
        self.tickets: dict[Address, Ticket] = {}
        self.left = 0
        self.verdicts: DomainVerdicts | None = None
        """Known once the domain was looked up."""

    def add(self, address: Address, index: int, email: str, earlier: FollowUp | None, trap: bool | None) -> None:
        """Add an address with its index, its spelling and its earlier attempt."""
        ticket = self.tickets.get(address)
        if ticket is None:
            self.tickets[address] = Ticket(self, address, index, email, earlier, trap)
            self.left += 1
        else:
            ticket.duplicates += ((index, email),)
            ticket.earlier = earlier or ticket.earlier


@dataclass(slots=True, eq=False)
class Portion:
    """Some addresses of a job, asked for in one envelope."""

    job: Job
    tickets: list[Ticket] = field(default_factory=list)


class Sink:
    """Decides the addresses of a call, and keeps the verdicts until they are read.

    `open` holds the jobs with addresses that are not decided.
    """

    def __init__(self, knowledge: DomainLists, catch_all: CatchAllCache, clock: Clock) -> None:
        self.open: set[Job] = set()
        self._knowledge = knowledge
        self._catch_all = catch_all
        self._clock = clock
        self._started = clock.monotonic()
        self._ready: list[Arrival] = []
        self._reader: asyncio.Future[None] | None = None

    def decide(self, ticket: Ticket, probe: Probe | None) -> None:
        """Make the verdict on an address, for each position it stood at. After the last one its job is over."""
        job, address = ticket.job, ticket.address
        job.left -= 1
        ticket.is_waiting = False
        if job.verdicts is not None:
            again = self._find_retry_context(ticket, probe)
            role = self._knowledge.is_role(address.mailbox)
            for index, email in ((ticket.index, ticket.email), *ticket.duplicates):
                took = self._elapsed_ms()
                self._put(
                    index,
                    job.verdicts.of(
                        email, address, probe, is_role=role, trap=ticket.trap, again=again, duration_ms=took
                    ),
                )
        if not job.left:
            job.tickets.clear()  # they know their job: without this, only the garbage collector could part them
            self.open.discard(job)

    def refuse(self, index: int, email: str, why: str) -> None:
        """Hand over the verdict on a text that is no address."""
        self._put(index, build_bad_syntax_verdict(email, why, self._elapsed_ms()))

    async def take(self) -> list[Arrival]:
        """The verdicts since the last call: as soon as there is one, or `wake` is called."""
        if not self._ready:
            self._reader = asyncio.get_running_loop().create_future()
            await self._reader
            self._reader = None
        taken, self._ready = self._ready, []
        return taken

    def wake(self) -> None:
        """Let whoever waits look again."""
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    def _find_retry_context(self, ticket: Ticket, probe: Probe | None) -> RetryContext | None:
        if ticket.earlier is None and not can_be_retried(probe):
            return None
        pending = self._catch_all.pending_probe_address(ticket.job.domain)
        return RetryContext(self._clock.time(), pending, ticket.earlier)

    def _put(self, index: int, verdict: Verdict) -> None:
        self._ready.append((index, verdict))
        self.wake()

    def _elapsed_ms(self) -> float:
        return round((self._clock.monotonic() - self._started) * 1000, 3)


class JobQueue:
    """Portions of jobs in order. The operator counts the addresses of all its queues."""

    def __init__(self, operator: Operator, lane: Lane, catch_all: CatchAllCache) -> None:
        self.size = 0
        self._operator = operator
        self._lane = lane
        self._catch_all = catch_all
        self._portions: deque[Portion] = deque()

    def __bool__(self) -> bool:
        return bool(self._portions)

    def add(self, portions: Iterable[Portion], size: int) -> None:
        """Add addresses in portions of `size`."""
        for portion in portions:
            for ticket in portion.tickets:
                ticket.is_waiting = True
            for start in range(0, len(portion.tickets), size):
                self._put(Portion(portion.job, portion.tickets[start : start + size]))

    def clear(self) -> None:
        """Drop all portions."""
        self._portions.clear()
        self._count(-self.size)

    def draw(self, most: int, recipients: float) -> list[Portion]:
        """Remove and return about `most` addresses for one flush, without addresses already answered.

        Together with their random recipients they need no more than `recipients`.
        """
        drawn: list[Portion] = []
        while self._portions and (not drawn or len(self._portions[0].tickets) <= most):
            portion = self._pop()
            random_recipients = int(self._catch_all.recall(portion.job.domain) is None)
            space = int(min(most, recipients - random_recipients))
            waiting = [ticket for ticket in portion.tickets if not ticket.done]
            if len(waiting) > space:
                self._put(Portion(portion.job, waiting[max(0, space) :]), first=True)
            if not waiting:
                continue
            if space <= 0:
                break
            drawn.append(Portion(portion.job, waiting[:space]))
            most -= len(drawn[-1].tickets)
            recipients -= len(drawn[-1].tickets) + random_recipients
        return drawn

    def shortest_patience_s(self) -> float:
        """The shortest time that a queued address may wait, in seconds."""
        return min((portion.job.patience_s for portion in self._portions if portion.tickets), default=math.inf)

    def settle_all(self, probe: Probe) -> None:
        """Give every queued address the same answer."""
        settle_portions([self._pop() for _ in range(len(self._portions))], probe)

    def send_back(self, seconds: float, wait: Wait) -> None:
        """Return addresses that may not wait `seconds`, as not asked yet."""
        probe = build_unasked_probe(wait)
        for portion in [self._pop() for _ in range(len(self._portions))]:
            staying = _return_impatient(portion, seconds, probe)
            if staying:
                self._put(Portion(portion.job, staying))

    def shorten(self, most: int, seconds: float, wait: Wait) -> None:
        """Return the last addresses beyond `most` that may not wait `seconds`."""
        probe, staying = build_unasked_probe(wait), []
        while self.size > most and self._portions:
            portion = self._pop(last=True)
            staying_here = _return_impatient(portion, seconds, probe)
            if staying_here:
                staying.append(Portion(portion.job, staying_here))
                most -= len(staying_here)
        for portion in reversed(staying):
            self._put(portion)

    def requeue(
        self, portions: Iterable[Portion], left: Probe | None, *, progress: bool, tries: int, pairs: int
    ) -> Probe | None:
        """Queue addresses without an answer again while another try may help; the others get their last reply.

        `left` is what ended the session. `progress` says that some address got an answer. An address is tried `tries`
        times where the host is busy, and once from each of `pairs` egress addresses where it refuses us. Returns the
        last rejection among them.
        """
        word = None
        for portion in portions:
            remaining = []
            for ticket in portion.tickets:
                if ticket.done:
                    continue
                word = ticket.last or left or SESSION_ENDED_EARLY
                ticket.tries += not progress
                if _is_worth_retry(ticket, word, progress, tries, pairs):
                    ticket.earlier_probe, ticket.last = ticket.last or ticket.earlier_probe, None
                    ticket.is_waiting |= progress  # the host is well, only the session ended
                    remaining.append(ticket)
                else:
                    ticket.give_up(word)
            if remaining:
                self._put(Portion(portion.job, remaining), first=True)
        return word

    def _put(self, portion: Portion, *, first: bool = False) -> None:
        (self._portions.appendleft if first else self._portions.append)(portion)
        self._count(len(portion.tickets))

    def _pop(self, *, last: bool = False) -> Portion:
        portion = self._portions.pop() if last else self._portions.popleft()
        self._count(-len(portion.tickets))
        return portion

    def _count(self, change: int) -> None:
        self.size += change
        self._operator.line[self._lane] += change


def _return_impatient(portion: Portion, seconds: float, probe: Probe) -> list[Ticket]:
    """Return the addresses of a portion that may not wait so long; the others are answered."""
    if portion.job.patience_s < seconds:
        for ticket in portion.tickets:
            ticket.deliver_probe(ticket.accepted or probe)
    return [ticket for ticket in portion.tickets if not ticket.done]


def _is_worth_retry(ticket: Ticket, word: Probe, progress: bool, tries: int, pairs: int) -> bool:
    subject = word.reading.subject
    if ticket.accepted is None and subject is Subject.US:
        return not progress and ticket.tries <= pairs
    return (word.reply is None and progress) or (subject is Subject.LOAD and ticket.tries < tries)


def settle_portions(portions: Sequence[Portion], probe: Probe) -> None:
    """Give every open address the same answer, marked as second-hand where the host was not asked about it."""
    at_second_hand = probe.as_second_hand() if probe.reply is not None else probe
    for portion in portions:
        for ticket in portion.tickets:
            ticket.give_up(at_second_hand if ticket.is_waiting else probe)
