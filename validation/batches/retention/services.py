"""The storage time of lists (VAL-044), and their removal: by their owner, or on expiry.

Uploads are stored for 30 days and results for 12 months, or as the account or the batch says. The counts of a batch
stay. Rows are removed in slices of one transaction each, so that other writers do not wait.
"""

import time
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from accounts.activity import audit_log
from accounts.activity.models import ActivityKind
from accounts.organisations.models import Organisation, RetentionDays
from emailcheck.common.errors import Conflict, Refused
from emailcheck.common.files import delete_files
from emailcheck.common.personal import delete_in_slices as delete_all_in_slices
from emailcheck.common.queue import tasks
from validation.access.readers import Reader
from validation.batches.chunks.models import UNFINISHED, Chunk
from validation.batches.models import ENDED, Batch
from validation.batches.retention import removal
from validation.batches.samples import verdicts as samples
from validation.batches.uploads.models import Upload
from validation.providers.models import Question
from validation.results.models import Evidence, RepairedAddress, Result
from validation.results.removal import delete_in_slices, delete_slice
from validation.signals import batch_expiring

PURGE = "validation.tasks.purge"
TURN_S = 5.0
NOTICE = timedelta(days=7)
NOT_TO_SHARE = "Only who started this list, an owner or an admin can change who sees it."


@transaction.atomic
def update_batch(
    *, batch: Batch, reader: Reader, name: str | None = None, days: int | None = None, private: bool | None = None
) -> None:
    """Set the name of a batch, who sees it, and its storage time from its end; that overrides the account's.

    What is not given stays as others have set it meanwhile. Raises `Refused` (`PERMISSION_DENIED`) where the reader may
    not say who sees it; nothing is changed then.
    """
    if private is not None and not reader.may_share(batch.maker_id):
        raise Refused(NOT_TO_SHARE, code="PERMISSION_DENIED")
    values: dict[str, Any] = {"filename": name} if name is not None else {}
    if days is not None:
        values |= {"retention_days": days, "expiry_announced_at": None}
    there = Batch.objects.filter(pk=batch.pk, deleted_at=None)
    if values:
        there.update(**values)
    if private is not None:
        values["private"] = private
        if there.filter(private=not private).update(private=private) and not batch.test:
            _record_visibility(batch, private)
    for field, value in values.items():
        setattr(batch, field, value)


def _record_visibility(batch: Batch, private: bool) -> None:
    audit_log.record_activity(
        organisation=batch.organisation,
        kind=ActivityKind.VALIDATION,
        action="A list was kept to its maker, owners and admins" if private else "A list was shown to all members",
        target=batch.public_id,
        changes={"private": [not private, private]},
    )


@transaction.atomic
def delete_batch(*, batch: Batch) -> None:
    """Remove an ended batch with its file and results. Its counts stay in the totals.

    Deleting again changes nothing. Raises `Conflict` (`BATCH_RUNNING`) while it runs or is paused, and while another
    list of the organisation takes over verdicts: what is gone by then is checked free of charge.
    """
    if batch.deleted_at is None and _are_verdicts_taken_over(batch.organisation_id):
        raise Conflict(
            "Another list is taking over earlier verdicts. Delete this one when that is done.", code="BATCH_RUNNING"
        )
    gone = Batch.objects.filter(pk=batch.pk, status__in=ENDED)
    if not gone.update(deleted_at=timezone.now(), filename="", file=""):
        raise Conflict("Cancel the batch before deleting it", code="BATCH_RUNNING")
    if batch.deleted_at is None and not batch.test:
        audit_log.record_activity(
            organisation=batch.organisation,
            kind=ActivityKind.VALIDATION,
            action=f"List of {batch.total_emails:,} addresses deleted",
            target=batch.public_id,
        )
    Upload.objects.filter(batch=batch).delete()
    delete_files(batch.file)
    tasks.enqueue(PURGE, batch.pk, queue="bulk")


def _are_verdicts_taken_over(organisation_id: int) -> bool:
    """Whether a list of the organisation that has not ended still has verdicts to take over."""
    unended = Batch.objects.filter(organisation=organisation_id).exclude(status__in=ENDED)
    return Chunk.objects.filter(batch__in=unended, state__in=UNFINISHED, reuses=True).exists()


def purge_results(batch_id: int) -> None:
    """Remove the results of a deleted or expired batch in slices. The next sweep does the rest, while there are any;
    what was handed in goes before them.
    """
    deadline = time.monotonic() + TURN_S
    delete_all_in_slices(RepairedAddress.objects.filter(batch__in=_filter_over().filter(pk=batch_id)))
    doomed = Result.objects.filter(batch__in=_filter_over().filter(pk=batch_id))
    while delete_slice(doomed):
        if time.monotonic() >= deadline:
            tasks.enqueue(PURGE, batch_id, queue="bulk")
            return
    for left in (Evidence, Chunk, Question):
        left._default_manager.filter(batch__in=_filter_over().filter(pk=batch_id)).delete()
    _filter_over().filter(pk=batch_id).update(rankings=None)


def sweep_expired() -> None:
    """Announce coming expiries and remove expired lists. Called every hour; may be interrupted anywhere."""
    _announce_expiry()
    _remove_old_files()
    _expire_batches()
    _remove_old_single_checks()
    removal.delete_old_test_batches()
    samples.forget_old_verdicts()
    for batch_id in (
        _filter_over().filter(Exists(Result.objects.filter(batch=OuterRef("pk")))).values_list("pk", flat=True)
    ):
        tasks.enqueue(PURGE, batch_id, queue="bulk")


def _filter_over() -> QuerySet[Batch]:
    """The batches whose results have expired."""
    return Batch.objects.filter(~Q(deleted_at=None, expired_at=None), status__in=ENDED)


def _announce_expiry() -> None:
    """Notify owners once of lists that expire within a week, except lists with such a short storage time."""
    for days in RetentionDays.values:
        before = timezone.now() - timedelta(days=days) + NOTICE
        ended = Batch.objects.retained_for(days).filter(completed_at__lte=before, expired_at=None, deleted_at=None)
        for batch in ended.filter(expiry_announced_at=None) if timedelta(days=days) > NOTICE else ():
            with transaction.atomic():
                mine = Batch.objects.filter(pk=batch.pk, expiry_announced_at=None)
                if mine.update(expiry_announced_at=timezone.now()):
                    batch_expiring.send(sender=Batch, batch=batch)


def _expire_batches() -> None:
    for days in RetentionDays.values:
        due = Batch.objects.retained_for(days).filter(completed_at__lte=timezone.now() - timedelta(days=days))
        for batch in due.filter(expired_at=None, status__in=ENDED):
            remove_file(batch)
            Batch.objects.filter(pk=batch.pk).update(expired_at=timezone.now())


def _remove_old_files() -> None:
    """Remove expired uploads. The shorter of the account's and the batch's setting counts."""
    ended = Batch.objects.filter(status__in=ENDED, created_at__lte=timezone.now() - timedelta(days=1)).exclude(file="")
    for batch in ended.select_related("organisation").iterator():
        days = min(batch.organisation.uploads_days, batch.retention_days or batch.organisation.uploads_days)
        if batch.created_at + timedelta(days=days) <= timezone.now():
            remove_file(batch)


def remove_file(batch: Batch) -> None:
    """Remove the upload of a list; its results stay."""
    if batch.file:
        with transaction.atomic():
            delete_files(batch.file)
            Batch.objects.filter(pk=batch.pk).update(file="")


def _remove_old_single_checks() -> None:
    for organisation_id, days in Organisation.objects.values_list("pk", "results_days").iterator():
        old = Result.objects.individual().filter(
            organisation_id=organisation_id, created_at__lte=timezone.now() - timedelta(days=days)
        )
        delete_in_slices(old)
