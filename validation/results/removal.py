"""Removes results without losing their totals: each is counted as deleted."""

from operator import itemgetter

from django.db import transaction

from emailcheck.common.errors import Conflict
from validation.daily.models import TALLY_FIELDS, Day, Source
from validation.daily.rollups import add_counts, change_day, negate_counts
from validation.results.counting import count_by_day
from validation.results.models import Result, ResultQuerySet


def delete_result(*, result: Result) -> None:
    """Delete a single check; counters and credits stay.

    Raises `Conflict` (`PART_OF_BATCH`) for a row of a list, whose counts and files would no longer agree.
    """
    if result.batch is not None and result.batch.batch_type:
        raise Conflict("This result is part of a list. Delete the list instead.", code="PART_OF_BATCH")
    delete_slice(Result.objects.filter(pk=result.pk))


SLICE_ROWS = 2_000


def uncount_results(found: ResultQuerySet) -> None:
    """Remove replaced results from the counts, in the caller's transaction. Their cost stays, as of deleted results."""
    for organisation_id, on, source, counts in sorted(count_by_day(found), key=itemgetter(1)):
        add_counts(negate_counts(counts), organisation_id=organisation_id, on=on, source=source)
        if spent := counts["credits_used"]:
            only_spent = dict.fromkeys(TALLY_FIELDS, 0) | {"credits_used": spent}
            add_counts(only_spent, organisation_id=organisation_id, on=on, source=Source.DELETED)


@transaction.atomic
def delete_slice(found: ResultQuerySet) -> int:
    """Delete the first of some results and count them as deleted. Returns their number.

    They are locked first, so that of concurrent callers one counts them.
    """
    locked = found.select_for_update(of=("self",)).order_by("pk")
    ids = list(locked.values_list("pk", flat=True)[:SLICE_ROWS])
    doomed = Result.objects.filter(pk__in=ids)
    for organisation_id, on, source, counts in count_by_day(doomed):
        change_day(Day, negate_counts(counts), organisation_id=organisation_id, date=on, source=source)
        change_day(Day, counts, organisation_id=organisation_id, date=on, source=Source.DELETED)
    doomed.delete()
    return len(ids)


def delete_in_slices(found: ResultQuerySet) -> int:
    """Delete results as `delete_slice` does, one transaction each. Returns their number."""
    deleted = 0
    while slice_ := delete_slice(found):
        deleted += slice_
    return deleted
