"""A claimed chunk under work, and the state of its rows."""

import time
from collections import deque
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.utils import timezone

from emailcheck.common.web import metrics
from validation.batches.chunks import greylisted_rows, host_replies, leases
from validation.batches.chunks.greylisted_rows import GreylistedRow
from validation.batches.chunks.host_replies import Arrival
from validation.batches.chunks.leases import ChunkProgress, LeavingRows
from validation.batches.chunks.models import Chunk
from validation.batches.chunks.rate_limited_rows import RateLimitedRow
from validation.batches.chunks.unresolved_rows import UnresolvedRow
from validation.engine.verdict.verdicts import is_undecided
from validation.results import storage
from validation.results.storage import EvidenceWriter, ResultRow
from validation.verifier.checker import Run

REPORT_EVERY_S = 1.0
RENEW_LEASE_EVERY_S = 5.0
PUT_IN_LINE_EVERY_S = 1.0


@dataclass(slots=True)
class OpenChunk:
    """A claimed chunk whose rows are in the engine or with outside providers.

    `unresolved`: rows that the engine cannot decide, up to `unresolved_limit`, for providers to decide later.
    `in_line`: rows that were not probed, until `leases.put_in_line` moves them to other chunks; `lined_up` holds their
    positions then. `latest`: the verdicts that arrived last. `asked`: the rows under check, where others took over
    their verdicts; None for all.
    """

    chunk: Chunk
    run: Run
    unresolved_limit: int = 0
    made: list[ResultRow] = field(default_factory=list)
    asked: list[Any] | None = None
    waiting: list[GreylistedRow] = field(default_factory=list)
    unresolved: list[UnresolvedRow] = field(default_factory=list)
    in_line: list[RateLimitedRow] = field(default_factory=list)
    lined_up: set[int] = field(default_factory=set)
    latest: deque[Arrival] = field(default_factory=lambda: deque(maxlen=host_replies.LOOKED_THROUGH))
    # One time for all rows due now, because rows of the same time share chunks.
    unresolved_since: datetime = field(default_factory=timezone.now)
    evidence_writer: EvidenceWriter = field(default_factory=EvidenceWriter)
    reported_rows: int = 0
    reported_at: float = field(default_factory=time.monotonic)
    line_up_at: float = 0.0
    begun_at: float = field(default_factory=time.monotonic)

    @property
    def rows_awaited(self) -> int:
        arrived = len(self.made) + len(self.waiting) + len(self.unresolved) + len(self.in_line)
        return self.chunk.size - arrived - len(self.lined_up)

    @property
    def is_report_due(self) -> bool:
        """Whether its lease is due for renewal, or its progress for a report."""
        silent_for = time.monotonic() - self.reported_at
        return silent_for >= (REPORT_EVERY_S if len(self.made) > self.reported_rows else RENEW_LEASE_EVERY_S)

    def collect_arrivals(self) -> None:
        """Turn arrived verdicts into results, except rows that wait: in line, for a greylisting host, or for a
        provider.
        """
        rows = self.chunk.rows if self.asked is None else self.asked
        made, evidence_writer, basic = self.made, self.evidence_writer, self.chunk.batch.is_basic
        now = timezone.now()
        for index, verdict in self.run.pop_arrived():
            row = rows[index]
            self.latest.append(Arrival(verdict, now))
            position, address = row[:2]
            if verdict.wait is not None:
                stood_s = self._stood_s(row, now)
                free = self.chunk.reuses
                self.in_line.append(RateLimitedRow(position, address, verdict.wait, verdict.follow_up, stood_s, free))
            elif verdict.follow_up is not None and greylisted_rows.should_wait(
                verdict, stood_s=self._stood_s(row, self.unresolved_since)
            ):
                stood_s = self._stood_s(row, self.unresolved_since)
                self.waiting.append(GreylistedRow(position, address, verdict.follow_up, stood_s))
            elif len(self.unresolved) < self.unresolved_limit and is_undecided(verdict):
                self.unresolved.append(UnresolvedRow(position, address, verdict, self.unresolved_since))
            else:
                made.append(storage.build_row(verdict, position=position, evidence_writer=evidence_writer, basic=basic))
        for index, verdict, due in self.run.pop_postponed():
            position, address = rows[index][:2]
            self.unresolved.append(UnresolvedRow(position, address, verdict, due))

    def _stood_s(self, row: list[Any], until: datetime) -> float:
        """Seconds in line since a row's first probe."""
        since = self.chunk.waits_since
        return greylisted_rows.seconds_in_line(row) + ((until - since).total_seconds() if since else 0.0)

    def leaving_rows(self) -> LeavingRows:
        """The rows that go into line now, and the remaining ones."""
        lined_up = self.lined_up | {row.position for row in self.in_line}
        return LeavingRows(self.chunk, self.in_line, [row for row in self.chunk.rows if row[0] not in lined_up])

    def forget_lined_up(self) -> None:
        """Forget rows whose move into line was written."""
        self.lined_up |= {row.position for row in self.in_line}
        self.in_line = []
        self.line_up_at = time.monotonic() + PUT_IN_LINE_EVERY_S

    def report_progress(self) -> ChunkProgress:
        """The progress to report now."""
        self.reported_rows, self.reported_at = len(self.made), time.monotonic()
        return ChunkProgress(self.chunk, storage.tally_rows(self.made), host_replies.list_replies(self.latest))

    def write_results(self) -> None:
        """Write the results. Raises `LeaseLost`, or the engine's error."""
        self.run.work.result()
        self.collect_arrivals()
        leases.complete_chunk(self.chunk, self.made, self.waiting, unresolved=self.unresolved, in_line=self.in_line)
        self._count_work()

    def hand_in_results(self) -> None:
        """Write the results so far and free the rest for another worker. Raises `LeaseLost`."""
        self.run.stop()
        self.collect_arrivals()
        done = {row[0] for row in (*self.made, *self.waiting, *self.unresolved, *self.in_line)} | self.lined_up
        undone = [row for row in self.chunk.rows if row[0] not in done]
        if not done:
            leases.release_chunk(self.chunk)
            return
        leases.complete_chunk(self.chunk, self.made, self.waiting, undone, self.unresolved, self.in_line)
        self._count_work()

    def _count_work(self) -> None:
        metrics.count_work(rows=len(self.made), time_ms=1_000 * (time.monotonic() - self.begun_at))
