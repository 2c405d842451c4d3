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

from accounts.models import User
from billing import following, inquiry, plans, purchases, subscriptions, switching
from billing.catalogue import OFFERS, TRIAL_DAYS
from billing.models import Agreement, CreditMonth, Cycle, Plan, PurchaseKind, PurchaseState, Status, Subscription
from billing.months import month_at
from billing.paypal.errors import PayPalError
from billing.periods import next_billing_at, period_after
from billing.proration import Figures, Held, Moment, WorkingLine, figures, working
from billing.purchases import Begun
from emailcheck.common.dates import on_day
from emailcheck.common.errors import BadInput, NotFound

NOTICE = timedelta(days=10)
NO_TRIAL_YET = "Free users must start a trial first"
TRIAL_OVER = "Free users must upgrade"
SAME = "You are already on this plan"
CHARGE_DUE = "This upgrade requires payment"
NOT_SCHEDULED = "No plan change is scheduled"
NOT_COMPLETE = "Failed to complete plan change. Please contact support if you were charged."


@dataclass(frozen=True, slots=True)
class Scheduled:
    """What to tell about a change that waits, and where it is to be approved, if it is."""

    message: str
    approval_url: str | None = None


def preview(*, user: User, plan: Plan, cycle: Cycle) -> Figures:
    """What the change would cost now. Raises `BadInput`: `FREE_USER`, `SAME_PLAN`, `NO_SUBSCRIPTION`."""
    return figures(_held(user, plan, cycle), plan, cycle, today=timezone.now().date())


def pay(*, user: User, plan: Plan, cycle: Cycle, confirm_second: bool = False) -> Begun:
    """Begin a change that is approved at PayPal, with what is due now.

    Raises as `preview` and `purchases.begin_order`.
    """
    held, today = _held(user, plan, cycle), timezone.now().date()
    change, now = figures(held, plan, cycle, today=today), plans.standing(user)
    if now.on_trial or now.is_given:
        return _begin(user, PurchaseKind.SUBSCRIPTION, change, None, confirm_second)
    starts_at = _billing_date(now.subscription)
    if change.moment == Moment.NEW_PERIOD:
        starts_at = period_after(timezone.now(), cycle)
    lines = working(held, change, today=today, ends_on=starts_at.date())
    return _begin(user, PurchaseKind.PLAN_CHANGE, change, starts_at, confirm_second, lines)


def schedule(*, user: User, plan: Plan, cycle: Cycle) -> Scheduled:
    """Change the plan at the next billing date. Raises as `pay`, and `BadInput` (`PAYMENT_REQUIRED`)."""
    change = preview(user=user, plan=plan, cycle=cycle)
    if change.immediate_charge:
        raise BadInput(CHARGE_DUE, code="PAYMENT_REQUIRED")
    at = _reprice(user, plan, cycle)
    if at is not None:
        return Scheduled(f"Your plan changes to {_words(plan, cycle)} on {on_day(at)}. Until then nothing changes.")
    begun = pay(user=user, plan=plan, cycle=cycle)
    at = begun.purchase.starts_at or timezone.now()
    return Scheduled(
        f"Approve the new price at PayPal. Your plan then changes to {_words(plan, cycle)} on {on_day(at)}; "
        "nothing is charged before.",
        begun.url,
    )


@transaction.atomic
def undo(*, user: User) -> str:
    """Stay with the plan, and answer what to tell its owner. Raises `BadInput` (`NOTHING_SCHEDULED`)."""
    following.lock_all(user.pk)
    _, found = subscriptions.locked(user.pk)
    if not found.scheduled_plan:
        raise BadInput(NOT_SCHEDULED, code="NOTHING_SCHEDULED")
    switching.drop_schedule(found)
    return f"Your plan stays {_words(Plan(found.plan), Cycle(found.cycle))}."


def complete(*, user: User, token: str) -> str:
    """Complete a change with what PayPal says now, and answer what to tell its owner; as often as it is asked.

    Raises `BadInput` (`PAYMENT_NOT_CAPTURED`) for what is unknown, somebody else's or not paid.
    """
    try:
        purchase = inquiry.look(purchases.find(user=user, token=token))
    except (NotFound, PayPalError) as error:
        raise _not_complete() from error
    if purchase.state != PurchaseState.PAID or not purchase.plan:
        raise _not_complete()
    plan, cycle = Plan(purchase.plan), Cycle(purchase.cycle)
    if purchase.amount:
        return f"Your plan is now {_words(plan, cycle)}."
    at = purchase.starts_at or purchase.created_at
    found = Subscription.objects.get(user=user)
    if (found.scheduled_plan, found.scheduled_cycle) == (plan, cycle):
        return f"Your plan changes to {_words(plan, cycle)} on {on_day(at)}."
    return f"Your plan goes on. The next charge is on {on_day(at)}."


def _not_complete() -> BadInput:
    return BadInput(NOT_COMPLETE, code="PAYMENT_NOT_CAPTURED")


def _held(user: User, plan: Plan, cycle: Cycle) -> Held:
    """What the account has, if that can be changed for `plan`."""
    now, today = plans.standing(user), timezone.now()
    found = now.subscription
    if now.plan == Plan.FREE:
        raise BadInput(TRIAL_OVER if found.trial_status else NO_TRIAL_YET, code="FREE_USER")
    if now.on_trial and found.trial_ends_at:
        began = found.trial_ends_at - timedelta(days=TRIAL_DAYS)
        return Held(now.plan, None, Decimal(0), began.date(), found.trial_ends_at.date(), False)
    if (now.plan, found.cycle) == (plan, cycle):
        raise BadInput(SAME, code="SAME_PLAN")
    if now.status != Status.ACTIVE:
        raise subscriptions.no_plan()
    return _period(now, today)


def _period(now: plans.Standing, today: datetime) -> Held:
    found = now.subscription
    cycle = Cycle(found.cycle) if found.cycle else None
    if now.is_given:
        month = month_at(found.started_at, today)
        return Held(now.plan, cycle, Decimal(0), month.starts_at.date(), month.ends_at.date(), False)
    listed = OFFERS[now.plan].monthly is not None and cycle is not None
    price = OFFERS[now.plan].price(cycle) if listed and cycle else _agreed_price(found)
    ends = min(moment for moment in (found.period_ends_at, _billing_date(found)) if moment)
    starts = found.period_starts_at or found.started_at
    return Held(now.plan, cycle, price, starts.date(), ends.date())


def _agreed_price(found: Subscription) -> Decimal:
    return found.agreement.price if found.agreement else Decimal(0)


def _billing_date(found: Subscription) -> datetime:
    at = next_billing_at(found)
    if at is None:
        raise subscriptions.no_plan()
    return at


def _begin(
    user: User,
    kind: PurchaseKind,
    change: Figures,
    starts_at: datetime | None,
    confirm_second: bool,
    lines: Sequence[WorkingLine] = (),
) -> Begun:
    plan, cycle = change.new_plan, change.billing_cycle
    return purchases.begin_agreement(
        user=user,
        kind=kind,
        plan=plan,
        cycle=cycle,
        amount=change.immediate_charge,
        price=change.next_billing_amount,
        description=f"Change to the {purchases.plan_words(plan, cycle)}",
        starts_at=starts_at,
        reference=switching.basis(plans.standing(user).subscription) if starts_at else "",
        lines=lines,
        confirm_second=confirm_second,
    )


@transaction.atomic
def _reprice(user: User, plan: Plan, cycle: Cycle) -> datetime | None:
    """Lower the price of the running agreement from the billing date on. None when that needs an approval."""
    following.lock_all(user.pk)
    _, found = subscriptions.locked(user.pk)
    at, mine = _billing_date(found), found.agreement
    if found.status != Status.ACTIVE:
        raise subscriptions.no_plan()
    if mine is None or found.scheduled_agreement_id or found.cycle != cycle or at - timezone.now() < NOTICE:
        return None
    price = OFFERS[plan].price(cycle)
    if OFFERS[Plan(found.plan)].monthly is None or price > OFFERS[Plan(found.plan)].price(cycle):
        return None
    found.scheduled_plan, found.scheduled_cycle = plan, cycle
    found.save(update_fields=["scheduled_plan", "scheduled_cycle"])
    Agreement.objects.filter(pk=mine.pk).update(plan=plan)
    following.ask(mine.pk, price=price)
    return at


def _words(plan: Plan, cycle: Cycle) -> str:
    name = OFFERS[plan].name
    return f"{name}, billed {cycle}" if cycle else name


def _credits_now(user: User, change: Figures) -> int:
    """The credits that come with the charge."""
    if not change.immediate_charge:
        return 0
    limit, now = OFFERS[change.new_plan].limit or 0, plans.standing(user)
    if now.on_trial or now.is_given:
        return limit
    month = CreditMonth.objects.filter(user=user, starts_at=now.month.starts_at).first()
    return subscriptions.more_at_once(month.limit if month else 0, limit, now.month, timezone.now())


def as_json(user: User, change: Figures) -> dict[str, Any]:
    """The preview as it is answered."""
    names = (
        "current_plan", "new_plan", "days_remaining", "total_days", "current_plan_price", "new_plan_price",
        "is_upgrade", "immediate_charge", "next_billing_amount", "billing_cycle",
    )  # fmt: skip
    credits = {"credits_now": _credits_now(user, change), "credits_a_month": OFFERS[change.new_plan].limit or 0}
    return {name: getattr(change, name) for name in names} | credits
