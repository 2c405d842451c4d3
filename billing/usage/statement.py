"""The statement: every movement with its reason and the balance after it, oldest first; and what is being paid."""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.db import models
from django.db.models import Max, OuterRef, QuerySet, Subquery, Sum

from accounts.activity import audit_log
from accounts.activity.models import ActivityKind
from accounts.organisations.models import Organisation
from billing.catalogue.price_tables import format_dollars
from billing.ledger import reasons
from billing.ledger import services as ledger
from billing.ledger.credit_months import add_months
from billing.ledger.models import CreditEntry, LotKind
from billing.payments import pending
from billing.payments.models import Payment, PaymentKind, PaymentState
from billing.payments.wording import NOT_MADE
from emailcheck.common.api import pagination
from emailcheck.common.errors import BadInput
from emailcheck.common.text import csv_cells

PAGE_ROWS = 100
COLUMNS = ("Time (UTC)", "Reason", "Reference", "Lot", "Lot expires (UTC)", "Amount", "Balance", "Paid (UTC)")
_CURSOR = "statement"
_SINGLE = "single"


class LineState(models.TextChoices):
    """Credits moved, or a payment that will bring some is held back, or came to nothing."""

    MOVED = "moved"
    PENDING = "pending"
    NOT_MADE = "not_made"


@dataclass(frozen=True, slots=True)
class StatementLine:
    """A movement and the balance after it; `reference` is the batch or the payment, where there is one.

    `paid_at` is the provider's time of the payment that brought the credits, which came at `time`.
    A payment that PayPal holds back, or held back for nothing, is a line that moves 0 credits.
    """

    time: datetime
    reason: str
    reference: str | None
    paid_at: datetime | None
    lot: str
    lot_expires_at: datetime | None
    amount: int
    balance: int
    state: LineState = LineState.MOVED


@dataclass(frozen=True, slots=True)
class Statement:
    entries: list[StatementLine]
    opening_balance: int
    closing_balance: int
    next: str | None


def build_statement(organisation: Organisation, *, names_lists: bool, month: str = "", cursor: str = "") -> Statement:
    """A page of a calendar month (`YYYY-MM`, UTC), or of everything; `names_lists` for who sees them. Raises `BadInput`
    for another month or cursor."""
    ledger.write_off_expired(organisation_id=organisation.pk)
    starts, ends = _parse_month(month)
    before, found = _split_entries(organisation, starts, ends)
    opening = _sum_amounts(before)
    closing = opening + _sum_amounts(found)
    running = opening
    if cursor:
        _, last = pagination.decode_cursor(cursor, _CURSOR, "cursor")
        shown = found.filter(pk__lte=last)
        running += _sum_amounts(shown)
        starts = shown.aggregate(last=Max("created_at"))["last"] or starts
        found = found.filter(pk__gt=last)
    rows = list(found.select_related("lot").order_by("pk")[: PAGE_ROWS + 1])
    page, after = rows[:PAGE_ROWS], None
    if len(rows) > PAGE_ROWS:
        after, ends = pagination.encode_cursor(_CURSOR, "", page[-1].pk), page[-1].created_at
    held = pending.list_held_payments(organisation, since=starts, until=ends)
    return Statement(list(_build_lines(page, held, running, names_lists)), opening, closing, after)


def stream_csv(organisation: Organisation, *, names_lists: bool, month: str = "") -> Iterator[str]:
    """The lines of the statement as a CSV file, which the audit notes; `names_lists` for who sees them. Raises
    `BadInput` before the first line."""
    ledger.write_off_expired(organisation_id=organisation.pk)
    starts, ends = _parse_month(month)
    audit_log.record_activity(
        organisation=organisation,
        kind=ActivityKind.EXPORT,
        action="Credit statement exported",
        target=month or "all of it",
    )
    before, found = _split_entries(organisation, starts, ends)
    entries = found.select_related("lot").order_by("pk").iterator(2_000)
    held = pending.list_held_payments(organisation, since=starts, until=ends)
    return csv_cells.write_csv_lines(_build_rows(_build_lines(entries, held, _sum_amounts(before), names_lists)))


def _build_rows(lines: Iterator[StatementLine]) -> Iterator[tuple[Any, ...]]:
    yield COLUMNS
    for line in lines:
        yield (
            line.time.isoformat(timespec="seconds"),
            line.reason,
            line.reference or "",
            line.lot,
            _format_expiry(line),
            line.amount,
            line.balance,
            line.paid_at.isoformat(timespec="seconds") if line.paid_at else "",
        )


def _format_expiry(line: StatementLine) -> str:
    if line.state != LineState.MOVED:
        return ""
    return line.lot_expires_at.isoformat(timespec="seconds") if line.lot_expires_at else "never"


def _build_lines(
    entries: Iterable[Any], held: Iterable[Payment], balance: int, names_lists: bool
) -> Iterator[StatementLine]:
    """Movements, with the payments that moved nothing (so far) among them, in the order of time."""
    payments = deque(held)
    for entry in entries:
        while payments and payments[0].created_at < entry.created_at:
            yield _build_payment_line(payments.popleft(), balance)
        balance += entry.amount
        yield StatementLine(
            time=entry.created_at,
            reason=entry.reason if names_lists else reasons.hide_list_name(entry.reason),
            reference=_shorten_reference(entry.reference),
            paid_at=entry.paid_at,
            lot=entry.lot.kind,
            lot_expires_at=entry.lot.expires_at,
            amount=entry.amount,
            balance=balance,
        )
    for payment in payments:
        yield _build_payment_line(payment, balance)


def _build_payment_line(payment: Payment, balance: int) -> StatementLine:
    waits = payment.state == PaymentState.PENDING
    what = f"{payment.description}, {format_dollars(payment.amount)}"
    return StatementLine(
        time=payment.created_at,
        reason=f"{what}: pending at PayPal" if waits else f"{what}. {NOT_MADE}",
        reference=payment.provider_id,
        paid_at=None,
        lot=LotKind.PACK if payment.kind == PaymentKind.CREDITS else LotKind.PLAN,
        lot_expires_at=None,
        amount=0,
        balance=balance,
        state=LineState.PENDING if waits else LineState.NOT_MADE,
    )


def _shorten_reference(text: str) -> str | None:
    """A batch that went on in several parts has one name; a single check has none that leads anywhere."""
    name = text.partition(":")[0]
    return None if name in {"", _SINGLE} else name


def _split_entries(
    organisation: Organisation, starts: datetime | None, ends: datetime | None
) -> tuple[QuerySet[CreditEntry], QuerySet[CreditEntry]]:
    """The movements before a month, and those in it."""
    paid = Payment.objects.filter(provider_id=OuterRef("reference"), organisation=OuterRef("organisation"))
    mine = CreditEntry.objects.filter(organisation=organisation).annotate(paid_at=Subquery(paid.values("captured_at")))
    if starts is None or ends is None:
        return mine.none(), mine
    return mine.filter(created_at__lt=starts), mine.filter(created_at__gte=starts, created_at__lt=ends)


def _parse_month(month: str) -> tuple[datetime | None, datetime | None]:
    """When a month begins and ends; None for everything."""
    if not month:
        return None, None
    try:
        starts = datetime.strptime(month, "%Y-%m").replace(tzinfo=UTC)
        return starts, add_months(starts, 1)
    except ValueError as error:
        raise BadInput("The month must be written as YYYY-MM.", field="month", value=month) from error


def _sum_amounts(entries: QuerySet[CreditEntry]) -> int:
    return entries.aggregate(total=Sum("amount"))["total"] or 0
