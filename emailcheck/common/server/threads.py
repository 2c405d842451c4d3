"""Which request is answered next, and which is refused because no thread is free in time.

All of it runs on the event loop but `_run`, so that nothing needs a lock.
"""

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable
from queue import SimpleQueue
from typing import Protocol

from emailcheck.common.server import bounds


class Job(Protocol):
    """A request that is there as a whole; `last`: to be refused last.

    `work` and `clean_up` are done in a thread, the others on the loop.
    """

    last: bool
    came: float

    def work(self) -> Callable[[], None]:
        """Answers what is to be done on the loop with what came out."""

    def clean_up(self) -> None:
        """What is left to do in the thread when the answer is on its way."""

    def refuse(self) -> None:
        """Nobody could answer in time."""


class Threads:
    """A bounded number of threads, and two lines before them.

    What is refused last goes first, and leaves one thread in eight to the others: it may wait for mail hosts.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, count: int) -> None:
        self._loop = loop
        self._count, self._most_last = count, max(1, count - max(1, count // 8)) if count > 1 else 1
        self._todo: SimpleQueue[Job] = SimpleQueue()
        self._waiting: deque[Job] = deque()
        self._waiting_last: deque[Job] = deque()
        self._busy = self._busy_last = 0
        self.refused = 0
        for number in range(count):
            threading.Thread(target=self._run, name=f"answers {number}", daemon=True).start()

    @property
    def idle(self) -> bool:
        """Whether nothing is worked on, and nothing waits."""
        return not (self._busy or self._waiting or self._waiting_last)

    def submit(self, job: Job) -> None:
        """Have a job done as soon as a thread is free."""
        job.came = time.monotonic()
        (self._waiting_last if job.last else self._waiting).append(job)
        self._hand_out()

    def withdraw(self, job: Job) -> bool:
        """Take back a job that no thread has taken; whether it was one."""
        try:
            (self._waiting_last if job.last else self._waiting).remove(job)
        except ValueError:
            return False
        return True

    def refuse_late(self, now: float) -> None:
        """Refuse what has waited too long."""
        for line, seconds in ((self._waiting, bounds.WAIT_S), (self._waiting_last, bounds.WAIT_LAST_S)):
            while line and now > line[0].came + seconds:
                self.refused += 1
                line.popleft().refuse()

    def _hand_out(self) -> None:
        while self._busy < self._count:
            if self._waiting_last and self._busy_last < self._most_last:
                self._busy_last += 1
                job = self._waiting_last.popleft()
            elif self._waiting:
                job = self._waiting.popleft()
            else:
                return
            self._busy += 1
            self._todo.put(job)

    def _run(self) -> None:
        while True:
            job = self._todo.get()
            done = job.work()
            self._loop.call_soon_threadsafe(self._end, job, done)
            job.clean_up()

    def _end(self, job: Job, done: Callable[[], None]) -> None:
        self._busy -= 1
        self._busy_last -= job.last
        self._hand_out()
        done()
