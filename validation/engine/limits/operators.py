"""Mail operators as this process sees them: their pairs with our egress addresses, slots, and waiting requests."""

import asyncio
import math
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Protocol

from validation.engine.egress.addresses import Egress, EgressState
from validation.engine.limits.shared_limits import Lane, LimitGrant, LimitRequest, PairLimits, WaitReport
from validation.engine.limits.warm_up import compute_warm_share
from validation.engine.probes.probe import Probe
from validation.engine.profiles import Profile
from validation.engine.vocabulary import WaitCause

_EASE = 0.75  # of the sessions that are left when a host gets slower
_FLOW_S = 2.0
_SHARE_WAITED = 0.8
_WARM = EgressState()
_REACH_S = 30.0  # how far ahead the short lane may be given recipients
LONGEST_REST_S = 86_400.0
IN_HAND_BY = 4
"""Processes that may each hold a full burst at one moment without exceeding the minute's limit."""
MINUTE_S = 61.0
"""A minute, and a second for commands in flight, which may arrive earlier or later than those before them."""
_LIMITS_CACHED_S = 60.0
_SHORT_BURST = 20  # a burst is one transaction, or this fraction of a minute's recipients if that is less


class SessionLimit:
    """How many sessions a host set accepts at once, found by trying.

    One more after every success, half as many after a complaint, fewer while replies get slower, and never more than
    were open when another one was turned away.
    """

    def __init__(self, first: int, most: int, rest_s: float) -> None:
        self._sessions = float(first)
        self._most = most
        self._rest_s = rest_s
        self._ceiling = most
        self._ceiling_until = 0.0

    def at(self, now: float) -> int:
        """The limit at a time. A rejection is forgotten after a while, because servers' limits change."""
        if now >= self._ceiling_until:
            self._ceiling = self._most
        return min(int(self._sessions), self._ceiling)

    @property
    def ceiling_until(self) -> float:
        """When the last rejection is forgotten; 0 where there was none."""
        return self._ceiling_until

    def raise_to(self, most: int) -> None:
        """Use another limit of the operator."""
        self._most = most
        self._sessions = min(self._sessions, float(most))

    def grow(self) -> None:
        """Allow one more session: the host answered."""
        self._sessions = min(self._sessions + 1, float(self._most))

    def halve(self) -> None:
        """Allow half as many sessions: the host complained."""
        self._sessions = max(1.0, self._sessions / 2)

    def ease(self) -> None:
        """Allow fewer sessions: the host gets slower."""
        self._sessions = max(1.0, self._sessions * _EASE)

    def turned_away(self, inside: int, now: float) -> None:
        """Note that a session beyond `inside` open ones was turned away."""
        self._ceiling = min(self.at(now), inside)
        self._ceiling_until = now + self._rest_s


class RecipientMeter:
    """Granted recipients of one pair and lane.

    Recipients are granted for stretches of time (`LimitGrant`); each becomes usable at its own moment. At most `burst`
    are saved up, so that a minute's worth is never used at once. Times are of the loop's clock.
    """

    def __init__(self) -> None:
        self.ask_at = 0.0
        """When another request is worthwhile."""
        self._in_hand = 0.0
        self._stretches: deque[list[float]] = deque()  # begin, end, recipients a second
        self._burst = 1

    def add(self, grant: LimitGrant, limits: PairLimits, now: float) -> None:
        """Add a grant."""
        self._burst = limits.burst
        if grant.recipients:
            begin = now + grant.starts_in_s
            self._stretches.append([begin, begin + grant.recipients / limits.per_s, limits.per_s])

    def draw(self, most: int, now: float) -> int:
        """Take up to `most` usable recipients: all of them or a full burst, else none."""
        self._accrue(now)
        wanted = min(most, self._burst)
        if self._in_hand + 1e-9 < wanted:
            return 0
        self._in_hand -= wanted
        return wanted

    def put_back(self, count: int) -> None:
        """Return recipients that were not needed."""
        self._in_hand = min(float(self._burst), self._in_hand + count)

    def ready_at(self, most: int) -> float | None:
        """When `draw(most)` succeeds; None where the grants do not suffice."""
        missing = min(most, self._burst) - self._in_hand
        for begin, end, per_s in self._stretches:
            if missing <= (end - begin) * per_s + 1e-9:
                return begin + max(0.0, missing) / per_s
            missing -= (end - begin) * per_s
        return None

    def left(self, now: float) -> float:
        """The recipients that are usable or still to come."""
        self._accrue(now)
        return self._in_hand + sum((end - begin) * per_s for begin, end, per_s in self._stretches)

    def _accrue(self, now: float) -> None:
        while self._stretches and self._stretches[0][0] < now:
            stretch = self._stretches[0]
            begin, end, per_s = stretch
            passed = min(now, end) - begin
            self._in_hand = min(float(self._burst), self._in_hand + passed * per_s)
            if end <= now:
                self._stretches.popleft()
            else:
                stretch[0] = now


def compute_pair_limits(profile: Profile, share: float = 1.0) -> PairLimits:
    """The limits of one egress address at an operator, at a share of the operator's own limits."""
    sessions = max(1, int(profile.sessions * share))
    reserved = 1 if sessions > 1 else 0
    per_day = max(1, int(profile.per_day * share)) if profile.per_day else 0
    if not profile.per_minute:
        return PairLimits(sessions, reserved, per_day=per_day)
    per_minute = max(1, int(profile.per_minute * share))
    burst = max(2, min(profile.recipients, per_minute // _SHORT_BURST))
    return PairLimits(sessions, reserved, max(1, per_minute - IN_HAND_BY * burst) / MINUTE_S, burst, per_day)


class Pair:
    """One egress address at one operator."""

    def __init__(self, egress: Egress, operator: str, profile: Profile) -> None:
        self.key = f"{egress.key}|{operator}"
        self.egress = egress
        self.bearable = SessionLimit(profile.first_sessions, profile.sessions, profile.rest_s)
        self.open: Counter[Lane] = Counter()
        self.closed_until: dict[Lane, float] = {}
        self.meters = {lane: RecipientMeter() for lane in Lane}
        self.used = 0
        self.rests_until = 0.0
        self.rejection: Probe | None = None
        """The rejection that made it rest."""
        self._profile = profile
        self._rest_s = 0.0
        self.limits = compute_pair_limits(profile)
        """The limits, until `limits_until` in loop time."""
        self.limits_until = -math.inf

    def renew_limits(self, state: EgressState, now: float, epoch: float) -> None:
        """Compute the limits for the next minute."""
        self.limits = compute_pair_limits(self._profile, compute_warm_share(self._profile, state.warms_since, epoch))
        self.limits_until = now + _LIMITS_CACHED_S

    def use_profile(self, profile: Profile) -> None:
        """Use other limits from now on."""
        self._profile = profile
        self.limits_until = -math.inf
        self.bearable.raise_to(profile.sessions)

    def rest(self, rejection: Probe, now: float) -> float:
        """Leave the operator alone, twice as long as the last time. Returns the seconds."""
        if now >= self.rests_until:
            self._rest_s = min(LONGEST_REST_S, 2 * self._rest_s or self._profile.rest_s)
        self.rests_until = now + self._rest_s
        self.rejection = rejection
        return self._rest_s

    def succeed(self) -> None:
        """Note that the operator answered: earlier rejections no longer count."""
        self._rest_s = 0.0
        self.rests_until = 0.0
        self.rejection = None


@dataclass(slots=True)
class LaneThroughput:
    """The recent throughput of one lane in recipients a second; 0 where it is unknown."""

    per_s: float = 0.0
    drawn: int = 0
    since: float = 0.0
    waited_s: float = 0.0

    def count(self, drawn: int, now: float, waited_s: float) -> None:
        """Count drawn recipients. `waited_s` is the total time during which a worker waited for recipients.

        The rate counts only where a worker nearly always waited: then the limit, not the work, set the pace.
        """
        passed_s = now - self.since
        if passed_s >= _FLOW_S:
            is_limited = waited_s - self.waited_s >= _SHARE_WAITED * passed_s
            self.per_s = self.drawn / passed_s if is_limited else 0.0
            self.since, self.drawn, self.waited_s = now, 0, waited_s
        self.drawn += drawn

    def at(self, now: float) -> float:
        """The rate at a time; 0 where it is unknown."""
        return self.per_s if now - self.since < 3 * _FLOW_S else 0.0


class QueuedGroup(Protocol):
    """A host group as its operator sees it."""

    def handle_all_resting(self) -> None:
        """Handle that no pair may be used now."""

    def start_workers(self) -> None:
        """Start workers: a pair may be usable again."""


@dataclass(slots=True, eq=False)
class SessionRequest:
    """A request for a session. `only` names the egress address to use, if any. `avoid` are pairs that failed."""

    future: "asyncio.Future[ConnectionSlot]"
    only: str = ""
    avoid: frozenset[Pair] = frozenset()


@dataclass(slots=True, eq=False)
class RecipientRequest:
    """A request for recipients."""

    future: "asyncio.Future[int]"
    most: int


@dataclass(slots=True, eq=False)
class ConnectionSlot:
    """The right to one session of a pair. `limit` bounds its current operation. `revoked`: the right ended early."""

    operator: "Operator"
    pair: Pair
    lane: Lane
    revoked: bool = False
    limit: asyncio.Timeout | None = None

    def revoke(self) -> None:
        """End the session's current operation at once."""
        self.revoked = True
        if self.limit is not None and not self.limit.expired():
            with suppress(RuntimeError):  # it has just ended by itself
                self.limit.reschedule(-math.inf)


class EgressPool:
    """All our egress addresses, and which are closed, by staff or because they lead nowhere."""

    def __init__(self, egresses: Sequence[Egress]) -> None:
        self.all = tuple(egresses)
        self.states: Mapping[str, EgressState] = {}
        self._closed_until: dict[str, float] = {}

    def state(self, egress: Egress) -> EgressState:
        """The configured state of an egress address."""
        return self.states.get(egress.key, _WARM)

    def opens_at(self, egress: Egress) -> float:
        """When it may be used, in loop time; infinite where staff have paused it."""
        return math.inf if self.state(egress).rests else self._closed_until.get(egress.key, 0.0)

    def close(self, egress: Egress, until: float) -> None:
        """Close it until a time of the loop's clock."""
        self._closed_until[egress.key] = until


class Operator:
    """One operator, or one host set without a profile: the pairs that lead there, and their waiting requests."""

    def __init__(self, name: str, profile: Profile, egresses: EgressPool) -> None:
        self.name = name
        self.profile = profile
        self.pairs = [Pair(egress, name, profile) for egress in egresses.all]
        self.line: Counter[Lane] = Counter()
        self.sessions: dict[Lane, deque[SessionRequest]] = {lane: deque() for lane in Lane}
        self.draws: dict[tuple[Pair, Lane], list[RecipientRequest]] = {}
        self.flows = {lane: LaneThroughput() for lane in Lane}
        self.groups: set[QueuedGroup] = set()
        self.users = 0
        self._egresses = egresses
        self.max_queued = math.inf
        self._waiting = 0
        self._waits_since = 0.0
        self._waited_s = 0.0

    @property
    def is_idle(self) -> bool:
        """Whether nothing is queued and no session is open."""
        return not self.users and not self.groups

    @property
    def is_crowded(self) -> bool:
        """Whether the long lane is more than half full, so that further rows would only wait here."""
        return self.line[Lane.LONG] > self.max_queued / 2

    def begin_wait(self, now: float) -> None:
        """Note that a worker begins to wait for recipients because of a limit of ours."""
        if not self._waiting:
            self._waits_since = now
        self._waiting += 1

    def end_wait(self, now: float) -> None:
        """Note that a worker's wait is over."""
        self._waiting -= 1
        if not self._waiting:
            self._waited_s += now - self._waits_since

    def waited_s(self, now: float) -> float:
        """The total time during which at least one worker waited for recipients, in seconds."""
        return self._waited_s + (now - self._waits_since if self._waiting else 0.0)

    def report(self, now: float, per_s: float) -> WaitReport | None:
        """The waiting report of the operator; None where no limit was felt."""
        waited_s = self.waited_s(now)
        if not waited_s:
            return None
        rows = self.line.total() if self._waiting else 0
        return WaitReport(self.profile.name, self.profile.title, WaitCause.RATE, rows, waited_s, per_s)

    def use_profile(self, profile: Profile) -> None:
        """Use other limits from now on."""
        self.profile = profile
        for pair in self.pairs:
            pair.use_profile(profile)

    def opens_at(self, pair: Pair) -> float:
        """When a pair may be used again, in loop time; in the past where it may now."""
        return max(pair.rests_until, self._egresses.opens_at(pair.egress))

    def usable(self, now: float, only: str = "") -> list[Pair]:
        """The pairs that may be used now; the one of egress address `only` where it is among them."""
        found = [pair for pair in self.pairs if self.opens_at(pair) <= now]
        own = [pair for pair in found if pair.egress.name == only] if only else []
        return own or found

    def rests_for(self, now: float) -> float:
        """Seconds until the first pair may be used: 0 where one may now, infinite where staff paused all."""
        return max(0.0, min((self.opens_at(pair) for pair in self.pairs), default=math.inf) - now)

    def last_rejection(self, now: float) -> Probe | None:
        """The rejection of the pair that rests longest."""
        rejected = [pair for pair in self.pairs if pair.rejection is not None and pair.rests_until > now]
        return max(rejected, key=lambda pair: pair.rests_until).rejection if rejected else None


@dataclass(slots=True)
class PairRequest:
    """A request for one pair and lane, with the session requests it serves."""

    operator: Operator
    pair: Pair
    lane: Lane
    limits: PairLimits
    waiters: list[SessionRequest] = field(default_factory=list)
    recipients: int = 0

    @property
    def ask(self) -> LimitRequest:
        """The request as `SharedLimits` takes it."""
        return LimitRequest(
            self.pair.key, self.limits, self.lane, len(self.waiters), self.recipients, within_s=_REACH_S
        )
