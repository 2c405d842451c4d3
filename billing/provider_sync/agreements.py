"""Recurring payments: what PayPal says about an agreement now becomes our state.

Asking and acting are two steps, because nobody waits for PayPal inside a transaction. Both may run twice and at once;
an answer that is older than the one acted upon last changes no state.
"""

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from billing.catalogue.plans import Cycle, Plan
from billing.catalogue.price_list import OFFERS, list_prices
from billing.invoices import emails
from billing.invoices import services as invoices
from billing.ledger import services as ledger
from billing.ledger.credit_months import add_months
from billing.ledger.money_audit import load_figures
from billing.payments import agreement_sync, fulfilment, records, wording
from billing.payments.fulfilment import PaidPurchase
from billing.payments.models import (
    Agreement,
    AgreementState,
    Payment,
    PaymentKind,
    PaymentState,
    Purchase,
    PurchaseKind,
    PurchaseReason,
    PurchaseState,
)
from billing.payments.paypal import Amount, paypal
from billing.payments.paypal.errors import Missing
from billing.payments.paypal.types import Subscription, SubscriptionStatus, Transaction
from billing.payments.purchases import describe_plan
from billing.refunds import clawbacks
from billing.refunds import services as refunds
from billing.signals import agreement_changed
from billing.subscriptions.lifecycle import switching
from emailcheck.common.queue import tasks

log = logging.getLogger(__name__)
END_UNWANTED = "billing.tasks.end_unwanted_agreements"
APPROVABLE_FOR = timedelta(days=3)
_MARGIN = timedelta(days=1)
_FIRST_KINDS = {
    PurchaseKind.SUBSCRIPTION: PaymentKind.SUBSCRIPTION,
    PurchaseKind.PLAN_CHANGE: PaymentKind.PLAN_CHANGE,
    PurchaseKind.QUOTE: PaymentKind.QUOTE,
}
_STATES: dict[str, AgreementState] = {
    SubscriptionStatus.ACTIVE: AgreementState.ACTIVE,
    SubscriptionStatus.SUSPENDED: AgreementState.SUSPENDED,
    SubscriptionStatus.CANCELLED: AgreementState.CANCELLED,
    SubscriptionStatus.EXPIRED: AgreementState.EXPIRED,
}
_ENDED = frozenset({AgreementState.CANCELLED, AgreementState.EXPIRED})


@dataclass(frozen=True, slots=True)
class AgreementSnapshot:
    """An agreement as it is at PayPal (None: unknown there), its payments by time, and when we polled."""

    subscription: Subscription | None
    transactions: tuple[Transaction, ...]
    asked_at: datetime


def fetch_agreement(provider_id: str, *, since: datetime) -> AgreementSnapshot:
    """Fetch an agreement and its payments since it began. Raises `PayPalError`."""
    shop, now = paypal(), timezone.now()
    try:
        found = shop.fetch_subscription(provider_id)
    except Missing:
        return AgreementSnapshot(None, (), now)
    if found.status in {SubscriptionStatus.APPROVAL_PENDING, SubscriptionStatus.APPROVED}:
        return AgreementSnapshot(found, (), now)
    times = [since, now, *(time for time in (found.start_time, found.last_payment_time) if time)]
    made = shop.list_transactions(provider_id, start=min(times) - _MARGIN, end=max(times) + _MARGIN)
    return AgreementSnapshot(found, tuple(sorted(made, key=lambda one: (one.time, one.id))), now)


def poll_agreement(agreement: Agreement) -> None:
    """Fetch an agreement from PayPal, and apply its state. Raises `PayPalError`."""
    snapshot = fetch_agreement(agreement.provider_id, since=agreement.created_at)
    apply_agreement_state(provider_id=agreement.provider_id, snapshot=snapshot)


def cancel_unwanted_agreements() -> None:
    """Cancel agreements of deleted accounts, and of failed purchases."""
    nobodys = Q(organisation=None) | Q(organisation__deleted_at__isnull=False) | Q(purchase__state=PurchaseState.FAILED)
    running = Agreement.objects.filter(nobodys, ended_at=None).exclude(desired_state=AgreementState.CANCELLED)
    for agreement_id in running.values_list("pk", flat=True):
        agreement_sync.request_agreement_change(agreement_id, desired_state=AgreementState.CANCELLED)


@transaction.atomic
def apply_agreement_state(*, provider_id: str, snapshot: AgreementSnapshot) -> None:
    """Apply a snapshot: record payments, begin or extend what they pay for, and store the agreement's state."""
    purchase = Purchase.objects.select_for_update().filter(provider_id=provider_id).first()
    if purchase is not None:
        Purchase.objects.filter(pk=purchase.pk).update(polled_at=timezone.now())
    agreement = _lock_or_create_agreement(provider_id, purchase, snapshot)
    if agreement is None:
        return
    if snapshot.subscription is None:
        log.error("agreement %s is not known at PayPal", provider_id)
        if purchase is not None:
            fulfilment.end_unknown_purchase(purchase)
        records.lapse_payments(source=agreement)
        Agreement.objects.filter(pk=agreement.pk).update(polled_at=snapshot.asked_at)
        return
    captured = _record_payments(agreement, snapshot)
    if purchase is not None:
        _complete_purchase(purchase, agreement, snapshot.subscription)
    renewals = [payment for payment in captured if payment.kind == PaymentKind.RENEWAL]
    if renewals:
        _extend_plan(agreement, snapshot.subscription, renewals)
    if agreement.polled_at is None or snapshot.asked_at >= agreement.polled_at:
        _update_agreement(agreement, snapshot.subscription, snapshot.asked_at)


def describe_mismatch(purchase: Purchase, found: Subscription) -> str:
    """How a subscription differs from its purchase; empty when it does not."""
    compared = [
        ("custom id", purchase.public_id, found.custom_id),
        ("price", Amount(purchase.price or purchase.amount, purchase.currency), found.price),
    ]
    return "; ".join(f"{what}: {theirs} instead of {mine}" for what, mine, theirs in compared if mine != theirs)


def find_paid_until(agreement: Agreement, found: Subscription) -> datetime | None:
    """Up to when the agreement is paid: the next billing date, less the periods whose payment failed."""
    months = Cycle(agreement.cycle).months
    if found.next_billing_time is not None:
        owed = found.outstanding.value if found.outstanding else 0
        return add_months(found.next_billing_time, -months * int(-(-owed // agreement.price)))
    last = agreement.payments.filter(captured_at__isnull=False).order_by("-created_at").first()
    return add_months(last.created_at, months) if last else None


def _lock_or_create_agreement(
    provider_id: str, purchase: Purchase | None, snapshot: AgreementSnapshot
) -> Agreement | None:
    """The agreement, locked; created when its buyer has just approved it. None while there is none."""
    agreement = Agreement.objects.filter(provider_id=provider_id).first()
    owner = purchase.organisation_id if purchase else agreement and agreement.organisation_id
    if owner:
        agreement_sync.lock_agreements(owner)
    agreement = Agreement.objects.select_for_update().filter(provider_id=provider_id).first()
    if agreement is not None or purchase is None:
        return agreement
    found = snapshot.subscription
    if found is None or found.status not in _STATES:
        _end_if_unapproved(purchase)
        return None
    wrong = describe_mismatch(purchase, found)
    if wrong:
        log.error("agreement %s is not purchase %s: %s", found.id, purchase.public_id, wrong)
        fulfilment.end_purchase(purchase, PurchaseReason.MISMATCH)
        return None
    if _STATES[found.status] in _ENDED and not _has_taken_money(snapshot):
        fulfilment.end_purchase(purchase, PurchaseReason.DECLINED)
        return None
    return Agreement.objects.create(
        organisation_id=purchase.organisation_id,
        purchase=purchase,
        provider_id=provider_id,
        plan=purchase.plan,
        cycle=purchase.cycle,
        price=purchase.price or purchase.amount,
    )


def _has_taken_money(snapshot: AgreementSnapshot) -> bool:
    return any(records.to_payment_state(one.status) != PaymentState.DECLINED for one in snapshot.transactions)


def _end_if_unapproved(purchase: Purchase) -> None:
    """Not approved yet: end it once it is too late."""
    if purchase.state == PurchaseState.PENDING and timezone.now() - purchase.created_at > APPROVABLE_FOR:
        fulfilment.end_unknown_purchase(purchase)


def _record_payments(agreement: Agreement, snapshot: AgreementSnapshot) -> list[Payment]:
    """Record the payments. Returns those captured for the first time.

    Known payments were checked against their purchase before; it is deleted with the account.
    """
    assert snapshot.subscription is not None
    known = set(agreement.payments.filter(captured_at__isnull=False).values_list("provider_id", flat=True))
    captured = []
    for number, made in enumerate(snapshot.transactions):
        kind = _choose_payment_kind(agreement, is_first=number == 0)
        if made.id not in known and not _is_expected_amount(agreement, kind, made.amount):
            log.error("agreement %s: %s was taken by %s", agreement.provider_id, made.amount, made.id)
            continue
        payment = _record_payment(agreement, kind, made, snapshot.subscription)
        if payment.captured_at and payment.provider_id not in known:
            captured.append(payment)
    return captured


def _choose_payment_kind(agreement: Agreement, *, is_first: bool) -> PaymentKind:
    purchase = agreement.purchase
    if not is_first or purchase is None or not purchase.amount:
        return PaymentKind.RENEWAL
    return _FIRST_KINDS[PurchaseKind(purchase.kind)]


def _is_expected_amount(agreement: Agreement, kind: PaymentKind, amount: Amount) -> bool:
    """The first payment matches the purchase; a renewal may include what is owed.

    It may also be the price of the previous or the scheduled plan, when PayPal fixed the charge.
    """
    purchase = agreement.purchase
    currency = purchase.currency if purchase else "USD"
    if kind == PaymentKind.RENEWAL or purchase is None:
        enough = amount.value >= agreement.price or amount.value in list_prices(Cycle(agreement.cycle))
        return amount.currency == currency and enough
    return amount == Amount(purchase.amount, currency)


def _record_payment(agreement: Agreement, kind: PaymentKind, made: Transaction, found: Subscription) -> Payment:
    state = records.to_payment_state(made.status)
    payment = records.record_payment(
        provider_id=made.id,
        state=state,
        kind=kind,
        amount=made.amount,
        organisation_id=agreement.organisation_id,
        description=describe_plan(agreement.plan, agreement.cycle),
        purchase=agreement.purchase,
        agreement=agreement,
        plan=agreement.plan,
        cycle=agreement.cycle,
        fee=made.fee.value if made.fee else None,
        payer_id=found.payer.id if agreement.organisation_id else "",
        payer_email=found.payer.email if agreement.organisation_id else "",
        created_at=made.time,
    )
    if state == PaymentState.REFUNDED:
        refunds.complete_refund(payment_id=payment.pk)
    return payment


def _complete_purchase(purchase: Purchase, agreement: Agreement, found: Subscription) -> None:
    """Complete the purchase by its first payment, or at once when nothing was due."""
    first = agreement.payments.exclude(kind=PaymentKind.RENEWAL).order_by("created_at").first()
    if not purchase.amount or (first is not None and first.state == PaymentState.COMPLETED):
        fulfilment.complete_purchase(
            PaidPurchase(purchase, first, agreement, find_paid_until(agreement, found)), found.payer
        )
    elif first is not None:
        fulfilment.end_unpaid_purchase(purchase, first)
    if purchase.state == PurchaseState.FAILED:
        tasks.enqueue(END_UNWANTED)
    if purchase.reason == PurchaseReason.SUPERSEDED and first is not None:
        refunds.request_refund(payment=first, reason=wording.describe_reason(PurchaseReason.SUPERSEDED))


def _extend_plan(agreement: Agreement, found: Subscription, renewals: list[Payment]) -> None:
    """Extend the plan after paid renewals; refund those of a deleted account."""
    until, organisation_id = find_paid_until(agreement, found), agreement.organisation_id
    if organisation_id is None:
        for payment in renewals:
            refunds.request_refund(payment=payment, reason="The account had been deleted")
    elif until is None:
        log.error("agreement %s was charged and pays for nothing", agreement.provider_id)
    else:
        ledger.lock_account(organisation_id)
        before = load_figures(agreement.organisation)
        goes_on = switching.apply_renewal(organisation_id=organisation_id, agreement=agreement, paid_until=until)
        for payment in renewals:
            fulfilment.record_activity(
                agreement.organisation, payment.description, payment.amount, payment, before=before
            )
            before = load_figures(agreement.organisation)
            _send_renewal_invoice(payment, until if goes_on else None, found.next_billing_time)


def _send_renewal_invoice(payment: Payment, until: datetime | None, next_at: datetime | None) -> None:
    """Mail the invoice of a renewal, and up to when it is paid (None: it pays for nothing)."""
    assert payment.organisation is not None
    document, to = invoices.issue_invoice(payment=payment), payment.organisation.invoice_email
    if until is None:
        emails.send_document(document=document, to=to, key=f"invoice:{document.number}")
        return
    plan, credits = OFFERS[Plan(payment.plan)].name, clawbacks.count_granted_credits(payment)
    emails.send_renewed(document=document, to=to, plan=plan, until=until, credits=credits, next_at=next_at)


def _update_agreement(agreement: Agreement, found: Subscription, asked_at: datetime) -> None:
    """Store the state of the agreement; an ended one stays ended."""
    before = AgreementState(agreement.state), agreement.failed_payments
    if before[0] not in _ENDED:
        agreement.state = _STATES.get(found.status, before[0])
        agreement.ended_at = timezone.now() if agreement.state in _ENDED else None
    coming = [time for time in (found.retry_time, found.next_billing_time) if time and time > asked_at]
    agreement.next_billing_at = min(coming, default=found.next_billing_time)
    agreement.failed_payments = found.failed_payments
    agreement.polled_at = asked_at
    agreement.save(update_fields=["state", "ended_at", "next_billing_at", "failed_payments", "polled_at"])
    if found.price is not None and found.price.value != agreement.price and not agreement.sync_pending:
        log.error("agreement %s will charge %s instead of %s", found.id, found.price, agreement.price)
    if before != (agreement.state, agreement.failed_payments):
        agreement_changed.send(sender=Agreement, agreement=agreement, before=before[0], found=found)
