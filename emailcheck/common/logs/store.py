"""The latest log records of this machine, for staff: ring files that all its processes append to.

A record is a line of JSON, appended by one write(2) with O_APPEND, so that lines of several processes do not mix. A
file that is full is followed by the next number, and the oldest goes: there are never more than about `FILES` times
`FILE_BYTES`. It needs no database, and records what happens while that is down.
"""

import contextlib
import json
import logging
import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.conf import settings

from emailcheck.common.api import pagination
from emailcheck.common.shared_state import files

LEVELS = ("INFO", "WARNING", "ERROR", "DEBUG")
FILES = 4
FILE_BYTES = 1024 * 1024
PAGE_ROWS = 100
_LONGEST = 6_000
_MADE_FOR = "logs"


@dataclass(frozen=True, slots=True)
class LogRecordLine:
    """A stored record."""

    timestamp: datetime
    level: str
    message: str


class StoreHandler(logging.Handler):
    """Stores records below `settings.LOGS_DIR`. Its formatter must redact them."""

    def __init__(self, level: int | str = logging.NOTSET) -> None:
        super().__init__(level)
        self._file = -1
        self._directory: Path | None = None

    def emit(self, record: logging.LogRecord) -> None:
        """Never fails: a record that cannot be stored is still on the standard error."""
        try:
            self._append(_encode_record(record, self.format(record)))
        except OSError:
            self._forget_file()
        except Exception:
            self.handleError(record)

    def close(self) -> None:
        self._forget_file()
        super().close()

    def _append(self, line: bytes) -> None:
        directory = settings.LOGS_DIR
        if directory != self._directory or os.fstat(self._file).st_size >= FILE_BYTES:
            self._forget_file()
            self._file = _open_newest(directory)
            self._directory = directory
        os.write(self._file, line)

    def _forget_file(self) -> None:
        if self._directory is not None:
            self._directory = None
            os.close(self._file)


def list_records(*, level: str = "", search: str = "", cursor: str = "") -> tuple[list[LogRecordLine], str | None]:
    """A page of records, newest first, and the cursor of the next one: of a level, with a text in any case.

    Raises `BadInput` for a cursor that is not ours.
    """
    before = pagination.decode_cursor(cursor, _MADE_FOR, "cursor") if cursor else None
    found: list[tuple[tuple[int, int], LogRecordLine]] = []
    for place, octets in _iterate_newest_first(before):
        line = _parse_line(octets, level, search.lower())
        if line is not None:
            found.append((place, line))
        if len(found) > PAGE_ROWS:
            break
    more = len(found) > PAGE_ROWS
    after = pagination.encode_cursor(_MADE_FOR, *found[PAGE_ROWS - 1][0]) if more else None
    return [line for _, line in found[:PAGE_ROWS]], after


def iterate_text() -> Iterator[str]:
    """All stored records as text, oldest first."""
    for number in _file_numbers(settings.LOGS_DIR):
        for octets in _read_lines(number):
            line = _parse_line(octets)
            if line is not None:
                yield f"{line.timestamp.isoformat(timespec='milliseconds')} {line.level} {line.message}\n"


def _encode_record(record: logging.LogRecord, message: str) -> bytes:
    about = f"{record.name} [{getattr(record, 'request_id', '-')}]"
    entry = {"at": record.created, "level": _level_name(record.levelno), "message": f"{about} {message}"[:_LONGEST]}
    return json.dumps(entry, ensure_ascii=False).encode(errors="replace") + b"\n"


def _level_name(number: int) -> str:
    if number >= logging.WARNING:
        return "ERROR" if number >= logging.ERROR else "WARNING"
    return "INFO" if number >= logging.INFO else "DEBUG"


def _parse_line(octets: bytes, level: str = "", search: str = "") -> LogRecordLine | None:
    """The record of a line that matches. Half a line, of a process that was killed, is none."""
    if level and f'"level": "{level}"'.encode() not in octets:
        return None
    if search and json.dumps(search, ensure_ascii=False)[1:-1] not in octets.decode(errors="replace").lower():
        return None
    try:
        entry: dict[str, Any] = json.loads(octets)
    except ValueError:
        return None
    if search not in entry["message"].lower():
        return None
    return LogRecordLine(datetime.fromtimestamp(entry["at"], UTC), entry["level"], entry["message"])


def _iterate_newest_first(before: tuple[int, int] | None) -> Iterator[tuple[tuple[int, int], bytes]]:
    """The lines with their places: number of the file, and where in it they begin."""
    for number in reversed(_file_numbers(settings.LOGS_DIR)):
        if before is not None and number > before[0]:
            continue
        lines = _read_lines(number)
        at = sum(map(len, lines))
        for octets in reversed(lines):
            at -= len(octets)
            if before is None or (number, at) < before:
                yield (number, at), octets


def _read_lines(number: int) -> list[bytes]:
    """Its lines; none when it went meanwhile."""
    with contextlib.suppress(FileNotFoundError):
        return _file_path(settings.LOGS_DIR, number).read_bytes().splitlines(keepends=True)
    return []


def _open_newest(directory: Path) -> int:
    """The newest file that has room, opened for appending; made when there is none, and the oldest deleted."""
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    with files.locking_file(directory / "lock"):
        numbers = _file_numbers(directory) or [0]
        newest = numbers[-1]
        if newest == 0 or _file_path(directory, newest).stat().st_size >= FILE_BYTES:
            newest += 1
        for number in numbers:
            if 0 < number <= newest - FILES:
                _file_path(directory, number).unlink(missing_ok=True)
        return os.open(_file_path(directory, newest), os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)


def _file_numbers(directory: Path) -> list[int]:
    return sorted(int(path.stem) for path in directory.glob("*.jsonl"))


def _file_path(directory: Path, number: int) -> Path:
    return directory / f"{number:08}.jsonl"
