"""How the hosts of one group treat us: which egress addresses failed, and when a failure is the answer for all."""

import asyncio

from validation.engine.config import EngineConfig
from validation.engine.egress.route_log import EVERY_OPERATOR, RouteLog, RouteState
from validation.engine.hosts.failed_probes import UnreachableError, choose_reported_failure
from validation.engine.limits.admission import Admission
from validation.engine.limits.operators import Operator, Pair
from validation.engine.probes.probe import Probe
from validation.engine.replies.classifier import is_accusing
from validation.engine.replies.readings import Subject
from validation.engine.smtp.stages import Stage

_STRIKES = 3
_TRIED_IN_VAIN = 2  # so many egress addresses are tried where hosts cannot be reached at all


class RejectionTracker:
    """Tracks the rejections of one group; the pairs of its operator hold the rest."""

    def __init__(self, operator: Operator, config: EngineConfig, admission: Admission, log: RouteLog) -> None:
        self._operator = operator
        self._config = config
        self._admission = admission
        self._log = log
        self._strikes = 0
        self._failed: dict[Pair, tuple[float, Probe]] = {}  # until when that counts, and why
        self._verdict_on_all: tuple[float, Probe] | None = None

    @property
    def tried_in_vain(self) -> dict[Pair, Probe]:
        """The pairs that failed to reach the hosts recently, and why."""
        now = asyncio.get_running_loop().time()
        return {pair: probe for pair, (until, probe) in self._failed.items() if until > now}

    @property
    def verdict_on_all(self) -> Probe | None:
        """The answer for every address, while it counts."""
        if self._verdict_on_all is not None and self._verdict_on_all[0] <= asyncio.get_running_loop().time():
            self._verdict_on_all = None
        return self._verdict_on_all and self._verdict_on_all[1]

    def note_session(self, pair: Pair) -> None:
        """Note that the hosts gave a session."""
        self._failed.pop(pair, None)

    def note_answers(self, pair: Pair) -> None:
        """Note that the hosts answered."""
        self._strikes = 0
        rested = pair.rests_until > asyncio.get_running_loop().time()
        pair.succeed()
        if rested:
            for group in list(self._operator.groups):
                group.start_workers()

    def note_failure(self, pair: Pair, unreachable: UnreachableError, only: str, *, is_inside: bool) -> Probe | None:
        """Note that no host gave a session on a pair.

        Returns the answer for all waiting addresses, or None where another pair may succeed or sessions are open.
        """
        probe, rest_s = unreachable.probe, self._config.rest_s
        if unreachable.no_route:
            self._admission.close(pair.egress, asyncio.get_running_loop().time() + rest_s)
            self._log.refused(pair.egress.name, EVERY_OPERATOR, RouteState.BLOCKED, probe.detail, rest_s)
        elif probe.reading.subject is Subject.US:
            self._rest(pair, probe, RouteState.BLOCKED)
        self._failed[pair] = (asyncio.get_running_loop().time() + rest_s, probe)
        tried = self.tried_in_vain
        untried = [one for one in self._operator.usable(asyncio.get_running_loop().time(), only) if one not in tried]
        is_enough = len(tried) >= _TRIED_IN_VAIN and not unreachable.no_route
        if is_inside or (untried and not is_enough):
            return None
        self._failed.clear()
        return self._give_up(choose_reported_failure(list(tried.values())))

    def note_rejection(self, pair: Pair, word: Probe, only: str) -> float:
        """Note that a round brought no answer. Returns how many seconds to pause.

        A refusal of us rests the pair. A refusal of the load halves its sessions; after some rounds the pair rests, or
        the refusal becomes the answer for all.

        A host that refuses every recipient of a domain may have nothing against us: it may no longer relay for that
        domain. It means us where it refuses before a recipient is named, or says so.
        """
        if word.reading.subject is Subject.US:
            if word.stage is not Stage.RCPT or is_accusing(word.words):
                self._rest(pair, word, RouteState.BLOCKED)
            else:
                self._set_pair_aside(pair, word, only)
            return 0.0
        pair.bearable.halve()
        self._strikes += 1
        wait_s: float = self._config.backoff_s * 2 ** (self._strikes - 1)
        if word.reply is not None and word.reading.subject is Subject.LOAD:
            self._log.refused(pair.egress.name, self._operator.name, RouteState.BACKING_OFF, word.words, wait_s)
        if self._strikes <= _STRIKES:
            return wait_s
        if word.reply is not None and (self._operator.profile.name or len(self._operator.pairs) > 1):
            self._strikes = 0
            self._rest(pair, word, RouteState.BACKING_OFF)
        else:
            self._give_up(word)
        return 0.0

    def _set_pair_aside(self, pair: Pair, word: Probe, only: str) -> None:
        """Skip a pair while others have not been tried yet."""
        self._failed[pair] = (asyncio.get_running_loop().time() + self._config.rest_s, word)
        tried = self.tried_in_vain
        if all(one in tried for one in self._operator.usable(asyncio.get_running_loop().time(), only)):
            self._failed.clear()

    def _rest(self, pair: Pair, word: Probe, state: RouteState) -> None:
        """Rest the operator on this pair, and inform its groups when no pair is left."""
        now = asyncio.get_running_loop().time()
        rest_s = pair.rest(word, now)
        self._log.refused(pair.egress.name, self._operator.name, state, word.words, rest_s)
        if self._operator.rests_for(now):
            for group in list(self._operator.groups):
                group.handle_all_resting()

    def _give_up(self, probe: Probe) -> Probe:
        self._strikes = 0
        self._verdict_on_all = (asyncio.get_running_loop().time() + self._config.rest_s, probe)
        return probe
