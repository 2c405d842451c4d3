"""What is known of the addresses of a list: found before its start, kept in a file, and divided into chunks at the
start.

A known row is [position, address, source]. The source is the id of an earlier result, or the negative id of a sample.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import timedelta
from itertools import chain, islice
from pathlib import Path
from typing import Any, Generic, NamedTuple, Protocol, Self, TypeVar

from django.db.models import Q
from django.utils import timezone

from accounts.organisations.models import Organisation
from billing.subscriptions import entitlements, welcome_credits
from billing.subscriptions.welcome_credits import Checks
from validation.batches.models import Batch, BatchStatus
from validation.batches.reuse.finding import Scope, note_verdicts, shown_to
from validation.batches.reuse.keys import KnownTable, key_of
from validation.batches.samples.models import Sample
from validation.batches.samples.verdicts import find_sample, list_decided
from validation.results.models import Category, Result

DAYS_AT_MOST = 30
_LINE_ROWS = 500

Row = list[Any]
Chunks = Callable[[], Iterable[Iterable[Any]]]
"""Gives the rows [position, address] of a list in their chunks, each time that it is called."""


@dataclass(frozen=True, slots=True)
class KnownAddresses:
    """What is known of a list's addresses.

    `count`: verdicts of earlier lists and single checks to take over, made between the dates `first` and `last` (ISO
    8601). `sampled`: those of the list's own sample, `sample`. `full`: only verdicts by full checks, because the list
    would run these. `same_as`: the list {name, date} that had the same addresses, where all are known.
    """

    count: int = 0
    sampled: int = 0
    first: str | None = None
    last: str | None = None
    full: bool = True
    same_as: dict[str, str] | None = None
    sample: int | None = None

    @classmethod
    def from_json(cls, stored: dict[str, Any] | None) -> Self:
        return cls(**stored or {})

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @property
    def reused(self) -> int:
        """The number of addresses that cost nothing."""
        return self.count + self.sampled


@dataclass(frozen=True, slots=True)
class ListOfAddresses:
    """A list before its start. Its first `possible` rows are of possible syntax and can cost a credit each."""

    organisation: Organisation
    chunks: Chunks
    possible: int
    content_hash: str
    person_id: int | None

    def rows(self) -> Iterator[Any]:
        """The rows that may take a verdict over."""
        return islice(chain.from_iterable(self.chunks()), self.possible)

    def addresses(self) -> Iterator[str]:
        return (row[1] for row in self.rows())


class Finding:
    """The verdicts that a list can take over: those of up to `days` days, and those of its sample."""

    def __init__(self, those: ListOfAddresses, *, days: int) -> None:
        self._list = those
        self._sample = find_sample(those.organisation, those.content_hash)
        self._sampled = list_decided(self._sample) if self._sample else frozenset[str]()
        self._table = KnownTable(those.addresses() if days or self._sampled else ())
        if days:
            since = timezone.now() - timedelta(days=days)
            note_verdicts(self._table, those.addresses, Scope(those.organisation, since, those.person_id))
        self._sampled = self._keep_newest(self._sample, self._sampled)
        self.known = self._sum_up()

    def rows(self) -> Iterator[Row]:
        """The known rows, in the order of the list."""
        for position, address in self._list.rows() if self.known.reused else ():
            source = self._find_source(key_of(address))
            if source:
                yield [position, address, source]

    def _find_source(self, key: str) -> int:
        if self.known.sampled and self._sample and key in self._sampled:
            return -self._sample.pk
        place = self._table.find(key)
        return self._table.newest(place, full_only=self.known.full) if place >= 0 else 0

    def _keep_newest(self, sample: Sample | None, keys: frozenset[str]) -> frozenset[str]:
        """Those keys of the sample that are in the list and have no newer verdict, which alone counts for them."""
        if sample is None or sample.ended_at is None:
            return frozenset()
        places = {key: self._table.find(key) for key in keys}
        return frozenset(
            key for key, place in places.items() if place >= 0 and self._table.dated_before(place, sample.ended_at)
        )

    def _sum_up(self) -> KnownAddresses:
        full = self._count(full_only=True)
        cost = self._list.possible - full - len(self._sampled)
        if welcome_credits.choose_checks(self._list.organisation, cost=cost) == Checks.FULL:
            for key in self._sampled:
                self._table.forget(self._table.find(key))
            return self._build(self._count(full_only=True), sampled=len(self._sampled), full=True)
        return self._build(self._count(full_only=False), sampled=0, full=False)

    def _count(self, *, full_only: bool) -> int:
        """The number of verdicts of earlier lists, without those of the sample's addresses where they are full."""
        places = {self._table.find(key) for key in self._sampled} if full_only else set[int]()
        twice = sum(1 for place in places if self._table.newest(place, full_only=True))
        return self._table.count(full_only=full_only) - twice

    def _build(self, count: int, *, sampled: int, full: bool) -> KnownAddresses:
        dates = self._table.find_dates(full_only=full)
        first, last = (date.date().isoformat() for date in dates) if dates else (None, None)
        same = self._find_same() if count and count + sampled == self._list.possible else None
        sample = self._sample.pk if self._sample else None
        return KnownAddresses(count, sampled, first, last, full, same, sample)

    def _find_same(self) -> dict[str, str] | None:
        """The newest list that had just these addresses."""
        mine = Batch.objects.for_org(self._list.organisation).filter(shown_to(self._list.person_id))
        same = mine.filter(content_hash=self._list.content_hash, status=BatchStatus.COMPLETED, expired_at=None)
        found = same.order_by("-id").first() if self._list.content_hash else None
        return {"name": found.filename, "date": found.created_at.date().isoformat()} if found else None


class TakenOver(NamedTuple):
    """What a list takes over at its start. `rows` can be read twice: a list, or `StoredRows`."""

    known: KnownAddresses
    rows: Iterable[Row]


NOTHING = TakenOver(KnownAddresses(), ())


class Countable(Protocol):
    """The contents of a list: how many of its addresses can cost a credit."""

    @property
    def possible(self) -> int: ...


Content = TypeVar("Content", bound=Countable)


class CutList(NamedTuple, Generic[Content]):
    """A list that was read within its credits. `whole`: the first reading, which may be the same."""

    content: Content
    whole: Content
    found: Finding


def read_within(
    credits: int | None,
    *,
    read: Callable[[int | None, Iterable[int]], Content],
    find: Callable[[Content, Content], Finding],
) -> CutList[Content]:
    """Read a list so that so many credits pay for it; what is known costs none.

    `read` reads it within credits, given the positions that cost none. `find` looks up what is known of a reading,
    given the whole list too.
    """
    whole = read(None, ())
    found = find(whole, whole)
    if credits is None or whole.possible - found.known.reused <= credits:
        return CutList(whole, whole, found)
    content = read(credits, (row[0] for row in found.rows()))
    found = find(content, whole)
    if content.possible - found.known.reused > credits:  # so short a list gets full checks, which take over less
        content = read(credits, ())
        found = find(content, whole)
    return CutList(content, whole, found)


def may_know(organisation: Organisation, *, days: int) -> bool:
    """Whether anything may be known of a list's addresses: by earlier lists, if these count, or by its sample."""
    return days > 0 or Sample.objects.for_org(organisation).exclude(verdicts=None).exists()


def write_rows(rows: Iterable[Row], path: Path) -> None:
    """Write known rows to a file, some a line."""
    rest = iter(rows)
    with path.open("w", encoding="utf-8") as file:
        while some := list(islice(rest, _LINE_ROWS)):
            file.write(json.dumps(some) + "\n")


@dataclass(frozen=True, slots=True)
class StoredRows:
    """The known rows of a file; each iteration reads it anew."""

    path: Path

    def __iter__(self) -> Iterator[Row]:
        with self.path.open(encoding="utf-8") as lines:
            for line in lines:
                yield from json.loads(line)


def is_usable(organisation: Organisation, known: KnownAddresses, rows: Iterable[Row]) -> bool:
    """Whether the verdicts that a review has promised can still be taken over.

    Those that were deleted or re-checked to unknown meanwhile cannot, nor basic ones where full checks would run now.
    """
    if not known.full and entitlements.has_full_checks(organisation):
        return False
    return all(_count_usable(organisation, some) == len(some) for some in _list_sources(rows))


def _list_sources(rows: Iterable[Row]) -> Iterator[list[int]]:
    sources = (source for _, _, source in rows if source > 0)
    while some := list(islice(sources, _LINE_ROWS)):
        yield some


def _count_usable(organisation: Organisation, ids: list[int]) -> int:
    found = Result.objects.for_org(organisation).filter(pk__in=ids).exclude(category=Category.UNKNOWN)
    return found.filter(Q(batch=None) | Q(batch__deleted_at=None, batch__expired_at=None)).count()


def divide_chunks(
    chunks: Iterable[Iterable[Any]], known: Iterable[Row], *, size: int
) -> Iterator[tuple[list[Any], bool]]:
    """The chunks of a list at its start: first those that take over verdicts, marked True, then the ordinary ones.

    `known` is read twice, as `TakenOver.rows`.
    """
    rest = iter(known)
    while some := list(islice(rest, size)):
        yield some, True
    others = _leave_out(chain.from_iterable(chunks), iter(known))
    while some := list(islice(others, size)):
        yield some, False


def _leave_out(rows: Iterable[Any], known: Iterator[Row]) -> Iterator[Any]:
    """The rows that are not known. Both are in the same order."""
    ahead = next(known, None)
    for row in rows:
        if ahead is not None and ahead[0] == row[0]:
            ahead = next(known, None)
        else:
            yield row
