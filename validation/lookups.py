"""Reading the history: pages, searches and cursors over a customer's batches and results."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import chain
from operator import attrgetter, or_

from django.contrib.auth.base_user import AbstractBaseUser
from django.db.models import Q, Sum
from django.utils import timezone

from accounts.models import User
from emailcheck.common import paging
from emailcheck.common.errors import NotFound
from emailcheck.common.text import storable
from validation import rollups
from validation.day_models import Source
from validation.models import (
    ACTIVE,
    ENDED,
    Batch,
    BatchQuerySet,
    Category,
    Chunk,
    ChunkState,
    Result,
    ResultQuerySet,
    Upload,
)
from validation.ranges import Key, Order, count, first_keys, rows_of
from validation.results import address

DASHBOARD_ROWS = 50
_COLUMNS = {"row": "position", "email": "address", "category": "category", "confidence": "confidence"}


def batch_for(user: User, public_id: str, *, deleted: bool = False) -> Batch:
    """The batch of that id; a deleted one only where that is no matter.

    Raises `NotFound` for unknown and foreign ones alike (VAL-040).
    """
    mine = Batch.objects.filter(user=user, test=user.in_test_mode) if deleted else Batch.objects.for_user(user)
    batch = mine.select_related("user").filter(public_id=public_id).first()
    if batch is None:
        raise NotFound("Batch not found")
    return batch


def owns_list(user: AbstractBaseUser, public_id: str) -> bool:
    """Whether a user has a batch of that id."""
    return Batch.objects.filter(user_id=user.pk, deleted_at=None, public_id=public_id).exists()


def upload_for(user: User, public_id: str) -> Upload:
    """The upload of that id until it expires. Raises `NotFound` for unknown and foreign ones alike."""
    upload = Upload.objects.for_user(user).filter(public_id=public_id, expires_at__gt=timezone.now()).first()
    if upload is None:
        raise NotFound("Upload not found")
    return upload


def result_for(user: User, result_id: int) -> Result:
    """The result of that id. Raises `NotFound` for unknown and foreign ones alike."""
    result = Result.objects.for_user(user).filter(pk=result_id).first()
    if result is None:
        raise NotFound("Result not found")
    return result


def results_for_address(user: User, email: str, *, limit: int) -> list[Result]:
    """The newest results of an account for exactly this address, in lists or not; letter case is no matter."""
    same = Result.objects.without_evidence().filter(category__in=Category.values, address=address(email.strip()))
    lists = Batch.objects.for_user(user).values("pk")
    listed = same.filter(batch__in=lists).select_related("batch").order_by("-id")[:limit]
    singles = same.filter(user=user).individual().order_by("-id")[:limit]
    return sorted([*listed, *singles], key=attrgetter("pk"), reverse=True)[:limit]


def recent(user: User, *, limit: int) -> list[Result]:
    """The newest results of an account, from lists or not."""
    return list(Result.objects.for_user(user).without_evidence().order_by("-id")[:limit])


@dataclass(frozen=True, slots=True)
class History:
    """A page of the batches, of the single checks and of all results."""

    batches: list[Batch]
    batches_total: int
    batches_next: str | None
    individual: list[Result]
    individual_total: int
    individual_next: str | None
    flat: list[Result]
    flat_total: int
    page: int


@dataclass(frozen=True, slots=True)
class Wanted:
    """What of the history is asked for."""

    user: User
    search: str
    category: str | None
    sort: str

    @property
    def descending(self) -> bool:
        return self.sort.startswith("-")

    @property
    def by_name(self) -> bool:
        return self.sort.removeprefix("-") == "name"

    @property
    def singles(self) -> ResultQuerySet:
        mine = Result.objects.for_user(self.user)
        return mine.filter(batch__batch_type="") if self.user.in_test_mode else mine.individual()

    @property
    def in_lists(self) -> ResultQuerySet:
        return Result.objects.filter(batch__in=self.batches.values("pk"))

    @property
    def batches(self) -> BatchQuerySet:
        """The lists; in test mode single checks have batches of their own, without a type."""
        mine = Batch.objects.for_user(self.user)
        return mine.exclude(batch_type="") if self.user.in_test_mode else mine


def history(
    user: User, *, page: int, page_size: int, search: str, active: bool, sort: str, cursor: str,
    category: str | None = None,
) -> History:  # fmt: skip
    """What an account has had checked: the first page of each part, or the next one of the part that made `cursor`.

    `active` asks for running batches alone. Raises `BadInput` for a cursor that is not ours.
    """
    wanted = Wanted(user, search, category, sort)
    part, key = _where(cursor, sort)
    batches, batches_total, batches_next = _batches(wanted, key if part == "batches" else None, active=active)
    singles, singles_next = _singles(wanted, key if part == "individual" else None, nothing=active)
    totals = _totals(wanted) if not active else (0, 0)
    return History(
        batches=[] if part == "individual" else batches,
        batches_total=batches_total,
        batches_next=None if part == "individual" else batches_next,
        individual=[] if part == "batches" else singles,
        individual_total=totals[0],
        individual_next=None if part == "batches" else singles_next,
        flat=[] if active or part else _flat(wanted, page, page_size),
        flat_total=totals[1],
        page=page,
    )


def _where(cursor: str, sort: str) -> tuple[str, Key | None]:
    """Which part a cursor goes on with, and behind what."""
    if not cursor:
        return "", None
    ended, number = paging.decode(cursor, sort, "cursor")
    part, value = ended if isinstance(ended, list) and len(ended) == 2 else ("", None)
    kind = "name" if sort.removeprefix("-") == "name" else "created"
    if part not in ("batches", "individual"):
        raise paging.not_valid(cursor, "cursor")
    return part, _key(cursor, kind, value, number)


def _batches(wanted: Wanted, after: Key | None, *, active: bool) -> tuple[list[Batch], int, str | None]:
    """By a part of the file name: an account has far fewer lists than results."""
    found = wanted.batches.select_related("user")
    if active:
        found = found.active()
    if wanted.search:
        found = found.filter(filename__icontains=wanted.search)
    if wanted.category:
        found = found.filter(Q(**{f"{wanted.category}_count__gt": 0}) | Q(status__in=ACTIVE))
    total = found.count()
    order = Order("filename" if wanted.by_name else "id", "id", wanted.descending)
    behind = reduce(or_, order.behind(after, ""))
    rows = list(found.filter(behind).order_by(*order.by)[: DASHBOARD_ROWS + 1])
    keys = [(getattr(row, order.column), row.pk) for row in rows]
    return rows[:DASHBOARD_ROWS], total, _next_part("batches", wanted, keys)


def _singles(wanted: Wanted, after: Key | None, *, nothing: bool) -> tuple[list[Result], str | None]:
    if nothing:
        return [], None
    order = Order("address" if wanted.by_name else "id", "id", wanted.descending)
    keys = first_keys(
        wanted.singles, order, search=wanted.search, category=wanted.category, after=after, limit=DASHBOARD_ROWS + 1
    )
    rows = rows_of(wanted.singles, order, keys[:DASHBOARD_ROWS])
    return rows, _next_part("individual", wanted, keys)


def _next_part(part: str, wanted: Wanted, keys: Sequence[Key]) -> str | None:
    if len(keys) <= DASHBOARD_ROWS:
        return None
    value, number = keys[DASHBOARD_ROWS - 1]
    return paging.encode([wanted.sort, [part, value], number])


def _totals(wanted: Wanted) -> tuple[int, int]:
    """How many single checks and how many results there are: from the daily counts, or those that a search finds."""
    if wanted.search:
        single = count(wanted.singles, search=wanted.search, category=wanted.category)
        return single, single + count(wanted.in_lists, search=wanted.search, category=wanted.category)
    name = f"{wanted.category}_count" if wanted.category else "processed"
    single, listed = (rollups.of_account(wanted.user, source=source)[name] for source in (Source.SINGLE, Source.LIST))
    return single, single + listed


def _flat(wanted: Wanted, page: int, page_size: int) -> list[Result]:
    """A page of all results, newest first."""
    first = (page - 1) * page_size
    order = Order("id", "id", descending=True)
    every = Result.objects.for_user(wanted.user)
    if wanted.search:
        parts = [
            first_keys(
                found, order, search=wanted.search, category=wanted.category, after=None, limit=first + page_size
            )
            for found in (wanted.singles, wanted.in_lists)
        ]
        keys = sorted(chain(*parts), reverse=True)[first : first + page_size]
        return rows_of(every, order, keys)
    found = every.filter(category=wanted.category) if wanted.category else every
    keys = list(found.order_by("-id").values_list("id", "id")[first : first + page_size])
    return rows_of(every, order, keys)


@dataclass(frozen=True, slots=True)
class Page:
    rows: list[Result]
    total: int
    next: str | None


def explore(batch: Batch, *, cursor: str, category: str | None, search: str, sort: str, page_size: int) -> Page:
    """A page of a batch's results behind an opaque cursor: a constant number of queries, at any depth.

    Raises `BadInput` for a cursor that is not ours or belongs to another sort.
    """
    found = Result.objects.filter(batch=batch)
    name = sort.removeprefix("-")
    order = Order(_COLUMNS[name], "position", descending=sort.startswith("-"))
    after = _key(cursor, name, *paging.decode(cursor, sort, "cursor")) if cursor else None
    keys = first_keys(found, order, search=search, category=category, after=after, limit=page_size + 1)
    total = count(found, search=search, category=category) if search else stored_count(batch, category)
    return Page(
        rows=rows_of(found, order, keys[:page_size]),
        total=total if keys or cursor else 0,
        next=paging.encode([sort, *keys[page_size - 1]]) if len(keys) > page_size else None,
    )


def stored_count(batch: Batch, category: str | None = None) -> int:
    """How many results of a batch are stored, by its counts: of one on its way for the first time, by its chunks'."""
    name = f"{category}_count" if category else "processed"
    if batch.status in ENDED or batch.second_look_at:
        return int(getattr(batch, name))
    done = Chunk.objects.filter(batch=batch, state=ChunkState.DONE)
    return done.aggregate(total=Sum(name))["total"] or 0


def _key(cursor: str, kind: str, value: object, number: object) -> Key:
    """The key that a page ended with. Raises `BadInput` for what no page can have ended with."""
    if not isinstance(number, int) or isinstance(number, bool) or not _CAN_END[kind](value):
        raise paging.not_valid(cursor, "cursor")
    return value, number


def _is_number(value: object) -> bool:
    return type(value) is int


def _is_fraction(value: object) -> bool:
    return isinstance(value, float) and math.isfinite(value)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and value == storable(value)


_CAN_END: dict[str, Callable[[object], bool]] = {
    "created": _is_number,
    "name": _is_text,
    "row": _is_number,
    "email": _is_text,
    "category": _is_text,
    "confidence": _is_fraction,
}
