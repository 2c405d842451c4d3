"""How much may be asked of mail operators: limits of (egress address, operator) pairs, and the count that is shared.

Operators judge the address that knocks, so sessions at once and recipients a minute belong to the pair of one of our
egress addresses and one operator. The engine decides what it would like to have; `SharedLimits` says what it may have,
for everybody who shares the count: this process, the processes of a machine, or all machines.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from validation.engine.vocabulary import WaitCause

DAY_S = 86_400.0
LEAD_S = 0.5
"""How far ahead of time long lists may be given recipients, so that the next portion is there before one is used up."""
SHORT_SHARE = 5
"""Single checks, the try and short lists have one recipient in so many of a pair's rate before everybody else."""
SAVED_S = 10.0
"""So many seconds of its share the short lane may use at once."""


class Lane(StrEnum):
    """Who stands in line: single checks, the try and short lists pass long lists by, within their share."""

    SHORT = "short"
    LONG = "long"


@dataclass(frozen=True, slots=True)
class PairLimits:
    """What one egress address may do at one operator at this moment.

    `sessions` may be open at once, `reserved` of them for the short lane alone. `per_s` is recipients a second, evenly
    spaced; 0 leaves the limit to the host. `burst` is the most recipients in hand at once. `per_day` is recipients in a
    day of UTC; 0 is no limit.
    """

    sessions: int
    reserved: int = 0
    per_s: float = 0.0
    burst: int = 1
    per_day: int = 0


@dataclass(frozen=True, slots=True)
class LimitRequest:
    """What a process would like to have of a pair: so many sessions more, so many recipients.

    Recipients are given for times that begin at most `within_s` seconds from now. `pair` is `Pair.key`.
    """

    pair: str
    limits: PairLimits
    lane: Lane
    sessions: int = 0
    recipients: int = 0
    within_s: float = LEAD_S


@dataclass(frozen=True, slots=True)
class LimitGrant:
    """What a process is given of what it asked for.

    The recipients may be asked for evenly, at `per_s`, beginning `starts_in_s` seconds from now; what was not given is
    worth asking for again in `again_in_s` seconds.
    """

    sessions: int = 0
    recipients: int = 0
    starts_in_s: float = 0.0
    again_in_s: float = 0.0


class SharedLimits(Protocol):
    """The count of sessions and recipients that is shared, of all pairs."""

    async def exchange(self, asks: Sequence[LimitRequest]) -> list[LimitGrant]:
        """An answer to each ask, in their order. Never raises: what cannot be counted is not given.

        The engine has one call under way at a time, and asks for everybody who waits in it.
        """

    def give_back(self, pair: str, lane: Lane) -> None:
        """End one session of a pair. What a process holds comes free by itself when it dies. Must not block."""

    def is_wanted(self, pair: str) -> bool:
        """Whether another process waits for a session of the pair. Asked often: must not block."""

    def on_revoked(self, revoke: Callable[[str, int], None]) -> None:
        """Have `revoke(pair, count)` called, in the engine's loop, when so many sessions of a pair must end at once."""

    async def aclose(self) -> None:
        """Give everything back and close what is open."""


@dataclass(slots=True)
class RecipientRate:
    """What was given of a pair's recipients: by when all of it is used up, what the short lane had of it, and how many
    on which day. Times are of any one clock in seconds, but for `day`, which counts days of UTC since 1970."""

    next_at: float = 0.0
    short_at: float = 0.0
    day: int = 0
    used: int = 0


def give_recipients(rate: RecipientRate, ask: LimitRequest, now: float, epoch: float) -> LimitGrant:
    """Give what may be given of the recipients that were asked for, and note it in `rate`. `epoch` is the time of day
    in seconds since 1970.

    Recipients are given for stretches of time that follow one another, so that in no time more is used than the rate
    allows. A long list is given the next stretch when it begins within `LEAD_S`; the short lane, within its share,
    however far ahead it begins.
    """
    limits = ask.limits
    most = min(ask.recipients, max(limits.burst, int(limits.per_s))) if limits.per_s else ask.recipients
    if limits.per_day:
        most = min(most, _count_left_today(rate, limits, epoch))
        if most <= 0:
            return LimitGrant(again_in_s=(rate.day + 1) * DAY_S - epoch)
    starts = max(now, rate.next_at) if limits.per_s else now
    is_ahead = ask.lane is Lane.SHORT and rate.short_at <= now + SAVED_S
    reach = ask.within_s if is_ahead else min(ask.within_s, LEAD_S)
    if starts > now + reach:
        return LimitGrant(again_in_s=starts - now - (0.0 if is_ahead else reach))
    rate.used += most if limits.per_day else 0
    if limits.per_s:
        rate.next_at = starts + most / limits.per_s
        if ask.lane is Lane.SHORT:
            rate.short_at = max(now, rate.short_at) + SHORT_SHARE * most / limits.per_s
    return LimitGrant(recipients=most, starts_in_s=starts - now)


def _count_left_today(rate: RecipientRate, limits: PairLimits, epoch: float) -> int:
    """How many recipients may still be asked for today."""
    today = int(epoch // DAY_S)
    if rate.day != today:
        rate.day, rate.used = today, 0
    return limits.per_day - rate.used


class LocalLimits:
    """A count that nobody else uses: a command line or a test, alone on its machine."""

    def __init__(self, clock: Callable[[], float], time: Callable[[], float]) -> None:
        """`clock` gives seconds for durations, `time` seconds since 1970."""
        self._clock = clock
        self._time = time
        self._rates: dict[str, RecipientRate] = {}
        self._held: dict[tuple[str, Lane], int] = {}

    async def exchange(self, asks: Sequence[LimitRequest]) -> list[LimitGrant]:
        """Give what the limits allow."""
        return [self._grant_request(ask) for ask in asks]

    def _grant_request(self, ask: LimitRequest) -> LimitGrant:
        sessions = 0
        if ask.sessions:
            held = {lane: self._held.get((ask.pair, lane), 0) for lane in Lane}
            sessions = min(ask.sessions, count_free_sessions(ask.limits, ask.lane, held[Lane.SHORT], held[Lane.LONG]))
            self._held[ask.pair, ask.lane] = held[ask.lane] + sessions
        if not ask.recipients:
            return LimitGrant(sessions=sessions)
        rate = self._rates.setdefault(ask.pair, RecipientRate())
        given = give_recipients(rate, ask, self._clock(), self._time())
        return LimitGrant(sessions, given.recipients, given.starts_in_s, given.again_in_s)

    def give_back(self, pair: str, lane: Lane) -> None:
        """One session less."""
        self._held[pair, lane] -= 1
        if not self._held[pair, lane]:
            del self._held[pair, lane]

    def is_wanted(self, pair: str) -> bool:
        """Nobody else waits."""
        return False

    def on_revoked(self, revoke: Callable[[str, int], None]) -> None:
        """Nothing is ever revoked."""

    async def aclose(self) -> None:
        """Nothing is open."""


def count_free_sessions(limits: PairLimits, lane: Lane, short: int, long: int) -> int:
    """How many sessions more a lane may have, where both have so many by now: long lists leave `reserved` to the short
    lane, and always may have one."""
    free = limits.sessions - short - long
    if lane is Lane.LONG:
        free = min(free, max(1, limits.sessions - limits.reserved) - long)
    return max(0, free)


@dataclass(frozen=True, slots=True)
class WaitReport:
    """Who stands in line for a limit of ours: of one operator, for one cause.

    `operator` is the name of its profile, "" for all hosts without one; `title` is the name as people write it. `rows`
    addresses wait now, and in `seconds` of the time so far at least one did; `per_s` is how many a second are expected
    to be asked for, 0 where nothing is known.
    """

    operator: str
    title: str
    cause: WaitCause
    rows: int
    seconds: float
    per_s: float = 0.0
