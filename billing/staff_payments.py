"""What staff see of payments: found, looked at one by one, with what a refund would do."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.db import models
from django.db.models import Q, Sum
from django.utils import timezone

from billing import refunds, taken_back
from billing.models import Invoice, Payment, PaymentKind, PaymentState, Refund, RefundState
from emailcheck.common import paging
from emailcheck.common.dates import on_day
from emailcheck.common.errors import NotFound

PAGE_ROWS = 50
GUARANTEE = timedelta(days=30)
NOBODY = "Deleted account"
_PLAN_KINDS = (PaymentKind.SUBSCRIPTION, PaymentKind.RENEWAL, PaymentKind.PLAN_CHANGE)


class Shown(models.TextChoices):
    """The state of a payment as staff see it."""

    CAPTURED = "captured"
    REFUNDED = "refunded"
    PENDING = "pending"
    FAILED = "failed"


class Range(models.TextChoices):
    WEEK = "7d"
    MONTH = "30d"
    QUARTER = "90d"
    YEAR = "1y"
    ALL = "all"


_STATES = {
    PaymentState.COMPLETED: Shown.CAPTURED,
    PaymentState.REFUNDED: Shown.REFUNDED,
    PaymentState.REVERSED: Shown.REFUNDED,
    PaymentState.PENDING: Shown.PENDING,
    PaymentState.DECLINED: Shown.FAILED,
    PaymentState.LAPSED: Shown.FAILED,
}
_DAYS = {Range.WEEK: 7, Range.MONTH: 30, Range.QUARTER: 90, Range.YEAR: 365}


@dataclass(frozen=True, slots=True)
class Found:
    """A page of payments, newest first; `refunded_total` is what went back in the range, whatever was searched."""

    payments: list[Payment]
    total: int
    refunded_total: Decimal
    next: str | None


def find(*, search: str = "", status: str = "", range: str = Range.ALL, cursor: str = "") -> Found:
    """Payments by customer, by number of an invoice or credit note, or by an id of PayPal's.

    Raises `BadInput` for a cursor that is not ours.
    """
    begin = since(range)
    payments = Payment.objects.select_related("user", "invoice")
    if begin:
        payments = payments.filter(created_at__gte=begin)
    if status:
        payments = payments.filter(state__in=[state for state, shown in _STATES.items() if shown == status])
    if search.strip():
        payments = payments.filter(_matches(search.strip()))
    rows, after = paging.newest(payments, size=PAGE_ROWS, cursor=cursor)
    return Found(rows, payments.count(), _refunded(begin), after)


def one(payment_id: int) -> Payment:
    """Raises `NotFound`."""
    found = Payment.objects.select_related("user", "invoice", "agreement", "refund").filter(pk=payment_id).first()
    if found is None:
        raise NotFound("Payment not found")
    return found


def row(payment: Payment) -> dict[str, Any]:
    """A payment in the list."""
    return {
        "id": payment.pk,
        "paypal_id": payment.provider_id,
        "customer": payment.user.name if payment.user else NOBODY,
        "customer_email": payment.user.email if payment.user else "",
        "kind": PaymentKind.SUBSCRIPTION if payment.kind == PaymentKind.RENEWAL else payment.kind,
        "amount": payment.amount,
        "currency": payment.currency,
        "status": _STATES[PaymentState(payment.state)],
        "date": payment.created_at,
        "invoice_number": payment.invoice.number if hasattr(payment, "invoice") else None,
    }


def detail(payment: Payment) -> dict[str, Any]:
    """A payment with the guarantee, what is left of its credits, what a refund would end, and its refund."""
    applies, reason = guarantee(payment)
    refund: Refund | None = getattr(payment, "refund", None)
    if refund is not None and refund.state == RefundState.FAILED:
        refund = None
    document: Invoice | None = getattr(payment, "invoice", None)
    return row(payment) | {
        "invoice_id": document and document.pk,
        "names_buyer": bool(document and document.buyer),
        "learnt_at": payment.learnt_at,
        "description": payment.description,
        "guarantee_applies": applies,
        "guarantee_reason": reason,
        "credits_unspent": taken_back.unspent(payment),
        "ends_plan": refunds.ends_plan(payment),
        "refund": refund and {"amount": refund.amount, "date": refund.done_at, "reason": refund.reason},
    }


def guarantee(payment: Payment) -> tuple[bool, str]:
    """Whether the 30-day guarantee of first-time subscribers holds (PUB-085, PUB-089), and why."""
    if payment.state != PaymentState.COMPLETED or payment.captured_at is None:
        return False, "The guarantee is for payments that were captured and not refunded."
    if payment.user_id is None:
        return False, "The account was deleted, so nobody knows whether this was its first subscription."
    if payment.kind != PaymentKind.SUBSCRIPTION:
        return False, "The guarantee is for the first payment of a subscription."
    if _paid_before(payment):
        return False, "The customer had paid for a subscription before."
    ends = payment.captured_at + GUARANTEE
    if timezone.now() > ends:
        return False, f"The 30 days ended on {on_day(ends)}."
    return True, f"First subscription of this customer; the 30 days end on {on_day(ends)}."


def _paid_before(payment: Payment) -> bool:
    earlier = Payment.objects.filter(user=payment.user, kind__in=_PLAN_KINDS)
    return earlier.filter(captured_at__lt=payment.captured_at).exclude(pk=payment.pk).exists()


def since(range: str) -> datetime | None:
    """When a range begins; None for all time."""
    days = _DAYS.get(Range(range))
    return timezone.now() - timedelta(days=days) if days else None


def _refunded(since: datetime | None) -> Decimal:
    done = Refund.objects.filter(state=RefundState.DONE)
    if since:
        done = done.filter(done_at__gte=since)
    return done.aggregate(sum=Sum("amount"))["sum"] or Decimal(0)


def _matches(text: str) -> Q:
    customer = Q(user__email__icontains=text) | Q(user__name__icontains=text) | Q(payer_email__iexact=text)
    document = Q(invoice__number__iexact=text) | Q(refund__credit_note__number__iexact=text)
    at_paypal = (
        Q(provider_id__iexact=text)
        | Q(refund__provider_id__iexact=text)
        | Q(agreement__provider_id__iexact=text)
        | Q(purchase__provider_id__iexact=text)
    )
    return customer | document | at_paypal
