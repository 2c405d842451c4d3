"""Chunks and the leases on them: who may work on which rows, and write them.

A lease is a random token with an end. Whoever holds the newest one may write; a worker that comes back after its
lease has passed on finds its token gone and writes nothing (fencing). All of it may run twice, late, or die anywhere.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Exists, F, Max, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from validation import followups, results
from validation.followups import Waiting
from validation.models import ACTIVE, TALLY_FIELDS, UNFINISHED, Batch, BatchStatus, Chunk, ChunkState, new_lease
from validation.results import Row

MAX_ATTEMPTS = 3
_NOTHING = dict.fromkeys(TALLY_FIELDS, 0)


class LeaseLost(Exception):
    """Somebody else works on this chunk now, or its batch has ended: nothing may be written."""


def claimable(*, within_s: float = 0.0) -> QuerySet[Chunk]:
    """The chunks of running batches that nobody works on and whose time comes within so many seconds."""
    return _free(within_s=within_s).filter(batch__status__in=ACTIVE)


def waiting(batch: Batch, *, within_s: float) -> bool:
    """Whether rows of a batch wait for greylisting hosts whose time comes within so many seconds."""
    return claimable(within_s=within_s).filter(batch=batch).exclude(not_before=None).exists()


def claim_fairly(*, last_tries: bool = True) -> Chunk | None:
    """Take the next free chunk of the batch that is worked on least, so that a long list never starves a short one.

    Without `last_tries`, chunks that failed again and again are left alone: see `is_last_try`.
    """
    free = _free(last_tries=last_tries).filter(batch=OuterRef("pk"))
    running = Chunk.objects.filter(batch=OuterRef("pk"), state=ChunkState.RUNNING, lease_until__gte=timezone.now())
    at_work = Subquery(running.order_by().values("batch").annotate(count=Count("pk")).values("count"))
    batches = Batch.objects.active().filter(Exists(free)).annotate(at_work=Coalesce(at_work, 0))
    for batch_id in batches.order_by("at_work", "id").values_list("pk", flat=True):
        chunk = claim(batch_id, last_tries=last_tries)
        if chunk is not None:
            return chunk
    return None


def claim(batch_id: int, *, last_tries: bool = True) -> Chunk | None:
    """Take a lease on the next free chunk of a batch. Of callers at once each gets another one.

    Attempts are counted before the work starts: a row that kills its worker cannot do so for ever.
    """
    free = _free(last_tries=last_tries).filter(batch_id=batch_id, batch__status__in=ACTIVE).order_by("state", "number")
    while chunk := free.first():
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
            return Chunk.objects.select_related("batch").filter(pk=chunk.pk).first()
    return None


def is_last_try(chunk: Chunk) -> bool:
    """Whether a claimed chunk has failed, or taken its worker with it, every time before.

    It is checked by itself: what shares a worker with it would die with it and be blamed too.
    """
    return chunk.attempts >= MAX_ATTEMPTS


def renew(chunk: Chunk, so_far: list[Row]) -> None:
    """Keep the lease and tell how far the chunk is. Raises `LeaseLost`."""
    kept = _mine_to_write(chunk).update(lease_until=_lease_end(), **results.tally(so_far))
    if not kept:
        raise LeaseLost


def release(chunk: Chunk, *, failed: bool = False) -> None:
    """Give the lease back with nothing done; harmless when it was lost. What has not `failed` counts as untried."""
    untried = F("attempts") if failed else F("attempts") - 1
    _mine(chunk).update(state=ChunkState.PENDING, lease="", lease_until=None, attempts=untried, **_NOTHING)


@transaction.atomic
def complete(chunk: Chunk, made: list[Row], to_wait: Sequence[Waiting] = ()) -> None:
    """Write the results of a chunk, once, and put the rows that have to wait into chunks of their own.

    Raises `LeaseLost` and writes nothing when the lease has passed on.
    """
    last = _last_number(chunk.batch_id) if to_wait else 0
    tally = results.tally(made)
    won = _mine_to_write(chunk).update(state=ChunkState.DONE, rows=[], size=len(made), lease_until=None, **tally)
    if not won:
        raise LeaseLost
    for number, (due, group) in enumerate(followups.by_time(to_wait), start=last + 1):
        rows = [row.as_row for row in group]
        Chunk.objects.create(batch_id=chunk.batch_id, number=number, rows=rows, size=len(rows), not_before=due)
    results.write(made, user_id=chunk.batch.user_id, batch_id=chunk.batch_id)


@transaction.atomic
def isolate(chunk: Chunk) -> None:
    """Deal with a chunk that keeps killing its workers: halve it, down to the one row that does it.

    That row gets a result that says so, and the others go on.
    """
    mine = Chunk.objects.filter(pk=chunk.pk, lease=chunk.lease, state=chunk.state)
    if chunk.size == 1:
        position, address, *_ = chunk.rows[0]
        row = results.not_checked(address, position=position)
        if mine.update(state=ChunkState.DONE, rows=[], lease_until=None, **results.tally([row])):
            results.write([row], user_id=chunk.batch.user_id, batch_id=chunk.batch_id)
        return
    last = _last_number(chunk.batch_id)
    if not mine.delete()[0]:
        return
    middle = chunk.size // 2
    for number, rows in enumerate((chunk.rows[:middle], chunk.rows[middle:]), start=last + 1):
        Chunk.objects.create(
            batch_id=chunk.batch_id, number=number, rows=rows, size=len(rows), attempts=MAX_ATTEMPTS - 1
        )


def _last_number(batch_id: int) -> int:
    """The highest number of a batch's chunks. The batch is locked, so that two who add chunks take other numbers."""
    Batch.objects.select_for_update(no_key=True).get(pk=batch_id)
    last: int = Chunk.objects.filter(batch_id=batch_id).aggregate(last=Max("number"))["last"]
    return last


def _mine(chunk: Chunk) -> QuerySet[Chunk]:
    return Chunk.objects.filter(pk=chunk.pk, lease=chunk.lease, state=ChunkState.RUNNING)


def _mine_to_write(chunk: Chunk) -> QuerySet[Chunk]:
    """As `_mine`, while the batch runs.

    A look-up, not a join: PostgreSQL repeats the conditions on the row itself after waiting for somebody else's
    change to it, but not those inside the subquery that a join becomes.
    """
    return _mine(chunk).filter(batch_id__in=Batch.objects.active().values("pk"))


def _free(*, last_tries: bool = True, within_s: float = 0.0) -> QuerySet[Chunk]:
    now = timezone.now()
    unclaimed = Q(state=ChunkState.PENDING) | Q(lease_until__lt=now)
    due = Q(not_before=None) | Q(not_before__lte=now + timedelta(seconds=within_s))
    free = Chunk.objects.filter(unclaimed, due, state__in=UNFINISHED)
    return free if last_tries else free.filter(attempts__lt=MAX_ATTEMPTS - 1)


def _lease_end() -> datetime:
    return timezone.now() + timedelta(seconds=settings.LEASE_SECONDS)
