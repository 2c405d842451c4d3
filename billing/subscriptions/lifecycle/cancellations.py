"""How a plan ends: cancelled, and taken up again while it may still be used (SUB-071), or run out."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts.organisations.models import Organisation
from billing.catalogue.plans import Cycle, Plan
from billing.catalogue.price_list import OFFERS
from billing.ledger.money_audit import load_figures, record_change, record_if_changed
from billing.payments import agreement_sync, purchases
from billing.payments.models import AgreementState, PurchaseKind
from billing.subscriptions import emails
from billing.subscriptions import services as subscriptions
from billing.subscriptions.entitlements import build_current_plan
from billing.subscriptions.lifecycle import pauses, switching
from billing.subscriptions.models import Status, Subscription
from billing.subscriptions.periods import find_period_end
from emailcheck.common.errors import BadInput
from emailcheck.common.queue import sweeps
from emailcheck.common.text.dates import format_day

NOT_CANCELLED = "Your subscription is not cancelled"


@dataclass(frozen=True, slots=True)
class Reactivation:
    """The message about a reactivated plan, and the approval link, if it needs one."""

    message: str
    approval_url: str | None = None


@transaction.atomic
def cancel_plan(*, organisation: Organisation) -> str:
    """Cancel the plan at the end of the paid period. Returns the message for its owner.

    May be repeated. Raises `BadInput` (`NO_SUBSCRIPTION`) on Free.
    """
    agreement_sync.lock_agreements(organisation.pk)
    _, found = subscriptions.lock_subscription(organisation.pk)
    now = build_current_plan(found, signed_up_at=organisation.created_at, now=timezone.now())
    if now.plan == Plan.FREE:
        raise subscriptions.build_no_plan_error()
    before = load_figures(organisation)
    if now.on_trial and found.trial_ends_at:
        Subscription.objects.filter(pk=found.pk).update(cancel_at=found.trial_ends_at)
        record_if_changed(organisation, before, action="Trial cancelled")
        return f"Your trial ends on {format_day(found.trial_ends_at)}. Nothing will be charged."
    if found.status != Status.CANCELLED:
        schedule_end(organisation, found, otherwise=now.month.ends_at)
        record_change(organisation, before, action="Plan cancelled")
    if found.cancel_at is None:
        return "Your subscription has ended. Pack credits stay."
    return f"Your subscription ends on {format_day(found.cancel_at)}. Until then you can use it as before."


def schedule_end(organisation: Organisation, found: Subscription, *, otherwise: datetime) -> None:
    """End the plan with the paid period, at once without one. The caller has locked the account.

    `otherwise` is the end of an unpaid plan.
    """
    if found.status == Status.PAUSED:
        pauses.end_pause(found, status=Status.ACTIVE)
    end = (found.paid_until if found.status == Status.PAST_DUE else find_period_end(found)) or otherwise
    switching.drop_schedule(found)
    if end <= timezone.now():
        subscriptions.end_plan(organisation_id=organisation.pk)
        found.refresh_from_db()
        return
    found.status, found.cancel_at, found.past_due_at = Status.CANCELLED, end, None
    found.save(update_fields=["status", "cancel_at", "past_due_at"])
    if found.agreement_id:
        agreement_sync.request_agreement_change(found.agreement_id, desired_state=AgreementState.CANCELLED)
    emails.send_cancelled(organisation=organisation, subscription=found, ends_at=end)


def reactivate_plan(*, organisation: Organisation) -> Reactivation:
    """Take a cancelled plan up again. One that is paid for needs a new agreement, from when the paid period ends.

    Raises `BadInput` (`NOT_CANCELLED`), `TooMany`, `ProviderFailed`.
    """
    found = _reactivate_unpaid_plan(organisation)
    if found is None:
        return Reactivation("Your plan goes on.")
    assert found.cancel_at is not None
    plan, cycle = Plan(found.plan), Cycle(found.cycle)
    begun = purchases.begin_agreement(
        organisation=organisation,
        kind=PurchaseKind.PLAN_CHANGE,
        plan=plan,
        cycle=cycle,
        amount=Decimal(0),
        price=OFFERS[plan].price(cycle),
        description=f"{purchases.describe_plan(plan, cycle)}, from {format_day(found.cancel_at)}",
        starts_at=found.cancel_at,
        reference=switching.build_basis(found),
        confirm_second=True,  # nothing is paid now
    )
    message = f"Approve the payment at PayPal. The next charge is on {format_day(found.cancel_at)}, nothing before."
    return Reactivation(message, begun.url)


def end_due_plans() -> None:
    """End the plans whose time is over: those that were cancelled, and those that were paid once."""
    due = Subscription.objects.filter(_build_over_filter(timezone.now()))
    sweeps.sweep_each(due.values_list("organisation_id", flat=True), "account %s could not be ended", _end_plan_if_due)


def _build_over_filter(now: datetime) -> Q:
    """Plans bought by a single order, or given for a month, are not renewed."""
    paid_once = Q(status=Status.ACTIVE, agreement=None, scheduled_agreement=None, period_ends_at__lte=now)
    return Q(status=Status.CANCELLED, cancel_at__lte=now) | (paid_once & ~Q(plan=Plan.FREE))


@transaction.atomic
def sync_account_agreements(*, organisation_id: int) -> None:
    """Nobody pays for an account that cannot be used: while it is suspended, so are its agreements (ADM-222)."""
    agreement_sync.lock_agreements(organisation_id)
    organisation, found = subscriptions.lock_subscription(organisation_id)
    running = found.scheduled_agreement_id or found.agreement_id
    if running is None:
        return
    may_charge = organisation.is_active and found.status != Status.PAUSED
    agreement_sync.request_agreement_change(
        running, desired_state=AgreementState.ACTIVE if may_charge else AgreementState.SUSPENDED
    )


@transaction.atomic
def _reactivate_unpaid_plan(organisation: Organisation) -> Subscription | None:
    """Continue an unpaid plan, which needs no approval: None."""
    _, found = subscriptions.lock_subscription(organisation.pk)
    now = timezone.now()
    if found.cancel_at is None or found.cancel_at <= now or found.status not in {Status.CANCELLED, Status.TRIAL}:
        raise BadInput(NOT_CANCELLED, code="NOT_CANCELLED")
    if found.status == Status.CANCELLED and found.paid_until is not None:
        return found
    before = load_figures(organisation)
    found.cancel_at = None
    found.status = Status.ACTIVE if found.status == Status.CANCELLED else found.status
    found.save(update_fields=["status", "cancel_at"])
    record_change(organisation, before, action="Plan taken up again")
    return None


@transaction.atomic
def _end_plan_if_due(organisation_id: int) -> None:
    agreement_sync.lock_agreements(organisation_id)
    organisation, _ = subscriptions.lock_subscription(organisation_id)
    if Subscription.objects.filter(_build_over_filter(timezone.now()), organisation_id=organisation_id).exists():
        before = load_figures(organisation)
        subscriptions.end_plan(organisation_id=organisation_id)
        record_change(organisation, before, action="Plan ended")
