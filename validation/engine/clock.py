"""The source of time. Tests pass their own."""

import time
from typing import Protocol


class Clock(Protocol):
    """Two readings of the same passing time, in seconds."""

    def monotonic(self) -> float:
        """Never goes back; for durations."""

    def time(self) -> float:
        """Epoch seconds; for what is told to others."""


class SystemClock:
    """The machine's clock: `monotonic` in seconds since some moment, `time` in seconds since 1970."""

    monotonic = staticmethod(time.monotonic)
    time = staticmethod(time.time)
