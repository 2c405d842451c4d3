"""How often, and how many at once, the played services let themselves be called."""

import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CallRate:
    """So many calls of paths that end so within so many seconds; one more, and they are closed for a while."""

    place: str
    calls: int
    seconds: float
    closed_s: float


class CallLimiter:
    """Counts who comes in. `at_once`: how many may be inside."""

    def __init__(self, *rates: CallRate, at_once: int = 1_000, clock: Callable[[], float] = time.monotonic) -> None:
        self._rates, self._at_once, self._clock = rates, at_once, clock
        self._inside = 0
        self.open()

    def open(self) -> None:
        """Forget who came."""
        self._came: dict[str, deque[float]] = {rate.place: deque() for rate in self._rates}
        self._closed_until = dict.fromkeys(self._came, 0.0)

    @contextmanager
    def entered(self, path: str) -> Iterator[bool]:
        """Whether a call of this path is let in, for as long as it takes."""
        self._inside += 1
        try:
            is_let_in = self._inside <= self._at_once
            for rate in self._rates:
                is_let_in &= not path.endswith(rate.place) or self._takes(rate)
            yield is_let_in
        finally:
            self._inside -= 1

    def _takes(self, rate: CallRate) -> bool:
        now, came = self._clock(), self._came[rate.place]
        if now < self._closed_until[rate.place]:
            return False
        came.append(now)
        while came[0] <= now - rate.seconds:
            came.popleft()
        if len(came) <= rate.calls:
            return True
        came.pop()
        self._closed_until[rate.place] = now + rate.closed_s
        return False
