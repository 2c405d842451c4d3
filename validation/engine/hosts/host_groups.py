"""All host groups of a verifier, and the operators that they belong to."""

import asyncio
import random
from collections.abc import Mapping
from dataclasses import replace

from validation.engine.config import EngineConfig
from validation.engine.dns.lookups import Exchanges
from validation.engine.egress.addresses import EgressState
from validation.engine.hosts.dialler import Dialler
from validation.engine.hosts.host_group import HostGroup
from validation.engine.jobs import FollowUpRoute
from validation.engine.limits.admission import Admission
from validation.engine.limits.operators import EgressPool, Operator
from validation.engine.limits.shared_limits import Lane, WaitReport
from validation.engine.probes.catch_all import CatchAllCache
from validation.engine.profiles import UNKNOWN_OPERATOR, Profiles

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
