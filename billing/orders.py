"""One-time payments: what PayPal says about an order now becomes our state.

Asking and acting are two steps, because nobody waits for PayPal inside a transaction. Both may run twice and at once.
"""

import logging
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from billing import completion, payment_words, payments, refunds
from billing.completion import Paid
from billing.models import Payment, PaymentKind, PaymentState, Purchase, PurchaseKind, PurchaseReason
from billing.paypal import Amount, paypal
from billing.paypal.errors import Declined, Missing, NotApproved
from billing.paypal.types import Capture, Order, OrderStatus

log = logging.getLogger(__name__)
APPROVABLE_FOR = timedelta(hours=6)
_KINDS = {PurchaseKind.CREDITS: PaymentKind.CREDITS, PurchaseKind.QUOTE: PaymentKind.QUOTE}


@dataclass(frozen=True, slots=True)
class Told:
    """The order as it is at PayPal, None where it is unknown there; whether the payment was just declined."""

    order: Order | None
    declined: bool = False


def ask(purchase: Purchase) -> Told:
    """Ask for an order, and take the money when its buyer has approved it and it is what we asked for.

    Raises `PayPalError`.
    """
    assert purchase.provider_id is not None
    shop = paypal()
    try:
        order = shop.order(purchase.provider_id)
    except Missing:
        return Told(None)
    if order.status != OrderStatus.APPROVED or not completion.is_payable(purchase) or mismatch(purchase, order):
        return Told(order)
    try:
        return Told(shop.capture_order(order.id, request_id=f"capture:{purchase.public_id}"))
    except Declined:
        return Told(order, declined=True)
    except NotApproved:
        return Told(shop.order(purchase.provider_id))


@transaction.atomic
def settle(*, purchase_id: int, told: Told) -> None:
    """Act on what was told: write the payments down; paid, failed or given up, as it is."""
    purchase = Purchase.objects.select_for_update().get(pk=purchase_id)
    Purchase.objects.filter(pk=purchase.pk).update(looked_at=timezone.now())
    if told.order is None:
        completion.end_unknown(purchase)
        return
    wrong = mismatch(purchase, told.order)
    if wrong:
        log.error("order %s is not purchase %s: %s", told.order.id, purchase.public_id, wrong)
        completion.end(purchase, PurchaseReason.MISMATCH)
        return
    for capture in told.order.captures:
        payment = _record(purchase, told.order, capture)
        if payment.state == PaymentState.COMPLETED:
            completion.finish(Paid(purchase, payment), told.order.payer)
            _give_back_if_useless(purchase, payment)
        else:
            completion.end_unpaid(purchase, payment)
    if told.declined:
        completion.end(purchase, PurchaseReason.DECLINED)
    elif not told.order.captures:
        _wait(purchase, told.order)


def mismatch(purchase: Purchase, order: Order) -> str:
    """What of an order, or of its captures, is not as we asked for it; empty when all is."""
    ours = (Amount(purchase.amount, purchase.currency), purchase.public_id)
    compared = [
        ("order", purchase.provider_id, order.id),
        ("payee", paypal().merchant_id, order.payee_id),
        ("order", ours, (order.amount, order.custom_id)),
        *(("capture", ours, (capture.amount, capture.custom_id)) for capture in order.captures),
    ]
    return "; ".join(f"{what}: {theirs} instead of {mine}" for what, mine, theirs in compared if mine != theirs)


def _record(purchase: Purchase, order: Order, capture: Capture) -> Payment:
    state = payments.state_of(capture.status)
    payment = payments.record(
        provider_id=capture.id,
        state=state,
        kind=_KINDS[PurchaseKind(purchase.kind)],
        amount=capture.amount,
        user_id=purchase.user_id,
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
        refunds.given_back(payment_id=payment.pk)
    return payment


def _give_back_if_useless(purchase: Purchase, payment: Payment) -> None:
    if purchase.reason == PurchaseReason.SUPERSEDED:
        refunds.want(payment=payment, reason=payment_words.why(PurchaseReason.SUPERSEDED))


def _wait(purchase: Purchase, order: Order) -> None:
    """Nothing was captured: it may still be approved, unless PayPal, or time, has ended it."""
    late = timezone.now() - purchase.created_at > APPROVABLE_FOR
    if order.status == OrderStatus.VOIDED or late:
        completion.end_unknown(purchase)
