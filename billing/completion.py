"""How a purchase ends: paid, with what it brings, once; or failed; or given up.

Everything here runs inside the transaction of a caller that has locked the purchase. Locks are taken in this order:
purchase, agreement, payment, account.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.utils import timezone

from accounts import activity
from accounts.models import ActivityKind, User
from billing import emails, payment_methods, payment_words, payments, services, subscriptions
from billing.models import (
    Agreement,
    Cycle,
    LotKind,
    Payment,
    PaymentState,
    Plan,
    Purchase,
    PurchaseKind,
    PurchaseReason,
    PurchaseState,
)
from billing.paypal.types import Payer
from billing.pricing import dollars
from billing.purchase_states import Standing, after_end, after_payment, can_be_paid
from emailcheck.common.dates import on_day
from emailcheck.common.errors import Conflict

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Paid:
    """What was bought: by which payment (None when nothing was due yet), and, for a plan, up to when it is paid."""

    purchase: Purchase
    payment: Payment | None = None
    agreement: Agreement | None = None
    paid_until: datetime | None = None


Effect = Callable[[Paid], None]
"""What a paid purchase brings. Raises `Conflict` when it can bring nothing."""

Payable = Callable[[Purchase], bool]
"""Whether what is bought can still be had: asked before money is taken."""

_effects: dict[PurchaseKind, Effect] = {}
_payable: dict[PurchaseKind, Payable] = {}


def when_paid(kind: PurchaseKind, effect: Effect, *, payable: Payable = lambda purchase: True) -> None:
    """Say what a paid purchase of this kind brings, and until when; for `AppConfig.ready` of upper apps and modules."""
    _effects[kind], _payable[kind] = effect, payable


def is_payable(purchase: Purchase) -> bool:
    """Whether money may be taken for a purchase that its buyer has approved."""
    return purchase.user.is_active and _payable[PurchaseKind(purchase.kind)](purchase)


def finish(paid: Paid, payer: Payer) -> bool:
    """The purchase is paid: give what it brings, note how it was paid. False when that was done before."""
    purchase = paid.purchase
    if not can_be_paid(_standing(purchase)):
        return False
    try:
        _effects[PurchaseKind(purchase.kind)](paid)
    except Conflict as error:
        log.error("purchase %s was paid and brings nothing: %s", purchase.public_id, error)
        end(purchase, PurchaseReason.SUPERSEDED)
        return False
    _move(purchase, after_payment(_standing(purchase)))
    note_activity(purchase.user, purchase.description, purchase.amount, paid.payment)
    payment_methods.note(user_id=purchase.user_id, payer_id=payer.id, payer_email=payer.email)
    _tell_who_waited(paid)
    return True


def note_activity(
    user: User | None, description: str, amount: Decimal, payment: Payment | None, *, what: str = "by PayPal"
) -> None:
    """A line in the account's log: what was bought or renewed, for how many USD, how, and on which day at PayPal."""
    day = f" on {on_day(payment.created_at)}" if payment else ""
    activity.record(user=user, kind=ActivityKind.PURCHASE, action=f"{description}: {dollars(amount)} {what}{day}")


def end_unpaid(purchase: Purchase, payment: Payment) -> None:
    """The payment of a purchase is not money (any more); one that is pending is waited for."""
    if payment.state == PaymentState.DECLINED:
        end(purchase, PurchaseReason.DENIED if payment.held_at else PurchaseReason.DECLINED)
    elif payment.state in {PaymentState.REFUNDED, PaymentState.REVERSED}:
        end(purchase, PurchaseReason.GIVEN_BACK)


def end_unknown(purchase: Purchase) -> None:
    """The provider knows nothing of an open purchase, or of its payments, any more; or nobody approved it in time."""
    if purchase.state != PurchaseState.PENDING:
        return
    has_lapsed = payments.lapse(source=purchase)
    end(purchase, PurchaseReason.LAPSED if has_lapsed else PurchaseReason.NOT_APPROVED)


def end(purchase: Purchase, reason: PurchaseReason) -> None:
    """Note why a purchase came to nothing; one that was paid stays so."""
    _move(purchase, after_end(_standing(purchase), reason))


def _standing(purchase: Purchase) -> Standing:
    return Standing(PurchaseState(purchase.state), PurchaseReason(purchase.reason) if purchase.reason else None)


def _move(purchase: Purchase, to: Standing) -> None:
    if _standing(purchase) == to:
        return
    purchase.state, purchase.reason, purchase.done_at = to.state, to.reason or "", timezone.now()
    purchase.save(update_fields=["state", "reason", "done_at"])


def _tell_who_waited(paid: Paid) -> None:
    """A payment that was held back has come; of a quote its own mail tells."""
    purchase, payment = paid.purchase, paid.payment
    if payment is not None and payment.held_at and purchase.kind != PurchaseKind.QUOTE:
        emails.send_payment_completed(user=purchase.user, payment=payment, brought=payment_words.message(purchase))


def _grant_pack(paid: Paid) -> None:
    assert paid.payment is not None
    services.grant(
        user_id=paid.purchase.user_id,
        kind=LotKind.PACK,
        amount=paid.purchase.credits,
        reason=f"Bought {paid.purchase.description}",
        key=f"payment:{paid.payment.provider_id}",
        reference=paid.payment.provider_id,
    )


def _begin_plan(paid: Paid) -> None:
    purchase = paid.purchase
    begun = subscriptions.activate(
        user_id=purchase.user_id,
        plan=Plan(purchase.plan),
        cycle=Cycle(purchase.cycle),
        paid_until=paid.paid_until,
        agreed_limit=purchase.credits or None,
        agreement=paid.agreement,
    )
    if not begun:
        raise Conflict("This account already has this plan.")


when_paid(PurchaseKind.CREDITS, _grant_pack)
when_paid(PurchaseKind.SUBSCRIPTION, _begin_plan)
