"""The statement: every movement with its reason and the balance after it, oldest first."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery, Sum

from accounts.models import User
from billing import services
from billing.models import CreditEntry, Payment
from billing.months import add_months
from emailcheck.common import cells, paging
from emailcheck.common.errors import BadInput

PAGE_ROWS = 100
COLUMNS = ("Time (UTC)", "Reason", "Reference", "Lot", "Lot expires (UTC)", "Amount", "Balance", "Paid (UTC)")
_CURSOR = "statement"
_SINGLE = "single"


@dataclass(frozen=True, slots=True)
class Line:
    """A movement and the balance after it; `reference` is the batch or the payment, where there is one.

    `paid_at` is the provider's time of the payment that brought the credits, which came at `time`.
    """

    time: datetime
    reason: str
    reference: str | None
    paid_at: datetime | None
    lot: str
    lot_expires_at: datetime | None
    amount: int
    balance: int


@dataclass(frozen=True, slots=True)
class Statement:
    entries: list[Line]
    opening_balance: int
    closing_balance: int
    next: str | None


def read(user: User, *, month: str = "", cursor: str = "") -> Statement:
    """A page of a calendar month (`YYYY-MM`, UTC), or of everything. Raises `BadInput` for another month or cursor."""
    services.write_off(user_id=user.pk)
    before, found = _within(user, month)
    opening = _sum(before)
    closing = opening + _sum(found)
    running = opening
    if cursor:
        last = _last(cursor)
        running += _sum(found.filter(pk__lte=last))
        found = found.filter(pk__gt=last)
    rows = list(found.select_related("lot").order_by("pk")[: PAGE_ROWS + 1])
    page = rows[:PAGE_ROWS]
    after = paging.encode([_CURSOR, "", page[-1].pk]) if len(rows) > PAGE_ROWS else None
    return Statement(list(_lines(page, running)), opening, closing, after)


def csv_file(user: User, *, month: str = "") -> Iterator[str]:
    """The lines of the statement as a CSV file. Raises `BadInput` before the first line."""
    services.write_off(user_id=user.pk)
    before, found = _within(user, month)
    entries = found.select_related("lot").order_by("pk").iterator(2_000)
    return cells.csv_lines(_table(_lines(entries, _sum(before))))


def _table(lines: Iterator[Line]) -> Iterator[tuple[Any, ...]]:
    yield COLUMNS
    for line in lines:
        expires = line.lot_expires_at.isoformat(timespec="seconds") if line.lot_expires_at else "never"
        yield (
            line.time.isoformat(timespec="seconds"),
            line.reason,
            line.reference or "",
            line.lot,
            expires,
            line.amount,
            line.balance,
            line.paid_at.isoformat(timespec="seconds") if line.paid_at else "",
        )


def _lines(entries: Any, balance: int) -> Iterator[Line]:
    for entry in entries:
        balance += entry.amount
        yield Line(
            time=entry.created_at,
            reason=entry.reason,
            reference=_reference(entry.reference),
            paid_at=entry.paid_at,
            lot=entry.lot.kind,
            lot_expires_at=entry.lot.expires_at,
            amount=entry.amount,
            balance=balance,
        )


def _reference(text: str) -> str | None:
    """A batch that went on in several parts has one name; a single check has none that leads anywhere."""
    name = text.partition(":")[0]
    return None if name in {"", _SINGLE} else name


def _within(user: User, month: str) -> tuple[QuerySet[CreditEntry], QuerySet[CreditEntry]]:
    """The movements before the month, and those in it."""
    paid = Payment.objects.filter(provider_id=OuterRef("reference"), user=OuterRef("user"))
    mine = CreditEntry.objects.filter(user=user).annotate(paid_at=Subquery(paid.values("captured_at")))
    if not month:
        return mine.none(), mine
    starts = _month(month)
    return mine.filter(created_at__lt=starts), mine.filter(created_at__gte=starts, created_at__lt=add_months(starts, 1))


def _month(text: str) -> datetime:
    try:
        starts = datetime.strptime(text, "%Y-%m").replace(tzinfo=UTC)
        add_months(starts, 1)
    except ValueError as error:
        raise BadInput("The month must be written as YYYY-MM.", field="month", value=text) from error
    return starts


def _last(cursor: str) -> int:
    _, last = paging.decode(cursor, _CURSOR, "cursor")
    if type(last) is not int:
        raise paging.not_valid(cursor, "cursor")
    return last


def _sum(entries: QuerySet[CreditEntry]) -> int:
    return entries.aggregate(total=Sum("amount"))["total"] or 0
