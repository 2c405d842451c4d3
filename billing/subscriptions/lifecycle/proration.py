"""What a change of plan costs, from when it holds, and what follows (SUB-047, SUB-019): figures only, nothing moves.

Same cycle and a dearer plan: the difference for the days that are left, the billing date stays. Monthly to yearly: the
year, less what is left of the month; the year begins now. Everything else costs nothing and waits for the billing date.
"""

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from enum import StrEnum

from billing.catalogue.plans import Cycle, Plan
from billing.catalogue.price_list import OFFERS
from billing.payments.models import ChargeLine
from emailcheck.common.text.dates import format_day
from emailcheck.common.text.money import round_to_cents

_ORDER = (Plan.FREE, Plan.STARTER, Plan.GROWTH, Plan.PRO, Plan.CUSTOM, Plan.ENTERPRISE)


class ChangeMoment(StrEnum):
    """When a change takes effect: at once with its billing date, at once with a new period, on the billing date."""

    NOW = "now"
    NEW_PERIOD = "new_period"
    BILLING_DATE = "billing_date"


@dataclass(frozen=True, slots=True)
class CurrentTerms:
    """What an account has: `price` in USD a cycle, paid from `starts_on` up to, not including, `ends_on` (UTC).

    After an unpaid plan (a trial, a gift) the new plan is paid in full from now (SUB-019).
    """

    plan: Plan
    cycle: Cycle | None
    price: Decimal
    starts_on: date
    ends_on: date
    is_paid: bool = True

    @property
    def total_days(self) -> int:
        return max(0, (self.ends_on - self.starts_on).days)

    def days_remaining(self, today: date) -> int:
        return min(self.total_days, max(0, (self.ends_on - today).days))


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeFigures:
    """A change in numbers; money is USD in whole cents."""

    current_plan: Plan
    new_plan: Plan
    days_remaining: int
    total_days: int
    current_plan_price: Decimal
    new_plan_price: Decimal
    is_upgrade: bool
    immediate_charge: Decimal
    next_billing_amount: Decimal
    billing_cycle: Cycle
    moment: ChangeMoment


def compute_change(held: CurrentTerms, new: Plan, cycle: Cycle, *, today: date) -> ChangeFigures:
    """What going from `held` to a listed plan costs today."""
    price = OFFERS[new].price(cycle)
    moment = _choose_moment(held, new, cycle, price)
    return ChangeFigures(
        current_plan=held.plan,
        new_plan=new,
        days_remaining=held.days_remaining(today),
        total_days=held.total_days,
        current_plan_price=held.price,
        new_plan_price=price,
        is_upgrade=not held.is_paid or _ORDER.index(new) > _ORDER.index(held.plan),
        immediate_charge=_compute_charge(held, price, moment, today),
        next_billing_amount=price,
        billing_cycle=cycle,
        moment=moment,
    )


def build_charge_lines(
    held: CurrentTerms, change: ChangeFigures, *, today: date, ends_on: date
) -> tuple[ChargeLine, ...]:
    """How the charge of a change comes about, as its invoice says (PEN-007); nothing for a plan that is paid in full.

    It pays for the days from `today` up to, not including, `ends_on`. Each line is rounded by itself, so that they may
    miss the charge by a cent; the invoice adds what is missing.
    """
    if not change.immediate_charge or not held.price:
        return ()
    left, total = held.days_remaining(today), held.total_days
    days = (ends_on - today).days
    of = days if change.moment == ChangeMoment.NEW_PERIOD else total
    with_cycle = held.cycle != change.billing_cycle
    period = f"{format_day(today)} to {format_day(ends_on - timedelta(days=1))}"
    new = f"{_name_plan(change.new_plan, with_cycle and change.billing_cycle)}, {days} of {of} days ({period})"
    unused = f"Unused {_name_plan(held.plan, with_cycle and held.cycle)}, {left} of {total} days"
    lines = [
        ChargeLine(new, _prorate_price(change.new_plan_price, days, of)),
        ChargeLine(unused, -_prorate_price(held.price, left, total)),
    ]
    return tuple(line for line in lines if line.amount)


def _name_plan(plan: Plan, cycle: Cycle | bool | None) -> str:
    return f"{OFFERS[plan].name} {cycle}" if cycle else OFFERS[plan].name


def _prorate_price(price: Decimal, days: int, of: int) -> Decimal:
    return round_to_cents(price * days / of) if of else Decimal("0.00")


def _choose_moment(held: CurrentTerms, new: Plan, cycle: Cycle, price: Decimal) -> ChangeMoment:
    if not held.is_paid:
        return ChangeMoment.NEW_PERIOD
    if held.plan not in {Plan.ENTERPRISE, Plan.CUSTOM}:
        if (held.cycle, cycle) == (Cycle.MONTHLY, Cycle.YEARLY):
            return ChangeMoment.NEW_PERIOD
        if held.cycle == cycle and price > held.price:
            return ChangeMoment.NOW
    return ChangeMoment.BILLING_DATE


def _compute_charge(held: CurrentTerms, price: Decimal, moment: ChangeMoment, today: date) -> Decimal:
    """Rounded half up, once."""
    if moment == ChangeMoment.BILLING_DATE:
        return Decimal("0.00")
    left, total = held.days_remaining(today), held.total_days
    if moment == ChangeMoment.NOW:
        due = (price - held.price) * left / total if total else Decimal(0)
    else:
        due = max(Decimal(0), price - (held.price * left / total if total else Decimal(0)))
    return round_to_cents(due)
