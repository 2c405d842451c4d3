"""Mail operators as this process knows them: their pairs, who holds a connection slot, and who stands in line."""

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

"""So many processes may each have a full hand of recipients at one moment without the minute's limit being passed."""
"""A minute, and a second for what is under way: it may take more or less time to arrive than what went before."""
_FLOW_S = 2.0
_SHARE_WAITED = 0.8
_WARM = EgressState()


@dataclass(slots=True)
class LaneThroughput:
    """How fast the rows in one lane's line were asked about of late, in recipients a second; 0: not known."""

    per_s: float = 0.0
    drawn: int = 0
    since: float = 0.0
    waited_s: float = 0.0

    def count(self, drawn: int, now: float, waited_s: float) -> None:
        """So many recipients were drawn; `waited_s` is how long somebody waited for recipients until now, in all. Only
        where somebody nearly always did, it was the limit that was felt."""
        passed_s = now - self.since
        if passed_s >= _FLOW_S:
            is_limited = waited_s - self.waited_s >= _SHARE_WAITED * passed_s
            self.per_s = self.drawn / passed_s if is_limited else 0.0
            self.since, self.drawn, self.waited_s = now, 0, waited_s
        self.drawn += drawn

    def at(self, now: float) -> float:
        """What is known now."""
        return self.per_s if now - self.since < 3 * _FLOW_S else 0.0


class QueuedGroup(Protocol):
    """Who stands in line at an operator with its rows."""

    def handle_all_resting(self) -> None:
        """No pair may be used for now."""

    def start_workers(self) -> None:
        """A pair may be used again, perhaps."""


@dataclass(slots=True, eq=False)
class SessionRequest:
    """Who waits for a session; `only` names the egress address that it should be, where that matters, `avoid` the
    pairs that were tried in vain."""

    future: "asyncio.Future[ConnectionSlot]"
    only: str = ""
    avoid: frozenset[Pair] = frozenset()


@dataclass(slots=True, eq=False)
class RecipientRequest:
    """Who waits for recipients, and how many."""

    future: "asyncio.Future[int]"
    most: int


@dataclass(slots=True, eq=False)
class ConnectionSlot:
    """The right to have one session of a pair. `limit` bounds what its session is doing; `revoked` says that the right
    has ended early."""

    operator: "Operator"
    pair: Pair
    lane: Lane
    revoked: bool = False
    limit: asyncio.Timeout | None = None

    def revoke(self) -> None:
        """End what the session is doing, at once."""
        self.revoked = True
        if self.limit is not None and not self.limit.expired():
            with suppress(RuntimeError):  # it has just ended by itself
                self.limit.reschedule(-math.inf)


class EgressPool:
    """All our egress addresses, and which of them are closed: by people, or because they lead nowhere."""

    def __init__(self, egresses: Sequence[Egress]) -> None:
        self.all = tuple(egresses)
        self.states: Mapping[str, EgressState] = {}
        self._closed_until: dict[str, float] = {}

    def state(self, egress: Egress) -> EgressState:
        """What the calendar and people say of it."""
        return self.states.get(egress.key, _WARM)

    def opens_at(self, egress: Egress) -> float:
        """When it may be used; never, by itself, where people have closed it."""
        return math.inf if self.state(egress).rests else self._closed_until.get(egress.key, 0.0)

    def close(self, egress: Egress, until: float) -> None:
        """It leads nowhere for now."""
        self._closed_until[egress.key] = until


class Operator:
    """One operator, or one host set without a profile: the pairs that lead there, and who stands in line."""

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
        """Whether nobody stands in line or is inside."""
        return not self.users and not self.groups

    @property
    def is_crowded(self) -> bool:
        """Whether so many rows of long lists stand in line that more would only wait here."""
        return self.line[Lane.LONG] > self.max_queued / 2

    def begin_wait(self, now: float) -> None:
        """Somebody waits for recipients, because of a limit of ours."""
        if not self._waiting:
            self._waits_since = now
        self._waiting += 1

    def end_wait(self, now: float) -> None:
        """One waits no longer."""
        self._waiting -= 1
        if not self._waiting:
            self._waited_s += now - self._waits_since

    def waited_s(self, now: float) -> float:
        """For how long somebody waited for recipients, in all."""
        return self._waited_s + (now - self._waits_since if self._waiting else 0.0)

    def report(self, now: float, per_s: float) -> WaitReport | None:
        """How long its rows have waited because of limits of ours; None where they have not."""
        waited_s = self.waited_s(now)
        if not waited_s:
            return None
        rows = self.line.total() if self._waiting else 0
        return WaitReport(self.profile.name, self.profile.title, WaitCause.RATE, rows, waited_s, per_s)

    def use_profile(self, profile: Profile) -> None:
        """Go by other limits from now on."""
        self.profile = profile
        for pair in self.pairs:
            pair.use_profile(profile)

    def opens_at(self, pair: Pair) -> float:
        """When a pair may be used again; in the past where it may now."""
        return max(pair.rests_until, self._egresses.opens_at(pair.egress))

    def usable(self, now: float, only: str = "") -> list[Pair]:
        """The pairs that do not rest; `only` that of one egress address, by name, where it is among them."""
        found = [pair for pair in self.pairs if self.opens_at(pair) <= now]
        own = [pair for pair in found if pair.egress.name == only] if only else []
        return own or found

    def rests_for(self, now: float) -> float:
        """In how many seconds the first pair may be used again: 0 where one may now, infinite where none ever will
        by itself."""
        return max(0.0, min((self.opens_at(pair) for pair in self.pairs), default=math.inf) - now)

    def last_rejection(self, now: float) -> Probe | None:
        """What was said when the pair was told off that rests for the longest time."""
        rejected = [pair for pair in self.pairs if pair.rejection is not None and pair.rests_until > now]
        return max(rejected, key=lambda pair: pair.rests_until).rejection if rejected else None
