"""Limits of (egress address, operator) pairs, and the counts that processes share.

Operators judge the address that connects. So concurrent sessions and recipients a minute belong to the pair of an
egress address and an operator. The engine requests what it needs; `SharedLimits` grants it, for everything that shares
the count: this process, the processes of a machine, or all machines.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from validation.engine.vocabulary import WaitCause

DAY_S = 86_400.0
LEAD_S = 0.5
"""Seconds before its start at which a long list gets the next grant, so that it is there before one is used up."""
SHORT_SHARE = 5
"""The short lane (single checks, tries, short lists) gets one in this many of a pair's recipients first."""
SAVED_S = 10.0
"""Seconds of its share that the short lane may use at once."""


class Lane(StrEnum):
    """The two lanes: single checks, tries and short lists pass long lists, within their share."""

    SHORT = "short"
    LONG = "long"


@dataclass(frozen=True, slots=True)
class PairLimits:
    """The limits of one egress address at one operator at this moment.

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
    """A process's request to a pair: further sessions, and recipients.

    Recipients are granted for times that begin at most `within_s` seconds from now. `pair` is `Pair.key`.
    """

    pair: str
    limits: PairLimits
    lane: Lane
    sessions: int = 0
    recipients: int = 0
    within_s: float = LEAD_S


@dataclass(frozen=True, slots=True)
class LimitGrant:
    """What a process is granted of its request.

    The recipients may be used evenly, at `per_s`, beginning `starts_in_s` seconds from now. What is missing is worth
    another request in `again_in_s` seconds.
    """

    sessions: int = 0
    recipients: int = 0
    starts_in_s: float = 0.0
    again_in_s: float = 0.0


class SharedLimits(Protocol):
    """The shared count of sessions and recipients of all pairs."""

    async def exchange(self, asks: Sequence[LimitRequest]) -> list[LimitGrant]:
        """A grant for each request, in order. Never raises: what cannot be counted is not granted.

        The engine has one call under way at a time, for all its waiting workers.
        """

    def give_back(self, pair: str, lane: Lane) -> None:
        """End one session of a pair. Must not block. What a process holds is released when the process dies."""

    def is_wanted(self, pair: str) -> bool:
        """Whether another process waits for a session of the pair. Called often: must not block."""

    def on_revoked(self, revoke: Callable[[str, int], None]) -> None:
        """Register `revoke(pair, count)`, called in the engine's loop when sessions of a pair must end at once."""

    async def aclose(self) -> None:
        """Release everything and close connections."""


@dataclass(slots=True)
class RecipientRate:
    """The recipients granted of a pair: until when the rate is used up, in all and by the short lane, and today's
    count.

    Times are seconds of any one clock. `day` counts days of UTC since 1970.
    """

    next_at: float = 0.0
    short_at: float = 0.0
    day: int = 0
    used: int = 0


def give_recipients(rate: RecipientRate, ask: LimitRequest, now: float, epoch: float) -> LimitGrant:
    """Grant what is allowed of the requested recipients, and note it in `rate`. `epoch` is seconds since 1970.

    Grants are stretches of time that follow one another, so the rate is never exceeded. A long list gets the next
    stretch when it begins within `LEAD_S`. The short lane gets it, within its share, however far ahead it begins.
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
    """The recipients left today."""
    today = int(epoch // DAY_S)
    if rate.day != today:
        rate.day, rate.used = today, 0
    return limits.per_day - rate.used


class LocalLimits:
    """A count for one process, such as the command line or a test."""

    def __init__(self, clock: Callable[[], float], time: Callable[[], float]) -> None:
        """`clock` gives seconds for durations, `time` seconds since 1970."""
        self._clock = clock
        self._time = time
        self._rates: dict[str, RecipientRate] = {}
        self._held: dict[tuple[str, Lane], int] = {}

    async def exchange(self, asks: Sequence[LimitRequest]) -> list[LimitGrant]:
        """Grant what the limits allow."""
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
        """End one session."""
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
    """The further sessions that a lane may have beside `short` and `long` open ones.

    Long lists leave `reserved` sessions to the short lane, and may always have one.
    """
    free = limits.sessions - short - long
    if lane is Lane.LONG:
        free = min(free, max(1, limits.sessions - limits.reserved) - long)
    return max(0, free)


@dataclass(frozen=True, slots=True)
class WaitReport:
    """How many addresses wait for a limit of ours, at one operator and for one cause.

    `operator` is the name of its profile, "" for all hosts without one; `title` is the name as people write it. `rows`
    addresses wait now. `seconds` is how long at least one has waited in all. `per_s` is the expected rate; 0 where
    unknown.
    """

    operator: str
    title: str
    cause: WaitCause
    rows: int
    seconds: float
    per_s: float = 0.0
