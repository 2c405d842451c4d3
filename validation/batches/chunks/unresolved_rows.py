"""Rows that the engine could not decide: stored with its verdict in chunks of their own, for outside providers.

Like rows that wait for greylisting hosts (ADR 7) they have no result yet, so leases, fencing, counts and completion
work as usual.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, NamedTuple

from validation.engine import Verdict
from validation.results.fields import compress_json
from validation.results.packed_verdicts import pack_verdict

CHUNK_ROWS = 50
"""Rows per chunk: few enough for the questions to be answered within the chunk's time."""


class UnresolvedRow(NamedTuple):
    """An undecided row, for providers at `due`."""

    position: int
    address: str
    verdict: Verdict
    due: datetime


class UnresolvedGroup(NamedTuple):
    """The contents of one chunk of undecided rows."""

    rows: list[list[Any]]
    engine_verdicts: bytes
    due: datetime


def group_by_due_time(rows_left: Iterable[UnresolvedRow]) -> Iterator[UnresolvedGroup]:
    """The rows grouped by due time, one group for each chunk."""
    by_due: dict[datetime, list[UnresolvedRow]] = defaultdict(list)
    for row in rows_left:
        by_due[row.due].append(row)
    for due, rows in sorted(by_due.items()):
        for first in range(0, len(rows), CHUNK_ROWS):
            some = rows[first : first + CHUNK_ROWS]
            yield UnresolvedGroup(
                [[row.position, row.address] for row in some],
                compress_json([pack_verdict(row.verdict) for row in some]),
                due,
            )
