"""Mail operators as this process sees them: their pairs, connection slots, and waiting requests."""

import asyncio
import math
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

from validation.engine.egress.addresses import Egress, EgressState
from validation.engine.limits.pairs import Pair
from validation.engine.limits.shared_limits import Lane, WaitReport
from validation.engine.probes.probe import Probe
from validation.engine.profiles import Profile
from validation.engine.vocabulary import WaitCause

_FLOW_S = 2.0
_SHARE_WAITED = 0.8
_WARM = EgressState()


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
