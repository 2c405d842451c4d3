"""Counters that the processes of one machine share: a memory-mapped file for each process.

A process adds to its own file, which takes no system call; whoever wants sums reads the files of all. A file is locked
(flock(2)) as long as its process lives. What a killed process has counted stays in its file until it is handed over.
"""

import fcntl
import hashlib
import mmap
import operator
import os
import secrets
import struct
import threading
import weakref
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

_LOCK, _RETIRED = "lock", "retired"
Sums = Mapping[str, float]
Row = tuple[float, ...]
_counter_files: "weakref.WeakSet[CounterFiles]" = weakref.WeakSet()


class CounterFiles:
    """The counter files of a directory. `names` are the counters; files of other names are not ours to read.

    A file holds two numbers for each name: what was counted, and how much of that was handed over.
    """

    def __init__(self, directory: Path, names: Sequence[str]) -> None:
        self._directory = directory
        self._names = tuple(names)
        self._places = {name: place for place, name in enumerate(names)}
        self._row = struct.Struct(f"{len(names)}d")
        self._prefix = hashlib.blake2b(" ".join(names).encode(), digest_size=6).hexdigest()
        self._lock = threading.Lock()
        self._mine: memoryview[float] | None = None
        _counter_files.add(self)

    def add(self, amounts: Iterable[tuple[str, float]]) -> None:
        """Add to counters of this process; what comes before a full disk gave them room is not counted."""
        with self._lock, suppress(OSError):
            mine = self._mine if self._mine is not None else self._open()
            for name, amount in amounts:
                mine[self._places[name]] += amount

    def pending(self) -> Sums:
        """What was counted and not handed over."""
        return self._sum(self._difference(path) for path in self._files())

    def totals(self) -> Sums:
        """All that was ever counted here."""
        paths = [*self._files(), self._directory / f"{self._prefix}-{_RETIRED}"]
        return self._sum(self._read(path)[0] for path in paths)

    def living(self) -> Sums:
        """What the processes that live have counted."""
        return self._sum(self._read(path)[0] for path in self._files() if _is_process_alive(path))

    @contextmanager
    def handing_over(self) -> Iterator[Sums]:
        """The counts since the last time; they count as handed over when the block ends without an error.

        One caller at a time. Files of processes that are gone are removed after that.
        """
        with _lock_file(self._directory / _LOCK):
            found = {path: self._read(path) for path in self._files()}
            yield self._sum(_subtract_rows(counted, before) for counted, before in found.values())
            for path, (counted, _) in found.items():
                self._write(path, counted, self._row.size)
                if not _is_process_alive(path):
                    self._retire(path, counted)
            self._delete_foreign_files()

    def _open(self) -> "memoryview[float]":
        with _lock_file(self._directory / _LOCK):
            name = f"{self._prefix}-{os.getpid()}-{secrets.token_hex(4)}"
            file = os.open(self._directory / name, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            fcntl.flock(file, fcntl.LOCK_EX)
            try:
                os.posix_fallocate(file, 0, 2 * self._row.size)  # a hole could not be filled on a full disk
            except OSError:
                os.close(file)
                (self._directory / name).unlink()
                raise
        mine = memoryview(mmap.mmap(file, 2 * self._row.size)).cast("d")
        os.close(file)  # the map has a descriptor of its own, which keeps the lock
        self._mine = mine
        return mine

    def forget(self) -> None:
        """In a forked child: the file belongs to the parent."""
        self._lock, self._mine = threading.Lock(), None

    def _files(self) -> list[Path]:
        found = self._directory.glob(f"{self._prefix}-*-*") if self._directory.exists() else ()
        return sorted(found)

    def _read(self, path: Path) -> tuple[Row, Row]:
        """The counts of a file, and which of them were handed over; zeros when the file is gone."""
        try:
            octets = path.read_bytes()
        except FileNotFoundError:
            octets = b""
        octets = octets.ljust(2 * self._row.size, b"\0")
        return self._row.unpack_from(octets), self._row.unpack_from(octets, self._row.size)

    def _difference(self, path: Path) -> Row:
        return _subtract_rows(*self._read(path))

    def _sum(self, rows: Iterable[Row]) -> Sums:
        sums: Row = (0.0,) * len(self._names)
        for row in rows:
            sums = tuple(map(operator.add, sums, row))
        return dict(zip(self._names, sums, strict=True))

    def _write(self, path: Path, numbers: Row, offset: int) -> None:
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            os.pwrite(file, self._row.pack(*numbers), offset)
        finally:
            os.close(file)

    def _retire(self, path: Path, counted: Row) -> None:
        """Add the counts of an ended process to the retired ones, so that totals never fall."""
        retired = self._directory / f"{self._prefix}-{_RETIRED}"
        before = self._read(retired)[0]
        self._write(retired, tuple(map(operator.add, before, counted)), 0)
        path.unlink()

    def _delete_foreign_files(self) -> None:
        """Remove what processes of another version have left behind."""
        for path in self._directory.glob("*-*-*"):
            if not path.name.startswith(self._prefix) and not _is_process_alive(path):
                path.unlink()


def _subtract_rows(counted: Row, before: Row) -> Row:
    return tuple(map(operator.sub, counted, before))


def _is_process_alive(path: Path) -> bool:
    """Whether the process that made the file lives."""
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
def _lock_file(path: Path) -> Iterator[None]:
    path.parent.mkdir(parents=True, exist_ok=True)
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
    finally:
        os.close(file)


def _forget_all() -> None:
    for shelf in _counter_files:
        shelf.forget()


os.register_at_fork(after_in_child=_forget_all)
