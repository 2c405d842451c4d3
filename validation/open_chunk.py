"""A chunk that a worker has claimed and works on, and what has become of its rows so far."""

import time
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.utils import timezone

from emailcheck.common import metrics
from validation import followups, leases, results, second_opinions
from validation.checker import Run
from validation.followups import Waiting
from validation.leases import Leaving, News
from validation.left_open import Kept
from validation.lines import InLine
from validation.models import Chunk
from validation.packing import Binder
from validation.results import Row

TELL_EVERY_S = 1.0
KEEP_LEASE_EVERY_S = 5.0
PUT_IN_LINE_EVERY_S = 1.0


@dataclass(slots=True)
class OpenChunk:
    """A chunk of ours whose rows are in the engine, or with outside providers.

    So many rows as there is `room` for are kept where the engine leaves them open: providers will be asked about them.
    Rows that nobody was asked about are `in_line` until they are put there; then they are no longer of this chunk, and
    their positions are among the `gone`.
    """

    chunk: Chunk
    run: Run
    room: int = 0
    made: list[Row] = field(default_factory=list)
    waiting: list[Waiting] = field(default_factory=list)
    kept: list[Kept] = field(default_factory=list)
    in_line: list[InLine] = field(default_factory=list)
    gone: set[int] = field(default_factory=set)
    # One time for all rows that can be asked about at once, because those of one time share chunks.
    kept_since: datetime = field(default_factory=timezone.now)
    binder: Binder = field(default_factory=Binder)
    told: int = 0
    told_at: float = field(default_factory=time.monotonic)
    put_in_line_at: float = 0.0
    begun_at: float = field(default_factory=time.monotonic)

    @property
    def awaited(self) -> int:
        arrived = len(self.made) + len(self.waiting) + len(self.kept) + len(self.in_line)
        return self.chunk.size - arrived - len(self.gone)

    @property
    def should_tell(self) -> bool:
        """Whether its lease has to be kept, or its progress is worth showing."""
        silent_for = time.monotonic() - self.told_at
        return silent_for >= (TELL_EVERY_S if len(self.made) > self.told else KEEP_LEASE_EVERY_S)

    def take(self) -> None:
        """Turn what arrived into results, but for what has to wait: in line, for a greylisting host, for a provider."""
        rows, made, binder, basic = self.chunk.rows, self.made, self.binder, self.chunk.batch.is_basic
        for index, verdict in self.run.take():
            row = rows[index]
            position, address = row[:2]
            if verdict.wait is not None:
                stood_s = self._stood_s(row, timezone.now())
                self.in_line.append(InLine(position, address, verdict.wait, verdict.follow_up, stood_s))
            elif verdict.follow_up is not None and followups.should_wait(
                verdict, stood_s=self._stood_s(row, self.kept_since)
            ):
                stood_s = self._stood_s(row, self.kept_since)
                self.waiting.append(Waiting(position, address, verdict.follow_up, stood_s))
            elif len(self.kept) < self.room and second_opinions.is_open(verdict):
                self.kept.append(Kept(position, address, verdict, self.kept_since))
            else:
                made.append(results.from_verdict(verdict, position=position, binder=binder, basic=basic))
        for index, verdict, due in self.run.postponed():
            position, address = rows[index][:2]
            self.kept.append(Kept(position, address, verdict, due))

    def _stood_s(self, row: list[Any], until: datetime) -> float:
        """How long a row that was asked about before has stood in line since."""
        since = self.chunk.waits_since
        return followups.stood_s(row) + ((until - since).total_seconds() if since else 0.0)

    def leaving(self) -> Leaving:
        """The rows that go into line now, and those that stay."""
        gone = self.gone | {row.position for row in self.in_line}
        return Leaving(self.chunk, self.in_line, [row for row in self.chunk.rows if row[0] not in gone])

    def has_left(self) -> None:
        """Forget the rows that are in line by now."""
        self.gone |= {row.position for row in self.in_line}
        self.in_line = []
        self.put_in_line_at = time.monotonic() + PUT_IN_LINE_EVERY_S

    def news(self) -> News:
        """How far it is, to be told now."""
        self.told, self.told_at = len(self.made), time.monotonic()
        return News(self.chunk, results.tally(self.made))

    def write(self) -> None:
        """Write the results. Raises `LeaseLost`, and what went wrong in the engine."""
        self.run.work.result()
        self.take()
        leases.complete(self.chunk, self.made, self.waiting, kept=self.kept, in_line=self.in_line)
        self._count()

    def hand_in(self) -> None:
        """Write what there is, and leave the rest to whoever comes next. Raises `LeaseLost`."""
        self.run.stop()
        self.take()
        done = {row[0] for row in (*self.made, *self.waiting, *self.kept, *self.in_line)} | self.gone
        undone = [row for row in self.chunk.rows if row[0] not in done]
        leases.complete(self.chunk, self.made, self.waiting, undone, self.kept, self.in_line)
        self._count()

    def _count(self) -> None:
        metrics.count_work(rows=len(self.made), time_ms=1_000 * (time.monotonic() - self.begun_at))
