"""Cuts a long list into files that the service takes: between rows, each with the header."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from emailcheck_client.errors import BadUsage
from emailcheck_client.lists import MOST_BYTES

_MOST_ROWS = 500_000
_WORKBOOKS, _UTF_16 = (".xlsx", ".xls"), (b"\xff\xfe", b"\xfe\xff")
Part = tuple[bytes, bool]  # the content of a file to send, and whether its first row is the header


def describe_too_large(path: Path) -> str:
    """What to do with a file that is too large."""
    limit = f"{path} has {path.stat().st_size / 2**20:.1f} MB; one file may have 10 MB."
    if path.suffix.lower() in _WORKBOOKS:
        return f"{limit} Save each sheet as CSV and send that with --split, or make several workbooks of it."
    return f"{limit} With --split it is sent in parts, and the results come as one, in the order of the file."


def split_file(path: Path) -> Iterator[Part]:
    """The parts of a CSV or text file. Raises `BadUsage` for other files, and for a row that is larger than a part."""
    if path.suffix.lower() in _WORKBOOKS:
        raise BadUsage(describe_too_large(path))
    with path.open("rb") as file:
        if file.peek(2)[:2] in _UTF_16:
            raise BadUsage(f"{path} is in UTF-16, which cannot be split. Save it as CSV in UTF-8.")
        rows = iter(file if path.suffix.lower() == ".txt" else _join_quoted(file))
        first = next(rows, b"")
        header = [] if b"@" in first else [first]
        part, size = [first], len(first)
        for row in rows:
            if len(first) + len(row) > MOST_BYTES:
                raise BadUsage(f"{path} has a row of more than 10 MB; perhaps a quotation mark is not closed.")
            if size + len(row) > MOST_BYTES or len(part) > _MOST_ROWS:
                yield b"".join(part), bool(header)
                part = [*header]
                size = sum(map(len, part))
            part.append(row)
            size += len(row)
        yield b"".join(part), bool(header)


def _join_quoted(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Rows: a line with an open quotation mark goes on with the next."""
    row: list[bytes] = []
    for line in lines:
        row.append(line)
        if sum(piece.count(b'"') for piece in row) % 2 == 0:
            yield b"".join(row)
            row = []
    yield b"".join(row)
