"""Chunks that may be claimed: which batches have some, and which comes next.

A batch may have thousands of waiting chunks. Each query is one index range, so its cost does not depend on their
number: chunks whose waiting time is over, chunks that never waited, and chunks whose worker died.
"""

import enum
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import compress
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from validation.batches.chunks.models import Chunk, ChunkQuerySet, ChunkState
from validation.batches.models import Batch, BatchQuerySet

MAX_ATTEMPTS = 3


@dataclass(slots=True)
class ClaimRequest:
    """The free capacity of a worker: rows, chunks on their last try, chunks with provider questions, and the operators
    whose lines are too crowded for it.
    """

    rows: int = 1
    last_tries: bool = True
    asks: int = 1
    crowded: Collection[str] = frozenset()


class FreeChunkKind(enum.Enum):
    """Why a chunk is free, in the order of claiming.

    Chunks that stood in line come first, so that the slowest operator is never idle; then chunks that nobody worked on.
    """

    STOOD_IN_LINE = enum.auto()
    FRESH = enum.auto()
    WAITED = enum.auto()
    FALLEN = enum.auto()


class ReadyBatch(NamedTuple):
    """A running batch that has free chunks, and of which kinds."""

    batch_id: int
    kinds: list[FreeChunkKind]


_ORDER = {
    FreeChunkKind.STOOD_IN_LINE: ("not_before", "number"),
    FreeChunkKind.FRESH: ("number",),
    FreeChunkKind.WAITED: ("not_before", "number"),
    FreeChunkKind.FALLEN: ("number",),
}


_MAY_HAVE_STOOD_IN_LINE = (FreeChunkKind.STOOD_IN_LINE, FreeChunkKind.FALLEN)


def list_ready_batches(wanted: ClaimRequest | None = None, *, within_s: float = 0.0) -> list[ReadyBatch]:
    """The running batches with unleased chunks that are due within so many seconds."""
    parts = [_filter_free(kind, wanted or ClaimRequest(), within_s, batch=OuterRef("pk")) for kind in FreeChunkKind]
    running = Batch.objects.active().filter(stop_asked_at=None).order_by("pk")
    found = running.values_list("pk", *(Exists(part) for part in parts))
    return [ReadyBatch(pk, list(compress(FreeChunkKind, has))) for pk, *has in found if any(has)]


def has_free_chunks(*, within_s: float = 0.0) -> bool:
    """Whether any batch has such a chunk."""
    return bool(list_ready_batches(within_s=within_s))


def has_waiting_rows(batch: Batch, *, within_s: float) -> bool:
    """Whether rows of a running batch wait, and are due within so many seconds."""
    due = timezone.now() + timedelta(seconds=within_s)
    is_running = Batch.objects.active().filter(pk=batch.pk, stop_asked_at=None).exists()
    return is_running and Chunk.objects.filter(batch=batch, state=ChunkState.PENDING, not_before__lte=due).exists()


def filter_standing_still(running: BatchQuerySet, *, since: datetime) -> BatchQuerySet:
    """The batches without any progress since a time, without rows waiting until later, and without rows in line."""
    mine = Chunk.objects.filter(batch=OuterRef("pk"))
    waits = mine.filter(state=ChunkState.PENDING)
    is_moved = Exists(mine.filter(done_at__gt=since))
    has_waited = Exists(waits.filter(not_before__gt=since))
    is_in_line = Exists(waits.filter(not_before__isnull=False).exclude(wait_cause=""))
    return running.exclude(is_moved | has_waited | is_in_line)


def order_free_chunks(batch_id: int, kind: FreeChunkKind, wanted: ClaimRequest) -> ChunkQuerySet:
    """The free chunks of a batch and kind, the next one first, without their rows."""
    running = Batch.objects.active().filter(pk=batch_id, stop_asked_at=None)
    part = _filter_free(kind, wanted, 0.0, batch_id=batch_id, batch__in=running)
    return part.defer("rows", "engine_verdicts").order_by(*_ORDER[kind])


def _filter_free(kind: FreeChunkKind, wanted: ClaimRequest, within_s: float, **fields: Any) -> ChunkQuerySet:
    """The wanted free chunks of a kind. One filter, because workers query this all the time."""
    now = timezone.now()
    match kind:
        case FreeChunkKind.STOOD_IN_LINE:
            fields |= {"state": ChunkState.PENDING, "not_before__lte": now + timedelta(seconds=within_s)}
            fields |= {"wait_cause__gt": ""}
        case FreeChunkKind.FRESH:
            fields |= {"state": ChunkState.PENDING, "not_before": None}
        case FreeChunkKind.WAITED:
            fields |= {"state": ChunkState.PENDING, "not_before__lte": now + timedelta(seconds=within_s)}
            fields |= {"wait_cause": ""}
        case FreeChunkKind.FALLEN:
            fields |= {"state": ChunkState.RUNNING}
    if not wanted.last_tries:
        fields["attempts__lt"] = MAX_ATTEMPTS - 1
    if wanted.asks <= 0:
        fields["asks_providers"] = False
    crowded = sorted(filter(None, wanted.crowded))
    conditions = [~Q(waits_for__in=crowded)] if crowded and kind in _MAY_HAVE_STOOD_IN_LINE else []
    found = Chunk.objects.fallen() if kind is FreeChunkKind.FALLEN else Chunk.objects.all()
    return found.filter(*conditions, **fields)
