"""The measured speed of a batch, its waiting rows, and its time left."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Sum
from django.utils import timezone

from validation.batches.chunks.models import Chunk
from validation.batches.models import ACTIVE, Batch
from validation.batches.progress.time_left import MEASURED, estimate_seconds_left
from validation.batches.progress.waits import WaitingFor, list_waiting


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a batch.

    `rate`: addresses a second. `waiting` rows wait until `waiting_until`; `waiting_for` has the reasons, most rows
    first.
    """

    rate: float | None = None
    seconds_left: int | None = None
    waiting: int = 0
    waiting_until: datetime | None = None
    waiting_for: tuple[WaitingFor, ...] = ()


def measure_progress(batch: Batch) -> Progress:
    """The progress of a batch whose current count is in `processed`. No query for a batch that does not run."""
    if batch.status not in ACTIVE or batch.started_at is None:
        return Progress()
    now = timezone.now()
    lines = list_waiting(batch, now)
    waiting = sum(line.rows for line in lines)
    rate = _measure_rate(batch, batch.started_at, now)
    left = batch.total_emails - batch.processed - waiting
    return Progress(
        rate=rate and round(rate, 1),
        seconds_left=estimate_seconds_left(batch, left, lines, started_at=batch.started_at, now=now),
        waiting=waiting,
        waiting_until=max((line.until for line in lines), default=None),
        waiting_for=tuple(lines),
    )


def _measure_rate(batch: Batch, started_at: datetime, now: datetime) -> float | None:
    """Rows a second that got a result lately; at the beginning also those not written yet."""
    since = max(started_at, now - MEASURED)
    fresh = [Chunk.objects.filter(done_at__gte=since), Chunk.objects.held()]
    # One query for each, because together they are no index range.
    counted = fresh if since == started_at else fresh[:1]
    done = sum(found.filter(batch=batch).aggregate(n=Sum("processed"))["n"] or 0 for found in counted)
    seconds = (now - since).total_seconds()
    return done / seconds if done and seconds >= 1 else None
