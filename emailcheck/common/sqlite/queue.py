"""The queue of those who want to write to a SQLite file.

SQLite has one writer at a time, and who finds it busy sleeps, longer each time, up to a tenth of a second, while others
that come later go first. Here the threads of a process wait for a lock, which wakes them, and of each process one looks
every half millisecond whether the file is free. So a write waits about as long as the writes before it take.
"""

import fcntl
import os
import threading
import time
from functools import lru_cache
from typing import Final

_LOOK_EVERY_S: Final = 0.0005


class Busy(Exception):
    """Nobody let us write in time."""


class WriterQueue:
    """One for each file and process; `path` names a file beside the database that carries the lock."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._mine = threading.Lock()
        self._file: int | None = None
        os.register_at_fork(after_in_child=self._begin_anew)

    def enter(self, *, seconds: float) -> None:
        """Wait until it is our turn. Raises `Busy` after so many seconds."""
        until = time.monotonic() + seconds
        if not self._mine.acquire(timeout=seconds):
            raise Busy
        try:
            while not self._is_taken():
                if time.monotonic() >= until:
                    raise Busy
                time.sleep(_LOOK_EVERY_S)
        except BaseException:
            self._mine.release()
            raise

    def leave(self) -> None:
        """Let the next one write."""
        if self._file is not None:
            fcntl.flock(self._file, fcntl.LOCK_UN)
        self._mine.release()

    def _is_taken(self) -> bool:
        if self._file is None:
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _begin_anew(self) -> None:
        """A forked process has threads and turns of its own: what its parent holds is not its to give back."""
        self._mine = threading.Lock()
        self._file = None


@lru_cache(maxsize=8)
def queue_of(database: str) -> WriterQueue:
    """The queue of this process for a database file."""
    return WriterQueue(f"{database}-writers")
