"""What workers and pages ask all the time goes by an index, however many chunks wait."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.users.models import User
from validation.batches import presentation
from validation.batches import services as batches
from validation.batches.chunks import free_chunks, leases
from validation.batches.chunks.free_chunks import ClaimRequest, FreeChunkKind, ReadyBatch
from validation.batches.chunks.models import Chunk
from validation.batches.chunks.rate_limited_rows import RateLimitedRow
from validation.batches.control import stopping
from validation.batches.models import Batch, BatchType
from validation.batches.progress import tracking, waits
from validation.engine import Wait, WaitCause

WAITING = 4_000
YAHOO = Wait("yahoo", WaitCause.RATE, 12.0, 20.0)


@pytest.fixture
def batch(alice: User, settings: Any) -> Batch:
    """A list of which 400,000 rows wait for Yahoo, in 4,000 chunks; the rows themselves are left out."""
    settings.IMMEDIATE_ADDRESSES = 0
    made = batches.start_list(
        organisation=alice.own_organisation, lines=["a@yahoo.com"], batch_type=BatchType.BULK_TEXTAREA
    )
    soon = timezone.now() + timedelta(seconds=30)
    rows = [[number, "x" * 40] for number in range(100)]
    Chunk.objects.bulk_create(
        Chunk(
            batch=made,
            number=number,
            rows=rows,
            size=100,
            not_before=soon + timedelta(seconds=5 * number),
            waits_for="yahoo",
            wait_cause="rate",
        )
        for number in range(1, WAITING)
    )
    made.total_emails, made.status, made.started_at = 100 * WAITING, "processing", timezone.now()
    made.save()
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return made


def plans_of(act: Callable[[], object]) -> list[str]:
    """How the database goes about each statement that reads chunks."""
    with CaptureQueriesContext(connection) as asked:
        act()
    plans = []
    with connection.cursor() as cursor:
        for query in asked.captured_queries:
            if "validation_chunk" in query["sql"] and query["sql"].startswith("SELECT"):
                cursor.execute(f"EXPLAIN QUERY PLAN {query['sql']}")
                plans.append("\n".join(row[3] for row in cursor.fetchall()))
    return plans


ASKED: dict[str, Callable[[Batch], object]] = {
    "is there work": lambda batch: free_chunks.has_free_chunks(within_s=15.0),
    "is there work for one with crowded operators": lambda batch: free_chunks.list_ready_batches(
        ClaimRequest(last_tries=False, asks=0, crowded={"yahoo", "google"})
    ),
    "whose turn it is": lambda batch: leases._count_at_work([ReadyBatch(batch.pk, list(FreeChunkKind))]),
    "what comes next": lambda batch: leases._claim_next(
        ReadyBatch(batch.pk, list(FreeChunkKind)), ClaimRequest(last_tries=False, asks=0)
    ),
    "the next number": lambda batch: leases.find_last_number(batch.pk),
    "the end of a line": lambda batch: list(
        leases._build_line_chunks(batch.pk, [RateLimitedRow(1, "a@yahoo.com", YAHOO)])
    ),
    "how far it is": tracking.measure_progress,
    "its counts": lambda batch: presentation.load_live_counts([batch]),
    "what stands still": lambda batch: list(stopping._filter_stuck()),
    "whether somebody works on it": stopping._has_workers,
}


@pytest.mark.finding("A1")
@pytest.mark.skipif(connection.vendor != "sqlite", reason="plans of SQLite")
@pytest.mark.parametrize("asked", ASKED)
def test_nothing_reads_all_chunks(batch: Batch, asked: str) -> None:
    plans = plans_of(lambda: ASKED[asked](batch))
    assert plans
    for plan in plans:
        assert "SCAN validation_chunk" not in plan
        assert "chunk_by" in plan or "validation_chunk_1 (batch_id=?)" in plan


@pytest.mark.finding("A1")
@pytest.mark.skipif(connection.vendor != "sqlite", reason="plans of SQLite")
def test_what_waits_is_counted_from_the_index_alone(batch: Batch) -> None:
    plan = plans_of(lambda: waits.list_waiting(batch, timezone.now()))[0]
    assert "USING COVERING INDEX chunk_by_state (batch_id=? AND state=? AND not_before>?)" in plan
