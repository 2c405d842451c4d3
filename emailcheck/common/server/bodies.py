"""The body of a request: in memory while it is small, on disk beyond, within a bound for the whole process."""

import io
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import IO

from emailcheck.common.server import bounds
from emailcheck.common.server.answers import Refusal


class Disk:
    """What a process may keep on disk; `directory` is where."""

    def __init__(self, directory: Path, most: int = bounds.ON_DISK_MOST) -> None:
        self.directory = directory
        self._left = most

    def reserve(self, size: int) -> None:
        """Raises `Refusal` when there is no room."""
        if size > self._left:
            raise Refusal.overloaded()
        self._left -= size

    def release(self, size: int) -> None:
        self._left += size


class Body:
    """Takes a body piece by piece, at most `most` octets of it. Its file has no name and goes with its last user."""

    def __init__(self, most: int, too_large: Refusal, disk: Disk) -> None:
        self._most, self._too_large, self._disk = most, too_large, disk
        self._file: IO[bytes] = io.BytesIO()
        self._on_disk = 0
        self.size = 0

    def add(self, piece: bytes) -> None:
        """Raises `Refusal` when the body is too large, or cannot be stored."""
        self.size += len(piece)
        if self.size > self._most:
            raise self._too_large
        if self._on_disk:
            self._store(len(piece))
        elif self.size > bounds.IN_MEMORY:
            self._move_to_disk(self.size)
        self._write(piece)

    def opened(self) -> IO[bytes]:
        """The body from its beginning. Raises `Refusal` when the disk does not take the end of it."""
        try:
            self._file.seek(0)
        except OSError as error:
            raise Refusal.body_not_stored(error) from error
        return self._file

    def close(self) -> None:
        with suppress(OSError):  # a failed write does not matter for a body that is dropped
            self._file.close()
        self._disk.release(self._on_disk)
        self._on_disk = 0

    def _store(self, size: int) -> None:
        self._disk.reserve(size)
        self._on_disk += size

    def _move_to_disk(self, size: int) -> None:
        self._store(size)
        held = self._file
        held.seek(0)
        try:
            self._file = _open_unnamed_file(self._disk.directory)
        except OSError as error:
            raise Refusal.body_not_stored(error) from error
        self._write(held.read())

    def _write(self, piece: bytes) -> None:
        try:
            self._file.write(piece)
        except OSError as error:
            raise Refusal.body_not_stored(error) from error


def _open_unnamed_file(directory: Path) -> IO[bytes]:
    """Its room is free again when it is closed, or its process has died."""
    number, name = tempfile.mkstemp(dir=directory)
    Path(name).unlink()
    return io.BufferedRandom(io.FileIO(number, "w+"))
