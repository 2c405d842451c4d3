"""The queue of writers to a SQLite file.

SQLite has one writer at a time, and who finds it busy sleeps, longer each time, up to a tenth of a second, while others
that come later go first. Here the threads of a process wait for a lock, which wakes them, and of each process one looks
every half millisecond whether the file is free. So a write waits about as long as the writes before it take.
"""

import mmap
import os
import threading
import time
from functools import lru_cache
from typing import Final

from emailcheck.common.shared_state import file_locks

LOOK_EVERY_S: Final = 0.0005
_OCTETS: Final = 3 * 8


class Busy(Exception):
    """Nobody let us write in time."""


class Commits:
    """How many commits were begun, written and synced to the disk, by all processes of this machine.

    Whoever has the turn changes `begun`, before anybody can read the commit, and `written`, after that. A number is one
    aligned word: nobody reads half of it.
    """

    def __init__(self, file: int) -> None:
        if os.fstat(file).st_size < _OCTETS:
            os.posix_fallocate(file, 0, _OCTETS)  # a hole could not be filled on a full disk
        self._numbers = memoryview(mmap.mmap(file, _OCTETS)).cast("Q")

    @property
    def begun(self) -> int:
        return self._numbers[0]

    @begun.setter
    def begun(self, number: int) -> None:
        self._numbers[0] = number

    @property
    def written(self) -> int:
        return self._numbers[1]

    @written.setter
    def written(self, number: int) -> None:
        self._numbers[1] = number

    @property
    def synced(self) -> int:
        return self._numbers[2]

    @synced.setter
    def synced(self, number: int) -> None:
        self._numbers[2] = number


class WriterQueue:
    """One for each file and process; `path` names a file beside the database that carries the lock and the counts."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._mine = threading.Lock()
        self._file: int | None = None
        self._commits: Commits | None = None
        os.register_at_fork(after_in_child=self._reset)

    def enter(self, *, seconds: float) -> None:
        """Wait until it is our turn. Raises `Busy` after so many seconds."""
        until = time.monotonic() + seconds
        if not self._mine.acquire(timeout=seconds):
            raise Busy
        try:
            _ = self.commits  # what cannot be opened fails before anything is written
            while not file_locks.try_lock(self._open()):
                if time.monotonic() >= until:
                    raise Busy
                time.sleep(LOOK_EVERY_S)
        except BaseException:
            self._mine.release()
            raise

    def begin_commit(self) -> int:
        """Number the commit that the current writer is about to make."""
        self.commits.begun += 1
        return self.commits.begun

    def leave(self) -> None:
        """Let the next one write; a begun commit is written by now, or rolled back."""
        self.commits.written = self.commits.begun
        if self._file is not None:
            file_locks.unlock_file(self._file)
        self._mine.release()

    @property
    def commits(self) -> Commits:
        if self._commits is None:
            self._commits = Commits(self._open())
        return self._commits

    def _open(self) -> int:
        if self._file is None:
            self._file = file_locks.open_file(self._path)
        return self._file

    def _reset(self) -> None:
        """A forked process has its own threads and turns: it must not release what its parent holds."""
        self._mine = threading.Lock()
        self._file = None
        self._commits = None


@lru_cache(maxsize=8)
def find_queue(database: str) -> WriterQueue:
    """The queue of this process for a database file."""
    return WriterQueue(f"{database}-writers")
