"""Counts of results by account and day, and their repair."""

from collections.abc import Iterator
from datetime import UTC, date
from typing import Any

from django.db import transaction
from django.db.models import Case, Count, Q, Value, When
from django.db.models.functions import TruncDate

from validation.daily.models import TALLY_FIELDS, Day, Source
from validation.daily.rollups import change_day
from validation.results.models import Category, Result, ResultQuerySet


@transaction.atomic
def recount_account(organisation_id: int) -> int:
    """Recount an account's stored results; counts of deleted ones and times stay. Returns the number of changed days.

    The account's rows are locked first. Concurrent writers add their results afterwards.
    """
    known = {
        (day.date, Source(day.source)): day
        for day in Day.objects.select_for_update().filter(organisation_id=organisation_id)
    }
    recounted = {
        (on, source): counts
        for _, on, source, counts in count_by_day(Result.objects.filter(organisation_id=organisation_id))
    }
    differed = 0
    for on, source in {*known, *recounted} - {key for key in known if key[1] == Source.DELETED}:
        day, counts = known.get((on, source)), recounted.get((on, source), dict.fromkeys(TALLY_FIELDS, 0))
        more = {name: number - getattr(day, name, 0) for name, number in counts.items()}
        if any(more.values()):
            change_day(Day, more, organisation_id=organisation_id, date=on, source=source)
            differed += 1
    return differed


def count_by_day(found: ResultQuerySet) -> Iterator[tuple[int, date, Source, dict[str, int]]]:
    """Account, day, source and counts of some results, one row for each of the first three; without test mode."""
    by_source = Case(When(batch=None, then=Value(Source.SINGLE)), default=Value(Source.LIST))
    grouped = (
        found.exclude(organisation=None).order_by().annotate(on=TruncDate("created_at", tzinfo=UTC), source=by_source)
    )
    names = [f"n_{name}" for name in TALLY_FIELDS]
    for organisation_id, on, source, *numbers in (
        grouped.values("organisation_id", "on", "source")
        .annotate(**_COUNTS)
        .values_list("organisation_id", "on", "source", *names)
    ):
        yield organisation_id, on, Source(source), dict(zip(TALLY_FIELDS, numbers, strict=True))


def _count_where(condition: Q) -> Count:
    return Count("pk", filter=condition)


_RISKY = Q(safe_to_send=False, category__in=[Category.VALID, Category.CATCH_ALL, Category.UNKNOWN])


_COUNTS: dict[str, Any] = {
    "n_processed": Count("pk"),
    **{f"n_{category}_count": _count_where(Q(category=category)) for category in Category.values},
    "n_safe_to_send_count": _count_where(Q(safe_to_send=True)),
    "n_risky_count": _count_where(_RISKY),
    "n_credits_used": _count_where(Q(charged=True)),
}
