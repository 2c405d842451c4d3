"""One-time payments: what PayPal says about an order now becomes our state.

Asking and acting are two steps, because nobody waits for PayPal inside a transaction. Both may run twice and at once.
"""

import logging
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from billing.payments import fulfilment, records, wording
from billing.payments.fulfilment import PaidPurchase
from billing.payments.models import Payment, PaymentKind, PaymentState, Purchase, PurchaseKind, PurchaseReason
from billing.payments.paypal import Amount, paypal
from billing.payments.paypal.errors import Declined, Missing, NotApproved
from billing.payments.paypal.types import Capture, Order, OrderStatus
from billing.refunds import services as refunds

log = logging.getLogger(__name__)
APPROVABLE_FOR = timedelta(hours=6)
_KINDS = {PurchaseKind.CREDITS: PaymentKind.CREDITS, PurchaseKind.QUOTE: PaymentKind.QUOTE}


@dataclass(frozen=True, slots=True)
class OrderSnapshot:
    """The order as it is at PayPal, None where it is unknown there; whether the payment was just declined."""

    order: Order | None
    declined: bool = False


def fetch_and_capture_order(purchase: Purchase) -> OrderSnapshot:
    """Fetch an order, and capture it when its buyer has approved it and it matches the purchase.

    Raises `PayPalError`.
    """
    assert purchase.provider_id is not None
    shop = paypal()
    try:
        order = shop.fetch_order(purchase.provider_id)
    except Missing:
        return OrderSnapshot(None)
    if (
        order.status != OrderStatus.APPROVED
        or not fulfilment.is_payable(purchase)
        or describe_mismatch(purchase, order)
    ):
        return OrderSnapshot(order)
    try:
        return OrderSnapshot(shop.capture_order(order.id, request_id=f"capture:{purchase.public_id}"))
    except Declined:
        return OrderSnapshot(order, declined=True)
    except NotApproved:
        return OrderSnapshot(shop.fetch_order(purchase.provider_id))


@transaction.atomic
def apply_order_state(*, purchase_id: int, snapshot: OrderSnapshot) -> None:
    """Apply a snapshot: record the payments, and complete, fail or keep the purchase."""
    purchase = Purchase.objects.select_for_update().get(pk=purchase_id)
    Purchase.objects.filter(pk=purchase.pk).update(polled_at=timezone.now())
    if snapshot.order is None:
        fulfilment.end_unknown_purchase(purchase)
        return
    wrong = describe_mismatch(purchase, snapshot.order)
    if wrong:
        log.error("order %s is not purchase %s: %s", snapshot.order.id, purchase.public_id, wrong)
        fulfilment.end_purchase(purchase, PurchaseReason.MISMATCH)
        return
    for capture in snapshot.order.captures:
        payment = _record_capture(purchase, snapshot.order, capture)
        if payment.state == PaymentState.COMPLETED:
            fulfilment.complete_purchase(PaidPurchase(purchase, payment), snapshot.order.payer)
            _refund_if_superseded(purchase, payment)
        else:
            fulfilment.end_unpaid_purchase(purchase, payment)
    if snapshot.declined:
        fulfilment.end_purchase(purchase, PurchaseReason.DECLINED)
    elif not snapshot.order.captures:
        _end_if_unapproved(purchase, snapshot.order)


def describe_mismatch(purchase: Purchase, order: Order) -> str:
    """How an order or its captures differ from the purchase; empty when they do not."""
    ours = (Amount(purchase.amount, purchase.currency), purchase.public_id)
    compared = [
        ("order", purchase.provider_id, order.id),
        ("payee", paypal().merchant_id, order.payee_id),
        ("order", ours, (order.amount, order.custom_id)),
        *(("capture", ours, (capture.amount, capture.custom_id)) for capture in order.captures),
    ]
    return "; ".join(f"{what}: {theirs} instead of {mine}" for what, mine, theirs in compared if mine != theirs)


def _record_capture(purchase: Purchase, order: Order, capture: Capture) -> Payment:
    state = records.to_payment_state(capture.status)
    payment = records.record_payment(
        provider_id=capture.id,
        state=state,
        kind=_KINDS[PurchaseKind(purchase.kind)],
        amount=capture.amount,
        organisation_id=purchase.organisation_id,
        description=purchase.description,
        purchase=purchase,
        plan=purchase.plan,
        cycle=purchase.cycle,
        fee=capture.fee.value if capture.fee else None,
        payer_id=order.payer.id,
        payer_email=order.payer.email,
        created_at=capture.create_time,
    )
    if state == PaymentState.REFUNDED:
        refunds.complete_refund(payment_id=payment.pk)
    return payment


def _refund_if_superseded(purchase: Purchase, payment: Payment) -> None:
    if purchase.reason == PurchaseReason.SUPERSEDED:
        refunds.request_refund(payment=payment, reason=wording.describe_reason(PurchaseReason.SUPERSEDED))


def _end_if_unapproved(purchase: Purchase, order: Order) -> None:
    """Nothing was captured: end the purchase when PayPal voided the order, or it is too late."""
    late = timezone.now() - purchase.created_at > APPROVABLE_FOR
    if order.status == OrderStatus.VOIDED or late:
        fulfilment.end_unknown_purchase(purchase)
