"""Pages of results, read from index ranges.

Within a category, each sort order of a page and of a search is the order of an index of `Result`. A page reads the
first rows of each category and merges them, so its cost does not grow with the number of results. A search finds
addresses by their beginning or by their whole domain (ADR 10).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from heapq import merge
from itertools import islice, product
from typing import Any, NamedTuple

from django.db.models import Expression, ExpressionWrapper, F, FloatField, OrderBy, Q, Value
from django.db.models.functions import Concat

from validation.engine import AddressSyntaxError, parse
from validation.results.models import RepairedAddress, Result, ResultQuerySet
from validation.results.storage import searchable_address

Key = tuple[Any, int]
# No character comes after this one, whatever an address begins with.
_LAST = "\U0010ffff"
MOST_COUNTED = 10_000
"""A search that finds more tells so; to count on would take as long as the matches are many."""


@dataclass(frozen=True, slots=True)
class Order:
    """A sort order by a column, then by `tie`, which is unique."""

    column: str
    tie: str
    descending: bool = False

    @property
    def by(self) -> tuple[str, str]:
        sign = "-" if self.descending else ""
        return f"{sign}{self.column}", f"{sign}{self.tie}"

    @property
    def by_sorting(self) -> tuple[OrderBy, ...]:
        """The same order by expressions, which no index has: the index is chosen by the search, not by the order.

        Only within one category, where all have the same.
        """
        names = [self.tie] if self.column == "category" else [self.column, self.tie]
        return tuple(OrderBy(_order_expression(name), descending=self.descending) for name in names)

    def behind(self, key: Key | None, category: str) -> list[Q]:
        """The conditions for rows after `key`, each one index range, within a category or over all."""
        if key is None:
            return [Q()]
        value, number = key
        operator = "lt" if self.descending else "gt"
        beyond, later = Q(**{f"{self.column}__{operator}": value}), Q(**{f"{self.tie}__{operator}": number})
        if self.column == self.tie:
            return [later]
        if self.column == "category":
            return [later] if category == value else [Q()] * ((category > value) != self.descending)
        if self.column == "address":  # hardly two results have the same: one range, from that address on
            return [Q(**{f"{self.column}__{operator}e": value}) & (beyond | later)]
        return [Q(**{self.column: value}) & later, beyond]


def _order_expression(name: str) -> Expression:
    if name == "address":
        return Concat(name, Value(""))
    return ExpressionWrapper(F(name) + 0, output_field=FloatField())


@dataclass(frozen=True, slots=True)
class SearchCondition:
    """A condition of a search. `column`: the one that it fixes to a value, if any."""

    condition: Q
    column: str = ""


def parse_search(search: str, repaired_in: int | None = None) -> list[SearchCondition]:
    """The disjoint conditions of a search.

    `anna` and `anna@gm` are beginnings of an address, `@gmail.com` is a domain, `gmail.com` may be either. In the list
    `repaired_in` they are beginnings of the texts that were handed in, too.
    """
    text = searchable_address(search.strip())
    if not text:
        return [SearchCondition(Q())]
    of_domain = Q(domain=_normalize_domain(text.removeprefix("@")))
    if text.startswith("@"):
        return [SearchCondition(of_domain, "domain")]
    begins = Q(address__gte=text, address__lt=text + _LAST)
    taken_out = _find_by_source(repaired_in, text, begins) if repaired_in else []
    if "@" in text or "." not in text:
        return [SearchCondition(begins, "address"), *taken_out]
    # Tested on the address, which is in the index; for the domain each result would be read.
    of_text = Q(address__endswith=f"@{text}")
    beside = [SearchCondition(found.condition & ~of_text, found.column) for found in taken_out]
    return [SearchCondition(of_domain, "domain"), SearchCondition(begins & ~of_text, "address"), *beside]


def _find_by_source(batch_id: int, text: str, found_already: Q) -> list[SearchCondition]:
    """Results of a list whose addresses were taken out of a text that begins so."""
    of_text = RepairedAddress.objects.filter(batch=batch_id, source_key__gte=text, source_key__lt=text + _LAST).values(
        "position"
    )
    return [SearchCondition(Q(position__in=of_text) & ~found_already, "source")]


def find_end(keys: Sequence[Key], rows: int) -> Key | None:
    """The key that a page of so many rows ends with, where there are more."""
    return keys[rows - 1] if len(keys) > rows else None


def list_first_keys(
    found: ResultQuerySet,
    order: Order,
    *,
    search: str,
    categories: Sequence[str],
    after: Key | None,
    limit: int,
    repaired_in: int | None = None,
) -> list[Key]:
    """The first `limit` keys behind `after` among `categories`, in their order: a constant number of queries."""
    parts = [
        found.filter(match.condition, step, category__in=among)
        .order_by(*by)
        .values_list(order.column, order.tie)[:limit]
        for match in parse_search(search, repaired_in)
        for among, by in _index_ranges(match, order, categories)
        for step in order.behind(after, among[0])
    ]
    return list(islice(merge(*parts, reverse=order.descending), limit))


def _index_ranges(match: SearchCondition, order: Order, categories: Sequence[str]) -> list[tuple[Sequence[str], Any]]:
    """The categories to query together, and their order: each alone where an index has the order."""
    indexed = order.column in _IN_ORDER[match.column]
    by = order.by if indexed else order.by_sorting
    if indexed or order.column == "category":
        return [([one], by) for one in categories]
    return [(categories, by)] if categories else []


# The sort orders of the index for a condition on a column, within a category.
_IN_ORDER = {
    "": ("position", "address", "category", "confidence", "id", "created_at"),
    "domain": ("position",),
    "address": ("address",),
    "source": (),
}


def load_rows(found: ResultQuerySet, order: Order, keys: Sequence[Key]) -> list[Result]:
    """The results of some keys, in their order, without their evidence."""
    numbers = [number for _, number in keys]
    rows = found.without_evidence().filter(**{f"{order.tie}__in": numbers})
    by_number = {getattr(row, order.tie): row for row in rows}
    return [by_number[number] for number in numbers if number in by_number]


class Total(NamedTuple):
    """A number of results; where `is_least` there may be more, which nobody has counted."""

    number: int
    is_least: bool = False

    def add(self, other: "Total") -> "Total":
        number, is_least = self.number + other.number, self.is_least or other.is_least
        return Total(min(number, MOST_COUNTED), is_least=True) if is_least or number > MOST_COUNTED else Total(number)


def count_matches(
    parts: Iterable[ResultQuerySet], *, search: str, categories: Sequence[str], repaired_in: int | None = None
) -> Total:
    """The number of a search's results in some parts, read from the index alone, up to `MOST_COUNTED`."""
    total, matches = 0, parse_search(search, repaired_in)
    for found, match in product(parts, matches):
        left = MOST_COUNTED + 1 - total
        total += found.filter(match.condition, category__in=categories).values("category")[:left].count()
        if total > MOST_COUNTED:
            return Total(MOST_COUNTED, is_least=True)
    return Total(total)


def _normalize_domain(text: str) -> str:
    """A domain as it is stored with results."""
    try:
        return parse(f"a@{text}").domain
    except AddressSyntaxError:
        return text
