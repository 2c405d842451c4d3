"""Files that the processes of one machine share, beside the database: their locks, and rows.

A lock is flock(2), which the kernel ends with the process that holds it. Rows are in a SQLite file that never syncs:
what was written outlives a killed process, by SQLite's log (https://sqlite.org/wal.html). A power cut may tear the
file; whoever opens it then begins it anew, so it is for what may be lost with a restart of the machine.
"""

import fcntl
import os
import sqlite3
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

LOOK_EVERY_S = 0.0005
WAIT_S = 0.25
"""How long to wait for a process that has a lock for a moment: it may have been stopped."""


def open_file(path: str | Path) -> int:
    """The descriptor of a file, made where there is none, with its directory; forked processes share its lock."""
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC
    try:
        return os.open(path, flags, 0o600)
    except FileNotFoundError:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        return os.open(path, flags, 0o600)


def try_lock(file: int) -> bool:
    """Lock an open file for us alone, unless somebody else has it."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def await_lock(file: int, *, wait_s: float) -> None:
    """Lock an open file for us alone. Raises `TimeoutError` when somebody else has it for so long."""
    until = time.monotonic() + wait_s
    while not try_lock(file):
        if time.monotonic() >= until:
            raise TimeoutError("another process has the lock")
        time.sleep(LOOK_EVERY_S)


def unlock_file(file: int) -> None:
    """Give a lock back, and keep the file open."""
    fcntl.flock(file, fcntl.LOCK_UN)


def is_locked(path: Path) -> bool:
    """Whether a process that lives has locked the file."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(file)
    return False


@contextmanager
def locking_file(path: Path, *, wait_s: float = WAIT_S) -> Iterator[None]:
    """Hold the lock of a file in this block. Raises `TimeoutError` as `await_lock`."""
    file = open_file(path)
    try:
        await_lock(file, wait_s=wait_s)
        yield
    finally:
        os.close(file)


_LOG_PAGES = 64
"""The log begins anew after so many."""
_ROOM = 1 << 19
# Room in the file and in its log, for when the disk is full: both are written over, and never shrink while in use.
_MAKE_ROOM = f"""
CREATE TABLE IF NOT EXISTS room (x);
INSERT INTO room VALUES (zeroblob({_ROOM}));
DROP TABLE room;
PRAGMA wal_checkpoint;
"""
_states: "weakref.WeakSet[EmbeddedState]" = weakref.WeakSet()


class EmbeddedState:
    """The file at a path, with the tables of `schema`; safe for threads and forks. It is opened at first use."""

    def __init__(self, path: Path, schema: str, *, wait_s: float) -> None:
        """`wait_s` is how long to wait for another process that writes."""
        self._path = path
        self._schema = schema
        self._wait_s = wait_s
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None
        self._inherited: list[sqlite3.Connection | None] = []
        _states.add(self)

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """For one query. Raises `sqlite3.Error`, also when other threads use the file for longer than is waited."""
        lock = self._lock  # another in a child that is forked meanwhile
        if not lock.acquire(timeout=self._wait_s):
            raise _build_error("other threads use it", sqlite3.SQLITE_BUSY, sqlite3.OperationalError)
        try:
            if self._connection is None:
                self._connection = self._open()
            yield self._connection
        finally:
            lock.release()

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction that no other process is in. Raises `sqlite3.Error`: busy for too long, or a full disk."""
        with self.reading() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    def close(self) -> None:
        """Close the file; another use opens it again."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _open(self) -> sqlite3.Connection:
        """One process at a time looks whether the file is whole."""
        lock = self._path.with_name(f"{self._path.name}-lock")
        try:
            with locking_file(lock, wait_s=max(self._wait_s, WAIT_S)):
                return self._connect_or_begin_anew()
        except TimeoutError as error:
            raise _build_error(str(error), sqlite3.SQLITE_BUSY, sqlite3.OperationalError) from error

    def _connect_or_begin_anew(self) -> sqlite3.Connection:
        try:
            return self._connect()
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode not in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}:
                raise
        for end in ("", "-wal", "-shm"):
            self._path.with_name(f"{self._path.name}{end}").unlink(missing_ok=True)
        return self._connect()

    def _connect(self) -> sqlite3.Connection:
        _make_private_file(self._path)
        connection = sqlite3.connect(self._path, self._wait_s, isolation_level=None, check_same_thread=False)
        try:
            if connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
                raise _build_error("torn by a power cut", sqlite3.SQLITE_CORRUPT)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = OFF")
            connection.execute(f"PRAGMA wal_autocheckpoint = {_LOG_PAGES}")
            connection.executescript(self._schema)
            if self._path.with_name(f"{self._path.name}-wal").stat().st_size < _ROOM:
                connection.executescript(_MAKE_ROOM)
        except BaseException:
            connection.close()
            raise
        return connection

    def forget(self) -> None:
        """In a forked child, which may not even close its parent's (https://sqlite.org/howtocorrupt.html#_carrying)."""
        self._lock = threading.RLock()
        self._inherited.append(self._connection)
        self._connection = None


def _make_private_file(path: Path) -> None:
    """Make a file that nobody else may read, where there is none.

    One that exists is not opened: closing it would drop the locks that this process has on it
    (https://sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_).
    """
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))


def _build_error(
    message: str, code: int, kind: type[sqlite3.DatabaseError] = sqlite3.DatabaseError
) -> sqlite3.DatabaseError:
    error = kind(message)
    error.sqlite_errorcode = code
    return error


def _forget_all() -> None:
    for state in list(_states):
        state.forget()


os.register_at_fork(after_in_child=_forget_all)
