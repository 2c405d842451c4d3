"""Taking away what an account has had checked. Counters and credits are billing's and stay."""

from datetime import timedelta

from django.utils import timezone

from accounts import activity
from accounts.models import ActivityKind, User
from emailcheck.common.errors import Conflict
from emailcheck.common.personal import delete_in_slices
from validation import rollups, testmode, uploads
from validation.models import ACTIVE, ENDED, Batch, BatchQuerySet, BatchStatus, Chunk, Question, Result


def clear(*, user: User) -> int:
    """Delete the batches, files and results of an account. Answers how many entries its history had.

    Raises `Conflict` (`BATCH_RUNNING`) while a batch is not at its end; nothing is deleted then.
    """
    mine = Batch.objects.for_user(user)
    if mine.exclude(status__in=ENDED).exists():
        raise Conflict("Cancel the running batches first, or wait until they are done.", code="BATCH_RUNNING")
    activity.record(user=user, kind=ActivityKind.VALIDATION, action="Validation history cleared")
    batches = _delete(mine.filter(status__in=ENDED))
    return batches + rollups.delete_in_slices(Result.objects.for_user(user).individual())


def remove(*, result: Result) -> None:
    """Delete a single check; counters and credits stay.

    Raises `Conflict` (`PART_OF_BATCH`) for a row of a list, whose counts and files would no longer agree.
    """
    if result.batch is not None and result.batch.batch_type:
        raise Conflict("This result is part of a list. Delete the list instead.", code="PART_OF_BATCH")
    rollups.delete_slice(Result.objects.filter(pk=result.pk))


def erase(user_id: int) -> None:
    """Delete all lists of an account, whatever their state: workers find their leases gone and write nothing."""
    mine = Batch.objects.filter(user=user_id)
    mine.filter(status__in=ACTIVE).update(status=BatchStatus.CANCELLED)
    _delete(mine)


def forget_tests() -> None:
    """Delete what was made in test mode a week ago."""
    before = timezone.now() - timedelta(days=testmode.KEPT_DAYS)
    _delete(Batch.objects.filter(test=True, status__in=ENDED, completed_at__lte=before))


def _delete(batches: BatchQuerySet) -> int:
    deleted = 0
    for batch in list(batches.only("file")):
        rollups.delete_in_slices(Result.objects.filter(batch=batch))
        delete_in_slices(Chunk.objects.filter(batch=batch))
        delete_in_slices(Question.objects.filter(batch=batch))
        deleted += batch.delete()[1]["validation.Batch"]
        if batch.file:
            uploads.discard(batch.file)
    return deleted
