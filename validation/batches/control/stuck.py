"""Lists and chunks that stand still: found, tried again, given up."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, Max, OuterRef, Q, QuerySet
from django.utils import timezone

from emailcheck.common.queue.stuck_tasks import LISTED, StuckWork, build_not_stuck_error
from validation.batches.chunks import free_chunks, leases, pipeline
from validation.batches.chunks.models import UNFINISHED, Chunk, ChunkQuerySet, ChunkState
from validation.batches.control import stopping
from validation.batches.models import ACTIVE, Batch

STILL_FOR = timedelta(minutes=10)
LEASE_OVER_FOR = timedelta(minutes=2)
_STOOD_STILL = "Nothing has happened in it"
_SILENT = "Its worker fell silent, and nobody took it over"
_FAILED = "It failed before; the system log says why"


def list_stuck_batches() -> list[StuckWork]:
    """Running lists without progress, and without rows waiting for greylisting hosts or in line."""
    latest = Max("chunks__done_at")
    tried = Max("chunks__attempts", filter=Q(chunks__state__in=UNFINISHED), default=0)
    found = _filter_still_batches().annotate(latest=latest, tried=tried).order_by("pk")[:LISTED]
    return [
        StuckWork(
            "batch",
            batch.public_id,
            _latest_activity(batch, batch.latest),
            batch.tried,
            batch.error or _STOOD_STILL,
            batch.status,
        )
        for batch in found
    ]


def retry_batch(work_id: str) -> bool:
    """Free chunks without a live worker and wake workers. False for a list that is not running."""
    batch = Batch.objects.active().filter(public_id=work_id).first()
    if batch is None:
        return False
    if _filter_still_batches().filter(pk=batch.pk).exists():
        _free_chunks(Chunk.objects.fallen().filter(batch=batch, state=ChunkState.RUNNING))
        Batch.objects.filter(pk=batch.pk).update(stop_asked_at=None)
        pipeline.finish_batch(batch.pk)
        pipeline.wake_workers()
    return True


def cancel_batch(work_id: str) -> bool:
    """Cancel a list: checked rows are charged, the rest is released. False for a list that is not running.

    Raises `Conflict` for one that makes progress again.
    """
    batch = Batch.objects.active().filter(public_id=work_id).first()
    if batch is None:
        return False
    if not _filter_still_batches().filter(pk=batch.pk).exists():
        raise build_not_stuck_error()
    stopping.cancel_batch(batch=batch)
    return True


def list_stuck_chunks() -> list[StuckWork]:
    """Chunks whose lease expired, and those of standing lists that failed before."""
    found = _filter_stuck_chunks().select_related("batch").defer("rows").order_by("pk")[:LISTED]
    return [
        StuckWork("chunk", str(chunk.pk), chunk.lease_until or _latest_activity(chunk.batch, None), chunk.attempts,
             _SILENT if chunk.state == ChunkState.RUNNING else _FAILED, f"{chunk.state}, {chunk.size} rows")
        for chunk in found
    ]  # fmt: skip


def retry_chunk(work_id: str) -> bool:
    """Check a chunk again with its attempts reset. False for one that is missing or done."""
    chunk = _find_unfinished_chunk(work_id)
    if chunk is None:
        return False
    if _free_chunks(_filter_stuck_chunks().filter(pk=chunk.pk), attempts=0, not_before=None):
        pipeline.wake_workers()
    return True


def cancel_chunk(work_id: str) -> bool:
    """End a chunk: its rows are unknown and free, unless they have our own verdict and only wait for providers.

    False for one that is missing or done. Raises `Conflict` for one that makes progress again.
    """
    chunk = _find_unfinished_chunk(work_id)
    if chunk is None:
        return False
    give_up = pipeline.end_without_providers if chunk.asks_providers else leases.give_up_chunk
    if not _filter_stuck_chunks().filter(pk=chunk.pk).exists() or not give_up(chunk):
        raise build_not_stuck_error()
    pipeline.finish_batch(chunk.batch_id)
    return True


def _filter_still_batches() -> QuerySet[Batch]:
    before = timezone.now() - STILL_FOR
    at_work = Chunk.objects.held().filter(batch=OuterRef("pk"))
    began = Q(started_at=None, created_at__lte=before) | Q(started_at__lte=before)
    return free_chunks.filter_standing_still(Batch.objects.active(), since=before).filter(began, ~Exists(at_work))


def _filter_stuck_chunks() -> ChunkQuerySet:
    found = Chunk.objects.in_active_batches()
    silent = found.fallen(LEASE_OVER_FOR).filter(state=ChunkState.RUNNING)
    failed = found.filter(state=ChunkState.PENDING, attempts__gt=0, batch__in=_filter_still_batches().values("pk"))
    return silent | failed


def _find_unfinished_chunk(work_id: str) -> Chunk | None:
    number = int(work_id) if work_id.isdecimal() else 0
    found = Chunk.objects.filter(pk=number, state__in=UNFINISHED, batch__status__in=ACTIVE)
    return found.select_related("batch").first()


@transaction.atomic
def _free_chunks(chunks: ChunkQuerySet, **fields: object) -> int:
    """End the leases of chunks, unless another was taken. Returns the number of chunks."""
    return stopping.lock_chunks(chunks).revoke(state=ChunkState.PENDING, **leases.NO_PROGRESS, **fields)


def _latest_activity(batch: Batch, latest: datetime | None) -> datetime:
    return max(filter(None, (batch.created_at, batch.started_at, latest)))
