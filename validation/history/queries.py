"""Reading the history: pages, searches and cursors over a customer's batches and results."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from functools import reduce
from itertools import chain
from operator import attrgetter, or_

from django.db.models import Q, Sum
from django.utils import timezone

from accounts.organisations.models import Organisation
from validation.access.readers import Reader
from validation.batches.models import ACTIVE, Batch, BatchQuerySet
from validation.daily.models import TALLY_FIELDS, Source
from validation.daily.rollups import sum_days
from validation.history.cursors import decode_parts, encode_parts
from validation.results.index_ranges import (
    Key,
    Order,
    Total,
    count_matches,
    find_end,
    list_first_keys,
    load_rows,
    parse_search,
)
from validation.results.models import Category, Result, ResultQuerySet
from validation.results.storage import searchable_address

DASHBOARD_ROWS = 50
_NEWEST = 20_000


def list_results_of_address(organisation: Organisation, email: str, *, limit: int) -> list[Result]:
    """The newest results of an account for exactly this address, of lists or single checks, in any letter case."""
    same = Result.objects.without_evidence().filter(
        category__in=Category.values, address=searchable_address(email.strip())
    )
    lists = Batch.objects.for_org(organisation).values("pk")
    listed = same.filter(batch__in=lists).select_related("batch").order_by("-id")[:limit]
    singles = same.filter(organisation=organisation).individual().order_by("-id")[:limit]
    return sorted([*listed, *singles], key=attrgetter("pk"), reverse=True)[:limit]


def list_recent_results(reader: Reader, *, limit: int) -> list[Result]:
    """The newest results that a reader sees, of lists or single checks."""
    return list(Result.objects.visible_to(reader).without_evidence().order_by("-id")[:limit])


@dataclass(frozen=True, slots=True)
class History:
    """A page of the batches, of the single checks and of all results."""

    batches: list[Batch]
    batches_total: int
    batches_next: str | None
    individual: list[Result]
    individual_total: Total
    individual_next: str | None
    flat: list[Result]
    flat_total: Total
    page: int
    next_cursor: str | None


@dataclass(frozen=True, slots=True)
class HistoryRequest:
    """The requested part of the history; `since` and `to` are days in UTC, both included."""

    reader: Reader
    search: str
    category: str | None
    sort: str
    since: date | None = None
    to: date | None = None
    active: bool = False

    def describe(self) -> str:
        """What a cursor of this history is made for."""
        whose = (self.organisation.pk, self.organisation.in_test_mode, self.reader.sees_all)
        return f"history {whose} {self.sort} {self.category} {self.since} {self.to} {self.active} {self.search}"

    @property
    def columns(self) -> Mapping[str, str]:
        """The column that each part is ordered by."""
        orders = {"batches": self.order_of_batches, "individual": self.order_of_singles, "flat": self.order_of_all}
        return {part: order.column for part, order in orders.items()}

    @property
    def organisation(self) -> Organisation:
        return self.reader.organisation

    @property
    def dated(self) -> bool:
        return self.since is not None or self.to is not None

    @property
    def descending(self) -> bool:
        return self.sort.startswith("-")

    @property
    def order_of_batches(self) -> Order:
        return Order("filename" if self._by_name else "id", "id", self.descending)

    @property
    def order_of_singles(self) -> Order:
        """Of some days by their time, of which an index has the range; a search is sorted, and by what is least."""
        if self._by_name:
            return Order("address", "id", self.descending)
        return Order("created_at" if self.dated and not self.search else "id", "id", self.descending)

    @property
    def order_of_all(self) -> Order:
        """The newest first; of some days by their time."""
        return Order("created_at" if self.dated and not self.search else "id", "id", descending=True)

    @property
    def _by_name(self) -> bool:
        return self.sort.removeprefix("-") == "name"

    @property
    def categories(self) -> Sequence[str]:
        return [self.category] if self.category else Category.values

    @property
    def singles(self) -> ResultQuerySet:
        mine = Result.objects.for_org(self.organisation).filter(self._checked_then)
        return mine.filter(batch__batch_type="") if self.organisation.in_test_mode else mine.individual()

    def only_then(self, found: ResultQuerySet) -> ResultQuerySet:
        """Those of the requested days."""
        return found.filter(self._checked_then)

    @property
    def in_lists(self) -> list[ResultQuerySet]:
        """Those of lists. Where a list has begun on these days and they have not ended, all of its results are meant,
        and no row has to be read for its time."""
        if self.since is None or not self._goes_on:
            return [self._listed(self._checked_then, self.batches)]
        since = _not_before("created_at", self.since)
        return [self._listed(Q(), self.batches.filter(since)), self._listed(since, self.batches.exclude(since))]

    @staticmethod
    def _listed(checked_then: Q, batches: BatchQuerySet) -> ResultQuerySet:
        return Result.objects.filter(checked_then, batch__in=batches.values("pk"))

    @property
    def _goes_on(self) -> bool:
        return self.to is None or self.to >= timezone.now().astimezone(UTC).date()

    @property
    def batches(self) -> BatchQuerySet:
        """The lists that ran on these days; in test mode single checks have batches of their own, without a type."""
        mine = Batch.objects.visible_to(self.reader).filter(_not_after("created_at", self.to))
        if self.since:
            mine = mine.filter(_not_before("completed_at", self.since) | Q(completed_at=None))
        return mine.exclude(batch_type="") if self.organisation.in_test_mode else mine

    @property
    def _checked_then(self) -> Q:
        return _not_before("created_at", self.since) & _not_after("created_at", self.to)


def _not_before(column: str, day: date | None) -> Q:
    return Q() if day is None else Q(**{f"{column}__gte": datetime.combine(day, time.min, UTC)})


def _not_after(column: str, day: date | None) -> Q:
    return Q() if day is None else Q(**{f"{column}__lte": datetime.combine(day, time.max, UTC)})


@dataclass(frozen=True, slots=True)
class PageWanted:
    """Which page: behind the ends that a cursor named (`BEGINNING` without one), of how many rows in each part; the
    flat part by its number too."""

    ends: Mapping[str, Key | None]
    rows: int
    flat_rows: int
    number: int

    def has(self, part: str) -> bool:
        return part in self.ends


BEGINNING: Mapping[str, Key | None] = {"batches": None, "individual": None, "flat": None}


def load_history(
    reader: Reader, *, page: int | None, page_size: int | None, limit: int | None, search: str, active: bool,
    sort: str, cursor: str, category: str | None = None, since: date | None = None, to: date | None = None,
) -> History:  # fmt: skip
    """The history as a reader sees it: the first page of each part, or the next page of the parts that made `cursor`.

    `active` selects running batches only. Raises `BadInput` for an invalid cursor.
    """
    wanted = HistoryRequest(reader, search, category, sort, since, to, active)
    made_for = wanted.describe()
    ends = decode_parts(cursor, made_for, wanted.columns) if cursor else BEGINNING
    at = PageWanted(ends, limit or DASHBOARD_ROWS, limit or page_size or DASHBOARD_ROWS, page or 1)
    batches, batches_total, batches_end = _page_batches(wanted, at)
    singles, singles_end = _page_singles(wanted, at)
    flat, flat_end = _page_flat(wanted, at)
    totals = _count_totals(wanted) if not active else (Total(0), Total(0))
    following = {"batches": batches_end, "individual": singles_end, "flat": flat_end}
    going_on = {part: end for part, end in following.items() if end is not None}
    return History(
        batches=batches,
        batches_total=batches_total,
        batches_next=_encode_part(made_for, "batches", batches_end),
        individual=singles,
        individual_total=totals[0],
        individual_next=_encode_part(made_for, "individual", singles_end),
        flat=flat,
        flat_total=totals[1],
        page=at.number,
        next_cursor=encode_parts(made_for, going_on),
    )


def _encode_part(made_for: str, part: str, end: Key | None) -> str | None:
    return None if end is None else encode_parts(made_for, {part: end})


def _page_batches(wanted: HistoryRequest, at: PageWanted) -> tuple[list[Batch], int, Key | None]:
    """A page of batches, searched by a part of the file name: an account has far fewer lists than results."""
    found = wanted.batches.select_related("organisation")
    if wanted.active:
        found = found.active()
    if wanted.search:
        found = found.filter(filename__icontains=wanted.search)
    if wanted.category:
        found = found.filter(Q(**{f"{wanted.category}_count__gt": 0}) | Q(status__in=ACTIVE))
    total = found.count()
    if not at.has("batches"):
        return [], total, None
    order = wanted.order_of_batches
    behind = reduce(or_, order.behind(at.ends["batches"], ""))
    rows = list(found.filter(behind).order_by(*order.by)[: at.rows + 1])
    keys = [(getattr(row, order.column), row.pk) for row in rows]
    return rows[: at.rows], total, find_end(keys, at.rows)


def _page_singles(wanted: HistoryRequest, at: PageWanted) -> tuple[list[Result], Key | None]:
    if wanted.active or not at.has("individual"):
        return [], None
    order = wanted.order_of_singles
    keys = list_first_keys(
        wanted.singles,
        order,
        search=wanted.search,
        categories=wanted.categories,
        after=at.ends["individual"],
        limit=at.rows + 1,
    )
    return load_rows(wanted.singles, order, keys[: at.rows]), find_end(keys, at.rows)


def _count_totals(wanted: HistoryRequest) -> tuple[Total, Total]:
    """The numbers of single checks and of results: from the daily counts, or as found by a search."""
    if wanted.search:
        of_singles, of_lists = (
            count_matches(parts, search=wanted.search, categories=wanted.categories)
            for parts in ([wanted.singles], wanted.in_lists)
        )
        return of_singles, of_singles.add(of_lists)
    name = f"{wanted.category}_count" if wanted.category else "processed"
    days = {"since": wanted.since, "to": wanted.to}
    sources = (Source.SINGLE, Source.LIST)
    single, listed = (totals_of_account(wanted.organisation, source=source, **days)[name] for source in sources)
    return Total(single), Total(single + listed - _count_hidden(wanted))


def _count_hidden(wanted: HistoryRequest) -> int:
    """The number of results in lists that are hidden from the reader; the daily counts have them too."""
    if wanted.reader.sees_all:
        return 0
    hidden = Batch.objects.hidden_from(wanted.reader).values("pk")
    return wanted.only_then(Result.objects.filter(batch__in=hidden, category__in=wanted.categories)).count()


def _page_flat(wanted: HistoryRequest, at: PageWanted) -> tuple[list[Result], Key | None]:
    """A page of all results, newest first, and the key it ends with where there are more."""
    if wanted.active or not at.has("flat"):
        return [], None
    first = (at.number - 1) * at.flat_rows
    every, after = Result.objects.visible_to(wanted.reader), at.ends["flat"]
    order = wanted.order_of_all
    keys = _list_newest(wanted, every, order, after, first + at.flat_rows + 1)[first:]
    return load_rows(every, order, keys[: at.flat_rows]), find_end(keys, at.flat_rows)


def _list_newest(
    wanted: HistoryRequest, every: ResultQuerySet, order: Order, after: Key | None, limit: int
) -> list[Key]:
    if wanted.search:
        return _find_newest(wanted, order, after, limit)
    if wanted.dated:
        of_days = wanted.only_then(every)
        return list_first_keys(of_days, order, search="", categories=wanted.categories, after=after, limit=limit)
    found = every.filter(category=wanted.category) if wanted.category else every
    older = found.filter(reduce(or_, order.behind(after, "")))
    return list(older.order_by("-id").values_list("id", "id")[:limit])


def _find_newest(wanted: HistoryRequest, order: Order, after: Key | None, limit: int) -> list[Key]:
    """The keys of the newest results that a search finds.

    What very many have in common is found among the newest of the account; anything else is found in all, because few
    have it.
    """
    keys = _find_among_newest(wanted, after, limit)
    if len(keys) == limit:
        return keys
    parts = [
        list_first_keys(found, order, search=wanted.search, categories=wanted.categories, after=after, limit=limit)
        for found in (wanted.singles, *wanted.in_lists)
    ]
    return sorted(chain(*parts), reverse=True)[:limit]


def _find_among_newest(wanted: HistoryRequest, after: Key | None, limit: int) -> list[Key]:
    """The same among the account's newest `_NEWEST` results alone; none in test mode, whose results have no account."""
    if wanted.organisation.in_test_mode:
        return []
    mine = Result.objects.for_org(wanted.organisation).order_by("-id")
    last = mine.values_list("pk", flat=True)[_NEWEST : _NEWEST + 1].first()
    matches = reduce(or_, (match.condition for match in parse_search(wanted.search)))
    newest = mine.filter(matches, pk__gt=last or 0, category__in=wanted.categories)
    if after is not None:
        newest = newest.filter(pk__lt=after[1])
    seen = Q(batch=None) | Q(batch__in=wanted.batches.values("pk"))
    return list(wanted.only_then(newest).filter(seen).values_list("pk", "pk")[:limit])


def totals_of_account(
    organisation: Organisation, *, source: Source | None = None, since: date | None = None, to: date | None = None
) -> dict[str, int]:
    """The totals of an account, optionally of one `source` or of some days; in test mode those of its test batches."""
    if not organisation.in_test_mode:
        asked = {"source": source, "date__gte": since, "date__lte": to}
        return sum_days(
            organisation=organisation, **{name: value for name, value in asked.items() if value is not None}
        )
    found = Batch.objects.for_org(organisation).filter(_not_before("created_at", since), _not_after("created_at", to))
    if source is not None:
        is_single = Q(batch_type="")
        found = found.filter(is_single if source == Source.SINGLE else ~is_single)
    sums = found.aggregate(**{f"n_{name}": Sum(name) for name in TALLY_FIELDS})
    return {"timed": 0, "time_ms": 0, **{name: sums[f"n_{name}"] or 0 for name in TALLY_FIELDS}}
