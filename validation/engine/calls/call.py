"""One run of addresses through the engine: read, group by domain, look up, probe, hand over.

A call keeps a bounded number of addresses in flight and no verdict that was handed over, so a list of any length takes
the same memory.
"""

import asyncio
import logging
import math
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Coroutine, Iterable, Mapping, Set
from typing import Any

from validation.engine.calls.context import CallContext, Exchanges, Patience
from validation.engine.hosts.failed_probes import build_unasked_probe
from validation.engine.limits.shared_limits import Lane
from validation.engine.loop import wake_waiter
from validation.engine.probes.probe import Probe
from validation.engine.probes.tickets import FollowUpRoute, Job, Ticket
from validation.engine.replies.readings import Reading, Subject
from validation.engine.smtp.stages import Stage
from validation.engine.syntax import Address, AddressSyntaxError, parse
from validation.engine.verdict import verdicts
from validation.engine.verdict.domain_facts import DomainFacts
from validation.engine.verdict.follow_ups import RetryContext, can_be_retried
from validation.engine.verdict.verdicts import DomainVerdicts
from validation.engine.vocabulary import FollowUp, OptionalCheck, Reason, Verdict, Wait, WaitCause

_log = logging.getLogger(__name__)

_PARSE_AT_ONCE = 500  # addresses between two looks at the event loop
_GATHER_S = 0.05  # how long the addresses of a slow source are gathered before they are sent on their way
_LONGEST_LEAD_S = 2.0
_LINE_SHARE = 2 / 3  # of the time of a long list's call
_LOOK_UPS_PER_S = 5_000
_OUT_OF_TIME = Probe(Reading(Reason.TIMEOUT, Subject.MOMENT, "clock"), Stage.CONNECT, detail="the deadline has passed")
_NOT_LOOKED_UP = build_unasked_probe(Wait("", WaitCause.LOOKUP, 5.0))

Arrival = tuple[int, Verdict]
"""An address's index in the call, and its verdict."""


class _DomainBatch:
    """The addresses of one domain in a call that share a route: any route, or that of an earlier attempt.

    An address given twice is probed once.
    """

    def __init__(self, call: "Call", domain: str, follow_up_route: FollowUpRoute) -> None:
        self.domain = domain
        self.follow_up_route = follow_up_route
        self.tickets: dict[Address, Ticket] = {}
        self.verdicts: DomainVerdicts | None = None
        self._call = call
        self._left = 0

    def add(self, address: Address, index: int, email: str, earlier: FollowUp | None) -> None:
        """Add an address with its index, its spelling and its earlier attempt."""
        ticket = self.tickets.get(address)
        if ticket is None:
            patience_s = self._call.patience_s
            self.tickets[address] = Ticket(address, self.handle_probe, index, email, (), earlier, patience_s=patience_s)
            self._left += 1
        else:
            ticket.duplicates += ((index, email),)
            ticket.earlier = earlier or ticket.earlier

    def handle_probe(self, ticket: Ticket, probe: Probe | None) -> None:
        """Hand over an address with its probe. After the last one the call forgets the domain."""
        self._left -= 1
        if self.verdicts is not None:
            self._call.finish(ticket, self.verdicts, probe)
        if not self._left:
            self.tickets.clear()  # they know us: without this, only the garbage collector could part us
            self._call.forget(self)


class Call:
    """One run over many addresses."""

    def __init__(
        self,
        context: CallContext,
        *,
        look_ups: int,
        deadline_s: float | None,
        follow_ups: Mapping[int, FollowUp],
        checks: Set[OptionalCheck],
        patience: Patience,
    ) -> None:
        self._context = context
        self._checks = checks
        self._patience = patience
        self._follow_ups = follow_ups
        self._look_ups = look_ups
        self._deadline_s = deadline_s
        self._started = context.now()
        self._ready: list[Arrival] = []
        self._in_flight = 0
        self._listener: asyncio.Future[None] | None = None
        self._space: asyncio.Future[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._gathering: dict[tuple[str, FollowUpRoute], _DomainBatch] = {}
        self._gather_timer: asyncio.TimerHandle | None = None
        self._to_look_up: deque[_DomainBatch] = deque()
        self._looking_up = 0
        self._ready_jobs: dict[tuple[Exchanges, FollowUpRoute], list[Job]] = {}
        self._submit_timer: asyncio.TimerHandle | None = None
        self._open: set[_DomainBatch] = set()
        self._is_late = False

    async def run(
        self, addresses: Iterable[str] | AsyncIterable[str], window: int
    ) -> AsyncGenerator[list[Arrival], None]:
        """Yield lists of (index, verdict) as verdicts become known, with at most `window` addresses in flight.

        Raises what iterating over `addresses` raises, and nothing else.
        """
        loop = asyncio.get_running_loop()
        timers = []
        if self._deadline_s is not None:
            timers.append(loop.call_later(self._deadline_s, self._settle_at_deadline))
        if self._seconds_until_impatient < math.inf:
            timers.append(loop.call_later(self._seconds_until_impatient, self._settle_impatient))
        reader = self._start_task(self._read_addresses(addresses, window))
        try:
            while self._in_flight or not reader.done():
                if not self._ready:
                    await self._wait_for_arrival()
                    continue
                arrived, self._ready = self._ready, []
                self._in_flight -= len(arrived)
                if self._space is not None and self._in_flight <= window // 2:
                    wake_waiter(self._space)
                yield arrived
            reader.result()
        finally:
            for timer in timers:
                timer.cancel()

    @property
    def _seconds_until_impatient(self) -> float:
        """Seconds after which no address waits any longer.

        Long lists stop early enough for the last probes to be answered.
        """
        if self._patience.lane is Lane.SHORT or self._deadline_s is None:
            return self._patience.seconds if self._patience.lane is Lane.SHORT else math.inf
        return self._deadline_s * _LINE_SHARE

    @property
    def patience_s(self) -> float:
        """Seconds that an address may stand in line."""
        return self._patience.seconds

    def abandon(self) -> None:
        """Cancel what is in flight: the caller no longer reads verdicts."""
        for deadline_timer in (self._submit_timer, self._gather_timer):
            if deadline_timer is not None:
                deadline_timer.cancel()
        self._gathering.clear()
        self._to_look_up.clear()
        for task in self._tasks:
            task.cancel()
        for batch in self._open:
            for ticket in batch.tickets.values():
                ticket.done = True

    async def _wait_for_arrival(self) -> None:
        self._listener = asyncio.get_running_loop().create_future()
        await self._listener
        self._listener = None

    def _start_task(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._forget_task)
        return task

    def _forget_task(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        wake_waiter(self._listener)

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
            self._hand_over(index, verdicts.build_bad_syntax_verdict(email, str(error), self._elapsed_ms()))
            return
        earlier = self._follow_ups.get(index)
        key = (address.domain, _build_follow_up_route(earlier))
        batch = self._gathering.get(key)
        if batch is None:
            batch = self._gathering[key] = _DomainBatch(self, *key)
        batch.add(address, index, email, earlier)

    def _look_up_gathered(self) -> None:
        """Start looking up the gathered domains."""
        if self._gather_timer is not None:
            self._gather_timer.cancel()
            self._gather_timer = None
        gathered, self._gathering = self._gathering, {}
        self._open.update(gathered.values())
        if self._is_late:
            self._to_look_up.extend(gathered.values())
            self._settle_at_deadline()
            return
        self._to_look_up.extend(gathered.values())
        for _ in range(min(self._look_ups - self._looking_up, len(self._to_look_up))):
            self._looking_up += 1
            self._start_task(self._look_up())

    # Looking up

    async def _look_up(self) -> None:
        """Look up waiting domains, one after the other, until none is left."""
        try:
            while self._to_look_up:
                await self._look_up_domain(self._to_look_up.popleft())
        finally:
            self._looking_up -= 1
        if not self._looking_up:
            self._submit()

    async def _look_up_domain(self, batch: _DomainBatch) -> None:
        try:
            facts = await self._context.look_up(batch.domain, self._checks)
        except Exception:
            _log.exception("look-up failed")
            facts = self._context.undecided(batch.domain, Reason.DNS_ERROR, "a fault of our own", self._checks)
        if batch.verdicts is None:
            batch.verdicts = DomainVerdicts(facts)
            self._submit_domain(facts, batch)

    def _submit_domain(self, facts: DomainFacts, batch: _DomainBatch) -> None:
        """Queue the addresses of a domain for its hosts, or decide at once where no host needs to be asked."""
        tickets = list(batch.tickets.values())
        asked = [ticket for ticket in tickets if not self._context.is_trap(ticket.address)] if facts.needs_probe else []
        if len(asked) < len(tickets):
            for ticket in tickets:
                if not facts.needs_probe or self._context.is_trap(ticket.address):
                    ticket.deliver_probe(None)
        for ticket in asked:
            if ticket.earlier is not None:
                self._context.reuse_probe_address(batch.domain, ticket.earlier)
        if asked:
            self._ready_jobs.setdefault((facts.hosts.exchanges, batch.follow_up_route), []).append(
                Job(facts.hosts, asked)
            )
            if self._submit_timer is None:
                self._submit_timer = asyncio.get_running_loop().call_later(self._seconds_until_submit(), self._submit)

    def _seconds_until_submit(self) -> float:
        """Seconds by which look-ups run ahead of probing. Hosts that know all their work open fewer sessions."""
        return min(_LONGEST_LEAD_S, len(self._to_look_up) / _LOOK_UPS_PER_S)

    def _submit(self) -> None:
        """Submit the jobs found so far to the queues of their hosts."""
        if self._submit_timer is not None:
            self._submit_timer.cancel()
            self._submit_timer = None
        found, self._ready_jobs = self._ready_jobs, {}
        for (exchanges, follow_up_route), jobs in found.items():
            self._context.group_for(exchanges, follow_up_route, self._patience.lane).submit(jobs)

    # Handing over

    def finish(self, ticket: Ticket, of: DomainVerdicts, probe: Probe | None) -> None:
        """Make the verdict on an address and hand it over at each position it stood at."""
        context, address = self._context, ticket.address
        role, trap = context.is_role(address), context.is_trap(address)
        again = None
        ticket.queue = None
        if ticket.earlier is not None or can_be_retried(probe):
            again = RetryContext(context.time(), context.pending_probe_address(address.domain), ticket.earlier)
        for index, email in ((ticket.index, ticket.email), *ticket.duplicates):
            took = self._elapsed_ms()
            verdict = of.of(email, address, probe, is_role=role, trap=trap, again=again, duration_ms=took)
            self._hand_over(index, verdict)

    def forget(self, batch: _DomainBatch) -> None:
        """Drop a domain whose addresses all have a verdict."""
        self._open.discard(batch)

    def _hand_over(self, index: int, verdict: Verdict) -> None:
        self._ready.append((index, verdict))
        wake_waiter(self._listener)

    def _settle_at_deadline(self) -> None:
        """End the call: every address without an answer gets a verdict now, addresses still to be read at once."""
        self._is_late = True
        unread, self._to_look_up = set(self._to_look_up), deque()
        for batch in list(self._open):
            looked_up = batch.verdicts is not None
            if not looked_up:
                why = "not looked up yet" if batch in unread else "no answer before the deadline"
                facts = self._context.undecided(batch.domain, Reason.DNS_ERROR, why, self._checks)
                batch.verdicts = DomainVerdicts(facts)
            not_asked = _NOT_LOOKED_UP if batch in unread else None
            for ticket in list(batch.tickets.values()):
                ticket.deliver_probe(_choose_last_probe(ticket) if looked_up else not_asked)

    def _settle_impatient(self) -> None:
        """End the wait of addresses that are still in line after the call's patience."""
        for batch in list(self._open):
            for ticket in list(batch.tickets.values()):
                probe = ticket.queue.unasked_probe() if ticket.queue is not None else None
                if probe is not None and ticket.accepted is None:
                    ticket.deliver_probe(probe)

    def _elapsed_ms(self) -> float:
        return round((self._context.now() - self._started) * 1000, 3)


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


def _choose_last_probe(ticket: Ticket) -> Probe:
    """The probe to report for an address whose time is up."""
    last = ticket.accepted or ticket.last
    unasked = ticket.queue.unasked_probe() if ticket.queue is not None and last is None else None
    return last or unasked or _OUT_OF_TIME


def _build_follow_up_route(earlier: FollowUp | None) -> FollowUpRoute:
    return (earlier.route, earlier.sender) if earlier is not None and earlier.route else None
