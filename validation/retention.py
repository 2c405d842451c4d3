"""How long lists are kept (VAL-044), and their removal: by their owner, or when their time is over.

Uploads are kept 30 days and results 12 months, or as the account or the batch says. The counts of a batch stay.
Rows are removed in slices of a transaction each, so that nobody waits behind them.
"""

import time
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from accounts.models import User
from emailcheck.common import tasks
from emailcheck.common.errors import Conflict
from validation import uploads
from validation.models import ENDED, Batch, Chunk, Result, Retention
from validation.signals import batch_expiring

PURGE = "validation.tasks.purge"
SLICE_ROWS = 2_000
TURN_S = 5.0
NOTICE = timedelta(days=7)


def of_account(user_id: int) -> Retention:
    """The choice of an account, or what holds without one."""
    return Retention.objects.filter(user_id=user_id).first() or Retention(user_id=user_id)


@transaction.atomic
def choose(*, user: User, uploads_days: int | None = None, results_days: int | None = None) -> Retention:
    """Say how long the lists of an account are kept; lists that have no choice of their own follow."""
    wanted = {"uploads_days": uploads_days, "results_days": results_days}
    changes = {name: days for name, days in wanted.items() if days is not None}
    choice, _ = Retention.objects.update_or_create(user=user, defaults=changes)
    for batch in Batch.objects.filter(user=user, retention_days=None, expired_at=None).exclude(completed_at=None):
        _set_expiry(batch)
    return choice


@transaction.atomic
def choose_for_batch(*, batch: Batch, days: int) -> Batch:
    """Say how long one batch is kept, counted from its end."""
    batch.retention_days = days
    batch.save(update_fields=["retention_days"])
    if batch.completed_at is not None and batch.expired_at is None:
        _set_expiry(batch)
    return batch


def expiry_of(batch: Batch) -> datetime:
    """When the results of an ended batch are removed."""
    days = batch.retention_days or of_account(batch.user_id).results_days
    return (batch.completed_at or timezone.now()) + timedelta(days=days)


@transaction.atomic
def delete(*, batch: Batch) -> None:
    """Remove an ended batch with its file and results; its counts stay in the totals.

    Deleting again changes nothing. Raises `Conflict` (`BATCH_RUNNING`) while it runs or pauses.
    """
    gone = Batch.objects.filter(pk=batch.pk, status__in=ENDED)
    if not gone.update(deleted_at=timezone.now(), filename="", file=""):
        raise Conflict("Cancel the batch before deleting it", code="BATCH_RUNNING")
    transaction.on_commit(lambda: uploads.discard(batch.file) if batch.file else None)
    tasks.enqueue(PURGE, batch.pk, queue="bulk")


def purge(batch_id: int) -> None:
    """Remove the results of a deleted or expired batch, a slice at a time; what takes longer goes on in a next turn."""
    deadline = time.monotonic() + TURN_S
    doomed = Result.objects.filter(batch__in=_over().filter(pk=batch_id))
    while _remove_slice(doomed):
        if time.monotonic() >= deadline:
            tasks.enqueue(PURGE, batch_id, queue="bulk")
            return
    Chunk.objects.filter(batch__in=_over().filter(pk=batch_id)).delete()


def sweep() -> None:
    """Announce what will expire, remove what has; called every hour, and may be cut off anywhere."""
    _announce()
    _remove_old_files()
    _expire()
    _remove_old_single_checks()
    for batch_id in _over().filter(Exists(Result.objects.filter(batch=OuterRef("pk")))).values_list("pk", flat=True):
        tasks.enqueue(PURGE, batch_id, queue="bulk")


def _over() -> QuerySet[Batch]:
    """The batches whose results have to go."""
    return Batch.objects.filter(~Q(deleted_at=None, expired_at=None), status__in=ENDED)


def _remove_slice(doomed: QuerySet[Result]) -> int:
    with transaction.atomic():
        ids = list(doomed.order_by("pk").values_list("pk", flat=True)[:SLICE_ROWS])
        Result.objects.filter(pk__in=ids).delete()
    return len(ids)


def _announce() -> None:
    """Tell the owners of what expires within a week, once; not of what was never to be kept for longer than that."""
    soon = Batch.objects.filter(
        expires_at__lte=timezone.now() + NOTICE, expired_at=None, deleted_at=None, expiry_announced_at=None
    )
    for batch in soon:
        with transaction.atomic():
            won = soon.filter(pk=batch.pk).update(expiry_announced_at=timezone.now())
            kept_for = (batch.expires_at or timezone.now()) - (batch.completed_at or timezone.now())
            if won and kept_for > NOTICE:
                batch_expiring.send(sender=Batch, batch=batch)


def _expire() -> None:
    due = Batch.objects.filter(expires_at__lte=timezone.now(), expired_at=None, status__in=ENDED)
    for batch in due:
        _remove_file(batch)
        due.filter(pk=batch.pk).update(expired_at=timezone.now())


def _remove_old_files() -> None:
    """Remove uploads whose time is over; the shorter of the account's and the batch's choice counts."""
    ended = Batch.objects.filter(status__in=ENDED, created_at__lte=timezone.now() - timedelta(days=1)).exclude(file="")
    days_of: dict[int, int] = {}
    for batch in ended.iterator():
        if batch.user_id not in days_of:
            days_of[batch.user_id] = of_account(batch.user_id).uploads_days
        days = min(days_of[batch.user_id], batch.retention_days or days_of[batch.user_id])
        if batch.created_at + timedelta(days=days) <= timezone.now():
            _remove_file(batch)


def _remove_file(batch: Batch) -> None:
    if batch.file:
        uploads.discard(batch.file)
        Batch.objects.filter(pk=batch.pk).update(file="")


def _remove_old_single_checks() -> None:
    for user_id, days in _days_by_account():
        old = Result.objects.individual().filter(user_id=user_id, created_at__lte=timezone.now() - timedelta(days=days))
        while _remove_slice(old):
            pass


def _days_by_account() -> list[tuple[int, int]]:
    chosen = dict(Retention.objects.values_list("user_id", "results_days"))
    with_checks = Result.objects.individual().order_by("user_id").values_list("user_id", flat=True).distinct()
    default = Retention().results_days
    return [(user_id, chosen.get(user_id, default)) for user_id in with_checks]


def _set_expiry(batch: Batch) -> None:
    batch.expires_at = expiry_of(batch)
    batch.expiry_announced_at = None
    batch.save(update_fields=["expires_at", "expiry_announced_at"])
