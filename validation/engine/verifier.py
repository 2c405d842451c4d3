"""The verifier: addresses in, verdicts out, as they become known."""

import asyncio
import logging
import random
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from types import MappingProxyType

from validation.engine import evidence, verdicts
from validation.engine.clock import Clock, SystemClock
from validation.engine.config import EngineConfig
from validation.engine.dialling import Dialler
from validation.engine.dns import Answer, Found, Resolver, WireResolver
from validation.engine.dnscache import CachingResolver
from validation.engine.facts import DomainFacts
from validation.engine.gate import SessionGate
from validation.engine.hostgroup import HostGroup
from validation.engine.knowledge import Knowledge
from validation.engine.mailhosts import MailHosts, find_mail_hosts
from validation.engine.probing import CatchAllMemory, Job, Probe, Ticket
from validation.engine.profiles import profile_for
from validation.engine.replies import Reading, Subject
from validation.engine.routes import Connector, Guarded, connector_for
from validation.engine.smtp import Stage
from validation.engine.syntax import Address, AddressSyntaxError, parse
from validation.engine.verdicts import Findings
from validation.engine.vocabulary import FollowUp, Reason, Verdict

_log = logging.getLogger(__name__)

Exchanges = tuple[tuple[int, str], ...]
Way = tuple[str, str] | None  # the route and the sender that a follow-up must take
_NONE: Mapping[int, FollowUp] = MappingProxyType({})
_GROUPS_KEPT = 10_000  # host sets remembered before those without work are forgotten
_PARSE_AT_ONCE = 500  # addresses between two looks at the event loop
_OUT_OF_TIME = Probe(Reading(Reason.TIMEOUT, Subject.MOMENT, "clock"), Stage.CONNECT, detail="the deadline has passed")


class _Batch:
    """One call's addresses of one domain, asked for the first time or by the same triplet as before.

    The same address given twice is asked for once.
    """

    def __init__(self) -> None:
        self.places: dict[Address, list[tuple[int, str]]] = {}
        self.earlier: dict[Address, FollowUp] = {}

    def add(self, address: Address, index: int, email: str, earlier: FollowUp | None) -> None:
        """Remember where the address stood, how it was written, and how it was asked for before."""
        if earlier is not None:
            self.earlier[address] = earlier
        self.places.setdefault(address, []).append((index, email))


class Verifier:
    """Checks addresses. One object for the life of an event loop: it keeps DNS answers, catch-all outcomes and open
    sessions between calls, and any number of calls may run at once."""

    def __init__(
        self,
        config: EngineConfig,
        *,
        resolver: Resolver,
        connectors: Sequence[Connector],
        knowledge: Knowledge,
        clock: Clock,
        rng: random.Random,
    ) -> None:
        self._config = config
        self._resolver = CachingResolver(resolver, clock=clock)
        self._knowledge = knowledge
        self._clock = clock
        self._random = rng
        self._gate = SessionGate(config.sessions)
        self._memory = CatchAllMemory(clock, config.catch_all_ttl_s)
        guarded = [Guarded(connector) for connector in connectors]
        self._dialler = Dialler(config, self._resolver, guarded, clock, rng)
        self._groups: dict[tuple[Exchanges, Way], HostGroup] = {}
        self._dns_places = asyncio.Semaphore(config.dns_at_once)
        self._own_resolver: WireResolver | None = None

    @classmethod
    def build(cls, config: EngineConfig) -> "Verifier":
        """A verifier on the real resolvers and routes. Raises ValueError for an unknown route."""
        clock, rng = SystemClock(), random.SystemRandom()
        resolver = WireResolver(config.dns_servers, clock=clock, rng=rng, attempt_s=config.dns_attempt_s)
        connectors = [connector_for(route) for route in config.routes]
        verifier = cls(
            config,
            resolver=resolver,
            connectors=connectors,
            knowledge=Knowledge(),
            clock=clock,
            rng=random.Random(),
        )
        verifier._own_resolver = resolver
        return verifier

    async def verify(self, address: str, *, deadline_s: float | None = None) -> Verdict:
        """The verdict on one address, at the latest `deadline_s` seconds from now. Never raises for any text."""
        async with aclosing(self.verify_many([address], deadline_s=deadline_s)) as verdicts_of_one:
            _, verdict = await anext(verdicts_of_one)
        return verdict

    async def verify_many(
        self,
        addresses: Sequence[str],
        *,
        deadline_s: float | None = None,
        follow_ups: Mapping[int, FollowUp] = _NONE,
    ) -> AsyncGenerator[tuple[int, Verdict], None]:
        """Verdicts with their index as they become known, each index exactly once. Never raises for any text.

        `deadline_s` bounds the whole call: what is unanswered then is `unknown`, `timeout`. `follow_ups` says, by
        index, how an address was asked for before: it is asked for in the same way again.
        """
        call = _Call(self, addresses, deadline_s, follow_ups)
        try:
            async for item in call.run():
                yield item
        finally:
            call.abandon()

    async def aclose(self) -> None:
        """End all sessions politely and close the resolver's sockets."""
        await asyncio.gather(*(group.aclose() for group in self._groups.values()))
        self._groups.clear()
        if self._own_resolver is not None:
            await self._own_resolver.aclose()

    async def look_up(self, domain: str) -> DomainFacts:
        """What lists and domain name system know about a domain."""
        async with self._dns_places:
            hosts = await find_mail_hosts(self._resolver, domain)
        return self._facts(hosts)

    def undecided(self, domain: str, reason: Reason, detail: str) -> DomainFacts:
        """The facts on a domain that could not be looked up."""
        return self._facts(MailHosts(domain, (), reason, detail, Answer(Found.FAILED)))

    def _facts(self, hosts: MailHosts) -> DomainFacts:
        lists = self._knowledge.about(hosts.domain)
        return DomainFacts(hosts, lists, evidence.of_lists(lists), evidence.of_dns(hosts))

    def group_for(self, exchanges: Exchanges, way: Way) -> HostGroup:
        """The queue of everything that is served by these hosts and must go that way."""
        group = self._groups.get((exchanges, way))
        if group is None:
            if len(self._groups) >= _GROUPS_KEPT:
                self._groups = {key: known for key, known in self._groups.items() if not known.is_idle}
            profile = profile_for(exchanges[0][1])
            dialler = self._dialler.again(*way) if way else self._dialler
            group = HostGroup(exchanges, profile, self._config, dialler, self._gate, self._memory, self._random)
            self._groups[(exchanges, way)] = group
        return group

    def is_role(self, address: Address) -> bool:
        """Whether the mailbox belongs to a function."""
        return self._knowledge.is_role(address.mailbox)

    def is_trap(self, address: Address) -> bool | None:
        """Whether the address is on the configured list of traps; None without a list."""
        traps = self._config.traps
        return (str(address) in traps or f"@{address.domain}" in traps) if traps else None

    def put_off(self, domain: str) -> str:
        """The random recipient of the domain that waits for an answer; "" where there is none."""
        return self._memory.decoy(domain)

    def remember(self, domain: str, earlier: FollowUp) -> None:
        """Ask for the same random recipient as before."""
        if earlier.decoy:
            self._memory.put_off(domain, earlier.decoy)

    def now(self) -> float:
        """Seconds, for durations."""
        return self._clock.monotonic()

    def time(self) -> float:
        """Epoch seconds."""
        return self._clock.time()


class _Call:
    """One run over many addresses."""

    def __init__(
        self,
        verifier: Verifier,
        addresses: Sequence[str],
        deadline_s: float | None,
        follow_ups: Mapping[int, FollowUp],
    ) -> None:
        self._verifier = verifier
        self._addresses = addresses
        self._deadline_s = deadline_s
        self._follow_ups = follow_ups
        self._started = verifier.now()
        self._ready: asyncio.Queue[tuple[int, Verdict]] = asyncio.Queue()
        self._tasks: set[asyncio.Task[None]] = set()
        self._tickets: list[Ticket] = []
        self._open: dict[tuple[str, Way], _Batch] = {}
        self._all_read = False
        self._is_late = False

    async def run(self) -> AsyncGenerator[tuple[int, Verdict], None]:
        """Start everything, then hand over what is ready until all is."""
        loop = asyncio.get_running_loop()
        timer = loop.call_later(self._deadline_s, self._out_of_time) if self._deadline_s is not None else None
        reader = loop.create_task(self._read_all())
        self._tasks.add(reader)
        try:
            for _ in range(len(self._addresses)):
                yield await self._ready.get()
        finally:
            if timer is not None:
                timer.cancel()

    def abandon(self) -> None:
        """Nobody listens any more: cancel what is under way."""
        for task in self._tasks:
            task.cancel()
        for ticket in self._tickets:
            ticket.done = True

    async def _read_all(self) -> None:
        """Parse, collect by domain, and send every domain on its way."""
        for index, email in enumerate(self._addresses):
            if index % _PARSE_AT_ONCE == _PARSE_AT_ONCE - 1:
                await asyncio.sleep(0)
            try:
                address = parse(email)
            except AddressSyntaxError as error:
                self._ready.put_nowait((index, verdicts.of_bad_syntax(email, str(error), self._elapsed_ms())))
                continue
            earlier = self._follow_ups.get(index)
            key = (address.domain, _way(earlier))
            self._open.setdefault(key, _Batch()).add(address, index, email, earlier)
        self._all_read = True
        if self._is_late:
            self._out_of_time()
        for (domain, way), batch in self._open.items():
            task = asyncio.get_running_loop().create_task(self._one_domain(domain, way, batch))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _one_domain(self, domain: str, way: Way, batch: _Batch) -> None:
        try:
            facts = await self._verifier.look_up(domain)
        except Exception:
            _log.exception("look-up failed")
            facts = self._verifier.undecided(domain, Reason.DNS_ERROR, "a fault of our own")
        if self._open.pop((domain, way), None) is not None:
            self._send(facts, way, batch)

    def _send(self, facts: DomainFacts, way: Way, batch: _Batch) -> None:
        """Hand the addresses of a domain to the queue of its hosts, or decide without asking them."""
        if not facts.needs_probe:
            for address, places in batch.places.items():
                self._finish(address, places, facts, None)
            return
        for earlier in batch.earlier.values():
            self._verifier.remember(facts.hosts.domain, earlier)
        tickets = [
            self._ticket(address, places, facts, batch.earlier.get(address)) for address, places in batch.places.items()
        ]
        waiting = [ticket for ticket in tickets if not ticket.done]
        if waiting:
            self._tickets += waiting
            self._verifier.group_for(facts.hosts.exchanges, way).submit(Job(facts.hosts, waiting))

    def _ticket(
        self, address: Address, places: list[tuple[int, str]], facts: DomainFacts, earlier: FollowUp | None
    ) -> Ticket:
        ticket = Ticket(address, lambda probe: self._finish(address, places, facts, probe, earlier))
        if self._verifier.is_trap(address):
            ticket.done = True
            self._finish(address, places, facts, None)
        return ticket

    def _finish(
        self,
        address: Address,
        places: list[tuple[int, str]],
        facts: DomainFacts,
        probe: Probe | None,
        earlier: FollowUp | None = None,
    ) -> None:
        verifier = self._verifier
        role, trap, now = verifier.is_role(address), verifier.is_trap(address), verifier.time()
        decoy = verifier.put_off(facts.hosts.domain)
        for index, email in places:
            findings = Findings(email, address, facts, role, trap, probe, self._elapsed_ms(), now, decoy, earlier)
            self._ready.put_nowait((index, verdicts.of(findings)))

    def _out_of_time(self) -> None:
        """The call's deadline: settle who still waits, now or as soon as all is read."""
        self._is_late = True
        if not self._all_read:
            return
        for ticket in self._tickets:
            ticket.settle(ticket.accepted or ticket.last or _OUT_OF_TIME)
        for (domain, _), batch in self._open.items():
            facts = self._verifier.undecided(domain, Reason.TIMEOUT, "no answer before the deadline")
            for address, places in batch.places.items():
                self._finish(address, places, facts, None)
        self._open = {}

    def _elapsed_ms(self) -> float:
        return round((self._verifier.now() - self._started) * 1000, 3)


def _way(earlier: FollowUp | None) -> Way:
    return (earlier.route, earlier.sender) if earlier is not None and earlier.route else None
