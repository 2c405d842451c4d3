"""Looks for the newest verdict of the own organisation on each address of a list.

No index has the addresses of all lists together, which each checked address would pay for. Lists are read newest first,
many in one query: those with few rows for each address are scanned in the order of `result_search_by_address`, an index
that has all that a comparison needs; in larger ones the addresses are looked up in it. Single checks have an index of
their own.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from itertools import islice
from operator import or_
from typing import Any, NamedTuple

from django.db.models import Q

from accounts.organisations.models import Organisation
from validation.batches.models import Batch, BatchQuerySet
from validation.batches.reuse.keys import KnownTable, key_of, list_spellings
from validation.results.models import Category, Result, ResultQuerySet

ROWS_AT_MOST = 2_000_000
"""Rows of earlier lists that one review reads through, those of the newest lists."""
_GROUP_ROWS, _GROUP_LISTS = 50_000, 100
_LOOK_UP_AT_ONCE = 400
_SEEKS = 2 * len(Category)
"""What looking an address up in a list costs, in rows read one after the other: a seek for each category."""
_COLUMNS = ("pk", "address", "category", "basic", "created_at", "reused_from")

Addresses = Callable[[], Iterable[str]]


@dataclass(frozen=True, slots=True)
class Scope:
    """Whose verdicts may be taken over: those of an organisation in its mode, not older than `since`, and of private
    lists those of the person who starts the new one.
    """

    organisation: Organisation
    since: datetime
    person_id: int | None

    @property
    def batches(self) -> BatchQuerySet:
        """The lists that may hold such verdicts, the newest first. A re-check may outlast its start by some days."""
        is_old = Q(completed_at__lt=self.since)
        for taken_up in ("rechecked_at", "full_check_at", "rest_at"):
            is_old &= Q(**{taken_up: None}) | Q(**{f"{taken_up}__lt": self.since})
        mine = Batch.objects.for_org(self.organisation).filter(shown_to(self.person_id), expired_at=None)
        return mine.exclude(is_old).order_by("-id")

    @property
    def singles(self) -> ResultQuerySet:
        """Single checks; those of test mode are lists of their own."""
        mine = Result.objects.filter(organisation=self.organisation, batch=None, category__in=Category.values)
        return mine.none() if self.organisation.in_test_mode else mine


def shown_to(person_id: int | None, prefix: str = "") -> Q:
    """The condition for lists that a person may take verdicts from. `prefix` leads to the list, as in `batch__`."""
    shown = Q(**{f"{prefix}private": False})
    return shown if person_id is None else shown | Q(**{f"{prefix}maker": person_id})


class _Hit(NamedTuple):
    batch_id: int
    position: int
    place: int


def note_verdicts(table: KnownTable, addresses: Addresses, scope: Scope) -> None:
    """Note in the table what is known of its addresses. `addresses` gives them again each time that it is called."""
    for group in _group_lists(scope.batches.values_list("pk", "total_emails").iterator()):
        scanned = [pk for pk, rows in group if rows <= len(table) * _SEEKS]
        large = [pk for pk, rows in group if rows > len(table) * _SEEKS]
        if scanned:
            _scan_lists(table, scanned, scope.since)
        if large:
            _look_up(
                table, addresses, Result.objects.filter(batch__in=large, category__in=Category.values), scope.since
            )
    _note_singles(table, addresses, scope)


def _group_lists(lists: Iterable[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
    """Lists (id, rows) that are read by one query."""
    group: list[tuple[int, int]] = []
    rows = seen = 0
    for pk, count in lists:
        group.append((pk, count))
        rows, seen = rows + count, seen + count
        if rows >= _GROUP_ROWS or len(group) == _GROUP_LISTS:
            yield group
            group, rows = [], 0
        if seen >= ROWS_AT_MOST:
            break
    if group:
        yield group


def _scan_lists(table: KnownTable, batch_ids: Sequence[int], since: datetime) -> None:
    """Read all addresses of some lists from the index alone, and then the verdicts on those that are in the table."""
    found = Result.objects.filter(batch__in=batch_ids).order_by("batch", "category", "address", "position")
    rows = found.values_list("batch_id", "position", "address").iterator()
    hits = (
        _Hit(batch_id, position, place)
        for batch_id, position, address in rows
        if (place := table.find(key_of(address))) >= 0
    )
    while some := list(islice(hits, _LOOK_UP_AT_ONCE)):
        by_batch: dict[int, list[int]] = {}
        for hit in some:
            by_batch.setdefault(hit.batch_id, []).append(hit.position)
        wanted = reduce(or_, (Q(batch=batch_id, position__in=where) for batch_id, where in by_batch.items()))
        _note_rows(table, Result.objects.filter(wanted).values_list(*_COLUMNS), since)


def _note_singles(table: KnownTable, addresses: Addresses, scope: Scope) -> None:
    recent = scope.singles.filter(created_at__gte=scope.since)
    if recent.count() > len(table) * _SEEKS:
        _look_up(table, addresses, scope.singles, scope.since)
    else:
        _note_rows(table, recent.values_list(*_COLUMNS).iterator(), scope.since)


def _look_up(table: KnownTable, addresses: Addresses, found: ResultQuerySet, since: datetime) -> None:
    """Look the addresses of the table up among results that an index has by address."""
    rest = iter(addresses())
    while some := list(islice(rest, _LOOK_UP_AT_ONCE)):
        spellings = set().union(*map(list_spellings, some))
        _note_rows(table, found.filter(address__in=sorted(spellings)).values_list(*_COLUMNS), since)


def _note_rows(table: KnownTable, rows: Iterable[tuple[Any, ...]], since: datetime) -> None:
    for pk, address, category, basic, created_at, reused_from in rows:
        place, made_at = table.find(key_of(address)), reused_from or created_at
        if place >= 0 and made_at >= since:
            table.note(place, pk, made_at, decided=category != Category.UNKNOWN, basic=basic)
