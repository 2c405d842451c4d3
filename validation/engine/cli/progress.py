"""How far a run is: addresses done, how fast, how long it will take."""

import asyncio
import time
from typing import TextIO

_EVERY_S = 1.0


class Progress:
    """Tells on a stream, in one line that is written over on a terminal and in a line at a time elsewhere.

    `total` is None where the length of the list is not known. Tells nothing unless `shown`.
    """

    def __init__(self, stream: TextIO, total: int | None, *, shown: bool) -> None:
        self.done = 0
        self._stream = stream
        self._total = total
        self._shown = shown
        self._over = stream.isatty()
        self._started = time.monotonic()
        self._width = 0

    async def keep_telling(self) -> None:
        """Tell every second, until cancelled."""
        while self._shown:
            await asyncio.sleep(_EVERY_S)
            self._tell(end="\r" if self._over else "\n")

    def finish(self, *, interrupted: bool = False) -> None:
        """The last word. That a run was cut short is told in any case."""
        if interrupted:
            self._shown = True
        if self._shown:
            self._tell(end="\n", note=", interrupted" if interrupted else "")

    def line(self, seconds: float) -> str:
        """What to tell after so many seconds."""
        rate = self.done / seconds if seconds > 0 else 0.0
        known = self._total is not None and self._total >= self.done
        of_total = f" of {self._total:,}" if known else ""
        left = ""
        if known and rate and self._total is not None and self._total > self.done:
            left = f", {_duration((self._total - self.done) / rate)} left"
        return f"{self.done:,}{of_total} addresses, {rate:,.0f}/s{left}"

    def _tell(self, *, end: str, note: str = "") -> None:
        text = self.line(time.monotonic() - self._started) + note
        self._stream.write(text.ljust(self._width if self._over else 0) + end)
        self._stream.flush()
        self._width = len(text)


def _duration(seconds: float) -> str:
    if seconds < 100:
        return f"{seconds:.0f} s"
    if seconds < 6_000:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
