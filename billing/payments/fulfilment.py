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

from accounts.activity import audit_log
from accounts.activity.models import ActivityKind
from accounts.organisations.models import Organisation
from billing.catalogue.price_tables import format_dollars
from billing.ledger import services as ledger
from billing.ledger.models import LotKind
from billing.ledger.money_audit import Figures, load_figures, record_change
from billing.payments import methods, records, wording
from billing.payments.emails import send_payment_completed
from billing.payments.models import (
    Agreement,
    Payment,
    PaymentState,
    Purchase,
    PurchaseKind,
    PurchaseReason,
    PurchaseState,
)
from billing.payments.paypal.types import Payer
from billing.payments.purchase_states import PurchaseStatus, after_end, after_payment, can_be_paid
from emailcheck.common.errors import Conflict
from emailcheck.common.text.dates import format_day

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PaidPurchase:
    """What was bought: by which payment (None when nothing was due yet), and, for a plan, up to when it is paid."""

    purchase: Purchase
    payment: Payment | None = None
    agreement: Agreement | None = None
    paid_until: datetime | None = None


FulfilmentHandler = Callable[[PaidPurchase], None]
"""What a paid purchase brings. Raises `Conflict` when it can bring nothing."""

PayableCheck = Callable[[Purchase], bool]
"""Whether a purchase can still be fulfilled, checked before its payment."""

_handlers: dict[PurchaseKind, FulfilmentHandler] = {}
_payable_checks: dict[PurchaseKind, PayableCheck] = {}


def register_fulfilment(
    kind: PurchaseKind, effect: FulfilmentHandler, *, payable: PayableCheck = lambda purchase: True
) -> None:
    """Say what a paid purchase of this kind brings, and until when; for `AppConfig.ready` of upper apps and modules."""
    _handlers[kind], _payable_checks[kind] = effect, payable


def is_payable(purchase: Purchase) -> bool:
    """Whether money may be taken for a purchase that its buyer has approved."""
    return purchase.organisation.is_active and _payable_checks[PurchaseKind(purchase.kind)](purchase)


def complete_purchase(paid: PaidPurchase, payer: Payer) -> bool:
    """The purchase is paid: give what it brings, note how it was paid. False when that was done before."""
    purchase = paid.purchase
    if not can_be_paid(_build_status(purchase)):
        return False
    ledger.lock_account(purchase.organisation_id)
    before = load_figures(purchase.organisation)
    try:
        _handlers[PurchaseKind(purchase.kind)](paid)
    except Conflict as error:
        log.error("purchase %s was paid and brings nothing: %s", purchase.public_id, error)
        end_purchase(purchase, PurchaseReason.SUPERSEDED)
        return False
    _save_status(purchase, after_payment(_build_status(purchase)))
    record_activity(purchase.organisation, purchase.description, purchase.amount, paid.payment, before=before)
    methods.record_payer(organisation_id=purchase.organisation_id, payer_id=payer.id, payer_email=payer.email)
    _send_completed_mail(paid)
    return True


def record_activity(
    organisation: Organisation | None,
    description: str,
    amount: Decimal,
    payment: Payment | None,
    *,
    what: str = "by PayPal",
    before: Figures | None = None,
) -> None:
    """A line in the account's log: what was bought or renewed, for how many USD, how, and on which day at PayPal; and
    what it changed, where there was something `before` it."""
    day = f" on {format_day(payment.created_at)}" if payment else ""
    action = f"{description}: {format_dollars(amount)} {what}{day}"
    if before is None:
        audit_log.record_activity(organisation=organisation, kind=ActivityKind.PURCHASE, action=action)
    else:
        record_change(organisation, before, action=action)


def end_unpaid_purchase(purchase: Purchase, payment: Payment) -> None:
    """End a purchase whose payment failed or was reversed; a pending one keeps waiting."""
    if payment.state == PaymentState.DECLINED:
        end_purchase(purchase, PurchaseReason.DENIED if payment.on_hold_at else PurchaseReason.DECLINED)
    elif payment.state in {PaymentState.REFUNDED, PaymentState.REVERSED}:
        end_purchase(purchase, PurchaseReason.GIVEN_BACK)


def end_unknown_purchase(purchase: Purchase) -> None:
    """End an open purchase that the provider no longer knows, or that was not approved in time."""
    if purchase.state != PurchaseState.PENDING:
        return
    has_lapsed = records.lapse_payments(source=purchase)
    end_purchase(purchase, PurchaseReason.LAPSED if has_lapsed else PurchaseReason.NOT_APPROVED)


def end_purchase(purchase: Purchase, reason: PurchaseReason) -> None:
    """Note why a purchase came to nothing; one that was paid stays so."""
    _save_status(purchase, after_end(_build_status(purchase), reason))


def _build_status(purchase: Purchase) -> PurchaseStatus:
    return PurchaseStatus(PurchaseState(purchase.state), PurchaseReason(purchase.reason) if purchase.reason else None)


def _save_status(purchase: Purchase, to: PurchaseStatus) -> None:
    if _build_status(purchase) == to:
        return
    purchase.state, purchase.reason, purchase.done_at = to.state, to.reason or "", timezone.now()
    purchase.save(update_fields=["state", "reason", "done_at"])


def _send_completed_mail(paid: PaidPurchase) -> None:
    """Mail that a held payment has completed; a quote has its own mail."""
    purchase, payment = paid.purchase, paid.payment
    if payment is not None and payment.on_hold_at and purchase.kind != PurchaseKind.QUOTE:
        send_payment_completed(
            organisation=purchase.organisation, payment=payment, brought=wording.describe_purchase(purchase)
        )


def _grant_pack(paid: PaidPurchase) -> None:
    assert paid.payment is not None
    ledger.grant_credits(
        organisation_id=paid.purchase.organisation_id,
        kind=LotKind.PACK,
        amount=paid.purchase.credits,
        reason=f"Bought {paid.purchase.description}",
        key=f"payment:{paid.payment.provider_id}",
        reference=paid.payment.provider_id,
    )


register_fulfilment(PurchaseKind.CREDITS, _grant_pack)
