"""Daily counts of results, of each account and of all together, so that no page has to count them.

    write results   `add`, in the transaction that inserts them: both or neither
    delete results  `delete_slice`, which counts them as deleted: the totals of the account stay (VAL-044, VAL-046)
    recount         `rebuild`, from the results that are stored, and `rebuild_all`, from the days of the accounts

A writer changes the row of its day last, so that writers of one account wait for each other but a moment, and the days
of all in the order of time, so that writers of several accounts never wait in a circle. What an account had checked
stays in the days of all when the account is deleted (`leave`).
"""

from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime
from operator import itemgetter
from typing import Any

from django.db import connection, transaction
from django.db.models import Case, Count, F, Q, QuerySet, Sum, Value, When
from django.db.models.functions import TruncDate

from accounts.models import User
from validation.day_models import TALLY_FIELDS, Day, DayOfAll, Source
from validation.models import Batch, Category, Result, ResultQuerySet

Counts = Mapping[str, int]
FIELDS = (*TALLY_FIELDS, "timed", "time_ms")
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
    _add(Day, counts, user_id=user_id, date=on, source=source)
    _add_to_all(counts, user_id=user_id, on=on)


def _add(days: type[Day] | type[DayOfAll], counts: Counts, **which: Any) -> None:
    more = {name: number for name, number in counts.items() if number}
    if not more or _update(days, more, which):
        return
    days._default_manager.get_or_create(**which)
    _update(days, more, which)


def _update(days: type[Day] | type[DayOfAll], more: Counts, which: Mapping[str, Any]) -> bool:
    """Written out, because every check passes here twice. The names are those of columns."""
    changes = ", ".join(f"{name} = {name} + %s" for name in more)
    where = " AND ".join(f"{name} = %s" for name in which)
    values = [connection.ops.adapt_datefield_value(one) if isinstance(one, date) else one for one in which.values()]
    with connection.cursor() as cursor:
        cursor.execute(f"UPDATE {days._meta.db_table} SET {changes} WHERE {where}", [*more.values(), *values])
        return bool(cursor.rowcount)


def _add_to_all(counts: Counts, *, user_id: int, on: date) -> None:
    _add(DayOfAll, counts, date=on, part=user_id % DayOfAll.PARTS)


def take_back(found: ResultQuerySet) -> None:
    """Count results no longer, because others take their place, in the caller's transaction.

    What they cost stays spent: it is counted as of deleted results.
    """
    for user_id, on, source, counts in sorted(_counted(found), key=itemgetter(1)):
        add(_negative(counts), user_id=user_id, on=on, source=source)
        if spent := counts["credits_used"]:
            only_spent = dict.fromkeys(TALLY_FIELDS, 0) | {"credits_used": spent}
            add(only_spent, user_id=user_id, on=on, source=Source.DELETED)


@transaction.atomic
def delete_slice(found: ResultQuerySet) -> int:
    """Delete the first of some results and count them as deleted: they stay in the totals. Answers how many.

    They are locked first, so that of two who delete the same ones one counts them.
    """
    locked = found.select_for_update(of=("self",)).order_by("pk")
    ids = list(locked.values_list("pk", flat=True)[:SLICE_ROWS])
    doomed = Result.objects.filter(pk__in=ids)
    for user_id, on, source, counts in _counted(doomed):
        _add(Day, _negative(counts), user_id=user_id, date=on, source=source)
        _add(Day, counts, user_id=user_id, date=on, source=Source.DELETED)
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
    recounted = {(on, source): counts for _, on, source, counts in _counted(Result.objects.filter(user_id=user_id))}
    differed = 0
    for on, source in {*known, *recounted} - {key for key in known if key[1] == Source.DELETED}:
        day, counts = known.get((on, source)), recounted.get((on, source), dict.fromkeys(TALLY_FIELDS, 0))
        more = {name: number - getattr(day, name, 0) for name, number in counts.items()}
        if any(more.values()):
            _add(Day, more, user_id=user_id, date=on, source=source)
            differed += 1
    return differed


def rebuild_all() -> int:
    """Recount the days of all from those of the accounts. Answers how many differed."""
    dates = Day.objects.values_list("date").union(DayOfAll.objects.values_list("date"))
    return sum(_rebuild_day_of_all(on) for (on,) in dates)


@transaction.atomic
def _rebuild_day_of_all(on: date) -> bool:
    """Who has counted in a day of an account alone waits for the rows that are locked here, and adds to them then."""
    rows = DayOfAll.objects.select_for_update().filter(date=on, part__lt=DayOfAll.PARTS)
    known = {row.part: {name: getattr(row, name) for name in FIELDS} for row in rows}
    summed = Day.objects.filter(date=on).order_by().values_list(F("user_id") % DayOfAll.PARTS)
    right = {
        part: dict(zip(FIELDS, numbers, strict=True))
        for part, *numbers in summed.annotate(*(Sum(name) for name in FIELDS))
    }
    nothing = dict.fromkeys(FIELDS, 0)
    wrong = [part for part in {*known, *right} if known.get(part, nothing) != right.get(part, nothing)]
    for part in wrong:
        DayOfAll.objects.update_or_create(date=on, part=part, defaults=right.get(part, nothing))
    return bool(wrong)


@transaction.atomic
def leave(user_id: int) -> None:
    """Delete the days of an account that goes; the days of all keep what it had checked, as that of nobody."""
    days = Day.objects.select_for_update().filter(user_id=user_id).order_by("date", "source")
    for day in days:
        counts = {name: getattr(day, name) for name in FIELDS}
        _add(DayOfAll, _negative(counts), date=day.date, part=user_id % DayOfAll.PARTS)
        _add(DayOfAll, counts, date=day.date, part=DayOfAll.GONE)
    days.delete()


def _negative(counts: Counts) -> dict[str, int]:
    return {name: -number for name, number in counts.items()}


def _counted(found: ResultQuerySet) -> Iterator[tuple[int, date, Source, dict[str, int]]]:
    """Account, day, source and counts of some results, a line for each of the first three; none of test mode."""
    by_source = Case(When(batch=None, then=Value(Source.SINGLE)), default=Value(Source.LIST))
    grouped = found.exclude(user=None).order_by().annotate(on=TruncDate("created_at", tzinfo=UTC), source=by_source)
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
    return _sums(Day.objects.filter(**narrowed))


def totals_of_all() -> dict[str, int]:
    """The sums over the days of all accounts, a number for each count."""
    return _sums(DayOfAll.objects.all())


def by_day(first: date, last: date, *, user: User | None = None) -> dict[date, dict[str, int]]:
    """The counts of each day that has any, of an account or of all."""
    days: QuerySet[Any] = DayOfAll.objects.all() if user is None else Day.objects.for_user(user)
    found = days.filter(date__gte=first, date__lte=last).order_by().values_list("date")
    summed = found.annotate(*(Sum(name) for name in FIELDS))
    return {on: dict(zip(FIELDS, numbers, strict=True)) for on, *numbers in summed}


def _sums(days: QuerySet[Any]) -> dict[str, int]:
    sums = days.aggregate(**{f"n_{name}": Sum(name) for name in FIELDS})
    return {name: sums[f"n_{name}"] or 0 for name in FIELDS}
