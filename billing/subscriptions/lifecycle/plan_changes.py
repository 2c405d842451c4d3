"""Going from one paid plan to another: what it would cost, the approval of a charge, changes that wait, and undoing.

A lower price each cycle needs no approval; PayPal wants ten days' notice for it. Everything else is a new agreement
that the buyer approves (ADR 16).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.organisations.models import Organisation
from billing.catalogue.plans import Cycle, Plan
from billing.catalogue.price_list import OFFERS, TRIAL_DAYS
from billing.ledger.credit_months import month_at
from billing.ledger.models import CreditMonth
from billing.ledger.money_audit import load_figures, record_change
from billing.payments import agreement_sync, purchases
from billing.payments.models import Agreement, ChargeLine, PurchaseKind
from billing.payments.purchases import StartedPurchase
from billing.subscriptions import entitlements
from billing.subscriptions import services as subscriptions
from billing.subscriptions.lifecycle import switching
from billing.subscriptions.lifecycle.proration import (
    ChangeFigures,
    ChangeMoment,
    CurrentTerms,
    build_charge_lines,
    compute_change,
)
from billing.subscriptions.models import Status, Subscription
from billing.subscriptions.periods import compute_period_end, find_next_billing
from emailcheck.common.errors import BadInput
from emailcheck.common.text.dates import format_day

NOTICE = timedelta(days=10)
NO_TRIAL_YET = "Free users must start a trial first"
TRIAL_OVER = "Free users must upgrade"
SAME_PLAN = "You are already on this plan"
CHARGE_DUE = "This upgrade requires payment"
NOT_SCHEDULED = "No plan change is scheduled"


@dataclass(frozen=True, slots=True)
class ScheduledChange:
    """The message about a scheduled change, and the approval link, if it needs one."""

    message: str
    approval_url: str | None = None


def preview_change(*, organisation: Organisation, plan: Plan, cycle: Cycle) -> ChangeFigures:
    """What the change would cost now. Raises `BadInput`: `FREE_USER`, `SAME_PLAN`, `NO_SUBSCRIPTION`."""
    return compute_change(_load_current_terms(organisation, plan, cycle), plan, cycle, today=timezone.now().date())


def begin_paid_change(
    *, organisation: Organisation, plan: Plan, cycle: Cycle, confirm_second: bool = False
) -> StartedPurchase:
    """Begin a change that is approved at PayPal, with what is due now.

    Raises as `preview_change` and `purchases.begin_order`.
    """
    held, today = _load_current_terms(organisation, plan, cycle), timezone.now().date()
    change, now = compute_change(held, plan, cycle, today=today), entitlements.load_current_plan(organisation)
    if now.on_trial or now.is_given:
        return _begin_agreement(organisation, PurchaseKind.SUBSCRIPTION, change, None, confirm_second)
    starts_at = _require_billing_date(now.subscription)
    if change.moment == ChangeMoment.NEW_PERIOD:
        starts_at = compute_period_end(timezone.now(), cycle)
    lines = build_charge_lines(held, change, today=today, ends_on=starts_at.date())
    return _begin_agreement(organisation, PurchaseKind.PLAN_CHANGE, change, starts_at, confirm_second, lines)


def schedule_change(*, organisation: Organisation, plan: Plan, cycle: Cycle) -> ScheduledChange:
    """Change the plan at the next billing date. Raises as `begin_paid_change`, and `BadInput` (`PAYMENT_REQUIRED`)."""
    change = preview_change(organisation=organisation, plan=plan, cycle=cycle)
    if change.immediate_charge:
        raise BadInput(CHARGE_DUE, code="PAYMENT_REQUIRED")
    at = _reprice_agreement(organisation, plan, cycle)
    if at is not None:
        return ScheduledChange(
            f"Your plan changes to {describe_plan_choice(plan, cycle)} on {format_day(at)}. Until then nothing changes."
        )
    begun = begin_paid_change(organisation=organisation, plan=plan, cycle=cycle)
    at = begun.purchase.starts_at or timezone.now()
    return ScheduledChange(
        "Approve the new price at PayPal. "
        f"Your plan then changes to {describe_plan_choice(plan, cycle)} on {format_day(at)}; "
        "nothing is charged before.",
        begun.url,
    )


@transaction.atomic
def undo_scheduled_change(*, organisation: Organisation) -> str:
    """Keep the current plan. Returns the message for its owner. Raises `BadInput` (`NOTHING_SCHEDULED`)."""
    agreement_sync.lock_agreements(organisation.pk)
    _, found = subscriptions.lock_subscription(organisation.pk)
    if not found.scheduled_plan:
        raise BadInput(NOT_SCHEDULED, code="NOTHING_SCHEDULED")
    before = load_figures(organisation)
    switching.drop_schedule(found)
    record_change(organisation, before, action="Change of plan undone")
    return f"Your plan stays {describe_plan_choice(Plan(found.plan), Cycle(found.cycle))}."


def _load_current_terms(organisation: Organisation, plan: Plan, cycle: Cycle) -> CurrentTerms:
    """What the account has, if that can be changed for `plan`."""
    now, today = entitlements.load_current_plan(organisation), timezone.now()
    found = now.subscription
    if now.plan == Plan.FREE:
        raise BadInput(TRIAL_OVER if found.trial_status else NO_TRIAL_YET, code="FREE_USER")
    if now.on_trial and found.trial_ends_at:
        began = found.trial_ends_at - timedelta(days=TRIAL_DAYS)
        return CurrentTerms(now.plan, None, Decimal(0), began.date(), found.trial_ends_at.date(), False)
    if (now.plan, found.cycle) == (plan, cycle):
        raise BadInput(SAME_PLAN, code="SAME_PLAN")
    if now.status != Status.ACTIVE:
        raise subscriptions.build_no_plan_error()
    return _build_current_terms(now, today)


def _build_current_terms(now: entitlements.CurrentPlan, today: datetime) -> CurrentTerms:
    found = now.subscription
    cycle = Cycle(found.cycle) if found.cycle else None
    if now.is_given:
        month = month_at(found.started_at, today)
        return CurrentTerms(now.plan, cycle, Decimal(0), month.starts_at.date(), month.ends_at.date(), False)
    listed = OFFERS[now.plan].monthly is not None and cycle is not None
    price = OFFERS[now.plan].price(cycle) if listed and cycle else _load_agreed_price(found)
    ends = min(moment for moment in (found.period_ends_at, _require_billing_date(found)) if moment)
    starts = found.period_starts_at or found.started_at
    return CurrentTerms(now.plan, cycle, price, starts.date(), ends.date())


def _load_agreed_price(found: Subscription) -> Decimal:
    return found.agreement.price if found.agreement else Decimal(0)


def _require_billing_date(found: Subscription) -> datetime:
    at = find_next_billing(found)
    if at is None:
        raise subscriptions.build_no_plan_error()
    return at


def _begin_agreement(
    organisation: Organisation,
    kind: PurchaseKind,
    change: ChangeFigures,
    starts_at: datetime | None,
    confirm_second: bool,
    lines: Sequence[ChargeLine] = (),
) -> StartedPurchase:
    plan, cycle = change.new_plan, change.billing_cycle
    return purchases.begin_agreement(
        organisation=organisation,
        kind=kind,
        plan=plan,
        cycle=cycle,
        amount=change.immediate_charge,
        price=change.next_billing_amount,
        description=f"Change to the {purchases.describe_plan(plan, cycle)}",
        starts_at=starts_at,
        reference=switching.build_basis(entitlements.load_current_plan(organisation).subscription) if starts_at else "",
        lines=lines,
        confirm_second=confirm_second,
    )


@transaction.atomic
def _reprice_agreement(organisation: Organisation, plan: Plan, cycle: Cycle) -> datetime | None:
    """Lower the price of the running agreement from the billing date on. None when that needs an approval."""
    agreement_sync.lock_agreements(organisation.pk)
    _, found = subscriptions.lock_subscription(organisation.pk)
    at, mine = _require_billing_date(found), found.agreement
    if found.status != Status.ACTIVE:
        raise subscriptions.build_no_plan_error()
    if mine is None or found.scheduled_agreement_id or found.cycle != cycle or at - timezone.now() < NOTICE:
        return None
    price = OFFERS[plan].price(cycle)
    if OFFERS[Plan(found.plan)].monthly is None or price > OFFERS[Plan(found.plan)].price(cycle):
        return None
    before = load_figures(organisation)
    found.scheduled_plan, found.scheduled_cycle = plan, cycle
    found.save(update_fields=["scheduled_plan", "scheduled_cycle"])
    record_change(organisation, before, action=f"Change of plan on {format_day(at)}")
    Agreement.objects.filter(pk=mine.pk).update(plan=plan)
    agreement_sync.request_agreement_change(mine.pk, price=price)
    return at


def describe_plan_choice(plan: Plan, cycle: Cycle) -> str:
    name = OFFERS[plan].name
    return f"{name}, billed {cycle}" if cycle else name


def _count_credits_now(organisation: Organisation, change: ChangeFigures) -> int:
    """The credits that come with the charge."""
    if not change.immediate_charge:
        return 0
    limit, now = OFFERS[change.new_plan].limit or 0, entitlements.load_current_plan(organisation)
    if now.on_trial or now.is_given:
        return limit
    month = CreditMonth.objects.filter(organisation=organisation, starts_at=now.month.starts_at).first()
    return subscriptions.compute_upgrade_credits(month.limit if month else 0, limit, now.month, timezone.now())


def present_change(organisation: Organisation, change: ChangeFigures) -> dict[str, Any]:
    """The preview as it is answered."""
    names = (
        "current_plan", "new_plan", "days_remaining", "total_days", "current_plan_price", "new_plan_price",
        "is_upgrade", "immediate_charge", "next_billing_amount", "billing_cycle",
    )  # fmt: skip
    credits = {
        "credits_now": _count_credits_now(organisation, change),
        "credits_a_month": OFFERS[change.new_plan].limit or 0,
    }
    return {name: getattr(change, name) for name in names} | credits
