"""The rate and concurrency limits of the simulated services."""

import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CallRate:
    """A limit of calls in a time window for paths with an ending. Exceeding it blocks them for a while."""

    path_suffix: str
    calls: int
    seconds: float
    closed_s: float


class CallLimiter:
    """Counts calls. `at_once`: the limit of concurrent ones."""

    def __init__(self, *rates: CallRate, at_once: int = 1_000, clock: Callable[[], float] = time.monotonic) -> None:
        self._rates, self._at_once, self._clock = rates, at_once, clock
        self._inside = 0
        self.reset()

    def reset(self) -> None:
        """Reset the counts."""
        self._arrivals: dict[str, deque[float]] = {rate.path_suffix: deque() for rate in self._rates}
        self._closed_until = dict.fromkeys(self._arrivals, 0.0)

    @contextmanager
    def admitted(self, path: str) -> Iterator[bool]:
        """Whether a call of this path is admitted, for its duration."""
        self._inside += 1
        try:
            is_admitted = self._inside <= self._at_once
            for rate in self._rates:
                is_admitted &= not path.endswith(rate.path_suffix) or self._is_within_rate(rate)
            yield is_admitted
        finally:
            self._inside -= 1

    def _is_within_rate(self, rate: CallRate) -> bool:
        now, arrivals = self._clock(), self._arrivals[rate.path_suffix]
        if now < self._closed_until[rate.path_suffix]:
            return False
        arrivals.append(now)
        while arrivals[0] <= now - rate.seconds:
            arrivals.popleft()
        if len(arrivals) <= rate.calls:
            return True
        arrivals.pop()
        self._closed_until[rate.path_suffix] = now + rate.closed_s
        return False
