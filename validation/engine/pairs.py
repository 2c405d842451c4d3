"""Pairs of an egress address and an operator: what each may do now, how it was taken, when it rests."""

import asyncio
import math
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

from validation.engine.egress import Egress, EgressState
from validation.engine.limits import Lane, LineReport, PairLimits
from validation.engine.meter import Meter
from validation.engine.pace import SessionLimit
from validation.engine.probing import Probe
from validation.engine.profiles import Profile
from validation.engine.vocabulary import WaitCause
from validation.engine.warmup import warm_share

LONGEST_REST_S = 86_400.0
IN_HAND_BY = 4
"""So many processes may each have a full hand of recipients at one moment without the minute's limit being passed."""
MINUTE_S = 61.0
"""A minute, and a second for what is under way: it may take more or less time to arrive than what went before."""
_LIMITS_KEPT_S = 60.0
_FLOW_S = 2.0
_FELT = 0.8
_WARM = EgressState()
_SHORT_BURST = 20  # one transaction in so many seconds' worth


def loop_time() -> float:
    """The running loop's clock, by which everybody waits."""
    return asyncio.get_running_loop().time()


def limits_of(profile: Profile, share: float = 1.0) -> PairLimits:
    """What one egress address may do at an operator, where it has warmed up so far."""
    sessions = max(1, int(profile.sessions * share))
    kept = 1 if sessions > 1 else 0
    per_day = max(1, int(profile.per_day * share)) if profile.per_day else 0
    if not profile.per_minute:
        return PairLimits(sessions, kept, per_day=per_day)
    per_minute = max(1, int(profile.per_minute * share))
    burst = max(2, min(profile.recipients, per_minute // _SHORT_BURST))
    return PairLimits(sessions, kept, max(1, per_minute - IN_HAND_BY * burst) / MINUTE_S, burst, per_day)


class Pair:
    """One egress address at one operator."""

    def __init__(self, egress: Egress, operator: str, profile: Profile) -> None:
        self.key = f"{egress.key}|{operator}"
        self.egress = egress
        self.bearable = SessionLimit(profile.first_sessions, profile.sessions, profile.rest_s)
        self.open: Counter[Lane] = Counter()
        self.closed_until: dict[Lane, float] = {}
        self.meters = {lane: Meter() for lane in Lane}
        self.used = 0
        self.rests_until = 0.0
        self.word: Probe | None = None
        """What was said when it was told off."""
        self._profile = profile
        self._rest_s = 0.0
        self._limits = limits_of(profile)
        self._limits_at = -_LIMITS_KEPT_S

    def limits(self, state: EgressState, now: float, epoch: float) -> PairLimits:
        """What it may do now."""
        if now >= self._limits_at + _LIMITS_KEPT_S:
            self._limits = limits_of(self._profile, warm_share(self._profile, state.warms_since, epoch))
            self._limits_at = now
        return self._limits

    def use_profile(self, profile: Profile) -> None:
        """Go by other limits from now on."""
        self._profile = profile
        self._limits_at = -_LIMITS_KEPT_S
        self.bearable.raise_to(profile.sessions)

    def rest(self, word: Probe, now: float) -> float:
        """It was told off: leave the operator alone, twice as long as the last time. Answers for how many seconds."""
        if now >= self.rests_until:
            self._rest_s = min(LONGEST_REST_S, 2 * self._rest_s or self._profile.rest_s)
        self.rests_until = now + self._rest_s
        self.word = word
        return self._rest_s

    def succeed(self) -> None:
        """The operator answered what was asked: whatever was said before, it has nothing against us."""
        self._rest_s = 0.0
        self.rests_until = 0.0
        self.word = None


@dataclass(slots=True)
class Flow:
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
            is_felt = waited_s - self.waited_s >= _FELT * passed_s
            self.per_s = self.drawn / passed_s if is_felt else 0.0
            self.since, self.drawn, self.waited_s = now, 0, waited_s
        self.drawn += drawn

    def at(self, now: float) -> float:
        """What is known now."""
        return self.per_s if now - self.since < 3 * _FLOW_S else 0.0


class Standing(Protocol):
    """Who stands in line at an operator with its rows."""

    def hear_all_rest(self) -> None:
        """No pair may be used for now."""

    def hire(self) -> None:
        """A pair may be used again, perhaps."""


@dataclass(slots=True, eq=False)
class SessionWaiter:
    """Who waits for a session; `only` names the egress address that it should be, where that matters, `avoid` the
    pairs that were tried in vain."""

    future: "asyncio.Future[Slot]"
    only: str = ""
    avoid: frozenset[Pair] = frozenset()


@dataclass(slots=True, eq=False)
class Draw:
    """Who waits for recipients, and how many."""

    future: "asyncio.Future[int]"
    most: int


@dataclass(slots=True, eq=False)
class Slot:
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


class Egresses:
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

    def __init__(self, name: str, profile: Profile, egresses: Egresses) -> None:
        self.name = name
        self.profile = profile
        self.pairs = [Pair(egress, name, profile) for egress in egresses.all]
        self.line: Counter[Lane] = Counter()
        self.sessions: dict[Lane, deque[SessionWaiter]] = {lane: deque() for lane in Lane}
        self.draws: dict[tuple[Pair, Lane], list[Draw]] = {}
        self.flows = {lane: Flow() for lane in Lane}
        self.groups: set[Standing] = set()
        self.users = 0
        self._egresses = egresses
        self.most_in_line = math.inf
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
        return self.line[Lane.LONG] > self.most_in_line / 2

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

    def report(self, now: float, per_s: float) -> LineReport | None:
        """How long its rows have waited because of limits of ours; None where they have not."""
        waited_s = self.waited_s(now)
        if not waited_s:
            return None
        rows = self.line.total() if self._waiting else 0
        return LineReport(self.profile.name, self.profile.title, WaitCause.RATE, rows, waited_s, per_s)

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

    def last_word(self, now: float) -> Probe | None:
        """What was said when the pair was told off that rests for the longest time."""
        told = [pair for pair in self.pairs if pair.word is not None and pair.rests_until > now]
        return max(told, key=lambda pair: pair.rests_until).word if told else None
