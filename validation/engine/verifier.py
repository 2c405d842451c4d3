"""The verifier: addresses in, verdicts out, as they become known."""

import asyncio
import random
import resource
from collections.abc import AsyncGenerator, AsyncIterable, Iterable, Mapping, Sequence, Set
from contextlib import aclosing
from dataclasses import replace
from types import MappingProxyType

from validation.engine import evidence
from validation.engine.calls import Call, Exchanges, Way
from validation.engine.clock import Clock, SystemClock
from validation.engine.config import EngineConfig
from validation.engine.dialling import Dialler
from validation.engine.dns import Answer, Found, Resolver, WireResolver
from validation.engine.dnscache import CachingResolver
from validation.engine.facts import DomainFacts
from validation.engine.gate import Places, Rate, SessionGate, Unshared
from validation.engine.hostgroup import HostGroup
from validation.engine.knowledge import Knowledge
from validation.engine.mailhosts import MailHosts, find_mail_hosts
from validation.engine.probing import CatchAllMemory, DomainOutcome
from validation.engine.profiles import Profile
from validation.engine.routelog import RouteNews
from validation.engine.routes import Connector, Guarded, connector_for
from validation.engine.syntax import Address
from validation.engine.vocabulary import EVERY_CHECK, FollowUp, OptionalCheck, Reason, Verdict

_NONE: Mapping[int, FollowUp] = MappingProxyType({})
WINDOW = 50_000  # addresses of a stream under way at once
_GROUPS_KEPT = 10_000  # host sets remembered before those without work are forgotten


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
        places: Places | None = None,
    ) -> None:
        self._config = config
        self._resolver = CachingResolver(resolver, clock=clock)
        self._knowledge = knowledge
        self._clock = clock
        self._random = rng
        self._places = places or Unshared()
        self._gate = SessionGate(config.sessions, self._places)
        self._memory = CatchAllMemory(clock, config.catch_all_ttl_s)
        guarded = [Guarded(connector) for connector in connectors]
        self._dialler = Dialler(config, self._resolver, guarded, clock, rng)
        self._groups: dict[tuple[Exchanges, Way], HostGroup] = {}
        self._allowances: dict[str, Rate] = {}
        self._dns_places = asyncio.Semaphore(config.dns_at_once)
        self._own_resolver: WireResolver | None = None

    @classmethod
    def build(cls, config: EngineConfig, *, places: Places | None = None) -> "Verifier":
        """A verifier on the real resolvers and routes. Raises ValueError for an unknown route.

        `places` are the places at operators that other processes share, where there are any.
        """
        clock, rng = SystemClock(), random.SystemRandom()
        resolver = WireResolver(config.dns_servers, clock=clock, rng=rng, attempt_s=config.dns_attempt_s)
        verifier = cls(
            replace(config, sessions=min(config.sessions, _sessions_at_most())),
            resolver=resolver,
            connectors=[connector_for(route, number) for number, route in enumerate(config.routes, 1)],
            knowledge=Knowledge(),
            clock=clock,
            rng=random.Random(),
            places=places,
        )
        verifier._own_resolver = resolver
        return verifier

    async def verify(
        self, address: str, *, deadline_s: float | None = None, checks: Set[OptionalCheck] = EVERY_CHECK
    ) -> Verdict:
        """The verdict on one address, at the latest `deadline_s` seconds from now. Never raises for any text."""
        async with aclosing(self.verify_many([address], deadline_s=deadline_s, checks=checks)) as verdicts_of_one:
            _, verdict = await anext(verdicts_of_one)
        return verdict

    async def verify_many(
        self,
        addresses: Sequence[str],
        *,
        deadline_s: float | None = None,
        follow_ups: Mapping[int, FollowUp] = _NONE,
        checks: Set[OptionalCheck] = EVERY_CHECK,
    ) -> AsyncGenerator[tuple[int, Verdict], None]:
        """Verdicts with their index as they become known, each index exactly once. Never raises for any text.

        `deadline_s` bounds the whole call: what is unanswered then is `unknown`, `timeout`. `follow_ups` says, by
        index, how an address was asked for before: it is asked for in the same way again. Of the optional checks only
        `checks` are made.
        """
        window = max(1, len(addresses))
        stream = self.verify_stream(
            addresses, window=window, deadline_s=deadline_s, follow_ups=follow_ups, checks=checks
        )
        async with aclosing(stream) as arrivals:
            async for arrived in arrivals:
                for item in arrived:
                    yield item

    async def verify_stream(
        self,
        addresses: Iterable[str] | AsyncIterable[str],
        *,
        window: int = WINDOW,
        deadline_s: float | None = None,
        follow_ups: Mapping[int, FollowUp] = _NONE,
        checks: Set[OptionalCheck] = EVERY_CHECK,
    ) -> AsyncGenerator[list[tuple[int, Verdict]], None]:
        """Like `verify_many` for a list of any length: verdicts come in lists, each index exactly once.

        At most `window` addresses are under way or waiting to be fetched, so a slow caller slows the reading down.
        Raises what iterating over `addresses` raises.
        """
        call = Call(
            self, look_ups=self._config.dns_at_once, deadline_s=deadline_s, follow_ups=follow_ups, checks=checks
        )
        try:
            async with aclosing(call.run(addresses, window)) as arrivals:
                async for arrived in arrivals:
                    yield arrived
        finally:
            call.abandon()

    def recall(self, outcomes: Iterable[DomainOutcome]) -> None:
        """Take over which domains accept every name, as far as that was learned elsewhere or earlier."""
        for outcome in outcomes:
            self._memory.put(outcome)

    def remembers(self, domain: str) -> bool:
        """Whether it is known, and still counts, if a domain accepts every name; from any thread."""
        return self._memory.recall(domain) is not None

    def learned(self) -> list[DomainOutcome]:
        """Which domains accept every name and which do not, as learned since the last call; from any thread."""
        fresh = self._memory.learned
        return [fresh.popleft() for _ in range(len(fresh))]

    def route_news(self) -> list[RouteNews]:
        """How operators took us on each way out since the last call; from any thread."""
        return self._dialler.log.take()

    async def aclose(self) -> None:
        """End all sessions politely and close the resolver's sockets."""
        await asyncio.gather(*(group.aclose() for group in self._groups.values()))
        self._groups.clear()
        await self._resolver.aclose()
        if self._own_resolver is not None:
            await self._own_resolver.aclose()

    async def look_up(self, domain: str, checks: Set[OptionalCheck]) -> DomainFacts:
        """What lists and domain name system know about a domain."""
        async with self._dns_places:
            hosts = await find_mail_hosts(self._resolver, domain)
        return self._facts(hosts, checks)

    def undecided(self, domain: str, reason: Reason, detail: str, checks: Set[OptionalCheck]) -> DomainFacts:
        """The facts on a domain that could not be looked up."""
        return self._facts(MailHosts(domain, (), reason, detail, Answer(Found.FAILED)), checks)

    def _facts(self, hosts: MailHosts, checks: Set[OptionalCheck]) -> DomainFacts:
        lists = self._knowledge.about(hosts.domain, burners=OptionalCheck.DISPOSABLE in checks)
        asks = OptionalCheck.MAILBOX in checks
        return DomainFacts(hosts, lists, evidence.of_lists(lists), evidence.of_dns(hosts), asks)

    def group_for(self, exchanges: Exchanges, way: Way) -> HostGroup:
        """The queue of everything that is served by these hosts and must go that way."""
        group = self._groups.get((exchanges, way))
        if group is None:
            if len(self._groups) >= _GROUPS_KEPT:
                self._groups = {key: known for key, known in self._groups.items() if not known.is_idle}
            profile = self._config.profiles.of_host(exchanges[0][1])
            dialler = self._dialler.again(*way) if way else self._dialler
            allowance = self._allowance_for(profile)
            group = HostGroup(
                exchanges, profile, self._config, dialler, self._gate, self._memory, allowance, self._random
            )
            self._groups[(exchanges, way)] = group
        return group

    def _allowance_for(self, profile: Profile) -> Rate:
        """One for all host sets of an operator."""
        if profile.name not in self._allowances:
            self._allowances[profile.name] = self._places.allowance(profile.name, profile.per_minute)
        return self._allowances[profile.name]

    def is_role(self, address: Address) -> bool:
        """Whether the mailbox belongs to a function."""
        return self._knowledge.is_role(address.mailbox)

    def is_trap(self, address: Address) -> bool | None:
        """Whether the address is on the configured list of traps; None without a list."""
        traps = self._config.traps
        return (address in traps or f"@{address.domain}" in traps) if traps else None

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


def _sessions_at_most() -> int:
    """Three quarters of the files that this process may open."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(1, soft * 3 // 4)
