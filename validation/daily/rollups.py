"""Daily counts of results, of each account and of all together, so that no page has to count them.

    write results   `add_counts`, in the transaction that inserts them: both or neither
    delete results  `delete_slice`, which counts them as deleted: the totals of the account stay (VAL-044, VAL-046)
    recount         `recount_account`, from the stored results, and `recount_all`, from the days of the accounts

A writer changes the row of its day last, so that writers of one account wait for each other but a moment, and the days
of all in the order of time, so that writers of several accounts never wait in a circle. What an account had checked
stays in the days of all when the account is deleted (`erase_days`).
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any

from django.db import connection, transaction
from django.db.models import F, Min, QuerySet, Sum

from accounts.organisations.models import Organisation
from validation.daily.models import TALLY_FIELDS, Day, DayOfAll, Source

Counts = Mapping[str, int]
FIELDS = (*TALLY_FIELDS, "timed", "time_ms")
_Days = type[Day] | type[DayOfAll]
_DayAndKey = tuple[_Days, dict[str, Any]]


def day_of(moment: datetime) -> date:
    """The day of a time, in UTC."""
    return moment.astimezone(UTC).date()


_COLUMNS = {"organisation_id": "user_id"}


def add_counts(counts: Counts, *, organisation_id: int | None, on: date, source: Source) -> None:
    """Add to the counts of a day; negative numbers subtract. Belongs into the transaction that writes the results.

    Results of test mode, which belong to no account, are not counted.
    """
    more = _list_changed(counts)
    if organisation_id is None or not more:
        return
    days: list[_DayAndKey] = [
        (Day, {"organisation_id": organisation_id, "date": on, "source": source}),
        (DayOfAll, {"date": on, "shard": organisation_id % DayOfAll.SHARDS}),
    ]
    if connection.vendor == "postgresql" and _update_both(days, more):
        return
    for model, which in days:
        change_day(model, counts, **which)


def change_day(days: _Days, counts: Counts, **which: Any) -> None:
    more = _list_changed(counts)
    if not more or _update_day(days, more, which):
        return
    days._default_manager.get_or_create(**which)
    _update_day(days, more, which)


def _list_changed(counts: Counts) -> Counts:
    return {name: number for name, number in counts.items() if number}


def _update_both(days: Sequence[_DayAndKey], more: Counts) -> bool:
    """In one statement, because others of the account wait for the first row; False, and nothing changed, where a row
    is missing."""
    (one, values), (every, more_values) = (_build_update(model, more, which) for model, which in days)
    is_there = f"EXISTS (SELECT 1 FROM {days[1][0]._meta.db_table} WHERE date = %s AND shard = %s)"
    with connection.cursor() as cursor:
        cursor.execute(
            f"WITH one AS ({one} AND {is_there} RETURNING 1) {every} AND EXISTS (SELECT 1 FROM one)",
            [*values, *more_values[len(more) :], *more_values],
        )
        return bool(cursor.rowcount)


def _update_day(days: _Days, more: Counts, which: Mapping[str, Any]) -> bool:
    """Raw SQL, because every check comes here."""
    statement, values = _build_update(days, more, which)
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return bool(cursor.rowcount)


def _build_update(days: _Days, more: Counts, which: Mapping[str, Any]) -> tuple[str, list[Any]]:
    """The names are those of columns."""
    changes = ", ".join(f"{name} = {name} + %s" for name in more)
    where = " AND ".join(f"{_COLUMNS.get(name, name)} = %s" for name in which)
    values = [connection.ops.adapt_datefield_value(one) if isinstance(one, date) else one for one in which.values()]
    return f"UPDATE {days._meta.db_table} SET {changes} WHERE {where}", [*more.values(), *values]


def recount_all() -> int:
    """Recount the days of all from those of the accounts. Returns the number of changed days."""
    dates = Day.objects.values_list("date").union(DayOfAll.objects.values_list("date"))
    return sum(_recount_day_of_all(on) for (on,) in dates)


@transaction.atomic
def _recount_day_of_all(on: date) -> bool:
    """Who has counted in a day of an account alone waits for the rows that are locked here, and adds to them then."""
    rows = DayOfAll.objects.select_for_update().filter(date=on, shard__lt=DayOfAll.SHARDS)
    known = {row.shard: {name: getattr(row, name) for name in FIELDS} for row in rows}
    summed = Day.objects.filter(date=on).order_by().values_list(F("organisation_id") % DayOfAll.SHARDS)
    right = {
        shard: dict(zip(FIELDS, numbers, strict=True))
        for shard, *numbers in summed.annotate(*(Sum(name) for name in FIELDS))
    }
    nothing = dict.fromkeys(FIELDS, 0)
    wrong = [shard for shard in {*known, *right} if known.get(shard, nothing) != right.get(shard, nothing)]
    for shard in wrong:
        DayOfAll.objects.update_or_create(date=on, shard=shard, defaults=right.get(shard, nothing))
    return bool(wrong)


@transaction.atomic
def erase_days(organisation_id: int) -> None:
    """Delete the days of an account. The days of all keep its counts, without an owner."""
    days = Day.objects.select_for_update().filter(organisation_id=organisation_id).order_by("date", "source")
    for day in days:
        counts = {name: getattr(day, name) for name in FIELDS}
        change_day(DayOfAll, negate_counts(counts), date=day.date, shard=organisation_id % DayOfAll.SHARDS)
        change_day(DayOfAll, counts, date=day.date, shard=DayOfAll.GONE)
    days.delete()


def negate_counts(counts: Counts) -> dict[str, int]:
    return {name: -number for name, number in counts.items()}


def sum_days(**narrowed: Any) -> dict[str, int]:
    """The sums over the filtered days, one for each count."""
    return _sum_fields(Day.objects.filter(**narrowed))


def sum_all_days() -> dict[str, int]:
    """The sums over the days of all accounts, one for each count."""
    return _sum_fields(DayOfAll.objects.all())


def list_days(first: date, last: date, *, organisation: Organisation | None = None) -> dict[date, dict[str, int]]:
    """The counts of each day that has any, of an account or of all."""
    found = _days_of(organisation).filter(date__gte=first, date__lte=last).order_by().values_list("date")
    summed = found.annotate(*(Sum(name) for name in FIELDS))
    return {on: dict(zip(FIELDS, numbers, strict=True)) for on, *numbers in summed}


def find_first_day(organisation: Organisation | None = None) -> date | None:
    """The first day that has any counts, of an account or of all."""
    first: date | None = _days_of(organisation).aggregate(first=Min("date"))["first"]
    return first


def _days_of(organisation: Organisation | None) -> QuerySet[Any]:
    return DayOfAll.objects.all() if organisation is None else Day.objects.for_org(organisation)


def _sum_fields(days: QuerySet[Any]) -> dict[str, int]:
    sums = days.aggregate(**{f"n_{name}": Sum(name) for name in FIELDS})
    return {name: sums[f"n_{name}"] or 0 for name in FIELDS}
