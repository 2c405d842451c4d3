"""The queue of writers to a SQLite file, and the syncs that their commits share.

SQLite has one writer at a time, and who finds it busy sleeps, longer each time, up to a tenth of a second, while others
that come later go first. Here the threads of a process wait for a lock, which wakes them, and of each process one looks
every half millisecond whether the file is free. So a write waits about as long as the writes before it take.

A commit is on the disk before it returns: one sync of the log for all that committed before it began.

SQLite writes a commit to its log (`-wal`) and, at `synchronous=NORMAL`, leaves it to the system when that reaches the
disk. At FULL each commit syncs by itself, while the file is locked and all other writers wait. Here the file is free
again first. Then somebody syncs the log once for everybody, while others write already: who comes meanwhile waits for
the next sync, of which again one is enough for all of them.

Commits are numbered in the file that carries the turns of writers, with the number up to which the log was
synced. What a file left over from before says only makes a sync more. SQLite itself syncs the head of a new log and its
name, the log before it copies pages into the database, and the database before it begins the log anew
(https://sqlite.org/wal.html#checkpointing), so whatever left the log was durable before.
"""

import mmap
import os
import threading
import time
from functools import lru_cache
from typing import Final

from django.db.utils import OperationalError

from emailcheck.common.shared_state import files

_OCTETS: Final = 3 * 8
# How long to wait for a process that is about to sync: it may have been stopped.
_PATIENCE_S: Final = 0.5


class Busy(Exception):
    """Nobody let us write in time."""


class LogNotSynced(OperationalError):
    """A commit was written, and may not survive a power cut."""


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
            files.await_lock(self._open(), wait_s=until - time.monotonic())
        except TimeoutError as error:
            self._mine.release()
            raise Busy from error
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
            files.unlock_file(self._file)
        self._mine.release()

    @property
    def commits(self) -> Commits:
        if self._commits is None:
            self._commits = Commits(self._open())
        return self._commits

    def _open(self) -> int:
        if self._file is None:
            self._file = files.open_file(self._path)
        return self._file

    def _reset(self) -> None:
        """A forked process has its own threads and turns: it must not release what its parent holds."""
        self._mine = threading.Lock()
        self._file = None
        self._commits = None


class LogSync:
    """One for each file and process."""

    def __init__(self, database: str, queue: WriterQueue) -> None:
        self._log = f"{database}-wal"
        self._lock_path = f"{database}-sync"
        self._queue = queue
        self.made = 0
        """Syncs that this process has made."""
        self._mine = threading.Lock()
        self._file: int | None = None
        os.register_at_fork(after_in_child=self._reset)

    def await_all(self) -> None:
        """Return when every commit that could be read before this call is on the disk. Raises as `wait_for`."""
        commits = self._queue.commits
        begun = commits.begun
        if commits.synced < begun:
            # Whoever made the last one may have died before it was called written.
            self.wait_for(min(begun, commits.written))
            if commits.synced < begun:
                self._sync()

    def wait_for(self, number: int) -> None:
        """Return when the commit of this number, which is written, is on the disk.

        Raises `LogNotSynced` when it cannot be synced.
        """
        if self._queue.commits.synced >= number:
            return
        with self._mine:
            until = time.monotonic() + _PATIENCE_S
            while self._queue.commits.synced < number:
                if self._try_lock():
                    self._sync_once(number)
                elif time.monotonic() >= until:
                    self._sync()
                else:
                    time.sleep(files.LOOK_EVERY_S)

    def _sync_once(self, number: int) -> None:
        """Sync with the lock, and give it back; another process may have done so meanwhile."""
        try:
            if self._queue.commits.synced < number:
                self._sync()
        finally:
            self._unlock()

    def _sync(self) -> None:
        commits = self._queue.commits
        until = commits.written
        try:
            self._sync_log()
        except OSError as error:
            raise LogNotSynced("the log of the database could not be synced") from error
        self.made += 1
        commits.synced = max(commits.synced, until)

    def _sync_log(self) -> None:
        try:
            log = os.open(self._log, os.O_RDONLY | os.O_CLOEXEC)
        except FileNotFoundError:
            return  # the last connection was closed: all of it is in the database, which SQLite has synced
        try:
            os.fdatasync(log)
        finally:
            os.close(log)

    def _try_lock(self) -> bool:
        """Whether the lock is ours; without a file, on a full disk, nobody has it."""
        try:
            if self._file is None:
                self._file = files.open_file(self._lock_path)
            return files.try_lock(self._file)
        except OSError:
            return False

    def _unlock(self) -> None:
        if self._file is not None:
            files.unlock_file(self._file)

    def _reset(self) -> None:
        """Locks are a process's own: a forked one has none of its parent's threads."""
        self._mine = threading.Lock()
        self._file = None


@lru_cache(maxsize=8)
def find_queue(database: str) -> WriterQueue:
    """The queue of this process for a database file."""
    return WriterQueue(f"{database}-writers")


@lru_cache(maxsize=8)
def find_log_sync(database: str) -> LogSync:
    """The one of this process for a database file."""
    return LogSync(database, find_queue(database))
