"""The verifier: takes addresses, yields verdicts as they become known."""

import asyncio
import random
import resource
from collections.abc import AsyncGenerator, AsyncIterable, Iterable, Mapping, Sequence, Set
from contextlib import aclosing
from dataclasses import replace
from types import MappingProxyType

from validation.engine.call import Call, Tools
from validation.engine.clock import Clock, SystemClock
from validation.engine.config import EngineConfig
from validation.engine.dns.lookups import CachingResolver
from validation.engine.dns.resolver import Resolver, WireResolver
from validation.engine.egress.addresses import Egress, build_egress
from validation.engine.egress.connectors import GuardedConnector
from validation.engine.egress.route_log import RouteReport
from validation.engine.hosts.dialler import Dialler
from validation.engine.hosts.host_groups import HostGroups
from validation.engine.jobs import ENDLESS_PATIENCE, Patience
from validation.engine.knowledge.domain_lists import DomainLists
from validation.engine.limits.admission import Admission
from validation.engine.limits.operators import EgressPool
from validation.engine.limits.shared_limits import LocalLimits, SharedLimits
from validation.engine.probes.catch_all import CatchAllCache, DomainOutcome
from validation.engine.vocabulary import EVERY_CHECK, FollowUp, OptionalCheck, Verdict

_NONE: Mapping[int, FollowUp] = MappingProxyType({})
WINDOW = 50_000  # addresses of a stream under way at once


class Verifier:
    """Checks addresses. Create one for the life of an event loop.

    It keeps DNS answers, catch-all outcomes and open sessions between calls. Any number of calls may run at once.
    """

    def __init__(
        self,
        config: EngineConfig,
        *,
        resolver: Resolver,
        egresses: Sequence[Egress],
        knowledge: DomainLists,
        clock: Clock,
        rng: random.Random,
        shared: SharedLimits | None = None,
    ) -> None:
        self._resolver = CachingResolver(resolver, clock=clock)
        self._shared = shared or LocalLimits(lambda: asyncio.get_running_loop().time(), clock.time)
        pool = EgressPool([replace(egress, connector=GuardedConnector(egress.connector)) for egress in egresses])
        self._admission = Admission(config.sessions, self._shared, pool, clock)
        self._catch_all = CatchAllCache(clock, config.catch_all_ttl_s)
        self._dialler = Dialler(config, self._resolver, clock, rng)
        self.groups = HostGroups(config, pool, self._dialler, self._admission, self._catch_all, rng)
        """All sets of hosts that it asks, with the limits of their operators."""
        self._tools = Tools(
            resolver=self._resolver,
            knowledge=knowledge,
            catch_all=self._catch_all,
            groups=self.groups,
            clock=clock,
            slots=asyncio.Semaphore(config.dns_at_once),
            look_ups=config.dns_at_once,
            traps=config.traps,
        )
        self._own_resolver: WireResolver | None = None

    @classmethod
    def build(cls, config: EngineConfig, *, shared: SharedLimits | None = None) -> "Verifier":
        """A verifier on the real resolvers and routes. Raises ValueError for an unknown route.

        `shared` is the count of sessions and recipients that other processes share, where there are any.
        """
        clock, rng = SystemClock(), random.SystemRandom()
        resolver = WireResolver(config.dns_servers, clock=clock, rng=rng, attempt_s=config.dns_attempt_s)
        verifier = cls(
            replace(config, sessions=min(config.sessions, _count_allowed_sessions())),
            resolver=resolver,
            egresses=[build_egress(route, number) for number, route in enumerate(config.routes, 1)],
            knowledge=DomainLists(),
            clock=clock,
            rng=random.Random(),
            shared=shared,
        )
        verifier._own_resolver = resolver
        return verifier

    async def verify(
        self,
        address: str,
        *,
        deadline_s: float | None = None,
        checks: Set[OptionalCheck] = EVERY_CHECK,
        patience: Patience = ENDLESS_PATIENCE,
    ) -> Verdict:
        """The verdict on one address, at the latest `deadline_s` seconds from now. Never raises for any text."""
        of_one = self.verify_stream([address], window=1, deadline_s=deadline_s, checks=checks, patience=patience)
        async with aclosing(of_one) as arrivals:
            [(_, verdict)] = await anext(arrivals)
        return verdict

    async def verify_many(
        self,
        addresses: Sequence[str],
        *,
        deadline_s: float | None = None,
        follow_ups: Mapping[int, FollowUp] = _NONE,
        checks: Set[OptionalCheck] = EVERY_CHECK,
        patience: Patience = ENDLESS_PATIENCE,
    ) -> AsyncGenerator[tuple[int, Verdict], None]:
        """Yield (index, verdict) as verdicts become known, each index exactly once. Never raises for any text.

        `deadline_s` bounds the whole call: addresses without an answer are `unknown` then, with `timeout`, or
        `not_asked` while still in line. `patience` is the lane and how long an address waits in line; one that must
        wait longer is returned as soon as that is known. `follow_ups` holds earlier attempts by index, which are
        repeated by the same route and sender. Of the optional checks only `checks` are made.
        """
        window = max(1, len(addresses))
        stream = self.verify_stream(
            addresses, window=window, deadline_s=deadline_s, follow_ups=follow_ups, checks=checks, patience=patience
        )
        async with aclosing(stream) as arrivals:
            async for arrived in arrivals:
                for item in arrived:
                    yield item

    def verify_stream(
        self,
        addresses: Iterable[str] | AsyncIterable[str],
        *,
        window: int = WINDOW,
        deadline_s: float | None = None,
        follow_ups: Mapping[int, FollowUp] = _NONE,
        checks: Set[OptionalCheck] = EVERY_CHECK,
        patience: Patience = ENDLESS_PATIENCE,
    ) -> AsyncGenerator[list[tuple[int, Verdict]], None]:
        """Like `verify_many` for a list of any length. Yields lists of (index, verdict).

        At most `window` addresses are in flight or waiting to be fetched, so a slow caller slows the reading. Raises
        what iterating over `addresses` raises.
        """
        call = Call(self._tools, deadline_s=deadline_s, follow_ups=follow_ups, checks=checks, patience=patience)
        return call.run(addresses, window)

    def recall(self, outcomes: Iterable[DomainOutcome]) -> None:
        """Add catch-all outcomes that were learned elsewhere or earlier."""
        for outcome in outcomes:
            self._catch_all.put(outcome)

    def remembers(self, domain: str) -> bool:
        """Whether a current catch-all outcome of the domain is cached. May be called from any thread."""
        return self._catch_all.recall(domain) is not None

    def learned(self) -> list[DomainOutcome]:
        """The catch-all outcomes learned since the last call. May be called from any thread."""
        fresh = self._catch_all.learned
        return [fresh.popleft() for _ in range(len(fresh))]

    def route_reports(self) -> list[RouteReport]:
        """The route reports since the last call. May be called from any thread."""
        return self._dialler.log.pop_reports()

    async def aclose(self) -> None:
        """End all sessions politely and close the resolver's sockets."""
        await self.groups.aclose()
        await self._admission.aclose()
        await self._shared.aclose()
        await self._resolver.aclose()
        if self._own_resolver is not None:
            await self._own_resolver.aclose()


def _count_allowed_sessions() -> int:
    """Three quarters of the files that this process may open."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(1, soft * 3 // 4)
