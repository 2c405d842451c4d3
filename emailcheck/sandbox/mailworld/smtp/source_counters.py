"""The counts of one source address at the hosts of one company: exact, in sliding windows."""

from collections import deque
from collections.abc import Callable
from typing import Any

from emailcheck.sandbox.mailworld.scenario.limits import Limit, LimitBook, Limits

_SECOND, _MINUTE = 1.0, 60.0


class Window:
    """Counts events of the last seconds. One exactly as old as the window is outside."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._moments: deque[list[float]] = deque()
        self._count = 0
        self.most = 0

    def count(self, now: float) -> int:
        """The number of events inside the window."""
        while self._moments and self._moments[0][0] <= now - self._seconds:
            self._count -= int(self._moments.popleft()[1])
        return self._count

    def add(self, now: float) -> None:
        """One more, at this moment."""
        if self._moments and self._moments[-1][0] == now:
            self._moments[-1][1] += 1
        else:
            self._moments.append([now, 1])
        self._count += 1
        self.most = max(self.most, self.count(now))


class _Counts:
    """Counts since the last reset."""

    def __init__(self, peak: int = 0) -> None:
        self.connections = self.recipients = 0
        self.peak = peak
        self.refused = dict.fromkeys(Limit, 0)
        self.in_minute, self.in_second = Window(_MINUTE), Window(_SECOND)


class SourceCounter:
    """One source address at one company. `clock` gives seconds, as `time.monotonic` does.

    All probed recipients are counted. The limit itself counts only accepted ones, so that a client that slows down is
    served again.
    """

    def __init__(self, company: str, book: LimitBook, clock: Callable[[], float]) -> None:
        self._company, self._book, self._clock = company, book, clock
        self._passed = Window(_MINUTE)
        self._counts = _Counts()
        self.open = 0

    @property
    def limits(self) -> Limits:
        """The company's limits as they are now."""
        return self._book.of(self._company)

    def admit_session(self, own_limit: int) -> bool:
        """Count a connection. False when it exceeds the company's or the operator's limit."""
        self._counts.connections += 1
        self._counts.peak = max(self._counts.peak, self.open + 1)
        limit = _choose_tighter(self.limits.sessions_at_once, own_limit)
        if limit and self.open >= limit:
            self.refuse(Limit.SESSIONS)
            return False
        self.open += 1
        return True

    def moment(self) -> float:
        """The time of an arrival: all commands of a flush have the same."""
        return self._clock()

    def count_recipient(self, now: float) -> None:
        """Count a probed recipient."""
        self._counts.recipients += 1
        self._counts.in_minute.add(now)
        self._counts.in_second.add(now)

    def admit_recipient(self, now: float) -> bool:
        """Whether one more passes the rate; counts it if it does."""
        limit = self.limits.recipients_per_minute
        if limit and self._passed.count(now) >= limit:
            return False
        if limit:
            self._passed.add(now)
        return True

    def refuse(self, limit: Limit) -> None:
        """Count a refusal above a limit."""
        self._counts.refused[limit] += 1

    def reset(self) -> None:
        """Count anew and forget the last minute, for the rate too. Sessions that are open stay open."""
        self._passed = Window(_MINUTE)
        self._counts = _Counts(self.open)

    def report(self) -> dict[str, Any]:
        """The counts as JSON values."""
        return {
            "connections": self._counts.connections,
            "open": self.open,
            "peak": self._counts.peak,
            "recipients": self._counts.recipients,
            "most_in_60_s": self._counts.in_minute.most,
            "most_in_1_s": self._counts.in_second.most,
            "refused": {str(limit): count for limit, count in self._counts.refused.items()},
        }


def _choose_tighter(one: int, other: int) -> int:
    """The tighter of two limits of which 0 means none."""
    return min(one, other) if one and other else one or other
