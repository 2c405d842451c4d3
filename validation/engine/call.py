"""One run of addresses through the engine: read, group by domain, look up, submit to the hosts, hand over.

A call keeps a bounded number of addresses in flight and no verdict that was handed over, so a list of any length takes
the same memory. `jobs` says what moves through it.
"""

import asyncio
import logging
import math
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Callable, Coroutine, Iterable, Mapping, Set
from dataclasses import dataclass
from typing import Any

from validation.engine.clock import Clock
from validation.engine.dns.lookups import Exchanges, MailHosts, resolve_mail_hosts
from validation.engine.dns.resolver import Answer, Found, Resolver
from validation.engine.hosts.host_group import HostGroup
from validation.engine.jobs import Arrival, FollowUpRoute, Job, Patience, Portion, Sink, Ticket
from validation.engine.knowledge.domains import CatchAllCache, DomainLists
from validation.engine.limits.shared_limits import Lane
from validation.engine.probes.failed_probes import build_unasked_probe
from validation.engine.probes.probe import Probe
from validation.engine.replies.readings import Reading, Subject
from validation.engine.smtp.stages import Stage
from validation.engine.syntax import Address, AddressSyntaxError, parse
from validation.engine.verdict.evidence import DomainFacts, gather_facts
from validation.engine.verdict.verdicts import DomainVerdicts
from validation.engine.vocabulary import FollowUp, OptionalCheck, Reason, Wait, WaitCause

_log = logging.getLogger(__name__)

_PARSE_AT_ONCE = 500  # addresses between two looks at the event loop
_GATHER_S = 0.05  # how long the addresses of a slow source are gathered before they are sent on their way
_LONGEST_LEAD_S = 2.0
_LINE_SHARE = 2 / 3  # of the time of a long list's call
_LOOK_UPS_PER_S = 5_000
_OUT_OF_TIME = Probe(Reading(Reason.TIMEOUT, Subject.MOMENT, "clock"), Stage.CONNECT, detail="the deadline has passed")
_NOT_LOOKED_UP = build_unasked_probe(Wait("", WaitCause.LOOKUP, 5.0))


@dataclass(frozen=True, slots=True)
class Tools:
    """What all calls of a verifier share. `slots`: `look_ups` domains are looked up at once."""

    resolver: Resolver
    knowledge: DomainLists
    catch_all: CatchAllCache
    find_group: Callable[[Exchanges, FollowUpRoute, Lane], HostGroup]
    clock: Clock
    slots: asyncio.Semaphore
    look_ups: int
    traps: frozenset[str]
    test_domains: frozenset[str]


class Call:
    """One run over many addresses."""

    def __init__(
        self,
        tools: Tools,
        *,
        deadline_s: float | None,
        follow_ups: Mapping[int, FollowUp],
        checks: Set[OptionalCheck],
        patience: Patience,
    ) -> None:
        self._tools = tools
        self._checks = checks
        self._patience = patience
        self._follow_ups = follow_ups
        self._deadline_s = deadline_s
        self._sink = Sink(tools.knowledge, tools.catch_all, tools.clock)
        self._in_flight = 0
        self._space: asyncio.Future[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._gathering: dict[tuple[str, FollowUpRoute], Job] = {}
        self._gather_timer: asyncio.TimerHandle | None = None
        self._to_look_up: deque[Job] = deque()
        self._looking_up = 0
        self._to_submit: dict[tuple[Exchanges, FollowUpRoute], list[Portion]] = {}
        self._submit_timer: asyncio.TimerHandle | None = None
        self._is_late = False

    async def run(
        self, addresses: Iterable[str] | AsyncIterable[str], window: int
    ) -> AsyncGenerator[list[Arrival], None]:
        """Yield lists of (index, verdict) as verdicts become known, with at most `window` addresses in flight.

        Raises what iterating over `addresses` raises, and nothing else. When the caller reads no more, what is in
        flight is cancelled.
        """
        timers = self._start_timers()
        reader = self._start_task(self._read_addresses(addresses, window))
        try:
            while self._in_flight or not reader.done():
                arrived = await self._sink.take()
                self._in_flight -= len(arrived)
                if self._in_flight <= window // 2 and self._space is not None and not self._space.done():
                    self._space.set_result(None)
                if arrived:
                    yield arrived
            reader.result()
        finally:
            for timer in timers:
                timer.cancel()
            self._abandon()

    def _start_timers(self) -> list[asyncio.TimerHandle]:
        loop, timers = asyncio.get_running_loop(), []
        if self._deadline_s is not None:
            timers.append(loop.call_later(self._deadline_s, self._settle_at_deadline))
        if self._seconds_until_impatient < math.inf:
            timers.append(loop.call_later(self._seconds_until_impatient, self._settle_impatient))
        return timers

    @property
    def _seconds_until_impatient(self) -> float:
        """Seconds after which no address waits any longer.

        Long lists stop early enough for the last probes to be answered.
        """
        if self._patience.lane is Lane.SHORT or self._deadline_s is None:
            return self._patience.seconds if self._patience.lane is Lane.SHORT else math.inf
        return self._deadline_s * _LINE_SHARE

    def _abandon(self) -> None:
        """Cancel what is in flight."""
        for timer in (self._submit_timer, self._gather_timer):
            if timer is not None:
                timer.cancel()
        self._gathering.clear()
        self._to_look_up.clear()
        for task in self._tasks:
            task.cancel()
        for job in self._sink.open:
            for ticket in job.tickets.values():
                ticket.done = True

    def _start_task(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._forget_task)
        return task

    def _forget_task(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._sink.wake()

    # Reading

    async def _read_addresses(self, addresses: Iterable[str] | AsyncIterable[str], window: int) -> None:
        """Parse addresses and group them by domain, one window at a time and then half a window, so that domains stay
        together.
        """
        loop = asyncio.get_running_loop()
        is_slow = isinstance(addresses, AsyncIterable)
        index = 0
        try:
            async for email in _iterate_addresses(addresses):
                if self._in_flight >= window:
                    self._look_up_gathered()
                    self._space = loop.create_future()
                    await self._space
                    self._space = None
                self._in_flight += 1
                self._gather_address(index, email)
                index += 1
                if is_slow and self._gathering and self._gather_timer is None:
                    self._gather_timer = loop.call_later(_GATHER_S, self._look_up_gathered)
        finally:
            self._look_up_gathered()

    def _gather_address(self, index: int, email: str) -> None:
        try:
            address = parse(email)
        except AddressSyntaxError as error:
            self._sink.refuse(index, email, str(error))
            return
        earlier = self._follow_ups.get(index)
        key = (address.domain, _build_follow_up_route(earlier))
        job = self._gathering.get(key)
        if job is None:
            job = self._gathering[key] = Job(self._sink, *key, self._patience.seconds)
        job.add(address, index, email, earlier, self._is_trap(address))

    def _is_trap(self, address: Address) -> bool | None:
        """Whether the address is on the configured list of traps; None without a list."""
        traps = self._tools.traps
        return (address in traps or f"@{address.domain}" in traps) if traps else None

    def _look_up_gathered(self) -> None:
        """Start looking up the gathered domains."""
        if self._gather_timer is not None:
            self._gather_timer.cancel()
            self._gather_timer = None
        gathered, self._gathering = self._gathering, {}
        self._sink.open.update(gathered.values())
        self._to_look_up.extend(gathered.values())
        if self._is_late:
            self._settle_at_deadline()
            return
        for _ in range(min(self._tools.look_ups - self._looking_up, len(self._to_look_up))):
            self._looking_up += 1
            self._start_task(self._look_up())

    # Looking up

    async def _look_up(self) -> None:
        """Look up waiting domains, one after the other, until none is left."""
        try:
            while self._to_look_up:
                await self._look_up_job(self._to_look_up.popleft())
        finally:
            self._looking_up -= 1
        if not self._looking_up:
            self._submit()

    async def _look_up_job(self, job: Job) -> None:
        try:
            facts = self._gather_facts(await self._find_mail_hosts(job.domain))
        except Exception:
            _log.exception("look-up failed")
            facts = self._gather_undecided(job.domain, "a fault of our own")
        if job.verdicts is None:
            job.verdicts = DomainVerdicts(facts)
            self._queue_job(job, facts)

    async def _find_mail_hosts(self, domain: str) -> MailHosts:
        if domain in self._tools.test_domains:
            return MailHosts(domain, (), Reason.TEST_ADDRESS, "a domain of test mode", Answer(Found.FAILED))
        async with self._tools.slots:
            return await resolve_mail_hosts(self._tools.resolver, domain)

    def _gather_undecided(self, domain: str, why: str) -> DomainFacts:
        """The facts on a domain that could not be looked up."""
        return self._gather_facts(MailHosts(domain, (), Reason.DNS_ERROR, why, Answer(Found.FAILED)))

    def _gather_facts(self, hosts: MailHosts) -> DomainFacts:
        checks = self._checks
        lists = self._tools.knowledge.about(hosts.domain, with_disposable=OptionalCheck.DISPOSABLE in checks)
        return gather_facts(hosts, lists, asks_mail_hosts=OptionalCheck.MAILBOX in checks)

    def _queue_job(self, job: Job, facts: DomainFacts) -> None:
        """Have a job's hosts asked, or decide at once where no host needs to be."""
        asked = []
        for ticket in list(job.tickets.values()):
            if not facts.needs_probe or ticket.trap:
                ticket.deliver_probe(None)
                continue
            asked.append(ticket)
            if ticket.earlier is not None and ticket.earlier.decoy:
                self._tools.catch_all.keep_pending(job.domain, ticket.earlier.decoy)
        if asked:
            key = (facts.hosts.exchanges, job.follow_up_route)
            self._to_submit.setdefault(key, []).append(Portion(job, asked))
            if self._submit_timer is None:
                self._submit_timer = asyncio.get_running_loop().call_later(self._seconds_until_submit(), self._submit)

    def _seconds_until_submit(self) -> float:
        """Seconds by which look-ups run ahead of probing. Hosts that know all their work open fewer sessions."""
        return min(_LONGEST_LEAD_S, len(self._to_look_up) / _LOOK_UPS_PER_S)

    def _submit(self) -> None:
        """Submit what was found so far to the queues of its hosts."""
        if self._submit_timer is not None:
            self._submit_timer.cancel()
            self._submit_timer = None
        found, self._to_submit = self._to_submit, {}
        for (exchanges, follow_up_route), portions in found.items():
            self._tools.find_group(exchanges, follow_up_route, self._patience.lane).submit(portions)

    # Running out of time

    def _settle_at_deadline(self) -> None:
        """End the call: every address without an answer gets a verdict now, addresses still to be read at once."""
        self._is_late = True
        unread, self._to_look_up = set(self._to_look_up), deque()
        for job in list(self._sink.open):
            looked_up = job.verdicts is not None
            if not looked_up:
                why = "not looked up yet" if job in unread else "no answer before the deadline"
                job.verdicts = DomainVerdicts(self._gather_undecided(job.domain, why))
            not_asked = _NOT_LOOKED_UP if job in unread else None
            for ticket in list(job.tickets.values()):
                ticket.deliver_probe(self._choose_last_probe(ticket) if looked_up else not_asked)

    def _settle_impatient(self) -> None:
        """End the wait of addresses that are still in line after the call's patience."""
        for job in list(self._sink.open):
            for ticket in list(job.tickets.values()):
                probe = self._find_unasked_probe(ticket)
                if probe is not None and ticket.accepted is None:
                    ticket.deliver_probe(probe)

    def _choose_last_probe(self, ticket: Ticket) -> Probe:
        """The probe to report for an address whose time is up."""
        return ticket.accepted or ticket.last or self._find_unasked_probe(ticket) or _OUT_OF_TIME

    def _find_unasked_probe(self, ticket: Ticket) -> Probe | None:
        """The probe of an address in line; None for others, and where its hosts were dialled without success."""
        job = ticket.job
        if not ticket.is_waiting or job.verdicts is None:
            return None
        exchanges = job.verdicts.facts.hosts.exchanges
        return self._tools.find_group(exchanges, job.follow_up_route, self._patience.lane).unasked_probe()


async def _iterate_addresses(addresses: Iterable[str] | AsyncIterable[str]) -> AsyncIterator[str]:
    """Yield the addresses and give way to the event loop now and then."""
    if isinstance(addresses, AsyncIterable):
        async for address in addresses:
            yield address
        return
    for number, address in enumerate(addresses, 1):
        yield address
        if number % _PARSE_AT_ONCE == 0:
            await asyncio.sleep(0)


def _build_follow_up_route(earlier: FollowUp | None) -> FollowUpRoute:
    return (earlier.route, earlier.sender) if earlier is not None and earlier.route else None
