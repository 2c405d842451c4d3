"""The queue of one host group: addresses that wait to be probed, and those that can wait no longer."""

import math
from collections import deque
from collections.abc import Iterable, Iterator, Sequence

from validation.engine.hosts.failed_probes import build_unasked_probe
from validation.engine.limits.operators import Operator
from validation.engine.limits.shared_limits import Lane
from validation.engine.probes.catch_all import CatchAllCache
from validation.engine.probes.probe import Probe
from validation.engine.probes.tickets import Job, Ticket, TicketQueue
from validation.engine.vocabulary import Wait


class JobQueue:
    """Jobs in order. The operator counts the addresses of all its queues."""

    def __init__(self, operator: Operator, lane: Lane, catch_all: CatchAllCache) -> None:
        self.size = 0
        self._operator = operator
        self._lane = lane
        self._catch_all = catch_all
        self._jobs: deque[Job] = deque()

    def __bool__(self) -> bool:
        return bool(self._jobs)

    def __iter__(self) -> Iterator[Job]:
        return iter(self._jobs)

    def put(self, job: Job, *, first: bool = False) -> None:
        """Add a job at the end, or at the front."""
        (self._jobs.appendleft if first else self._jobs.append)(job)
        self._count(len(job.tickets))

    def add_jobs(self, jobs: Iterable[Job], size: int, queue: TicketQueue) -> None:
        """Add jobs in portions of `size` addresses; `queue` is what their tickets wait in."""
        for job in jobs:
            for ticket in job.tickets:
                ticket.queue = queue
            for start in range(0, len(job.tickets), size):
                self.put(Job(job.hosts, job.tickets[start : start + size]))

    def pop(self, *, last: bool = False) -> Job:
        """Remove and return the first job, or the last one."""
        job = self._jobs.pop() if last else self._jobs.popleft()
        self._count(-len(job.tickets))
        return job

    def clear(self) -> None:
        """Drop all jobs."""
        self._jobs.clear()
        self._count(-self.size)

    def portion(self, most: int, recipients: float) -> list[Job]:
        """Remove and return jobs of about `most` addresses for one flush, without addresses already answered.

        Together with their random recipients they need no more than `recipients`.
        """
        jobs: list[Job] = []
        while self._jobs and (not jobs or len(self._jobs[0].tickets) <= most):
            job = self.pop()
            random_recipients = int(self._catch_all.recall(job.hosts.domain) is None)
            space = int(min(most, recipients - random_recipients))
            waiting = [ticket for ticket in job.tickets if not ticket.done]
            if len(waiting) > space:
                self.put(Job(job.hosts, waiting[max(0, space) :]), first=True)
            if not waiting:
                continue
            if space <= 0:
                break
            jobs.append(Job(job.hosts, waiting[:space]))
            most -= len(jobs[-1].tickets)
            recipients -= len(jobs[-1].tickets) + random_recipients
        return jobs

    def shortest_patience_s(self) -> float:
        """The shortest time that a queued address may wait, in seconds.

        All addresses of one call are equally patient.
        """
        return min((job.tickets[0].patience_s for job in self._jobs if job.tickets), default=math.inf)

    def settle_all(self, probe: Probe) -> None:
        """Give every queued address the same answer."""
        jobs = [self.pop() for _ in range(len(self._jobs))]
        settle_jobs(jobs, probe)

    def send_back(self, seconds: float, wait: Wait) -> None:
        """Return addresses that may not wait `seconds`, as not asked yet."""
        probe = build_unasked_probe(wait)
        for job in [self.pop() for _ in range(len(self._jobs))]:
            staying = _return_impatient(job.tickets, seconds, probe)
            if staying:
                self.put(Job(job.hosts, staying))

    def shorten(self, most: int, seconds: float, wait: Wait) -> None:
        """Return the last addresses beyond `most` that may not wait `seconds`."""
        probe, staying = build_unasked_probe(wait), []
        while self.size > most and self._jobs:
            job = self.pop(last=True)
            staying_here = _return_impatient(job.tickets, seconds, probe)
            if staying_here:
                staying.append(Job(job.hosts, staying_here))
                most -= len(staying_here)
        for job in reversed(staying):
            self.put(job)

    def _count(self, change: int) -> None:
        self.size += change
        self._operator.line[self._lane] += change


def _return_impatient(tickets: Sequence[Ticket], seconds: float, probe: Probe) -> list[Ticket]:
    staying = [ticket for ticket in tickets if ticket.patience_s >= seconds]
    for ticket in tickets:
        if ticket.patience_s < seconds:
            ticket.deliver_probe(ticket.accepted or probe)
    return [ticket for ticket in staying if not ticket.done]


def settle_jobs(jobs: Sequence[Job], probe: Probe) -> None:
    """Give every open address the same answer, marked as second-hand where the host was not asked about it."""
    at_second_hand = probe
    for job in jobs:
        for ticket in job.tickets:
            if ticket.queue is not None and probe.reply is not None:
                if at_second_hand is probe:
                    at_second_hand = probe.as_second_hand()
                ticket.give_up(at_second_hand)
            else:
                ticket.give_up(probe)
