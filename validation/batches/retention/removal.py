"""Removal of an account's lists and results. Counters and credits stay with billing."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from accounts.activity import audit_log
from accounts.activity.models import ActivityKind
from accounts.organisations.models import Organisation
from emailcheck.common.errors import Conflict
from emailcheck.common.files import delete_files
from emailcheck.common.personal import delete_in_slices
from validation.batches.chunks.models import Chunk
from validation.batches.models import ACTIVE, ENDED, Batch, BatchQuerySet, BatchStatus
from validation.batches.samples import verdicts as samples
from validation.providers.models import Question
from validation.results import removal as results_removal
from validation.results.models import RepairedAddress, Result
from validation.testmode import verdicts


def clear_history(*, organisation: Organisation) -> int:
    """Delete the batches, files and results of an account. Returns the number of its history's entries.

    Raises `Conflict` (`BATCH_RUNNING`) while a batch has not ended; nothing is deleted then.
    """
    mine = Batch.objects.for_org(organisation)
    if mine.exclude(status__in=ENDED).exists():
        raise Conflict("Cancel the running batches first, or wait until they are done.", code="BATCH_RUNNING")
    audit_log.record_activity(
        organisation=organisation, kind=ActivityKind.VALIDATION, action="Validation history cleared"
    )
    samples.forget_verdicts(organisation)
    batches = _delete_batches(mine.filter(status__in=ENDED))
    return batches + results_removal.delete_in_slices(Result.objects.for_org(organisation).individual())


def erase_batches(organisation_id: int) -> None:
    """Delete all lists of an account in any state. Workers lose their leases and write nothing."""
    mine = Batch.objects.filter(organisation=organisation_id)
    mine.filter(status__in=ACTIVE).update(status=BatchStatus.CANCELLED)
    _delete_batches(mine)


def delete_old_test_batches() -> None:
    """Delete test-mode lists older than a week."""
    before = timezone.now() - timedelta(days=verdicts.KEEP_DAYS)
    _delete_batches(Batch.objects.filter(test=True, status__in=ENDED, completed_at__lte=before))


def _delete_batches(batches: BatchQuerySet) -> int:
    deleted = 0
    for batch in list(batches.only("file")):
        results_removal.delete_in_slices(Result.objects.filter(batch=batch))
        delete_in_slices(Chunk.objects.filter(batch=batch))
        delete_in_slices(Question.objects.filter(batch=batch))
        delete_in_slices(RepairedAddress.objects.filter(batch=batch))
        with transaction.atomic():
            delete_files(batch.file)
            deleted += batch.delete()[1]["validation.Batch"]
    return deleted
