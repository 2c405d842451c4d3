"""Lists that stop before their end, and resume: cancel, pause, resume, fail.

    cancel:  ask workers to write their results → wait a moment → end the rows that wait for providers with our own
             verdict → drop the rows that were not reached → settle
    pause:   the same, but the rows stay, and the unused part of the hold is released
    resume:  hold credits for the remaining rows, go on

Stopping locks the batch's row, then its chunks. A worker that writes a chunk at that moment is either counted or finds
its chunk gone. So each of these may race every other and the end of the batch itself; one of them wins.
"""

import time
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet, Sum
from django.utils import timezone

from accounts.organisations.models import Organisation
from billing.ledger.models import CreditHold, HoldState
from billing.usage.quota import notify_refusals
from emailcheck.common.errors import Conflict, Refused
from validation.batches.chunks import completion, free_chunks, leases, pipeline
from validation.batches.chunks.models import UNFINISHED, Chunk, ChunkQuerySet, ChunkState
from validation.batches.coverage import PLAN_OVER, is_still_covered, open_covered_hold
from validation.batches.models import ACTIVE, Batch, BatchStatus
from validation.results.models import Result

HANDING_IN_S = 3.0
FORGOTTEN = timedelta(minutes=2)
_POLL_EVERY_S = 0.05
_CHUNKS_AT_ONCE = 20
_STOPPABLE = (*ACTIVE, BatchStatus.PAUSED)
HAS_ENDED = "This batch has already ended"
SUSPENDED = "The account is suspended. Once it is active again, press Resume."
CREDITS_GONE = "The credits for this list are no longer there. Once there are enough, press Resume."
STUCK = "The list stood still because of a fault on our side. What is done is kept, and the rest costs nothing."


def cancel_batch(*, batch: Batch) -> int:
    """Stop a batch. Checked rows stay and are charged, the rest is released. Returns the released credits.

    Cancelling again returns the same. Raises `Conflict` (`BATCH_ENDED`) for a batch that ended otherwise.
    """
    stopped = False
    if batch.status in _STOPPABLE:
        _wait_for_workers(batch)
        stopped = _end_early(batch, BatchStatus.CANCELLED)
        batch.refresh_from_db()
    if not stopped and batch.status != BatchStatus.CANCELLED:
        raise Conflict(HAS_ENDED, code="BATCH_ENDED")
    return completion.count_released(batch)


def fail_batch(*, batch: Batch, reason: str) -> bool:
    """End a batch that cannot go on, with the reason for its owner. False when it had ended."""
    return _end_early(batch, BatchStatus.FAILED, reason)


@transaction.atomic
def pause_batch(*, batch: Batch, reason: str) -> bool:
    """Pause a batch. Checked rows are charged, the remaining credits are free until `resume_batch`."""
    found = _lock_batch(batch, ACTIVE)
    if found is None:
        return False
    at_work = Chunk.objects.filter(batch=found, state=ChunkState.RUNNING)
    lock_chunks(at_work).revoke(state=ChunkState.PENDING, **leases.NO_PROGRESS)
    completion.interrupt_batch(found, BatchStatus.PAUSED, reason[:300])
    return True


def resume_batch(*, batch: Batch) -> None:
    """Resume a paused batch. Only the remaining rows are paid for.

    Raises `Conflict` (`NOT_PAUSED`), `Refused` (`QUOTA_EXCEEDED`) without enough credits, or (`PLAN_REQUIRED`) without
    the plan.
    """
    with notify_refusals(batch.organisation):
        _resume_paused(batch)


@transaction.atomic
def _resume_paused(batch: Batch) -> None:
    found = _lock_batch(batch, (BatchStatus.PAUSED,))
    if found is None:
        raise Conflict("This batch is not paused", code="NOT_PAUSED")
    if not is_still_covered(found):
        raise Refused(PLAN_OVER, code="PLAN_REQUIRED")
    _hold_remaining(found)
    found.status, found.error, found.started_at, found.operators = BatchStatus.QUEUED, "", None, None
    found.save(update_fields=["status", "error", "started_at", "operators", "hold"])
    batch.status = found.status
    pipeline.wake_workers(times=settings.WORKERS)


def lock_running_batches(organisation: Organisation) -> None:
    """Lock the running lists of an account, for a caller that stops them and locks its credits first."""
    list(Batch.objects.active().select_for_update(no_key=True).filter(organisation=organisation).order_by("pk"))


def stop_running_batches(organisation: Organisation) -> None:
    """Stop the running lists of an account, in the caller's transaction.

    Workers write their results and the next sweep pauses. Lists without a worker pause at once.
    """
    for batch in Batch.objects.active().filter(organisation=organisation).order_by("pk"):
        _request_stop(batch)
        if not _has_workers(batch):
            pause_batch(batch=batch, reason=SUSPENDED)


def sweep_running_batches() -> None:
    """Pause batches that are no longer allowed, and fail those without progress for too long."""
    for batch, reason in _list_disallowed():
        _request_stop(batch)
        if not _has_workers(batch):
            pause_batch(batch=batch, reason=reason)
    for batch in _filter_stuck():
        fail_batch(batch=batch, reason=STUCK)
    # The process that stopped these died, or the reason is gone: they go on.
    Batch.objects.active().filter(stop_asked_at__lt=timezone.now() - FORGOTTEN).update(stop_asked_at=None)


def _list_disallowed() -> list[tuple[Batch, str]]:
    """The running batches whose account or credits no longer allow them to go on, with the reason."""
    running = Batch.objects.active().select_related("organisation")
    reasons = ((batch, _find_pause_reason(batch)) for batch in running.select_related("hold"))
    return [(batch, reason) for batch, reason in reasons if reason]


def _find_pause_reason(batch: Batch) -> str:
    """The reason to pause a batch; "" for none."""
    if not batch.organisation.is_active:
        return SUSPENDED
    if not batch.is_free_recheck and batch.hold is not None and batch.hold.state == HoldState.CLOSED:
        return CREDITS_GONE
    return "" if is_still_covered(batch) else PLAN_OVER


def _filter_stuck() -> QuerySet[Batch]:
    """The running batches without progress for `STUCK_HOURS` and without rows in line."""
    before = timezone.now() - timedelta(hours=settings.STUCK_HOURS)
    return free_chunks.filter_standing_still(Batch.objects.active(), since=before).filter(started_at__lte=before)


def _wait_for_workers(batch: Batch) -> None:
    """Wait until the workers have written their results, for at most `HANDING_IN_S`."""
    _request_stop(batch)
    deadline = time.monotonic() + HANDING_IN_S
    while _has_workers(batch) and time.monotonic() < deadline:
        time.sleep(_POLL_EVERY_S)


def _request_stop(batch: Batch) -> None:
    Batch.objects.active().filter(pk=batch.pk, stop_asked_at=None).update(stop_asked_at=timezone.now())


def _has_workers(batch: Batch) -> bool:
    return Chunk.objects.held().filter(batch=batch, state=ChunkState.RUNNING).exists()


def _end_early(batch: Batch, status: BatchStatus, reason: str = "") -> bool:
    """End a batch, first its rows that wait for providers, each chunk in a transaction of its own.

    Until the batch is locked, workers may add more of these.
    """
    _request_stop(batch)
    while (stopped := _drop_unfinished(batch, status, reason)) is None:
        for chunk in _filter_unresolved(batch).select_related("batch")[:_CHUNKS_AT_ONCE]:
            pipeline.end_without_providers(chunk)
    return stopped


def _filter_unresolved(batch: Batch) -> QuerySet[Chunk]:
    return Chunk.objects.filter(batch=batch, asks_providers=True, state__in=UNFINISHED).order_by("number")


@transaction.atomic
def _drop_unfinished(batch: Batch, status: BatchStatus, reason: str) -> bool | None:
    """True when the batch ended here; None, with nothing done, where rows of it wait for providers."""
    found = _lock_batch(batch, _STOPPABLE)
    if found is None:
        return False
    if _filter_unresolved(found).exists():
        return None
    undone = Chunk.objects.filter(batch=found, state__in=UNFINISHED)
    if found.last_recheck_at is None:
        lock_chunks(undone).delete()
        completion.end_batch(found, status, reason[:300])
        return True
    # In an interrupted re-check the remaining rows keep their first verdict.
    still_unknown = {name: F("size") for name in ("processed", "unknown_count", "risky_count")}
    first_verdicts = {**leases.NO_PROGRESS, **still_unknown}
    lock_chunks(undone).revoke(state=ChunkState.DONE, rows=[], **first_verdicts)
    completion.end_batch(found, BatchStatus.COMPLETED)
    if not found.is_free_recheck:
        # Some of its rows have still had the basic checks alone.
        found.full_check_at = None
        found.save(update_fields=["full_check_at"])
    return True


def _lock_batch(batch: Batch, statuses: tuple[BatchStatus, ...]) -> Batch | None:
    """The batch, locked until the transaction ends, if it is in one of these states."""
    return Batch.objects.filter(pk=batch.pk, status__in=statuses).select_for_update(no_key=True).first()


def lock_chunks(chunks: ChunkQuerySet) -> ChunkQuerySet:
    """The chunks, locked in the order that workers use too."""
    list(chunks.select_for_update().order_by("pk").values_list("pk", flat=True))
    return chunks


def _hold_remaining(batch: Batch) -> None:
    """Hold credits for the remaining rows, from credits that buy the checks the list began with.

    Raises `Refused` (`PLAN_REQUIRED`) where the welcome credits that paid for it no longer suffice.
    """
    if batch.hold_id is None or batch.is_free_recheck:
        return
    left = _count_chargeable_left(batch)
    if left > 0:
        batch.hold = open_covered_hold(batch, amount=left)


def _count_chargeable_left(batch: Batch) -> int:
    """The number of chargeable rows without a verdict; all of them in a re-check."""
    if batch.last_recheck_at is not None:
        return _sum_sizes(Chunk.objects.filter(batch=batch, state__in=UNFINISHED))
    possible = batch.possible
    if possible is None:
        possible = CreditHold.objects.get(organisation_id=batch.organisation_id, key=batch.public_id).amount
    free = _sum_sizes(Chunk.objects.filter(batch=batch, state__in=UNFINISHED, reuses=True))
    return possible - Result.objects.filter(batch=batch, syntax_valid=True).count() - free


def _sum_sizes(chunks: ChunkQuerySet) -> int:
    size: int | None = chunks.aggregate(rows=Sum("size"))["rows"]
    return size or 0
