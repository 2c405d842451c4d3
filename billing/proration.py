"""What a change of plan costs, from when it holds, and what follows (SUB-047, SUB-019): figures only, nothing moves.

Same cycle and a dearer plan: the difference for the days that are left, the billing date stays. Monthly to yearly: the
year, less what is left of the month; the year begins now. Everything else costs nothing and waits for the billing date.
"""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import StrEnum

from billing.catalogue import OFFERS
from billing.models import Cycle, Plan
from emailcheck.common.money import whole_cents

_ORDER = (Plan.FREE, Plan.STARTER, Plan.GROWTH, Plan.PRO, Plan.CUSTOM, Plan.ENTERPRISE)


class Moment(StrEnum):
    """When a change holds: at once with its billing date kept, at once with a new period, at the billing date."""

    NOW = "now"
    NEW_PERIOD = "new_period"
    BILLING_DATE = "billing_date"


@dataclass(frozen=True, slots=True)
class Held:
    """What an account has: `price` in USD a cycle, paid from `starts_on` up to, not including, `ends_on` (UTC).

    After a plan that nobody pays for (a trial, a gift) whatever comes is paid in full from now (SUB-019).
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
class Figures:
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
    moment: Moment


def figures(held: Held, new: Plan, cycle: Cycle, *, today: date) -> Figures:
    """What going from `held` to a listed plan costs today."""
    price = OFFERS[new].price(cycle)
    moment = _moment(held, new, cycle, price)
    return Figures(
        current_plan=held.plan,
        new_plan=new,
        days_remaining=held.days_remaining(today),
        total_days=held.total_days,
        current_plan_price=held.price,
        new_plan_price=price,
        is_upgrade=not held.is_paid or _ORDER.index(new) > _ORDER.index(held.plan),
        immediate_charge=_charge(held, price, moment, today),
        next_billing_amount=price,
        billing_cycle=cycle,
        moment=moment,
    )


def _moment(held: Held, new: Plan, cycle: Cycle, price: Decimal) -> Moment:
    if not held.is_paid:
        return Moment.NEW_PERIOD
    if held.plan not in {Plan.ENTERPRISE, Plan.CUSTOM}:
        if (held.cycle, cycle) == (Cycle.MONTHLY, Cycle.YEARLY):
            return Moment.NEW_PERIOD
        if held.cycle == cycle and price > held.price:
            return Moment.NOW
    return Moment.BILLING_DATE


def _charge(held: Held, price: Decimal, moment: Moment, today: date) -> Decimal:
    """Rounded half up, once."""
    if moment == Moment.BILLING_DATE:
        return Decimal("0.00")
    left, total = held.days_remaining(today), held.total_days
    if moment == Moment.NOW:
        due = (price - held.price) * left / total if total else Decimal(0)
    else:
        due = max(Decimal(0), price - (held.price * left / total if total else Decimal(0)))
    return whole_cents(due)
