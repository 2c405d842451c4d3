"""Reading the history: pages, searches and cursors over a customer's batches and results."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from functools import reduce
from itertools import chain
from operator import attrgetter, or_

from django.db.models import Q, Sum
from django.utils import timezone

from accounts.organisations.models import Organisation
from emailcheck.common.api import pagination
from validation.access.readers import Reader
from validation.batches.models import ACTIVE, Batch, BatchQuerySet
from validation.batches.queries import count_stored_results
from validation.daily.models import TALLY_FIELDS, Source
from validation.daily.rollups import sum_days
from validation.history.cursors import parse_key, write_end
from validation.results.decisions import DECISIONS
from validation.results.index_ranges import Key, Order, Total, count_matches, list_first_keys, load_rows, parse_search
from validation.results.models import Category, Result, ResultQuerySet
from validation.results.storage import searchable_address

DASHBOARD_ROWS = 50
_NEWEST = 20_000
_COLUMNS = {"row": "position", "email": "address", "category": "category", "confidence": "confidence"}


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


@dataclass(frozen=True, slots=True)
class HistoryRequest:
    """The requested part of the history; `since` and `to` are days in UTC, both included."""

    reader: Reader
    search: str
    category: str | None
    sort: str
    since: date | None = None
    to: date | None = None

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


def load_history(
    reader: Reader, *, page: int, page_size: int, search: str, active: bool, sort: str, cursor: str,
    category: str | None = None, since: date | None = None, to: date | None = None,
) -> History:  # fmt: skip
    """The history as a reader sees it: the first page of each part, or the next page of the part that made `cursor`.

    `active` selects running batches only. Raises `BadInput` for an invalid cursor.
    """
    wanted = HistoryRequest(reader, search, category, sort, since, to)
    part, key = _parse_history_cursor(cursor, wanted)
    batches, batches_total, batches_next = _page_batches(wanted, key if part == "batches" else None, active=active)
    singles, singles_next = _page_singles(wanted, key if part == "individual" else None, nothing=active)
    totals = _count_totals(wanted) if not active else (Total(0), Total(0))
    return History(
        batches=[] if part == "individual" else batches,
        batches_total=batches_total,
        batches_next=None if part == "individual" else batches_next,
        individual=[] if part == "batches" else singles,
        individual_total=totals[0],
        individual_next=None if part == "batches" else singles_next,
        flat=[] if active or part else _page_flat(wanted, page, page_size),
        flat_total=totals[1],
        page=page,
    )


def _parse_history_cursor(cursor: str, wanted: HistoryRequest) -> tuple[str, Key | None]:
    """The part that a cursor continues, and the key it continues after."""
    if not cursor:
        return "", None
    ended, number = pagination.decode_cursor(cursor, wanted.sort, "cursor")
    part, value = ended if isinstance(ended, list) and len(ended) == 2 else ("", None)
    if part not in ("batches", "individual"):
        raise pagination.build_cursor_error(cursor, "cursor")
    order = wanted.order_of_batches if part == "batches" else wanted.order_of_singles
    return part, parse_key(cursor, order.column, value, number)


def _page_batches(wanted: HistoryRequest, after: Key | None, *, active: bool) -> tuple[list[Batch], int, str | None]:
    """A page of batches, searched by a part of the file name: an account has far fewer lists than results."""
    found = wanted.batches.select_related("organisation")
    if active:
        found = found.active()
    if wanted.search:
        found = found.filter(filename__icontains=wanted.search)
    if wanted.category:
        found = found.filter(Q(**{f"{wanted.category}_count__gt": 0}) | Q(status__in=ACTIVE))
    total = found.count()
    order = wanted.order_of_batches
    behind = reduce(or_, order.behind(after, ""))
    rows = list(found.filter(behind).order_by(*order.by)[: DASHBOARD_ROWS + 1])
    keys = [(getattr(row, order.column), row.pk) for row in rows]
    return rows[:DASHBOARD_ROWS], total, _build_next_cursor("batches", wanted, keys)


def _page_singles(wanted: HistoryRequest, after: Key | None, *, nothing: bool) -> tuple[list[Result], str | None]:
    if nothing:
        return [], None
    order = wanted.order_of_singles
    keys = list_first_keys(
        wanted.singles, order, search=wanted.search, categories=wanted.categories, after=after, limit=DASHBOARD_ROWS + 1
    )
    rows = load_rows(wanted.singles, order, keys[:DASHBOARD_ROWS])
    return rows, _build_next_cursor("individual", wanted, keys)


def _build_next_cursor(part: str, wanted: HistoryRequest, keys: Sequence[Key]) -> str | None:
    if len(keys) <= DASHBOARD_ROWS:
        return None
    value, number = keys[DASHBOARD_ROWS - 1]
    return pagination.encode_cursor([wanted.sort, [part, write_end(value)], number])


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


def _page_flat(wanted: HistoryRequest, page: int, page_size: int) -> list[Result]:
    """A page of all results, newest first."""
    first = (page - 1) * page_size
    order = Order("id", "id", descending=True)
    every = Result.objects.visible_to(wanted.reader)
    if wanted.dated and not wanted.search:
        order = Order("created_at", "id", descending=True)
        keys = list_first_keys(
            wanted.only_then(every), order, search="", categories=wanted.categories, after=None, limit=first + page_size
        )
        return load_rows(every, order, keys[first:])
    if wanted.search:
        return load_rows(every, order, _find_newest(wanted, order, first + page_size)[first:])
    found = every.filter(category=wanted.category) if wanted.category else every
    keys = list(found.order_by("-id").values_list("id", "id")[first : first + page_size])
    return load_rows(every, order, keys)


def _find_newest(wanted: HistoryRequest, order: Order, limit: int) -> list[Key]:
    """The keys of the newest results that a search finds.

    What very many have in common is found among the newest of the account; anything else is found in all, because few
    have it.
    """
    keys = _find_among_newest(wanted, limit)
    if len(keys) == limit:
        return keys
    parts = [
        list_first_keys(found, order, search=wanted.search, categories=wanted.categories, after=None, limit=limit)
        for found in (wanted.singles, *wanted.in_lists)
    ]
    return sorted(chain(*parts), reverse=True)[:limit]


def _find_among_newest(wanted: HistoryRequest, limit: int) -> list[Key]:
    """The same among the account's newest `_NEWEST` results alone; none in test mode, whose results have no account."""
    if wanted.organisation.in_test_mode:
        return []
    mine = Result.objects.for_org(wanted.organisation).order_by("-id")
    last = mine.values_list("pk", flat=True)[_NEWEST : _NEWEST + 1].first()
    matches = reduce(or_, (match.condition for match in parse_search(wanted.search)))
    newest = mine.filter(matches, pk__gt=last or 0, category__in=wanted.categories)
    seen = Q(batch=None) | Q(batch__in=wanted.batches.values("pk"))
    return list(wanted.only_then(newest).filter(seen).values_list("pk", "pk")[:limit])


@dataclass(frozen=True, slots=True)
class ResultsPage:
    rows: list[Result]
    total: Total
    next: str | None


@dataclass(frozen=True, slots=True)
class ResultsFilter:
    """Which of a batch's results are requested. `decision` is a key of `DECISIONS`."""

    category: str | None = None
    decision: str | None = None
    search: str = ""

    @property
    def categories(self) -> Sequence[str]:
        possible: Sequence[str] = DECISIONS[self.decision].categories if self.decision else Category.values
        return [one for one in possible if self.category in (None, one)]

    def narrow(self, found: ResultQuerySet) -> ResultQuerySet:
        return found.filter(DECISIONS[self.decision].condition) if self.decision else found

    def count(self, batch: Batch, found: ResultQuerySet) -> Total:
        """The number of results, from the counts of the batch where they have it."""
        if self.search:
            repaired_in = _repaired_in(batch)
            return count_matches([found], search=self.search, categories=self.categories, repaired_in=repaired_in)
        if self.category and self.decision:
            return Total(found.filter(category__in=self.categories).count())
        if self.decision:
            return Total(count_stored_results(batch, *DECISIONS[self.decision].counts))
        return Total(count_stored_results(batch, *([f"{self.category}_count"] if self.category else [])))


def page_results(batch: Batch, wanted: ResultsFilter, *, cursor: str, sort: str, page_size: int) -> ResultsPage:
    """A page of a batch's results by an opaque cursor: a constant number of queries at any depth.

    Raises `BadInput` for an invalid cursor, and for one of another sort order.
    """
    found = wanted.narrow(batch.results.all())
    order = Order(_COLUMNS[sort.removeprefix("-")], "position", descending=sort.startswith("-"))
    after = parse_key(cursor, order.column, *pagination.decode_cursor(cursor, sort, "cursor")) if cursor else None
    keys = list_first_keys(
        found,
        order,
        search=wanted.search,
        categories=wanted.categories,
        after=after,
        limit=page_size + 1,
        repaired_in=_repaired_in(batch),
    )
    return ResultsPage(
        rows=load_rows(found, order, keys[:page_size]),
        total=wanted.count(batch, found) if keys or cursor else Total(0),
        next=pagination.encode_cursor([sort, *keys[page_size - 1]]) if len(keys) > page_size else None,
    )


def build_row_cursor(batch: Batch, row: int) -> str:
    """The cursor of a batch's results in the order of its rows that goes on behind a row, all of its addresses."""
    last = batch.last_position_of(row)
    return pagination.encode_cursor(["row", last, last])


def _repaired_in(batch: Batch) -> int | None:
    """The id of a list that may hold repaired addresses."""
    return batch.pk if batch.repair_choices else None


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
