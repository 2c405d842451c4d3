"""What a change of plan costs, over month ends and leap years."""

from datetime import date, timedelta
from decimal import Decimal

import pytest

from billing.catalogue.plans import Cycle, Plan
from billing.catalogue.price_list import OFFERS
from billing.subscriptions.lifecycle.proration import ChangeFigures, ChangeMoment, CurrentTerms, compute_change

MONTHLY, YEARLY = Cycle.MONTHLY, Cycle.YEARLY
STARTER, GROWTH, PRO = Plan.STARTER, Plan.GROWTH, Plan.PRO


def held(plan: Plan, cycle: Cycle, starts_on: str, ends_on: str) -> CurrentTerms:
    return CurrentTerms(
        plan, cycle, OFFERS[plan].price(cycle), date.fromisoformat(starts_on), date.fromisoformat(ends_on)
    )


def change(before: CurrentTerms, new: Plan, cycle: Cycle, today: str) -> ChangeFigures:
    return compute_change(before, new, cycle, today=date.fromisoformat(today))


@pytest.mark.spec("SUB-047")
@pytest.mark.parametrize(
    ("plan", "new", "period", "today", "days", "charge"),
    [
        (STARTER, GROWTH, ("2026-04-01", "2026-05-01"), "2026-04-16", (15, 30), "15.00"),
        (STARTER, GROWTH, ("2026-04-01", "2026-05-01"), "2026-04-01", (30, 30), "30.00"),
        (STARTER, GROWTH, ("2026-04-01", "2026-05-01"), "2026-05-01", (0, 30), "0.00"),
        (STARTER, GROWTH, ("2026-04-01", "2026-05-01"), "2026-05-09", (0, 30), "0.00"),
        (STARTER, GROWTH, ("2026-01-31", "2026-02-28"), "2026-02-14", (14, 28), "15.00"),
        (STARTER, GROWTH, ("2028-01-31", "2028-02-29"), "2028-02-14", (15, 29), "15.52"),
        (STARTER, PRO, ("2026-02-28", "2026-03-31"), "2026-03-30", (1, 31), "3.23"),
        (GROWTH, PRO, ("2026-12-31", "2027-01-31"), "2027-01-01", (30, 31), "67.74"),
        (GROWTH, PRO, ("2026-05-01", "2026-06-01"), "2026-05-31", (1, 31), "2.26"),
    ],
)
def test_a_dearer_plan_costs_the_difference_for_the_days_left(
    plan: Plan, new: Plan, period: tuple[str, str], today: str, days: tuple[int, int], charge: str
) -> None:
    found = change(held(plan, MONTHLY, *period), new, MONTHLY, today)
    assert (found.days_remaining, found.total_days, found.immediate_charge) == (*days, Decimal(charge))
    assert (found.is_upgrade, found.moment, found.next_billing_amount) == (
        True,
        ChangeMoment.NOW,
        OFFERS[new].price(MONTHLY),
    )


@pytest.mark.spec("SUB-047")
@pytest.mark.parametrize(
    ("period", "today", "days", "charge"),
    [
        (("2027-03-01", "2028-03-01"), "2027-03-01", (366, 366), "697.00"),
        (("2027-03-01", "2028-03-01"), "2028-02-29", (1, 366), "1.90"),
        (("2026-03-01", "2027-03-01"), "2027-02-28", (1, 365), "1.91"),
    ],
)
def test_a_year_has_365_or_366_days(period: tuple[str, str], today: str, days: tuple[int, int], charge: str) -> None:
    found = change(held(GROWTH, YEARLY, *period), PRO, YEARLY, today)
    assert (found.days_remaining, found.total_days, found.immediate_charge) == (*days, Decimal(charge))


@pytest.mark.spec("SUB-047")
@pytest.mark.parametrize(
    ("plan", "new", "today", "charge"),
    [
        (STARTER, STARTER, "2026-04-16", "463.50"),
        (STARTER, GROWTH, "2026-04-01", "738.00"),
        (STARTER, GROWTH, "2026-05-01", "787.00"),
        (PRO, STARTER, "2026-04-11", "388.67"),
    ],
)
def test_monthly_to_yearly_begins_a_year_now_less_what_is_left(plan: Plan, new: Plan, today: str, charge: str) -> None:
    found = change(held(plan, MONTHLY, "2026-04-01", "2026-05-01"), new, YEARLY, today)
    assert (found.immediate_charge, found.moment) == (Decimal(charge), ChangeMoment.NEW_PERIOD)
    assert found.next_billing_amount == OFFERS[new].price(YEARLY)


@pytest.mark.spec("SUB-047")
def test_the_charge_of_a_year_is_never_below_nothing() -> None:
    dear = CurrentTerms(GROWTH, MONTHLY, Decimal(2_000), date(2026, 4, 1), date(2026, 5, 1))
    assert change(dear, GROWTH, YEARLY, "2026-04-01").immediate_charge == Decimal("0.00")


@pytest.mark.spec("SUB-047")
@pytest.mark.parametrize(
    ("before", "new", "cycle", "is_upgrade"),
    [
        (held(GROWTH, MONTHLY, "2026-04-01", "2026-05-01"), STARTER, MONTHLY, False),
        (held(PRO, YEARLY, "2026-04-01", "2027-04-01"), GROWTH, YEARLY, False),
        (held(GROWTH, YEARLY, "2026-04-01", "2027-04-01"), GROWTH, MONTHLY, False),
        (held(STARTER, YEARLY, "2026-04-01", "2027-04-01"), PRO, MONTHLY, True),
        (CurrentTerms(Plan.ENTERPRISE, MONTHLY, Decimal(900), date(2026, 4, 1), date(2026, 5, 1)), PRO, YEARLY, False),
        (CurrentTerms(Plan.CUSTOM, MONTHLY, Decimal(20), date(2026, 4, 1), date(2026, 5, 1)), PRO, MONTHLY, False),
    ],
)
def test_every_other_change_costs_nothing_and_waits(
    before: CurrentTerms, new: Plan, cycle: Cycle, is_upgrade: bool
) -> None:
    found = change(before, new, cycle, "2026-04-16")
    assert (found.immediate_charge, found.moment) == (Decimal("0.00"), ChangeMoment.BILLING_DATE)
    assert (found.is_upgrade, found.next_billing_amount) == (is_upgrade, OFFERS[new].price(cycle))


@pytest.mark.spec("SUB-019")
@pytest.mark.parametrize("new", [STARTER, GROWTH, PRO])
@pytest.mark.parametrize("cycle", [MONTHLY, YEARLY])
def test_from_a_trial_every_plan_is_paid_in_full(new: Plan, cycle: Cycle) -> None:
    trial = CurrentTerms(GROWTH, None, Decimal(0), date(2026, 4, 1), date(2026, 4, 15), is_paid=False)
    found = change(trial, new, cycle, "2026-04-05")
    assert (found.current_plan_price, found.immediate_charge) == (Decimal(0), OFFERS[new].price(cycle))
    assert (found.is_upgrade, found.days_remaining, found.total_days) == (True, 10, 14)


@pytest.mark.spec("SUB-047")
def test_what_is_left_falls_by_the_day_and_never_rises() -> None:
    before = held(STARTER, MONTHLY, "2028-01-31", "2028-02-29")
    days = [date(2028, 1, 25) + timedelta(days=shift) for shift in range(40)]
    charges = [compute_change(before, PRO, MONTHLY, today=day).immediate_charge for day in days]
    assert charges == sorted(charges, reverse=True)
    assert (charges[0], charges[-1]) == (Decimal("100.00"), Decimal("0.00"))
