"""How far a run is: addresses done, how fast, how long it will take, and what it waits for."""

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import TextIO

from validation.engine.cli.wait_texts import compute_longest_wait, describe_duration, describe_rows, describe_seconds
from validation.engine.limits.shared_limits import WaitReport

_EVERY_S = 1.0


class Progress:
    """Reports progress on a stream: one line rewritten on a terminal, a line each time elsewhere.

    `total` is None where the list's length is unknown. Nothing is written unless `shown`.
    """

    def __init__(self, stream: TextIO, total: int | None, *, shown: bool) -> None:
        self.done = 0
        self._stream = stream
        self._total = total
        self._shown = shown
        self._over = stream.isatty()
        self._started = time.monotonic()
        self._width = 0

    async def report_regularly(self, waits: Callable[[], Sequence[WaitReport]]) -> None:
        """Write a report every second until cancelled. `waits` returns what addresses wait for."""
        while self._shown:
            await asyncio.sleep(_EVERY_S)
            self._write_line(waits(), end="\r" if self._over else "\n")

    def finish(self, waits: Sequence[WaitReport], *, interrupted: bool = False) -> None:
        """Write the last report and how long addresses waited.

        An interruption is reported even when nothing else is shown.
        """
        if interrupted:
            self._shown = True
        elif self._total is not None and self._total > self.done:
            self._total = self.done  # the other lines were empty, or titles
        if self._shown:
            self._write_line((), end="\n", note=", interrupted" if interrupted else "")
            waited = describe_seconds(waits)
            self._stream.write(f"{waited}\n" if waited else "")
            self._stream.flush()

    def line(self, seconds: float, waits: Sequence[WaitReport] = ()) -> str:
        """The report after `seconds`."""
        rate = self.done / seconds if seconds > 0 else 0.0
        known = self._total is not None and self._total >= self.done
        of_total = f" of {self._total:,}" if known else ""
        left_s = compute_longest_wait(waits)
        if known and rate and self._total is not None:
            left_s = max(left_s, (self._total - self.done) / rate)
        left = f", {describe_duration(left_s)} left" if left_s and known else ""
        waiting = describe_rows(waits)
        return f"{self.done:,}{of_total} addresses, {rate:,.0f}/s{left}" + (f"; {waiting}" if waiting else "")

    def _write_line(self, waits: Sequence[WaitReport], *, end: str, note: str = "") -> None:
        text = self.line(time.monotonic() - self._started, waits) + note
        self._stream.write(text.ljust(self._width if self._over else 0) + end)
        self._stream.flush()
        self._width = len(text)
