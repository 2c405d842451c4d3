"""Daily counts of results, of each account and of all together, so that no page has to count them.

    write results   `add_counts`, in the transaction that inserts them: both or neither
    delete results  `delete_slice`, which counts them as deleted: the totals of the account stay (VAL-044, VAL-046)
    recount         `recount_account`, from the stored results, and `recount_all`, from the days of the accounts

A writer changes the row of its day last, so that writers of one account wait for each other but a moment, and the days
of all in the order of time, so that writers of several accounts never wait in a circle. What an account had checked
stays in the days of all when the account is deleted (`erase_days`).
"""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any

from django.db import connection, transaction
from django.db.models import F, Min, QuerySet, Sum

from accounts.organisations.models import Organisation
from emailcheck.common.storage.statements import Statement, execute_together
from validation.daily.models import TALLY_FIELDS, Day, DayOfAll, Source

Counts = Mapping[str, int]
FIELDS = (*TALLY_FIELDS, "timed", "time_ms")
_Days = type[Day] | type[DayOfAll]


def day_of(moment: datetime) -> date:
    """The day of a time, in UTC."""
    return moment.astimezone(UTC).date()


_COLUMNS = {"organisation_id": "user_id"}


def add_counts(counts: Counts, *, organisation_id: int | None, on: date, source: Source) -> None:
    """Add to the counts of a day; negative numbers subtract. Belongs into the transaction that writes the results.

    Results of test mode, which belong to no account, are not counted.
    """
    if organisation_id is None or not any(counts.values()):
        return
    execute_together(build_counting(counts, organisation_id=organisation_id, on=on, source=source))


def build_counting(counts: Counts, *, organisation_id: int, on: date, source: Source) -> list[Statement]:
    """The statements of `add_counts`. Others of the account wait for the transaction from the first on."""
    own = _build_change(Day, counts, {"organisation_id": organisation_id, "date": on, "source": source})
    return [*own, *_build_change(DayOfAll, counts, {"date": on, "shard": organisation_id % DayOfAll.SHARDS})]


def change_day(days: _Days, counts: Counts, **which: Any) -> None:
    """Add to the counts of one row, which `which` finds."""
    if any(counts.values()):
        execute_together(_build_change(days, counts, which))


def _build_change(days: _Days, counts: Counts, which: Mapping[str, Any]) -> list[Statement]:
    """What is added to a row, which is inserted where none is there; raw SQL, because every check comes here.

    What takes off is an update of its own behind the insertion of zeros: the numbers of an insertion that adds must not
    be below 0.
    """
    table, more = days._meta.db_table, {name: number for name, number in counts.items() if number}
    keys = [connection.ops.adapt_datefield_value(one) if isinstance(one, date) else one for one in which.values()]
    names = [_COLUMNS.get(name, name) for name in which]
    begin = f"INSERT INTO {table} ({', '.join([*names, *FIELDS])}) VALUES ({', '.join(['%s'] * len([*keys, *FIELDS]))})"
    if min(more.values()) > 0:
        added = ", ".join(f"{name} = {table}.{name} + excluded.{name}" for name in more)
        numbers = [counts.get(name, 0) for name in FIELDS]
        return [Statement(f"{begin} ON CONFLICT ({', '.join(names)}) DO UPDATE SET {added}", [*keys, *numbers])]
    where = " AND ".join(f"{name} = %s" for name in names)
    changes = ", ".join(f"{name} = {name} + %s" for name in more)
    return [
        Statement(f"{begin} ON CONFLICT DO NOTHING", [*keys, *[0] * len(FIELDS)]),
        Statement(f"UPDATE {table} SET {changes} WHERE {where}", [*more.values(), *keys]),
    ]


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
