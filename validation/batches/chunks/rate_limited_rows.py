"""Rows that wait for a rate limit of ours: which ones, in which portions, until when.

Such a row was not probed and has no result. It moves to a chunk of its own, for one operator, claimable when the rows
before it are done (ADR 7). Portions are small, so that no worker holds more of an operator than it can probe soon. They
are due a little early, so that no operator is idle.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from validation.engine import FollowUp, Wait

PORTION_S = 5.0
"""Seconds of probing at an operator that make a portion."""
_LEAST_ROWS, _MOST_ROWS = 25, 500
_LEAD_S = 4.0
_SOON_S = 1.0


class RateLimitedRow(NamedTuple):
    """A row that was not probed. `stood_s`: seconds in line since its first probe. `free`: it costs nothing."""

    position: int
    address: str
    wait: Wait
    follow_up: FollowUp | None = None
    stood_s: float = 0.0
    free: bool = False

    @property
    def as_row(self) -> list[Any]:
        """The row of a chunk."""
        if self.follow_up is None:
            return [self.position, self.address]
        return [self.position, self.address, asdict(self.follow_up), self.stood_s]


class LineTail(NamedTuple):
    """The last portion of a line: its due time and its number of rows."""

    due: datetime
    rows: int


class Portion(NamedTuple):
    """Rows of one operator that are probed together."""

    rows: list[list[Any]]
    due: datetime


def group_by_line(rows: Iterable[RateLimitedRow]) -> dict[tuple[str, str, bool], list[RateLimitedRow]]:
    """The rows grouped by operator, reason for waiting, and whether they are free."""
    lines: dict[tuple[str, str, bool], list[RateLimitedRow]] = defaultdict(list)
    for row in rows:
        lines[row.wait.operator, row.wait.cause.value, row.free].append(row)
    return dict(lines)


def split_portions(rows: Sequence[RateLimitedRow], tail: LineTail | None, *, now: datetime) -> Iterator[Portion]:
    """Split the rows of one line into portions behind its tail, each due when those before it are done.

    The newest row holds the operator's present rate. Without a rate, all wait the time that it states.
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
    """The number of rows in a portion, at a rate in addresses a second.

    >>> portion_size(20.0), portion_size(1.0), portion_size(1_000.0)
    (100, 25, 500)
    """
    return round(min(max(per_s * PORTION_S, _LEAST_ROWS), _MOST_ROWS))


def _asking_time(rows: int, per_s: float) -> timedelta:
    """Seconds that probing so many rows takes."""
    return timedelta(seconds=rows / per_s if per_s > 0 else 0.0)
