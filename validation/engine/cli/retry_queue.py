"""Addresses that were not asked about yet because of a limit of ours: when it is worth asking for each again."""

import heapq
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from validation.engine.limits.shared_limits import WaitReport
from validation.engine.profiles import format_operator_title
from validation.engine.vocabulary import FollowUp, Wait, WaitCause

_EARLY = 0.5  # of the time after which the engine has nobody left to ask for
_FASTER = 1.25  # than the engine expects to ask: it hands back who is too many, and must never wait for us
_Key = tuple[str, WaitCause]


@dataclass(order=True, slots=True)
class RetryEntry:
    """An address of the list that stands in line."""

    due: float
    index: int
    email: str = field(compare=False)
    follow_up: FollowUp | None = field(compare=False)
    key: _Key = field(compare=False)


@dataclass(slots=True)
class _RetryCount:
    """The addresses that wait for one limit: how many, since when, seconds waited before, expected rate."""

    rows: int = 0
    since: float = 0.0
    seconds: float = 0.0
    per_s: float = 0.0


class RetryQueue:
    """Addresses in the order in which they are due. Times are seconds of any one clock.

    Addresses at one operator are due one after another, a little faster than it may be asked.
    """

    def __init__(self) -> None:
        self._waiting: list[RetryEntry] = []
        self._following: dict[str, float] = {}  # by operator: when the next to come is due
        self._counts: dict[_Key, _RetryCount] = {}

    def __len__(self) -> int:
        return len(self._waiting)

    @property
    def next_at(self) -> float | None:
        """When the first address is due; None where none waits."""
        return self._waiting[0].due if self._waiting else None

    def put(self, index: int, email: str, follow_up: FollowUp | None, wait: Wait, now: float) -> None:
        """Add an address."""
        due = now + wait.seconds * _EARLY
        if wait.operator and wait.per_s:
            due = max(due, self._following.get(wait.operator, 0.0))
            self._following[wait.operator] = due + 1 / (_FASTER * wait.per_s)
        key = (wait.operator, wait.cause)
        count = self._counts.setdefault(key, _RetryCount())
        if not count.rows:
            count.since = now
        count.rows += 1
        count.per_s = wait.per_s if wait.operator else 0.0
        heapq.heappush(self._waiting, RetryEntry(due, index, email, follow_up, key))

    def pop_due(self, now: float) -> list[RetryEntry]:
        """Remove and return the addresses that are due."""
        popped = []
        while self._waiting and self._waiting[0].due <= now:
            popped.append(heapq.heappop(self._waiting))
            count = self._counts[popped[-1].key]
            count.rows -= 1
            if not count.rows:
                count.seconds += now - count.since
        return popped

    def add_to(self, reports: Iterable[WaitReport], now: float) -> list[WaitReport]:
        """The given reports with the addresses of this queue added."""
        known = {(report.operator, report.cause): report for report in reports}
        for key, count in self._counts.items():
            seconds = count.seconds + (now - count.since if count.rows else 0.0)
            report = known.get(key) or WaitReport(key[0], format_operator_title(key[0]), key[1], 0, 0.0)
            known[key] = replace(
                report,
                rows=report.rows + count.rows,
                seconds=max(report.seconds, seconds),
                per_s=report.per_s or count.per_s,
            )
        return list(known.values())
