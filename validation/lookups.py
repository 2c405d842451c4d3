"""Reading the history: pages, searches and cursors over a customer's batches and results."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from emailcheck.common import paging
from emailcheck.common.errors import NotFound
from emailcheck.common.text import storable
from validation.models import Batch, BatchQuerySet, Result, ResultQuerySet, Upload

DASHBOARD_ROWS = 50
_COLUMNS = {"row": "position", "email": "email", "category": "category", "confidence": "confidence"}


def batch_for(user: User, public_id: str, *, deleted: bool = False) -> Batch:
    """The batch of that id; a deleted one only where that is no matter.

    Raises `NotFound` for unknown and foreign ones alike (VAL-040).
    """
    mine = Batch.objects.filter(user=user) if deleted else Batch.objects.for_user(user)
    known = mine.select_related("user").filter(public_id=public_id)
    batch = known.first() if public_id.isprintable() else None
    if batch is None:
        raise NotFound("Batch not found")
    return batch


def upload_for(user: User, public_id: str) -> Upload:
    """The upload of that id until it expires. Raises `NotFound` for unknown and foreign ones alike."""
    known = Upload.objects.for_user(user).filter(public_id=public_id, expires_at__gt=timezone.now())
    upload = known.first() if public_id.isprintable() else None
    if upload is None:
        raise NotFound("Upload not found")
    return upload


def result_for(user: User, result_id: int) -> Result:
    """The result of that id. Raises `NotFound` for unknown and foreign ones alike."""
    result = Result.objects.for_user(user).filter(pk=result_id).first()
    if result is None:
        raise NotFound("Result not found")
    return result


def batches_of(user: User, *, search: str, active: bool) -> BatchQuerySet:
    """The batches of an account, newest first, by a part of the file name."""
    found = Batch.objects.for_user(user).select_related("user").order_by("-id")
    if active:
        found = found.active()
    return found.filter(filename__icontains=search) if search else found


def results_of(user: User, *, search: str, category: str | None) -> ResultQuerySet:
    """The results of an account, newest first, without their evidence."""
    found = Result.objects.for_user(user).without_evidence().order_by("-id")
    if search:
        found = found.filter(email__icontains=search)
    return found.filter(category=category) if category else found


@dataclass(frozen=True, slots=True)
class History:
    """The newest batches and single checks, and a page of all results."""

    batches: list[Batch]
    batches_total: int
    batches_next: str | None
    individual: list[Result]
    individual_total: int
    individual_next: str | None
    flat: list[Result]
    flat_total: int
    page: int


def history(
    user: User, *, page: int, page_size: int, search: str, active: bool, category: str | None = None,
    batches_cursor: str = "", individual_cursor: str = "",
) -> History:  # fmt: skip
    """What an account has had checked, newest first; `active` asks for running batches alone.

    Raises `BadInput` for a cursor that is not ours.
    """
    batches = batches_of(user, search=search, active=active)
    every = Result.objects.none() if active else results_of(user, search=search, category=category)
    single = every.individual()
    first = (page - 1) * page_size
    batch_rows, batches_next = paging.newest(
        batches, size=DASHBOARD_ROWS, cursor=batches_cursor, field="batches_cursor"
    )
    single_rows, individual_next = paging.newest(
        single, size=DASHBOARD_ROWS, cursor=individual_cursor, field="individual_cursor"
    )
    return History(
        batches=batch_rows,
        batches_total=batches.count(),
        batches_next=batches_next,
        individual=single_rows,
        individual_total=single.count(),
        individual_next=individual_next,
        flat=list(every[first : first + page_size]),
        flat_total=every.count(),
        page=page,
    )


@dataclass(frozen=True, slots=True)
class Page:
    rows: list[Result]
    total: int
    next: str | None


def explore(batch: Batch, *, cursor: str, category: str | None, search: str, sort: str, page_size: int) -> Page:
    """A page of a batch's results behind an opaque cursor: a constant number of queries, at any depth.

    Raises `BadInput` for a cursor that is not ours or belongs to another sort.
    """
    found = batch.results.without_evidence()
    if category:
        found = found.filter(category=category)
    if search:
        found = found.filter(email__icontains=search)
    total = found.count()
    column, descending = _COLUMNS[sort.removeprefix("-")], sort.startswith("-")
    sign = "-" if descending else ""
    if cursor:
        found = found.filter(_behind(cursor, sort, column, "lt" if descending else "gt"))
    rows = list(found.order_by(f"{sign}{column}", f"{sign}position")[: page_size + 1])
    more = len(rows) > page_size
    rows = rows[:page_size]
    after = paging.encode([sort, getattr(rows[-1], column), rows[-1].position]) if more else None
    return Page(rows=rows, total=total, next=after)


def _behind(cursor: str, sort: str, column: str, operator: str) -> Q:
    value, position = _decode(cursor, sort)
    later = Q(**{f"{column}__{operator}": value})
    return later | Q(**{column: value, f"position__{operator}": position})


def _decode(cursor: str, sort: str) -> tuple[Any, int]:
    """The value and the number that a page ended with. Raises `BadInput`."""
    value, number = paging.decode(cursor, sort, "cursor")
    if not _is_number(number) or not _CAN_END[sort.removeprefix("-")](value):
        raise paging.not_valid(cursor, "cursor")
    return value, number


def _is_number(value: object) -> bool:
    return type(value) is int


def _is_fraction(value: object) -> bool:
    return isinstance(value, float) and math.isfinite(value)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and value == storable(value)


_CAN_END: dict[str, Callable[[object], bool]] = {
    "row": _is_number,
    "email": _is_text,
    "category": _is_text,
    "confidence": _is_fraction,
}
