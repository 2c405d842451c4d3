"""Worker processes whose engine sleeps: run by `workers`, which says how many rows a second each engine does.

Everything but the asking is the product: `manage.py work`, its queue, leases, chunks, progress, results, counts. The
engine is replaced by a thread of each process, which gives a verdict with a full conversation for row after row, at
a steady pace. It makes up for a slightly late awakening, but for no moment in which the process had handed it
nothing.
"""

import threading
import time
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from queue import SimpleQueue
from typing import Any
from unittest.mock import patch

from django.core.management import call_command

from benchmarks.lists.seeding import ASKED
from validation.verifier.checker import Checker, Run

TICK_S = 0.02
CATCH_UP_S = 0.5


@dataclass(slots=True)
class Pace:
    """The engine's thread of one process, started with its first chunk, after the fork."""

    rows_a_second: float
    _waiting: SimpleQueue[tuple[Sequence[str], deque[Any], "Future[None]"]] = field(default_factory=SimpleQueue)
    _thread: threading.Thread | None = None

    def start(self, addresses: Sequence[str]) -> Run:
        """Check some addresses behind those that came before."""
        arrived: deque[Any] = deque()
        work: Future[None] = Future()
        self._waiting.put((addresses, arrived, work))
        if self._thread is None:
            self._thread = threading.Thread(target=self._answer_all, daemon=True)
            self._thread.start()
        return Run(arrived, work)

    def _answer_all(self) -> None:
        some, next_at = max(1, round(self.rows_a_second * TICK_S)), 0.0
        while True:
            is_idle = self._waiting.empty()
            addresses, arrived, work = self._waiting.get()
            next_at = time.monotonic() if is_idle else next_at
            for first in range(0, len(addresses), some):
                if work.cancelled():
                    break
                next_at = max(next_at + TICK_S, time.monotonic() - CATCH_UP_S)
                time.sleep(max(0.0, next_at - time.monotonic()))
                for index in range(first, min(first + some, len(addresses))):
                    address = addresses[index]
                    domain = address.rpartition("@")[2]
                    arrived.append((index, replace(ASKED, email=address, normalized=address, domain=domain)))
            if work.set_running_or_notify_cancel():
                work.set_result(None)


def main(rows_a_second: float) -> None:
    """Work for the bulk queue until SIGTERM."""
    pace = Pace(rows_a_second)
    with patch.object(Checker, "start", lambda _, addresses, **__: pace.start(addresses)):
        call_command("work", "--queues", "bulk")
