"""Chunks that may be claimed: which batches have some, and which comes next.

A batch may have thousands of chunks that wait. Each question is a range of an index, so that it costs the same with
any number of them: what waited and is due, what never waited, and what lost its worker.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from validation.models import Batch, BatchQuerySet, Chunk, ChunkState

MAX_ATTEMPTS = 3


@dataclass(slots=True)
class Wanted:
    """What a worker still takes: about so many rows, chunks on their last try too, so many chunks that ask others, and
    none that stood in line for an operator that is crowded."""

    rows: int = 1
    last_tries: bool = True
    asks: int = 1
    crowded: Collection[str] = frozenset()


def batches(wanted: Wanted | None = None, *, within_s: float = 0.0) -> BatchQuerySet:
    """The running batches with chunks that nobody works on and whose time comes within so many seconds."""
    now = timezone.now()
    mine = Chunk.objects.filter(batch=OuterRef("pk"))
    parts = (_due(mine, now + timedelta(seconds=within_s)), _fresh(mine), _fallen(mine, now))
    has_due, is_fresh, has_fallen = (Exists(_wanted(part, wanted or Wanted())) for part in parts)
    return Batch.objects.active().filter(Q(has_due) | Q(is_fresh) | Q(has_fallen), stop_asked_at=None)


def exists(wanted: Wanted | None = None, *, within_s: float = 0.0) -> bool:
    """Whether any batch has such a chunk."""
    return batches(wanted, within_s=within_s).exists()


def waits(batch: Batch, *, within_s: float) -> bool:
    """Whether rows of a running batch wait, and are due within so many seconds."""
    mine = Chunk.objects.filter(batch=batch)
    is_running = Batch.objects.active().filter(pk=batch.pk, stop_asked_at=None).exists()
    return is_running and _due(mine, timezone.now() + timedelta(seconds=within_s)).exists()


def standing_still(running: BatchQuerySet, *, since: datetime) -> BatchQuerySet:
    """Those of some batches in which nothing was done since, nothing waits until after that, and nothing stands in
    line, however long."""
    mine = Chunk.objects.filter(batch=OuterRef("pk"))
    waits = mine.filter(state=ChunkState.PENDING)
    is_moved = Exists(mine.filter(done_at__gt=since))
    has_waited = Exists(waits.filter(not_before__gt=since))
    is_in_line = Exists(waits.filter(not_before__isnull=False).exclude(wait_cause=""))
    return running.exclude(is_moved | has_waited | is_in_line)


def first(batch_id: int, wanted: Wanted) -> Chunk | None:
    """The chunk of a batch that comes next, locked, without its rows: first what stood in line, so that the operator
    that takes longest is never idle, then what nobody worked on yet."""
    now = timezone.now()
    mine = Chunk.objects.filter(batch_id=batch_id, batch__in=Batch.objects.active().filter(stop_asked_at=None))
    for part in (
        _due(mine, now).exclude(wait_cause="").order_by("not_before", "number"),
        _fresh(mine).order_by("number"),
        _due(mine, now).filter(wait_cause="").order_by("not_before", "number"),
        _fallen(mine, now).order_by("number"),
    ):
        locked = _wanted(part, wanted).select_for_update(skip_locked=True, of=("self",))
        chunk = locked.defer("rows", "left_open").first()
        if chunk is not None:
            return chunk
    return None


def _due(chunks: QuerySet[Chunk], by: datetime) -> QuerySet[Chunk]:
    return chunks.filter(state=ChunkState.PENDING, not_before__lte=by)


def _fresh(chunks: QuerySet[Chunk]) -> QuerySet[Chunk]:
    return chunks.filter(state=ChunkState.PENDING, not_before=None)


def _fallen(chunks: QuerySet[Chunk], now: datetime) -> QuerySet[Chunk]:
    return chunks.filter(state=ChunkState.RUNNING, lease_until__lt=now)


def _wanted(chunks: QuerySet[Chunk], wanted: Wanted) -> QuerySet[Chunk]:
    chunks = chunks if wanted.last_tries else chunks.filter(attempts__lt=MAX_ATTEMPTS - 1)
    chunks = chunks if wanted.asks > 0 else chunks.filter(asks=False)
    crowded = sorted(filter(None, wanted.crowded))
    return chunks.exclude(waits_for__in=crowded) if crowded else chunks
