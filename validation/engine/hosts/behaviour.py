"""How mail hosts treat us: how fast those of one group answer, so how much to send at once over how many sessions;
which egress addresses failed, and when a failure is the answer for all; and what is reported of each route.

A flush of n commands takes a round trip plus n times the host's time for one reply. Only the second part is the host's
own slowness. A distant host that answers at once needs few sessions; a near one that is slow needs many.
"""

import asyncio
import math
import threading

from validation.engine.clock import Clock
from validation.engine.config import EngineConfig
from validation.engine.egress.route_reports import EVERY_OPERATOR, OTHERS, RouteReport, RouteState
from validation.engine.limits.admission import Admission
from validation.engine.limits.operators import Operator, Pair
from validation.engine.probes.failed_probes import UnreachableError, choose_reported_failure
from validation.engine.probes.probe import Probe
from validation.engine.profiles import Profiles
from validation.engine.replies.classifier import is_accusing
from validation.engine.replies.readings import Subject
from validation.engine.smtp.stages import Stage

FLUSH_RECIPIENTS = 25
FLUSH_S = 1.0  # what the replies to one flush may take beside the round trip, so that sessions share a slow host's work
_SLOW_REPLY_S = 0.02  # less may be our own machine's delay, and small flushes would only add to it
_STRAIN = 3  # so many times slower than at its best, a host is thought to suffer
_UNKNOWN_PACE = 100  # recipients for one session as long as nothing is known
_NEW = 0.3  # weight of the latest measurement
_LEAST_PATIENCE_S = 0.02


class ReplyPace:
    """Measurements with one set of hosts, smoothed, in seconds."""

    def __init__(self) -> None:
        self.opening_s = 0.0
        self.round_s = 0.0
        self.reply_s = 0.0
        self._best_reply_s = math.inf

    def opened(self, opening_s: float, round_s: float) -> None:
        """Note the time to open a session, and its round trip."""
        self.opening_s = _smooth_average(self.opening_s, opening_s)
        self.round_s = self.round_s or round_s

    def answered(self, replies: int, first_s: float, last_s: float) -> None:
        """Note an answered flush: number of replies, and seconds until the first and the last."""
        reply_s = (last_s - first_s) / (replies - 1) if replies > 1 else last_s
        self.reply_s = _smooth_average(self.reply_s, reply_s)
        self._best_reply_s = max(_SLOW_REPLY_S, min(self._best_reply_s, self.reply_s))
        self.round_s = _smooth_average(self.round_s, max(0.0, first_s - reply_s))

    def dragging(self, replies: int, seconds: float) -> None:
        """Note a flush in progress: the replies so far, and the seconds they took."""
        self.reply_s = max(self.reply_s, (seconds - self.round_s) / replies)

    @property
    def is_straining(self) -> bool:
        """Whether the host has become much slower than it was."""
        return self.reply_s > _STRAIN * self._best_reply_s

    @property
    def patience_s(self) -> float:
        """Seconds after which a flush counts as slow: as long as opening another session takes."""
        return max(_LEAST_PATIENCE_S, self.opening_s)

    def portion(self, queued: int, sessions: int) -> int:
        """The recipients for one flush: where replies are slow, at most each session's share."""
        if self.reply_s < _SLOW_REPLY_S:
            return FLUSH_RECIPIENTS
        share = math.ceil(queued / max(1, sessions))
        return max(1, min(FLUSH_RECIPIENTS, share, int(FLUSH_S / self.reply_s)))

    def useful_sessions(self, queued: int) -> int:
        """The sessions that each have at least as much work as opening one takes."""
        flushes = math.ceil(queued / self.portion(queued, 1))
        if not self.opening_s:
            return min(flushes, math.ceil(queued / _UNKNOWN_PACE))
        work_s = queued * self.reply_s + flushes * self.round_s
        return min(flushes, max(1, math.ceil(work_s / self.opening_s)))


def _smooth_average(known: float, latest: float) -> float:
    return (1 - _NEW) * known + _NEW * latest if known else latest


_STRIKES = 3
_TRIED_IN_VAIN = 2  # so many egress addresses are tried where hosts cannot be reached at all


class RouteLog:
    """Collects reports. The engine's loop writes; any thread may take.

    Operators are those with a profile. All other mail hosts count as one, because lists would name millions.
    """

    def __init__(self, clock: Clock, profiles: Profiles) -> None:
        self._clock = clock
        self._named = frozenset(profile.name for profile in profiles) | {EVERY_OPERATOR}
        self._lock = threading.Lock()
        self._reports: dict[tuple[str, str], RouteReport] = {}
        self._closed: set[str] = set()

    def answered(self, route: str, operator: str, probes: int) -> None:
        """Count answered recipients, whatever the answer was."""
        with self._lock:
            self._mark_working(route, operator).probes += probes
            if route in self._closed:
                self._closed.discard(route)
                self._mark_working(route, EVERY_OPERATOR)

    def refused(self, route: str, operator: str, state: RouteState, reply: str, wait_s: float) -> None:
        """Note a refusal, after which the operator is left alone for `wait_s` seconds."""
        with self._lock:
            report = self._report_for(route, operator)
            report.state, report.refusal = state, reply
            report.refusals += 1
            report.next_attempt_at = self._clock.time() + wait_s
            if operator == EVERY_OPERATOR:
                self._closed.add(route)

    def pop_reports(self) -> list[RouteReport]:
        """Remove and return the reports since the last call."""
        with self._lock:
            report, self._reports = self._reports, {}
        return list(report.values())

    def _report_for(self, route: str, operator: str) -> RouteReport:
        name = operator if operator in self._named else OTHERS
        return self._reports.setdefault((route, name), RouteReport(route, name))

    def _mark_working(self, route: str, operator: str) -> RouteReport:
        report = self._report_for(route, operator)
        report.state, report.next_attempt_at = RouteState.WORKING, None
        return report


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
