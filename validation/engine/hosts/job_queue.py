"""The queue of one host group: addresses that wait to be probed, and those that can wait no longer."""

import math
from collections import deque
from collections.abc import Iterable, Sequence

from validation.engine.hosts.failed_probes import SESSION_ENDED_EARLY, build_unasked_probe
from validation.engine.jobs import Portion, Ticket
from validation.engine.limits.operators import Operator
from validation.engine.limits.shared_limits import Lane
from validation.engine.probes.catch_all import CatchAllCache
from validation.engine.probes.probe import Probe
from validation.engine.replies.readings import Subject
from validation.engine.vocabulary import Wait


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
