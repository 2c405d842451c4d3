"""Daily counts of results, so that no page has to count them.

    write results   `add`, in the transaction that inserts them: both or neither
    delete results  `delete_slice`, which counts them as deleted: the totals of the account stay (VAL-044, VAL-046)
    recount         `rebuild`, from the results that are stored

A writer changes the row of its day last, so that writers of one account wait for each other but a moment.
"""

from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime
from typing import Any

from django.db import transaction
from django.db.models import Case, Count, F, Q, Sum, Value, When
from django.db.models.functions import TruncDate

from accounts.models import User
from validation.models import TALLY_FIELDS, Batch, Category, Day, Result, ResultQuerySet, Source

Counts = Mapping[str, int]
SLICE_ROWS = 2_000


def day_of(moment: datetime) -> date:
    """The day that a moment belongs to, in UTC."""
    return moment.astimezone(UTC).date()


def add(counts: Counts, *, user_id: int | None, on: date, source: Source) -> None:
    """Add to the counts of a day; negative numbers take away. Belongs into the transaction that writes the results.

    Results of test mode, which belong to no account, are not counted.
    """
    if user_id is None:
        return
    more = {name: F(name) + number for name, number in counts.items() if number}
    mine = Day.objects.filter(user_id=user_id, date=on, source=source)
    if not more or mine.update(**more):
        return
    Day.objects.get_or_create(user_id=user_id, date=on, source=source)
    mine.update(**more)


def take_back(found: ResultQuerySet) -> None:
    """Count results no longer, because others take their place, in the caller's transaction."""
    for user_id, on, source, counts in _counted(found):
        add({name: -number for name, number in counts.items()}, user_id=user_id, on=on, source=source)


@transaction.atomic
def delete_slice(found: ResultQuerySet) -> int:
    """Delete the first of some results and count them as deleted: they stay in the totals. Answers how many.

    They are locked first, so that of two who delete the same ones one counts them.
    """
    locked = found.select_for_update(of=("self",)).order_by("pk")
    ids = list(locked.values_list("pk", flat=True)[:SLICE_ROWS])
    doomed = Result.objects.filter(pk__in=ids)
    for user_id, on, source, counts in _counted(doomed):
        add({name: -number for name, number in counts.items()}, user_id=user_id, on=on, source=source)
        add(counts, user_id=user_id, on=on, source=Source.DELETED)
    doomed.delete()
    return len(ids)


def delete_in_slices(found: ResultQuerySet) -> int:
    """Delete results as `delete_slice` does, a transaction each. Answers how many there were."""
    deleted = 0
    while slice_ := delete_slice(found):
        deleted += slice_
    return deleted


@transaction.atomic
def rebuild(user_id: int) -> int:
    """Recount the stored results of an account; what was deleted, and times, stay. Answers how many days differed.

    The rows of the account are locked first: who writes results meanwhile adds them when this is done.
    """
    known = {(day.date, Source(day.source)): day for day in Day.objects.select_for_update().filter(user_id=user_id)}
    differed = 0
    recounted = {(on, source): counts for _, on, source, counts in _counted(Result.objects.filter(user_id=user_id))}
    for (on, source), day in known.items():
        counts = recounted.pop((on, source), dict.fromkeys(TALLY_FIELDS, 0))
        if source != Source.DELETED and any(getattr(day, name) != number for name, number in counts.items()):
            Day.objects.filter(pk=day.pk).update(**counts)
            differed += 1
    for (on, source), counts in recounted.items():
        add(counts, user_id=user_id, on=on, source=source)
        differed += 1
    return differed


def _counted(found: ResultQuerySet) -> Iterator[tuple[int | None, date, Source, dict[str, int]]]:
    """Account, day, source and counts of some results, a line for each of the first three."""
    by_source = Case(When(batch=None, then=Value(Source.SINGLE)), default=Value(Source.LIST))
    grouped = found.order_by().annotate(on=TruncDate("created_at", tzinfo=UTC), source=by_source)
    names = [f"n_{name}" for name in TALLY_FIELDS]
    for user_id, on, source, *numbers in (
        grouped.values("user_id", "on", "source").annotate(**_COUNTS).values_list("user_id", "on", "source", *names)
    ):
        yield user_id, on, Source(source), dict(zip(TALLY_FIELDS, numbers, strict=True))


def of_account(user: User, **narrowed: Source) -> dict[str, int]:
    """The totals of an account, of a `source` alone where one is given; in test mode those of its test batches."""
    if not user.in_test_mode:
        return totals(user=user, **narrowed)
    found = Batch.objects.for_user(user)
    if "source" in narrowed:
        is_single = Q(batch_type="")
        found = found.filter(is_single if narrowed["source"] == Source.SINGLE else ~is_single)
    sums = found.aggregate(**{f"n_{name}": Sum(name) for name in TALLY_FIELDS})
    return {"timed": 0, "time_ms": 0, **{name: sums[f"n_{name}"] or 0 for name in TALLY_FIELDS}}


def _how_many(condition: Q) -> Count:
    return Count("pk", filter=condition)


_RISKY = Q(safe_to_send=False, category__in=[Category.VALID, Category.CATCH_ALL, Category.UNKNOWN])
_COUNTS: dict[str, Any] = {
    "n_processed": Count("pk"),
    **{f"n_{category}_count": _how_many(Q(category=category)) for category in Category.values},
    "n_safe_to_send_count": _how_many(Q(safe_to_send=True)),
    "n_risky_count": _how_many(_RISKY),
    "n_credits_used": _how_many(Q(charged=True)),
}


def totals(**narrowed: Any) -> dict[str, int]:
    """The sums over the days that a filter leaves, a number for each count."""
    names = (*TALLY_FIELDS, "timed", "time_ms")
    sums = Day.objects.filter(**narrowed).aggregate(**{f"n_{name}": Sum(name) for name in names})
    return {name: sums[f"n_{name}"] or 0 for name in names}
