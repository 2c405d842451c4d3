"""Pages of results out of ranges of indexes.

Within a category, each order of a page is the order of an index of `Result`, and so is what a search finds. A page
asks each category for its first rows, which reads no more than these, and merges them: what it costs does not grow with
the number of results. A search finds addresses by their beginning or by their whole domain (ADR 10).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import merge
from itertools import islice
from typing import Any

from django.db.models import Q

from validation.engine import AddressSyntaxError, parse
from validation.models import Category, Result, ResultQuerySet
from validation.results import address

Key = tuple[Any, int]
# No character comes after this one, whatever an address begins with.
_LAST = "\U0010ffff"


@dataclass(frozen=True, slots=True)
class Order:
    """Results by a column; those with the same value by `tie`, which tells all of them apart."""

    column: str
    tie: str
    descending: bool = False

    @property
    def by(self) -> tuple[str, str]:
        sign = "-" if self.descending else ""
        return f"{sign}{self.column}", f"{sign}{self.tie}"

    def behind(self, key: Key | None) -> list[Q]:
        """The conditions, one range of the index each, on what comes after `key`; none for the first page."""
        if key is None:
            return [Q()]
        value, number = key
        operator = "lt" if self.descending else "gt"
        beyond = Q(**{f"{self.column}__{operator}": value})
        if self.column == self.tie:
            return [beyond]
        same, later = Q(**{self.column: value}), Q(**{f"{self.tie}__{operator}": number})
        if self.column == "address":  # hardly two results have the same: one range, from that address on
            return [Q(**{f"{self.column}__{operator}e": value}) & (beyond | later)]
        return [same & later, beyond]


@dataclass(frozen=True, slots=True)
class Match:
    """A condition of a search. With `ordered`, what it leaves of a category is in the order of the index already."""

    condition: Q
    ordered: bool = True


def matches(search: str) -> list[Match]:
    """The conditions of a search, no two of which a result fulfils.

    `anna` and `anna@gm` are how an address begins, `@gmail.com` is a domain, `gmail.com` may be either.
    """
    text = address(search.strip())
    if not text:
        return [Match(Q())]
    of_domain = Q(domain=_domain(text.removeprefix("@")))
    if text.startswith("@"):
        return [Match(of_domain)]
    begins = Q(address__gte=text, address__lt=text + _LAST)
    if "@" in text or "." not in text:
        return [Match(begins, ordered=False)]
    return [Match(of_domain), Match(begins & ~of_domain, ordered=False)]


def first_keys(
    found: ResultQuerySet, order: Order, *, search: str, category: str | None, after: Key | None, limit: int
) -> list[Key]:
    """The first `limit` keys behind `after`, in their order: a constant number of queries."""
    categories = [category] if category else Category.values
    each, all_of_them = [Q(category=one) for one in categories], [Q(category__in=categories)]
    parts = [
        found.filter(among, match.condition, step).order_by(*order.by).values_list(order.column, order.tie)[:limit]
        for match in matches(search)
        for among in (each if match.ordered else all_of_them)
        for step in order.behind(after)
    ]
    return list(islice(merge(*parts, reverse=order.descending), limit))


def rows_of(found: ResultQuerySet, order: Order, keys: Sequence[Key]) -> list[Result]:
    """The results of some keys, in their order, without their evidence."""
    numbers = [number for _, number in keys]
    rows = found.without_evidence().filter(**{f"{order.tie}__in": numbers})
    by_number = {getattr(row, order.tie): row for row in rows}
    return [by_number[number] for number in numbers if number in by_number]


def count(found: ResultQuerySet, *, search: str, category: str | None) -> int:
    """How many results a search finds, read from the index alone."""
    categories = [category] if category else Category.values
    return sum(found.filter(match.condition, category__in=categories).count() for match in matches(search))


def _domain(text: str) -> str:
    """A domain as results carry it."""
    try:
        return parse(f"a@{text}").domain
    except AddressSyntaxError:
        return text
