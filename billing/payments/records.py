"""The only code that writes payments: what the provider reports becomes a row, and a capture sends its signal, once."""

from django.db import transaction
from django.utils import timezone

from billing.payments.models import CAME_TO_NOTHING, Agreement, Payment, PaymentKind, PaymentState, Purchase
from billing.payments.paypal import Amount
from billing.payments.paypal.types import CaptureStatus
from billing.signals import payment_captured, payment_held, payment_not_made

# A partly refunded payment is still captured. A status missing here is newer than this table: it counts as pending.
_STATES = {
    CaptureStatus.COMPLETED: PaymentState.COMPLETED,
    CaptureStatus.PARTIALLY_REFUNDED: PaymentState.COMPLETED,
    CaptureStatus.DECLINED: PaymentState.DECLINED,
    CaptureStatus.FAILED: PaymentState.DECLINED,
    CaptureStatus.REFUNDED: PaymentState.REFUNDED,
}


def to_payment_state(status: str) -> PaymentState:
    """Map the status of a capture, or of an agreement's transaction, to our state."""
    return next((ours for theirs, ours in _STATES.items() if theirs == status), PaymentState.PENDING)


@transaction.atomic
def record_payment(
    *,
    provider_id: str,
    state: PaymentState,
    kind: PaymentKind,
    amount: Amount,
    organisation_id: int | None,
    description: str,
    purchase: Purchase | None = None,
    agreement: Agreement | None = None,
    **columns: object,
) -> Payment:
    """Record a payment as the provider reports it now. Repeats, in any order, change nothing that is final.

    `columns` are further ones of `Payment`: fee, payer_id, payer_email, created_at, plan, cycle. The first time that it
    is `completed`, `captured_at` and `recorded_at` are set and `payment_captured` is sent; a payment that was given
    back stays so.
    """
    fresh = {
        "kind": kind,
        "state": PaymentState.PENDING,
        "amount": amount.value,
        "currency": amount.currency,
        "organisation_id": organisation_id,
        "description": description,
        "purchase": purchase,
        "agreement": agreement,
        **columns,
    }
    Payment.objects.get_or_create(provider_id=provider_id, defaults=fresh)
    payment = Payment.objects.select_for_update().get(provider_id=provider_id)
    if payment.captured_at is None:
        _apply_state(payment, state)
    return payment


@transaction.atomic
def lapse_payments(*, source: Purchase | Agreement) -> bool:
    """The provider knows nothing more of what it held back for a purchase or an agreement. Whether there was any."""
    waiting = list(Payment.objects.paying_for(source).waiting().select_for_update())
    for payment in waiting:
        _apply_state(payment, PaymentState.LAPSED)
    return bool(waiting)


def _apply_state(payment: Payment, state: PaymentState) -> None:
    """Apply the new state of an uncaptured payment, and send its signal."""
    if state == PaymentState.PENDING:
        _mark_held(payment)
        return
    if state == payment.state:
        return
    payment.state = state
    if state == PaymentState.COMPLETED:
        payment.captured_at, payment.recorded_at = payment.created_at, timezone.now()
    payment.save(update_fields=["state", "captured_at", "recorded_at"])
    if payment.captured_at:
        payment_captured.send(sender=Payment, payment=payment)
    elif payment.on_hold_at and state in CAME_TO_NOTHING:
        payment_not_made.send(sender=Payment, payment=payment)


def _mark_held(payment: Payment) -> None:
    """Once: a pending state is older than any other state of a payment."""
    if payment.state == PaymentState.PENDING and payment.on_hold_at is None:
        payment.on_hold_at = timezone.now()
        payment.save(update_fields=["on_hold_at"])
        payment_held.send(sender=Payment, payment=payment)
