"""Rows that the engine could not decide: stored with its verdict in chunks of their own, for outside providers.

Like rows that wait for greylisting hosts (ADR 7) they have no result yet, so leases, fencing, counts and completion
work as usual.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import fields, replace
from datetime import datetime
from typing import Any, NamedTuple

from validation.engine import Category, Check, Flag, Outcome, Reason, Verdict
from validation.results.fields import compress_json

CHUNK_ROWS = 50
"""Rows per chunk: few enough for the questions to be answered within the chunk's time."""
_FIELDS = tuple(field.name for field in fields(Verdict))


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
                compress_json([_pack_verdict(row.verdict) for row in some]),
                due,
            )


def unpack_verdicts(engine_verdicts: Iterable[dict[str, Any]]) -> list[Verdict]:
    """The engine's verdicts on the rows of a chunk."""
    return [_unpack_verdict(one) for one in engine_verdicts]


def _pack_verdict(verdict: Verdict) -> dict[str, Any]:
    named = {name: getattr(verdict, name) for name in _FIELDS}
    checks = [(one.name, one.outcome, one.detail, one.source, one.time_ms, one.expires_at) for one in verdict.checks]
    return named | {"checks": checks, "follow_up": None}


def _unpack_verdict(plain: dict[str, Any]) -> Verdict:
    made = Verdict(**plain)
    return replace(
        made,
        category=Category(made.category),
        reason=Reason(made.reason),
        flags=tuple(map(Flag, made.flags)),
        mx_hosts=tuple(made.mx_hosts),
        transcript=tuple(made.transcript),
        checks=tuple(Check(name, Outcome(outcome), *rest) for name, outcome, *rest in plain["checks"]),
    )
