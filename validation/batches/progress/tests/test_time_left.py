"""The time left against the time that recorded lists took, chunk by chunk, under a frozen clock."""

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import accumulate, count
from typing import Any

import pytest
import time_machine

from accounts.users.models import User
from validation.batches import services as batches
from validation.batches.chunks.models import Chunk
from validation.batches.models import Batch, BatchType
from validation.batches.progress import tracking
from validation.engine.profiles import SHIPPED

BEGUN = datetime(2026, 3, 2, 9, tzinfo=UTC)
LOOKS = 12


@dataclass(frozen=True)
class Part:
    """A chunk as it was: seconds since the beginning of the list."""

    size: int
    made: float
    done: float
    due: float | None = None
    operator: str = ""


@dataclass(frozen=True)
class History:
    """A list as it ran: `pace` questions a second, a `greylisted` share asked again after `delay_s`."""

    rows: int
    pace: float
    chunk_rows: int = 200
    greylisted: float = 0.0
    delay_s: float = 0.0
    at_yahoo: int = 0
    pace_later: float | None = None  # of greylisted rows

    def parts(self) -> Iterator[Part]:
        """New chunks one after the other; those that are due come before them, as workers claim them."""
        now, new, again = 0.0, self.rows - self.at_yahoo, list[tuple[float, int, float]]()
        while new or again:
            if again and (again[0][0] <= now or not new):
                due, size, made = heapq.heappop(again)
                now = max(now, due) + size / (self.pace_later or self.pace)
                yield Part(size, made, now, due)
                continue
            size = min(self.chunk_rows, new)
            new, now = new - size, now + size / self.pace
            later = round(size * self.greylisted)
            if size > later:
                yield Part(size - later, 0.0, now)
            if later:
                heapq.heappush(again, (now + self.delay_s, later, now))
        yield from self._list_portions()

    def _list_portions(self) -> Iterator[Part]:
        """Rows in line for Yahoo, which is asked 20 times a second."""
        for number in range(self.at_yahoo // 100):
            yield Part(100, 1.0, 5.0 * (number + 1), 5.0 * number, "yahoo")


HISTORIES = {
    "fast": History(20_000, 200.0),
    "fast and small": History(1_000, 25.0, 25),
    "half greylisted, long wait": History(20_000, 200.0, greylisted=0.5, delay_s=300),
    "half greylisted, short wait": History(40_000, 100.0, greylisted=0.5, delay_s=60),
    "half greylisted, wait as long as the list": History(10_000, 50.0, greylisted=0.5, delay_s=200),
    "half greylisted, half an hour": History(3_000, 50.0, greylisted=0.5, delay_s=1_700),
    "half greylisted, slower later": History(20_000, 200.0, greylisted=0.5, delay_s=300, pace_later=150),
    "all greylisted": History(10_000, 100.0, greylisted=1.0, delay_s=300),
    "one slow operator": History(20_000, 200.0, at_yahoo=12_000),
    "slow operator and greylisting": History(20_000, 100.0, greylisted=0.5, delay_s=120, at_yahoo=4_000),
}


@pytest.fixture
def batch(alice: User, settings: Any) -> Batch:
    settings.EGRESS_PROFILES = SHIPPED
    settings.IMMEDIATE_ADDRESSES = 0
    lines = ["a@harborquill.com", "b@harborquill.com"]
    made = batches.start_list(organisation=alice.own_organisation, lines=lines, batch_type=BatchType.BULK_TEXTAREA)
    made.status, made.started_at = "processing", BEGUN
    return made


def record(batch: Batch, parts: list[Part], second: float) -> None:
    """The list as it stood at that second."""
    Chunk.objects.filter(batch=batch).delete()
    numbers = count()
    chunks = []
    for part in parts:
        # What was greylisted is still in its first chunk as long as that is not done.
        done = part.done <= second
        waits = part.due is not None and part.made <= second
        chunks.append(
            Chunk(
                batch=batch,
                number=next(numbers),
                rows=[],
                size=part.size,
                processed=part.size if done else 0,
                state="done" if done else "pending",
                done_at=BEGUN + timedelta(seconds=part.done) if done else None,
                not_before=BEGUN + timedelta(seconds=part.due or 0) if waits else None,
                waits_for=part.operator,
                wait_cause="rate" if part.operator else "",
            )
        )
    Chunk.objects.bulk_create(chunks)
    batch.processed = sum(chunk.processed for chunk in chunks)


@pytest.mark.spec("REP-046")
@pytest.mark.finding("E5")
@pytest.mark.parametrize("kind", HISTORIES)
def test_from_a_quarter_on_the_time_left_is_within_a_factor_of_two(batch: Batch, kind: str) -> None:
    history = HISTORIES[kind]
    parts = list(history.parts())
    batch.total_emails = history.rows
    batch.operators = {"yahoo": history.at_yahoo} if history.at_yahoo else None
    ends = sorted((part.done, part.size) for part in parts)
    sums = accumulate(size for _, size in ends)
    quarter = next(second for (second, _), answered in zip(ends, sums, strict=True) if answered >= history.rows / 4)
    end = ends[-1][0]
    wrong = []
    for look in range(LOOKS):
        second = quarter + (end - quarter) * look / LOOKS
        record(batch, parts, second)
        with time_machine.travel(BEGUN + timedelta(seconds=second), tick=False):
            found = tracking.measure_progress(batch).seconds_left
        left = end - second
        if found is None or not left / 2 - 1 <= found <= left * 2 + 1:
            wrong.append((round(second), found, round(left)))
    assert wrong == []
