"""How fast a batch moves, what it waits for, and how long it will still take, from what was measured."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Max, Q, Sum
from django.utils import timezone

from validation.models import ACTIVE, Batch, Chunk, ChunkState

# Speed is that of the last two minutes: hosts differ, and what was fast an hour ago says little.
_MEASURED = timedelta(minutes=2)


@dataclass(frozen=True, slots=True)
class Progress:
    """`rate` is in addresses a second. `waiting` rows were asked to come back by their hosts, until `waiting_until`."""

    rate: float | None = None
    seconds_left: int | None = None
    waiting: int = 0
    waiting_until: datetime | None = None


def of(batch: Batch) -> Progress:
    """The progress of a batch whose live count is in `processed`. One query; none for a batch that does not run."""
    if batch.status not in ACTIVE or batch.started_at is None:
        return Progress()
    now = timezone.now()
    since = max(batch.started_at, now - _MEASURED)
    fresh = Q(done_at__gte=since) if since > batch.started_at else Q(done_at__gte=since) | Q(state=ChunkState.RUNNING)
    later = Q(state=ChunkState.PENDING, not_before__gt=now)
    found = Chunk.objects.filter(batch=batch).aggregate(
        done=Sum("processed", filter=fresh),
        waiting=Sum("size", filter=later),
        until=Max("not_before", filter=later),
    )
    waiting, until = found["waiting"] or 0, found["until"]
    rate = _rate(found["done"] or 0, (now - since).total_seconds())
    left = batch.total_emails - batch.processed - waiting
    return Progress(rate and round(rate, 1), _seconds_left(left, rate, until, now), waiting, until)


def _rate(done: int, seconds: float) -> float | None:
    return done / seconds if done and seconds >= 1 else None


def _seconds_left(left: int, rate: float | None, until: datetime | None, now: datetime) -> int | None:
    """None where it cannot be told: rows are left and nothing was measured yet."""
    if left > 0 and not rate:
        return None
    working = left / rate if rate else 0.0
    return round(max(working, (until - now).total_seconds() if until else 0.0))
