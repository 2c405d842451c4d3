"""Rows that stand in line for a limit of ours: which ones, in which portions, until when.

Nobody was asked about such a row, so it has no result: it goes to a chunk of its own, one operator's, that is free to
be claimed when the rows before it will have been asked about (ADR 7 says how rows wait). Portions are small, so that a
worker never holds more of an operator than it can ask soon, and due a little early, so that no operator is idle.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from validation.engine import FollowUp, Wait

PORTION_S = 5.0
"""A portion is what an operator is asked about in so many seconds."""
_LEAST_ROWS, _MOST_ROWS = 25, 500
_LEAD_S = 4.0
_SOON_S = 1.0


class RateLimitedRow(NamedTuple):
    """A row that nobody was asked about. `stood_s` is how long it has stood in line since it was asked first."""

    position: int
    address: str
    wait: Wait
    follow_up: FollowUp | None = None
    stood_s: float = 0.0

    @property
    def as_row(self) -> list[Any]:
        """The row of a chunk."""
        if self.follow_up is None:
            return [self.position, self.address]
        return [self.position, self.address, asdict(self.follow_up), self.stood_s]


class LineTail(NamedTuple):
    """The last portion of a line: when it is due, and of how many rows it is."""

    due: datetime
    rows: int


class Portion(NamedTuple):
    """Rows of one operator that are asked about together."""

    rows: list[list[Any]]
    due: datetime


def group_by_line(rows: Iterable[RateLimitedRow]) -> dict[tuple[str, str], list[RateLimitedRow]]:
    """The rows by operator and what they wait for."""
    lines: dict[tuple[str, str], list[RateLimitedRow]] = defaultdict(list)
    for row in rows:
        lines[row.wait.operator, row.wait.cause.value].append(row)
    return dict(lines)


def split_portions(rows: Sequence[RateLimitedRow], tail: LineTail | None, *, now: datetime) -> Iterator[Portion]:
    """The rows of one line in portions behind its tail, each due when those before it have been asked about.

    The newest row says how the operator takes us; without a rate, all wait as long as it says.
    """
    newest = rows[-1].wait
    first = now + timedelta(seconds=newest.seconds - _LEAD_S)
    if tail is not None:
        first = max(first, tail.due + _asking_time(tail.rows, newest.per_s))
    size = portion_size(newest.per_s)
    for begin in range(0, len(rows), size):
        due = max(now + timedelta(seconds=_SOON_S), first + _asking_time(begin, newest.per_s))
        yield Portion([row.as_row for row in rows[begin : begin + size]], due)


def portion_size(per_s: float) -> int:
    """Of how many rows a portion is, at a rate.

    >>> portion_rows(20.0), portion_rows(1.0), portion_rows(1_000.0)
    (100, 25, 500)
    """
    return round(min(max(per_s * PORTION_S, _LEAST_ROWS), _MOST_ROWS))


def _asking_time(rows: int, per_s: float) -> timedelta:
    """How long so many rows take."""
    return timedelta(seconds=rows / per_s if per_s > 0 else 0.0)
