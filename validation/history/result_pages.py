"""Pages of a list's results: filtered, searched, sorted, behind an opaque cursor."""

from collections.abc import Sequence
from dataclasses import dataclass

from emailcheck.common.api import pagination
from validation.batches.models import Batch
from validation.batches.queries import count_stored_results
from validation.results.decisions import DECISIONS
from validation.results.index_ranges import Order, Total, count_matches, find_end, list_first_keys, load_rows
from validation.results.models import Category, Result, ResultQuerySet

_COLUMNS = {"row": "position", "email": "address", "category": "category", "confidence": "confidence"}


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


def page_results(
    batch: Batch, wanted: ResultsFilter, *, cursor: str, sort: str, limit: int, after_row: int = 0
) -> ResultsPage:
    """A page of a batch's results by an opaque cursor: a constant number of queries at any depth. Without a cursor the
    order of rows may begin behind `after_row`.

    Raises `BadInput` for an invalid cursor, and for one of another list, filter or sort order.
    """
    found = wanted.narrow(batch.results.all())
    order = Order(_COLUMNS[sort.removeprefix("-")], "position", descending=sort.startswith("-"))
    made_for = f"results {batch.public_id} {sort} {wanted.category} {wanted.decision} {wanted.search}"
    last = batch.last_position_of(after_row)
    begin = (last, last) if after_row else None
    keys = list_first_keys(
        found,
        order,
        search=wanted.search,
        categories=wanted.categories,
        after=pagination.decode_cursor(cursor, made_for, "cursor") if cursor else begin,
        limit=limit + 1,
        repaired_in=_repaired_in(batch),
    )
    end = find_end(keys, limit)
    return ResultsPage(
        rows=load_rows(found, order, keys[:limit]),
        total=wanted.count(batch, found) if keys or cursor else Total(0),
        next=pagination.encode_cursor(made_for, *end) if end else None,
    )


def _repaired_in(batch: Batch) -> int | None:
    """The id of a list that may hold repaired addresses."""
    return batch.pk if batch.repair_choices else None
