"""The sorted files of lists: findings, then addresses in chunks, as lines of JSON beside the upload."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, NamedTuple

from validation.batches.intake.findings import Finding, parse_finding


class FoundAt(NamedTuple):
    """A finding, and the byte at which the next one begins."""

    finding: Finding
    end: int


def iterate_findings(lines: IO[bytes], *, start: int = 0) -> Iterator[FoundAt]:
    """The repairs of an upload in the order of its rows, then its unused typing suggestions, from a byte on."""
    lines.seek(start)
    while is_finding(line := lines.readline()):
        yield FoundAt(parse_finding(line), lines.tell())


def iterate_chunks(path: Path) -> Iterator[list[list[Any]]]:
    """The addresses: [[position, address], …] chunk by chunk."""
    with path.open("rb") as lines:
        for line in lines:
            if not is_finding(line):
                yield json.loads(line)


def is_finding(line: bytes) -> bool:
    """Findings are objects, chunks are lists."""
    return line.startswith(b"{")
