"""Signs of life that the processes of a family show each other in memory that they share, without a database."""

import math
import mmap
import time
from contextlib import AbstractContextManager, nullcontext
from typing import Final

_CELLS: Final = 3
_STARTED, _SEEN, _DEADLINE = range(_CELLS)


class Liveness:
    """The signs of life of one process.

    Times are seconds of the machine's monotonic clock, which all its processes share; 0: none.
    """

    def __init__(self, cells: "memoryview[float]") -> None:
        self._cells = cells
        self._time_limit = -1.0
        self.longest_s = math.inf
        """A task with a longer limit is watched after so many seconds: it shows that it goes on."""

    def begin(self) -> None:
        """The process was started anew."""
        now = time.monotonic()
        self._cells[_STARTED], self._cells[_SEEN], self._cells[_DEADLINE] = now, 0.0, 0.0

    def show(self) -> None:
        """Show that the process works."""
        self._cells[_SEEN] = time.monotonic()

    @property
    def started(self) -> float:
        return self._cells[_STARTED]

    @property
    def seen(self) -> float:
        """When it last showed that it works; 0 while it starts."""
        return self._cells[_SEEN]

    @property
    def deadline(self) -> float:
        """Until when it need not show itself, for the task that it is at; 0 between tasks."""
        return self._cells[_DEADLINE]

    def is_working(self, now: float, silent_s: float) -> bool:
        """Whether it need not show itself yet, or has done so in the last `silent_s` seconds."""
        return now < max(self.deadline, max(self.started, self.seen) + silent_s)

    # What `django_q.worker.worker` expects of a timer.

    @property
    def value(self) -> float:
        """The time limit of the task, in seconds; -1 between tasks, 0 after one that took too long."""
        return self._time_limit

    @value.setter
    def value(self, seconds: float) -> None:
        self._time_limit = seconds
        self._cells[_DEADLINE] = time.monotonic() + min(seconds, self.longest_s) if seconds > 0 else 0.0
        self.show()

    def get_lock(self) -> AbstractContextManager[None]:
        """No lock: one process writes, the others read single numbers."""
        return nullcontext()


class FamilyLiveness:
    """The signs of life of all members, and a note to its parent: which restart of the workers was last requested."""

    def __init__(self, count: int) -> None:
        cells = memoryview(mmap.mmap(-1, 8 * (1 + _CELLS * count))).cast("d")
        self._restart = cells[:1]
        self._restart[0] = math.nan
        self.members = [Liveness(cells[1 + _CELLS * place : 1 + _CELLS * (place + 1)]) for place in range(count)]

    @property
    def restart(self) -> float:
        """The request, as a number of its own; NaN while nobody has looked."""
        return self._restart[0]

    @restart.setter
    def restart(self, number: float) -> None:
        self._restart[0] = number
