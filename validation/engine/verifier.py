"""The verifier: takes addresses, yields verdicts as they become known; and its host groups, with their operators."""

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
from validation.engine.dns.lookups import CachingResolver, Exchanges
from validation.engine.dns.resolver import Resolver, WireResolver
from validation.engine.egress.addresses import Egress, EgressState, build_egress
from validation.engine.egress.connectors import GuardedConnector
from validation.engine.egress.route_reports import RouteReport
from validation.engine.hosts.dialler import Dialler
from validation.engine.hosts.host_group import HostGroup
from validation.engine.jobs import ENDLESS_PATIENCE, FollowUpRoute, Patience
from validation.engine.knowledge.domains import CatchAllCache, DomainLists, DomainOutcome
from validation.engine.limits.admission import Admission
from validation.engine.limits.operators import EgressPool, Operator
from validation.engine.limits.shared_limits import Lane, LocalLimits, SharedLimits, WaitReport
from validation.engine.profiles import UNKNOWN_OPERATOR, Profiles
from validation.engine.vocabulary import EVERY_CHECK, FollowUp, OptionalCheck, Verdict

_MOST_KEPT = 10_000  # host sets remembered before those without work are forgotten


class HostGroups:
    """Finds the group for a set of hosts, and passes on to all what changes for them."""

    def __init__(
        self,
        config: EngineConfig,
        egresses: EgressPool,
        dialler: Dialler,
        admission: Admission,
        catch_all: CatchAllCache,
        rng: random.Random,
    ) -> None:
        self._config = config
        self._egresses = egresses
        self._dialler = dialler
        self._admission = admission
        self._catch_all = catch_all
        self._random = rng
        self._groups: dict[tuple[Exchanges, FollowUpRoute, Lane], HostGroup] = {}
        self._operators: dict[str, Operator] = {}
        self._profiles = config.profiles

    def find(self, exchanges: Exchanges, follow_up_route: FollowUpRoute, lane: Lane) -> HostGroup:
        """The group that probes these hosts in this lane, over the follow-up route where one is given."""
        group = self._groups.get((exchanges, follow_up_route, lane))
        if group is None:
            if len(self._groups) >= _MOST_KEPT:
                self._drop_idle()
            group = HostGroup(
                exchanges,
                self._find_operator(exchanges[0][1]),
                lane,
                follow_up_route,
                self._config,
                self._dialler,
                self._admission,
                self._catch_all,
                self._random,
            )
            self._groups[(exchanges, follow_up_route, lane)] = group
        return group

    def set_profiles(self, profiles: Profiles) -> None:
        """Use other limits of operators from now on.

        Operators that are new, or no longer named, change for host sets that come from now on.
        """
        if profiles is self._profiles:
            return
        self._profiles = profiles
        for operator in self._operators.values():
            if operator.profile.name and profiles.named(operator.name).name:
                operator.use_profile(profiles.named(operator.name))
        self._groups = {key: known for key, known in self._groups.items() if not known.is_idle}

    def set_egress(self, states: Mapping[str, EgressState]) -> None:
        """Use these states of our egress addresses, by key."""
        if states == self._egresses.states:
            return
        self._egresses.states = states
        for operator in self._operators.values():
            self._admission.notify_change(operator)
            all_rest = operator.rests_for(asyncio.get_running_loop().time()) > 0
            for group in list(operator.groups):
                if all_rest:
                    group.handle_all_resting()
                else:
                    group.start_workers()

    def crowded(self) -> frozenset[str]:
        """The operators with as many queued addresses of long lists as allowed. May be called from any thread."""
        return frozenset(
            name for name, operator in list(self._operators.items()) if operator.profile.name and operator.is_crowded
        )

    def waits(self) -> list[WaitReport]:
        """How long addresses waited, and wait now, because of limits of ours."""
        now = asyncio.get_running_loop().time()
        reports = [one.report(now, self._admission.rate(one)) for one in self._operators.values() if one.profile.name]
        return [report for report in reports if report is not None]

    async def aclose(self) -> None:
        """End all sessions politely."""
        await asyncio.gather(*(group.aclose() for group in self._groups.values()))
        self._groups.clear()

    def _find_operator(self, host: str) -> Operator:
        """The operator of a mail host. A host of an unknown operator is its own."""
        profile = self._profiles.of_host(host)
        name = profile.name or host
        operator = self._operators.get(name)
        if operator is None:
            profile = profile if profile.name else replace(UNKNOWN_OPERATOR, rest_s=self._config.rest_s)
            if self._config.operator_sessions is not None:
                profile = replace(profile, sessions=min(profile.sessions, self._config.operator_sessions))
            operator = self._operators[name] = Operator(name, profile, self._egresses)
        return operator

    def _drop_idle(self) -> None:
        self._groups = {key: known for key, known in self._groups.items() if not known.is_idle}
        used = {id(group.operator) for group in self._groups.values()}
        self._operators = {
            name: operator
            for name, operator in self._operators.items()
            if operator.profile.name or id(operator) in used or not operator.is_idle
        }


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
            find_group=self.groups.find,
            clock=clock,
            slots=asyncio.Semaphore(config.dns_at_once),
            look_ups=config.dns_at_once,
            traps=config.traps,
            test_domains=config.test_domains,
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
