"""The life of a running batch.

    start ── enqueue run_chunk(batch) × workers
    run_chunk: claim a chunk by lease → check its rows outside any transaction, telling progress →
               write its results in one short transaction → wake a successor, or finish the batch
    finish:    when no chunk is left, exactly one caller wins the guarded UPDATE and settles the credits

The tables are the truth and a task is only a wake-up: any of this may run twice, late, or die at any point. A worker
that comes back after its lease has passed to another finds its token gone and writes nothing (fencing). `sweep`
wakes whatever nobody works on.
"""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F, Max, Q, QuerySet, Sum
from django.utils import timezone

from billing import services as billing
from emailcheck.common import tasks
from validation import results
from validation.checker import Arrivals, OutOfTime, checker
from validation.models import ACTIVE, TALLY_FIELDS, Batch, BatchStatus, Chunk, ChunkState, Result, new_lease
from validation.signals import batch_finished

MAX_ATTEMPTS = 3
RUN_CHUNK = "validation.tasks.run_chunk"


class LeaseLost(Exception):
    """Somebody else works on this chunk now, or its batch has ended: nothing may be written."""


def wake(batch_id: int, *, times: int = 1) -> None:
    """Ask workers to go on with a batch; joins the caller's transaction."""
    for _ in range(times):
        tasks.enqueue(RUN_CHUNK, batch_id, queue="bulk")


def wake_if_work_left(batch_id: int) -> None:
    """Ask for a successor when the batch has chunks that nobody works on."""
    if claimable(batch_id).exists():
        wake(batch_id)


def run_chunk(batch_id: int, *, within_s: float | None = None) -> bool:
    """Check one chunk of a batch. False when there was none to claim; the batch is then finished if it can be.

    Raises `OutOfTime` when it takes longer than `within_s` seconds; the chunk is then free for others.
    """
    chunk = claim(batch_id)
    if chunk is None:
        finish(batch_id)
        return False
    try:
        made = _check_rows(chunk, within_s)
        complete(chunk, made)
    except OutOfTime:
        release(chunk)
        raise
    except LeaseLost:
        return False
    finish(batch_id)
    return True


def claimable(batch_id: int) -> QuerySet[Chunk]:
    """The chunks of a running batch that nobody works on."""
    expired = Q(state=ChunkState.RUNNING, lease_until__lt=timezone.now())
    return Chunk.objects.filter(Q(state=ChunkState.PENDING) | expired, batch_id=batch_id, batch__status__in=ACTIVE)


def claim(batch_id: int) -> Chunk | None:
    """Take a lease on the next free chunk. Of callers at once each gets another one."""
    while True:
        chunk = claimable(batch_id).order_by("number").first()
        if chunk is None:
            return None
        if chunk.attempts >= MAX_ATTEMPTS:
            isolate(chunk)
            continue
        lease = new_lease()
        won = Chunk.objects.filter(pk=chunk.pk, state=chunk.state, lease=chunk.lease).update(
            state=ChunkState.RUNNING,
            lease=lease,
            lease_until=_lease_end(),
            attempts=F("attempts") + 1,
            **dict.fromkeys(TALLY_FIELDS, 0),
        )
        if won:
            Batch.objects.filter(pk=batch_id, status=BatchStatus.QUEUED).update(
                status=BatchStatus.PROCESSING, started_at=timezone.now()
            )
            chunk.refresh_from_db()
            return chunk


def renew(chunk: Chunk, so_far: list[Result]) -> None:
    """Keep the lease and tell how far the chunk is. Raises `LeaseLost`."""
    kept = Chunk.objects.filter(
        pk=chunk.pk, lease=chunk.lease, state=ChunkState.RUNNING, batch__status__in=ACTIVE
    ).update(lease_until=_lease_end(), **results.tally(so_far))
    if not kept:
        raise LeaseLost
    tasks.beat("bulk")


def release(chunk: Chunk) -> None:
    """Give the lease back with nothing done."""
    Chunk.objects.filter(pk=chunk.pk, lease=chunk.lease, state=ChunkState.RUNNING).update(
        state=ChunkState.PENDING, lease="", lease_until=None, attempts=F("attempts") - 1,
        **dict.fromkeys(TALLY_FIELDS, 0),
    )  # fmt: skip


@transaction.atomic
def complete(chunk: Chunk, made: list[Result]) -> None:
    """Write the results of a chunk, once. Raises `LeaseLost` and writes nothing when the lease has passed on."""
    won = Chunk.objects.filter(
        pk=chunk.pk, lease=chunk.lease, state=ChunkState.RUNNING, batch__status__in=ACTIVE
    ).update(state=ChunkState.DONE, lease_until=None, **results.tally(made))
    if not won:
        raise LeaseLost
    Result.objects.bulk_create(made, batch_size=500)


@transaction.atomic
def isolate(chunk: Chunk) -> None:
    """Deal with a chunk that keeps killing its workers: halve it, down to the one row that does it.

    That row gets a result that says so, and the others go on.
    """
    mine = Chunk.objects.filter(pk=chunk.pk, lease=chunk.lease, state=chunk.state)
    if chunk.size == 1:
        position, address = chunk.rows[0]
        row = results.not_checked(address, user_id=chunk.batch.user_id, batch_id=chunk.batch_id, position=position)
        if mine.update(state=ChunkState.DONE, lease_until=None, **results.tally([row])):
            row.save()
        return
    if not mine.delete()[0]:
        return
    number = chunk.batch.chunks.aggregate(last=Max("number"))["last"] or 0
    middle = chunk.size // 2
    for offset, rows in enumerate((chunk.rows[:middle], chunk.rows[middle:]), start=1):
        Chunk.objects.create(
            batch_id=chunk.batch_id,
            number=max(number, chunk.number) + offset,
            rows=rows,
            size=len(rows),
            attempts=MAX_ATTEMPTS - 1,
        )


@transaction.atomic
def finish(batch_id: int) -> bool:
    """End a batch whose chunks are all done and settle its credits. True for the one caller who did it."""
    if Chunk.objects.filter(batch_id=batch_id).exclude(state=ChunkState.DONE).exists():
        return False
    totals = totals_of(batch_id)
    ended = Batch.objects.filter(pk=batch_id, status__in=ACTIVE).update(
        status=BatchStatus.COMPLETED, completed_at=timezone.now(), **totals
    )
    if not ended:
        return False
    batch = Batch.objects.get(pk=batch_id)
    if batch.hold_id:
        billing.settle(hold_id=batch.hold_id, captured=totals["credits_used"])
    batch_finished.send(sender=Batch, batch=batch)
    return True


def totals_of(batch_id: int) -> dict[str, int]:
    """The counts of a batch, summed over its chunks."""
    sums = Chunk.objects.filter(batch_id=batch_id).aggregate(**{name: Sum(name) for name in TALLY_FIELDS})
    return {name: sums[name] or 0 for name in TALLY_FIELDS}


def sweep() -> int:
    """Wake every active batch on which nobody works, and finish those that only lack that. Answers how many."""
    woken = 0
    now = timezone.now()
    for batch_id in Batch.objects.active().values_list("pk", flat=True):
        worked_on = Chunk.objects.filter(batch_id=batch_id, state=ChunkState.RUNNING, lease_until__gte=now)
        expired = Chunk.objects.filter(batch_id=batch_id, state=ChunkState.RUNNING, lease_until__lt=now)
        if expired.exists() or not worked_on.exists():
            wake(batch_id)
            woken += 1
    return woken


def _check_rows(chunk: Chunk, within_s: float | None) -> list[Result]:
    user_id, made = chunk.batch.user_id, list[Result]()

    def progress(arrivals: Arrivals) -> None:
        for index, verdict in arrivals:
            position = chunk.rows[index][0]
            made.append(results.from_verdict(verdict, user_id=user_id, batch_id=chunk.batch_id, position=position))
        renew(chunk, made)

    checker().check_many(
        [address for _, address in chunk.rows],
        progress=progress,
        deadline_s=settings.CHUNK_SECONDS,
        within_s=within_s,
    )
    made.sort(key=lambda result: result.position)
    return made


def _lease_end() -> datetime:
    return timezone.now() + timedelta(seconds=settings.LEASE_SECONDS)
