"""Payments for staff: search, detail, and what a refund would do."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.db import models
from django.db.models import Q, Sum
from django.utils import timezone

from accounts.users import ownership
from billing.invoices.models import Invoice
from billing.payments.models import Payment, PaymentKind, PaymentState, Refund, RefundState
from billing.refunds import clawbacks
from billing.refunds import services as refunds
from billing.refunds.guarantee import evaluate_guarantee
from emailcheck.common.api import pagination
from emailcheck.common.errors import NotFound

PAGE_ROWS = 50
DELETED_ACCOUNT = "Deleted account"


class ShownState(models.TextChoices):
    """The state of a payment as staff see it."""

    CAPTURED = "captured"
    REFUNDED = "refunded"
    PENDING = "pending"
    FAILED = "failed"


class ReportRange(models.TextChoices):
    WEEK = "7d"
    MONTH = "30d"
    QUARTER = "90d"
    YEAR = "1y"
    ALL = "all"


_STATES = {
    PaymentState.COMPLETED: ShownState.CAPTURED,
    PaymentState.REFUNDED: ShownState.REFUNDED,
    PaymentState.REVERSED: ShownState.REFUNDED,
    PaymentState.PENDING: ShownState.PENDING,
    PaymentState.DECLINED: ShownState.FAILED,
    PaymentState.LAPSED: ShownState.FAILED,
}
_DAYS = {ReportRange.WEEK: 7, ReportRange.MONTH: 30, ReportRange.QUARTER: 90, ReportRange.YEAR: 365}


@dataclass(frozen=True, slots=True)
class PaymentPage:
    """A page of payments, newest first; `refunded_total` covers the whole range, whatever the search."""

    payments: list[Payment]
    total: int
    refunded_total: Decimal
    next: str | None


def search_payments(
    *, search: str = "", status: str = "", range: str = ReportRange.ALL, cursor: str = ""
) -> PaymentPage:
    """Payments by organisation or its owners, by number of an invoice or credit note, or by an id of PayPal's.

    Raises `BadInput` for a cursor that is not ours.
    """
    begin = find_range_start(range)
    payments = Payment.objects.select_related("organisation__holder", "invoice")
    if begin:
        payments = payments.filter(created_at__gte=begin)
    if status:
        payments = payments.filter(state__in=[state for state, shown in _STATES.items() if shown == status])
    if search.strip():
        payments = payments.filter(_build_search_filter(search.strip()))
    rows, after = pagination.page_newest(payments, size=PAGE_ROWS, cursor=cursor)
    ownership.read_owners(row.organisation for row in rows)
    return PaymentPage(rows, payments.count(), _sum_refunded(begin), after)


def load_payment(payment_id: int) -> Payment:
    """Raises `NotFound`."""
    found = (
        Payment.objects.select_related("organisation__holder", "invoice", "agreement", "refund")
        .filter(pk=payment_id)
        .first()
    )
    if found is None:
        raise NotFound("Payment not found")
    return found


def present_row(payment: Payment) -> dict[str, Any]:
    """A payment in the list."""
    return {
        "id": payment.pk,
        "paypal_id": payment.provider_id,
        "customer": payment.organisation.contact.name if payment.organisation else DELETED_ACCOUNT,
        "customer_email": payment.organisation.contact.email if payment.organisation else "",
        "organisation": payment.organisation.title if payment.organisation else "",
        "kind": PaymentKind.SUBSCRIPTION if payment.kind == PaymentKind.RENEWAL else payment.kind,
        "amount": payment.amount,
        "currency": payment.currency,
        "status": _STATES[PaymentState(payment.state)],
        "date": payment.created_at,
        "invoice_number": payment.invoice.number if hasattr(payment, "invoice") else None,
    }


def present_detail(payment: Payment) -> dict[str, Any]:
    """A payment with the guarantee, what is left of its credits, what a refund would end, and its refund."""
    applies, reason = evaluate_guarantee(payment)
    refund: Refund | None = getattr(payment, "refund", None)
    if refund is not None and refund.state == RefundState.FAILED:
        refund = None
    document: Invoice | None = getattr(payment, "invoice", None)
    return present_row(payment) | {
        "invoice_id": document and document.pk,
        "names_buyer": bool(document and document.buyer),
        "learnt_at": payment.recorded_at,
        "description": payment.description,
        "guarantee_applies": applies,
        "guarantee_reason": reason,
        "credits_unspent": clawbacks.count_unspent_credits(payment),
        "ends_plan": refunds.ends_plan(payment),
        "refund": refund and {"amount": refund.amount, "date": refund.done_at, "reason": refund.reason},
    }


def find_range_start(range: str) -> datetime | None:
    """When a range begins; None for all time."""
    days = _DAYS.get(ReportRange(range))
    return timezone.now() - timedelta(days=days) if days else None


def _sum_refunded(since: datetime | None) -> Decimal:
    done = Refund.objects.filter(state=RefundState.DONE)
    if since:
        done = done.filter(done_at__gte=since)
    return done.aggregate(sum=Sum("amount"))["sum"] or Decimal(0)


def _build_search_filter(text: str) -> Q:
    customer = ownership.match_organisations(text) | Q(payer_email__iexact=text)
    document = Q(invoice__number__iexact=text) | Q(refund__credit_note__number__iexact=text)
    at_paypal = (
        Q(provider_id__iexact=text)
        | Q(refund__provider_id__iexact=text)
        | Q(agreement__provider_id__iexact=text)
        | Q(purchase__provider_id__iexact=text)
    )
    return customer | document | at_paypal
