"""Payments that the provider holds, or held before they failed, as their payer sees them."""

from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet

from accounts.organisations.models import Organisation
from billing.payments import wording
from billing.payments.models import (
    CAME_TO_NOTHING,
    Payment,
    PaymentKind,
    PaymentState,
    Purchase,
    PurchaseKind,
    PurchaseState,
)
from emailcheck.common.errors import Conflict

_PLANS = (PurchaseKind.SUBSCRIPTION, PurchaseKind.PLAN_CHANGE)


def list_waiting_payments(organisation: Organisation) -> QuerySet[Payment]:
    """Those that the provider holds back, oldest first."""
    return (
        Payment.objects.waiting()
        .filter(organisation=organisation)
        .select_related("purchase")
        .order_by("created_at", "pk")
    )


def list_held_payments(
    organisation: Organisation, *, since: datetime | None = None, until: datetime | None = None
) -> list[Payment]:
    """Held payments, and those that failed after they were held, oldest first; `since` ≤ time < `until`."""
    found = Payment.objects.waiting() | Payment.objects.not_made()
    if since is not None:
        found = found.filter(created_at__gte=since)
    if until is not None:
        found = found.filter(created_at__lt=until)
    return list(found.filter(organisation=organisation).order_by("created_at", "pk"))


def check_second_payment(purchase: Purchase, *, is_confirmed: bool) -> None:
    """Refuse to pay twice for the same pack, plan or quote while a payment of the same account for it is held back.

    Raises `Conflict` (`PAYMENT_PENDING`), unless a second payment is confirmed.
    """
    waiting = Payment.objects.waiting().filter(_build_same_thing_filter(purchase), organisation=purchase.organisation)
    if not is_confirmed and waiting.exclude(kind=PaymentKind.RENEWAL).exists():
        raise Conflict(wording.BUY_AGAIN, code="PAYMENT_PENDING")


def choose_public_id(payment: Payment) -> str:
    """The id that the payer sees: that of the purchase, for a renewal the provider's."""
    is_first = payment.purchase is not None and payment.kind != PaymentKind.RENEWAL
    return payment.purchase.public_id if is_first and payment.purchase else payment.provider_id


def present_payment(payment: Payment) -> dict[str, Any]:
    """A held payment as the API answers it (PEN-002): there is nothing left to approve."""
    return {
        "id": choose_public_id(payment),
        "what": payment.description,
        "amount": payment.amount,
        "currency": payment.currency,
        "since": payment.created_at,
        "approve_url": None,
    }


def present_held_renewal(*, organisation: Organisation, token: str) -> dict[str, Any] | None:
    """What became of a renewal that was held back, by the provider's id; None where there is none."""
    held = Payment.objects.filter(organisation=organisation, kind=PaymentKind.RENEWAL, on_hold_at__isnull=False)
    payment = held.filter(provider_id=token).first()
    if payment is None:
        return None
    state, message = PurchaseState.PAID, f"{payment.description}: your payment has arrived."
    if payment.state == PaymentState.PENDING:
        state, message = PurchaseState.PENDING, wording.PENDING
    elif payment.state in CAME_TO_NOTHING:
        state, message = PurchaseState.FAILED, wording.NOT_MADE
    return {"kind": PurchaseKind.SUBSCRIPTION, "state": state, "message": message}


def _build_same_thing_filter(purchase: Purchase) -> Q:
    if purchase.kind == PurchaseKind.CREDITS:
        return Q(purchase__kind=PurchaseKind.CREDITS, purchase__pack=purchase.pack)
    if purchase.kind == PurchaseKind.QUOTE:
        return Q(purchase__kind=PurchaseKind.QUOTE, purchase__reference=purchase.reference)
    return Q(purchase__kind__in=_PLANS, purchase__plan=purchase.plan)
