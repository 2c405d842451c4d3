"""When callers' latest accepted requests came, in files that the processes of one machine share.

For SQLite: there every count in the database would wait for whoever writes, and a page that only reads would wait too.
A file holds times in seconds since 1970 as doubles, oldest first; whoever reads or writes it holds its lock (flock(2)).
"""

import fcntl
import os
import time
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_IDLE_S = 7_200.0
"""No limit counts longer."""


def count_request(path: Path, *, requests: int, seconds: int, now: float) -> tuple[bool, int, float]:
    """Count a request at `now`, unless `requests` have been counted in the last `seconds`.

    Answers whether it passed, how many have, and when the oldest of those did.
    """
    with _lock_file(path) as file:
        times = [at for at in _read_times(file) if at > now - seconds]
        passed = len(times) < requests
        if passed:
            times.append(now)
            octets = array("d", times).tobytes()
            os.pwrite(file, octets, 0)
            os.ftruncate(file, len(octets))
    return passed, len(times), times[0]


def forget_requests(path: Path) -> None:
    """Count nothing of what was counted there."""
    path.unlink(missing_ok=True)


def forget_idle(directory: Path) -> None:
    """Delete expired files."""
    for path in directory.iterdir() if directory.exists() else ():
        if path.stat().st_mtime < time.time() - _IDLE_S:
            path.unlink(missing_ok=True)


def _read_times(file: int) -> list[float]:
    times = array("d")
    octets = os.pread(file, os.fstat(file).st_size, 0)
    times.frombytes(octets[: len(octets) // times.itemsize * times.itemsize])
    return times.tolist()


@contextmanager
def _lock_file(path: Path) -> Iterator[int]:
    """The open file, created where there is none, locked for this process."""
    while True:
        file = _open_file(path)
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
            if os.fstat(file).st_nlink:  # else another process deleted it before we had the lock
                yield file
                return
        finally:
            os.close(file)


def _open_file(path: Path) -> int:
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
