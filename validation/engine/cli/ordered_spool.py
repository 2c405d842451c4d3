"""Puts lines in order: a little memory, and a temporary file for the rest.

One slow address may hold up a million finished ones. Their lines wait on disk; each takes twelve bytes of memory.
"""

import os
import tempfile
from array import array
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

_MEMORY = 32 * 2**20
_NOWHERE = -1
_TRIM = 65_536  # places behind us that are let go of at once


class OrderedSpool:
    """Takes each line once, by index from 0. Gives lines back from the first on, as soon as no gap is before them."""

    def __init__(self, memory: int = _MEMORY) -> None:
        self.following = 0
        self._memory = memory
        self._held: dict[int, bytes] = {}
        self._used = 0
        self._offsets = array("q")  # by index from `_base` on; `_NOWHERE` for what is not in the file
        self._sizes = array("I")
        self._base = 0
        self._in_file = 0
        self._end = 0
        self._file = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._file >= 0:
            os.close(self._file)

    @property
    def waiting(self) -> int:
        """The number of lines that wait for an earlier one."""
        return len(self._held) + self._in_file

    def put(self, index: int, line: bytes) -> None:
        """Keep a line until its turn. Raises OSError when the disk is full."""
        if self._used + len(line) <= self._memory or index == self.following:
            self._held[index] = line
            self._used += len(line)
        else:
            self._put_on_disk(index, line)

    def due(self) -> Iterator[bytes]:
        """Yield the lines that are next in order."""
        while (line := self._pop_line(self.following)) is not None:
            self.following += 1
            yield line

    def rest(self) -> Iterator[bytes]:
        """Yield all stored lines in order and skip gaps. No line may be added afterwards."""
        while self.waiting:
            line = self._pop_line(self.following)
            self.following += 1
            if line is not None:
                yield line

    def _pop_line(self, index: int) -> bytes | None:
        line = self._held.pop(index, None)
        if line is not None:
            self._used -= len(line)
            return line
        offset_index = index - self._base
        if offset_index >= len(self._offsets) or self._offsets[offset_index] == _NOWHERE:
            return None
        line = os.pread(self._file, self._sizes[offset_index], self._offsets[offset_index])
        self._in_file -= 1
        self._trim_file(offset_index)
        return line

    def _trim_file(self, offset_index: int) -> None:
        """Drop the offsets before this one, and the file's content once all of it was given back."""
        if not self._in_file:
            os.ftruncate(self._file, 0)
            self._end = 0
            del self._offsets[:], self._sizes[:]
        elif offset_index >= _TRIM:
            self._base += offset_index + 1
            del self._offsets[: offset_index + 1], self._sizes[: offset_index + 1]

    def _put_on_disk(self, index: int, line: bytes) -> None:
        if self._file < 0:
            self._file, path = tempfile.mkstemp(prefix="verdicts-")
            Path(path).unlink()
        if not self._offsets:
            self._base = self.following
        missing = index - self._base + 1 - len(self._offsets)
        if missing > 0:
            self._offsets.extend([_NOWHERE] * missing)
            self._sizes.extend([0] * missing)
        offset_index = index - self._base
        self._offsets[offset_index], self._sizes[offset_index] = self._end, len(line)
        written = 0
        while written < len(line):
            written += os.pwrite(self._file, line[written:], self._end + written)
        self._end += len(line)
        self._in_file += 1
