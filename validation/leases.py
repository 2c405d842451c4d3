"""Chunks and the leases on them: who may work on which rows, and write them.

A lease is a random token with an end. Whoever holds the newest one may write; a worker that comes back after its
lease has passed on finds its token gone and writes nothing (fencing). All of it may run twice, late, or die anywhere.
"""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Count, F, Max, Q, QuerySet
from django.utils import timezone

from validation import results
from validation.models import ACTIVE, TALLY_FIELDS, Batch, BatchStatus, Chunk, ChunkState, new_lease
from validation.results import Row

MAX_ATTEMPTS = 3
_NOTHING = dict.fromkeys(TALLY_FIELDS, 0)


class LeaseLost(Exception):
    """Somebody else works on this chunk now, or its batch has ended: nothing may be written."""


def claimable() -> QuerySet[Chunk]:
    """The chunks of running batches that nobody works on."""
    expired = Q(state=ChunkState.RUNNING, lease_until__lt=timezone.now())
    return Chunk.objects.filter(Q(state=ChunkState.PENDING) | expired, batch__status__in=ACTIVE)


def claim_fairly() -> Chunk | None:
    """Take the next free chunk of the batch that is worked on least, so that a long list never starves a short one."""
    now = timezone.now()
    at_work = Count("chunks", filter=Q(chunks__state=ChunkState.RUNNING, chunks__lease_until__gte=now))
    batches = Batch.objects.active().annotate(at_work=at_work).order_by("at_work", "id").values_list("pk", flat=True)
    for batch_id in batches:
        chunk = claim(batch_id)
        if chunk is not None:
            return chunk
    return None


def claim(batch_id: int) -> Chunk | None:
    """Take a lease on the next free chunk of a batch. Of callers at once each gets another one.

    Attempts are counted before the work starts: a row that kills its worker cannot do so for ever.
    """
    while True:
        chunk = claimable().filter(batch_id=batch_id).order_by("number").first()
        if chunk is None:
            return None
        if chunk.attempts >= MAX_ATTEMPTS:
            isolate(chunk)
            continue
        won = Chunk.objects.filter(pk=chunk.pk, state=chunk.state, lease=chunk.lease).update(
            state=ChunkState.RUNNING,
            lease=new_lease(),
            lease_until=_lease_end(),
            attempts=F("attempts") + 1,
            **_NOTHING,
        )
        if won:
            Batch.objects.filter(pk=batch_id, status=BatchStatus.QUEUED).update(
                status=BatchStatus.PROCESSING, started_at=timezone.now()
            )
            return Chunk.objects.select_related("batch").get(pk=chunk.pk)


def renew(chunk: Chunk, so_far: list[Row]) -> None:
    """Keep the lease and tell how far the chunk is. Raises `LeaseLost`."""
    kept = _mine(chunk).filter(batch__status__in=ACTIVE).update(lease_until=_lease_end(), **results.tally(so_far))
    if not kept:
        raise LeaseLost


def release(chunk: Chunk) -> None:
    """Give the lease back with nothing done; harmless when it was lost."""
    _mine(chunk).update(state=ChunkState.PENDING, lease="", lease_until=None, attempts=F("attempts") - 1, **_NOTHING)


@transaction.atomic
def complete(chunk: Chunk, made: list[Row]) -> None:
    """Write the results of a chunk, once. Raises `LeaseLost` and writes nothing when the lease has passed on."""
    tally = results.tally(made)
    won = _mine(chunk).filter(batch__status__in=ACTIVE).update(state=ChunkState.DONE, lease_until=None, **tally)
    if not won:
        raise LeaseLost
    results.write(made, user_id=chunk.batch.user_id, batch_id=chunk.batch_id)


@transaction.atomic
def isolate(chunk: Chunk) -> None:
    """Deal with a chunk that keeps killing its workers: halve it, down to the one row that does it.

    That row gets a result that says so, and the others go on.
    """
    mine = Chunk.objects.filter(pk=chunk.pk, lease=chunk.lease, state=chunk.state)
    if chunk.size == 1:
        position, address = chunk.rows[0]
        row = results.not_checked(address, position=position)
        if mine.update(state=ChunkState.DONE, lease_until=None, **results.tally([row])):
            results.write([row], user_id=chunk.batch.user_id, batch_id=chunk.batch_id)
        return
    last = Chunk.objects.filter(batch_id=chunk.batch_id).aggregate(last=Max("number"))["last"]
    if not mine.delete()[0]:
        return
    middle = chunk.size // 2
    for number, rows in enumerate((chunk.rows[:middle], chunk.rows[middle:]), start=last + 1):
        Chunk.objects.create(
            batch_id=chunk.batch_id, number=number, rows=rows, size=len(rows), attempts=MAX_ATTEMPTS - 1
        )


def _mine(chunk: Chunk) -> QuerySet[Chunk]:
    return Chunk.objects.filter(pk=chunk.pk, lease=chunk.lease, state=ChunkState.RUNNING)


def _lease_end() -> datetime:
    return timezone.now() + timedelta(seconds=settings.LEASE_SECONDS)
