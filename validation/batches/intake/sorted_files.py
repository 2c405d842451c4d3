"""The sorted files of lists: findings, then addresses in chunks, as lines of JSON beside the upload."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from django.conf import settings

from validation.batches.intake.findings import Finding, parse_finding


def make_folder(directory: Path) -> None:
    """Create a missing folder and its parents, synced."""
    if not directory.is_dir():
        make_folder(directory.parent)
        directory.mkdir(exist_ok=True)
        sync_names(directory.parent)


def sync_names(directory: Path) -> None:
    """Sync the folder: a file survives a crash only when its name is on disk too (fsync(2))."""
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def remove_file(relative: str) -> None:
    """Remove a file below `MEDIA_ROOT` and those beside it whose names begin with its own, where they exist."""
    path: Path = settings.MEDIA_ROOT / relative
    for made in path.parent.glob(f"{path.name}.*"):
        made.unlink(missing_ok=True)
    path.unlink(missing_ok=True)


class FoundAt(NamedTuple):
    """A finding, and the byte at which the next one begins."""

    finding: Finding
    end: int


def iterate_findings(sorted_file: str, *, start: int = 0) -> Iterator[FoundAt]:
    """The repairs of an upload in the order of its rows, then its unused typing suggestions, from a byte on."""
    with (settings.MEDIA_ROOT / sorted_file).open("rb") as lines:
        lines.seek(start)
        while is_finding(line := lines.readline()):
            yield FoundAt(parse_finding(line), lines.tell())


def is_finding(line: bytes) -> bool:
    """Findings are objects, chunks are lists."""
    return line.startswith(b"{")
