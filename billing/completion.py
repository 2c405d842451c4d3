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
from billing import payment_methods, services, subscriptions
from billing.models import (
    Agreement,
    Cycle,
    LotKind,
    Payment,
    PaymentState,
    Plan,
    Purchase,
    PurchaseKind,
    PurchaseState,
)
from billing.paypal.types import Payer
from billing.pricing import dollars
from emailcheck.common.dates import on_day
from emailcheck.common.errors import Conflict

log = logging.getLogger(__name__)
DECLINED = "PayPal declined the payment. Nothing was charged. Please choose another way to pay."
GIVEN_UP = "The payment was not approved at PayPal in time. Nothing was charged."
GIVEN_BACK = "The payment was given back."
DOES_NOT_FIT = "This payment does not match what was ordered. Please contact support if you were charged."
HAD_PLAN = "Your plan had changed, or begun, before this payment. What was paid is being given back."


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
    if purchase.state == PurchaseState.PAID or purchase.problem == HAD_PLAN:
        return False
    try:
        _effects[PurchaseKind(purchase.kind)](paid)
    except Conflict as error:
        log.error("purchase %s was paid and brings nothing: %s", purchase.public_id, error)
        end(purchase, PurchaseState.FAILED, HAD_PLAN)
        return False
    end(purchase, PurchaseState.PAID)
    note_activity(purchase.user, purchase.description, purchase.amount, paid.payment)
    payment_methods.note(user_id=purchase.user_id, payer_id=payer.id, payer_email=payer.email)
    return True


def note_activity(user: User | None, description: str, amount: Decimal, payment: Payment | None) -> None:
    """A line in the account's log: what was bought or renewed, for how many USD, and on which day by the provider."""
    day = f" on {on_day(payment.created_at)}" if payment else ""
    activity.record(user=user, kind=ActivityKind.PURCHASE, action=f"{description}: {dollars(amount)} by PayPal{day}")


def end_unpaid(purchase: Purchase, payment: Payment) -> None:
    """The payment of a purchase is not money (any more); one that is pending is waited for."""
    if payment.state == PaymentState.DECLINED:
        end(purchase, PurchaseState.FAILED, DECLINED)
    elif payment.state in {PaymentState.REFUNDED, PaymentState.REVERSED}:
        end(purchase, PurchaseState.FAILED, GIVEN_BACK)


def end(purchase: Purchase, state: PurchaseState, problem: str = "") -> None:
    """Note how an open purchase ended; one that was paid stays so."""
    if purchase.state == PurchaseState.PAID or (purchase.state, purchase.problem) == (state, problem):
        return
    purchase.state, purchase.problem, purchase.done_at = state, problem, timezone.now()
    purchase.save(update_fields=["state", "problem", "done_at"])


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
