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
    """The machine's clock."""

    def monotonic(self) -> float:
        """Seconds since some moment."""
        return time.monotonic()

    def time(self) -> float:
        """Seconds since 1970."""
        return time.time()
