"""Places at mail operators that the processes of one machine share: locked bytes of a file.

The web process and every worker have an engine each; together they keep to an operator's limits. The gate of an engine
stands before these places and counts within the process.
"""

import asyncio
import fcntl
import hashlib
import os
import random
import struct
import time
from collections import defaultdict
from pathlib import Path

from validation.engine.gate import Rate
from validation.engine.pace import Allowance

# Bytes of the file that belong to one operator: a place each, then one for who counts, one for those who wait.
_BYTES = 64
_COUNTING, _WAITING = _BYTES - 2, _BYTES - 1
_FIRST_LOOK_S, _LAST_LOOK_S = 0.005, 0.1
_COUNTERS = 65_536
_COUNTER = struct.Struct("d")
_TRIES = 100
MINUTE_S = 60.0
_LONGEST_DEBT_S = 2 * MINUTE_S  # more can only come from a clock that was set back


class FilePlaces:
    """Places as locked bytes of a file, exact between all processes of a machine that open it.

    A place at an operator is a byte; who has it holds an open-file-description lock on it (fcntl(2), F_OFD_SETLK). The
    kernel frees the locks of a process that dies, and each lock costs a microsecond. Operators share
    places when 48 bits of their names' hashes are equal. What the file holds are the counters of `FileAllowance`.
    """

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        self._taken: dict[str, list[int]] = defaultdict(list)
        self._waiting: dict[str, int] = defaultdict(int)

    async def take(self, operator: str, places: int) -> None:
        """Wait for a place. Who comes while others wait lets them go first."""
        if not self.is_wanted(operator) and self._try(operator, places):
            return
        self._wait(operator, 1)
        pause = _FIRST_LOOK_S
        try:
            while True:
                await asyncio.sleep(pause * random.uniform(0.5, 1.5))
                if self._try(operator, places):
                    return
                pause = min(pause * 1.5, _LAST_LOOK_S)
        finally:
            self._wait(operator, -1)

    def give_back(self, operator: str) -> None:
        """Unlock one of the bytes."""
        self._lock(fcntl.F_UNLCK, self._taken[operator].pop())
        if not self._taken[operator]:
            del self._taken[operator]

    def is_wanted(self, operator: str) -> bool:
        """Whether another process has locked the byte of those who wait."""
        asked = _lock_of(fcntl.F_WRLCK, _start(operator) + _WAITING)
        answer = fcntl.fcntl(self._file, fcntl.F_OFD_GETLK, asked)
        return bool(_FLOCK.unpack(answer)[0] != fcntl.F_UNLCK)

    def allowance(self, operator: str, per_minute: int) -> Rate:
        """What all processes of the machine together may ask an operator for; nothing is counted without a limit."""
        return FileAllowance(self, operator, per_minute) if per_minute else Allowance(0)

    def debt_s(self, operator: str) -> float:
        """In how many seconds an operator's allowance is full again."""
        now = time.time()
        kept = os.pread(self._file, _COUNTER.size, _counter(operator))
        full_at = _COUNTER.unpack(kept)[0] if len(kept) == _COUNTER.size else now
        return float(min(max(0.0, full_at - now), _LONGEST_DEBT_S))

    def owe(self, operator: str, seconds: float) -> None:
        """Put that off by so many seconds.

        Another process counts for some microseconds at most; one that is stopped in the middle is not waited for.
        """
        byte = _start(operator) + _COUNTING
        for _ in range(_TRIES):
            if self._lock(fcntl.F_WRLCK, byte):
                break
        os.pwrite(self._file, _COUNTER.pack(time.time() + self.debt_s(operator) + seconds), _counter(operator))
        self._lock(fcntl.F_UNLCK, byte)

    async def aclose(self) -> None:
        """Close the file, and with it give everything back."""
        os.close(self._file)

    def _try(self, operator: str, places: int) -> bool:
        start, mine = _start(operator), self._taken.get(operator, ())
        for place in range(start, start + min(places, _COUNTING)):
            if place not in mine and self._lock(fcntl.F_WRLCK, place):
                self._taken[operator].append(place)
                return True
        return False

    def _wait(self, operator: str, change: int) -> None:
        """One more or one less waits here; the byte is locked as long as anybody does."""
        was, self._waiting[operator] = self._waiting[operator], self._waiting[operator] + change
        if not was:
            self._lock(fcntl.F_RDLCK, _start(operator) + _WAITING)
        elif not self._waiting[operator]:
            self._lock(fcntl.F_UNLCK, _start(operator) + _WAITING)
            del self._waiting[operator]

    def _lock(self, kind: int, place: int) -> bool:
        try:
            fcntl.fcntl(self._file, fcntl.F_OFD_SETLK, _lock_of(kind, place))
        except BlockingIOError:
            return False
        return True


_FLOCK = struct.Struct("hhqqi0q")  # struct flock of Linux on 64 bits: type, whence, start, length, pid


def _lock_of(kind: int, place: int) -> bytes:
    return _FLOCK.pack(kind, os.SEEK_SET, place, 1, 0)


def _start(operator: str) -> int:
    digest = hashlib.blake2b(operator.encode(), digest_size=6).digest()
    return int.from_bytes(digest) * _BYTES


def _counter(operator: str) -> int:
    return _start(operator) // _BYTES % _COUNTERS * _COUNTER.size


class FileAllowance:
    """Recipients a minute, at once and then refilled evenly, as the time at which all would be free again (GCRA)."""

    def __init__(self, places: FilePlaces, operator: str, per_minute: int) -> None:
        self._places = places
        self._operator = operator
        self._each_s = MINUTE_S / per_minute

    def spend(self, count: int, now: float) -> None:
        """So many recipients are asked for."""
        self._places.owe(self._operator, count * self._each_s)

    def wait_s(self, now: float) -> float:
        """How long to wait before asking for anybody else."""
        return wait_of(self._places.debt_s(self._operator), self._each_s)


def wait_of(debt_s: float, each_s: float) -> float:
    """How long to wait for the next recipient, when all are free in `debt_s` and one takes `each_s`."""
    return max(0.0, debt_s + each_s - MINUTE_S)
