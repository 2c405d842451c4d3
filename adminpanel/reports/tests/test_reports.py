"""The totals, the revenue and the providers: each figure follows its source."""

from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
import time_machine
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries
from rest_framework.test import APIClient

from accounts.organisations.models import Organisation
from accounts.users.models import User
from billing.catalogue.plans import Cycle, Plan
from billing.payments.models import Agreement, AgreementState, Payment, PaymentKind, PaymentState
from billing.refunds import services as refunds
from billing.reports import payment_list
from billing.subscriptions.models import Status, Subscription
from billing.tests.paid import captured
from conftest import client_of, make_user
from tests.paypal import NOW
from validation.results.models import Result
from validation.results.removal import delete_in_slices
from validation.tests.stored import finished, single

pytestmark = pytest.mark.postgres

STATS, REVENUE = "/api/admin/stats", "/api/admin/revenue"
MONTH = timedelta(days=30)


@pytest.fixture(autouse=True)
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(NOW, tick=False) as found:
        yield found


@pytest.fixture
def staff(sam: User) -> APIClient:
    return client_of(sam)


def load_figures(api: APIClient, **query: str) -> dict[str, Any]:
    answer = api.get(REVENUE, query)
    assert answer.status_code == 200
    found: dict[str, Any] = answer.json()
    return found


def plan_paid(user: User, name: str, plan: Plan, amount: str, *, kind: str = "subscription", **told: Any) -> Payment:
    """A captured payment for a plan."""
    return captured(user, name, amount=amount, kind=PaymentKind(kind), plan=plan, description="Plan", **told)


def give_back(payment: Payment) -> None:
    refunds.complete_refund(payment_id=payment.pk, provider_id=f"REF-{payment.provider_id}")


def create_agreement(user: User | None, name: str, **fields: Any) -> Agreement:
    told = {"plan": Plan.GROWTH, "cycle": Cycle.MONTHLY, "price": "79"} | fields
    return Agreement.objects.create(organisation=user.own_organisation if user else None, provider_id=name, **told)


def put_on_plan(user: User, plan: Plan, cycle: Cycle, **fields: Any) -> None:
    """The account is on a plan that was paid for."""
    told = {"plan": plan, "cycle": cycle, "status": Status.ACTIVE, "paid_until": timezone.now() + MONTH} | fields
    Subscription.objects.filter(organisation=user.own_organisation).update(**told)


@pytest.mark.spec("ADM-101", "ADM-103")
def test_the_three_totals_follow_their_sources(staff: APIClient, alice: User, bob: User) -> None:
    assert staff.get(STATS).json() == {"totalUsers": 3, "totalRevenue": 0.0, "totalValidations": 0}
    batch = finished(alice, [("a@b.com", "valid"), ("c@b.com", "unknown")])
    single(bob, "d@b.com")
    captured(alice, "CAP-1", amount="59.00")
    back = captured(bob, "CAP-2", amount="89.00")
    assert staff.get(STATS).json() == {"totalUsers": 3, "totalRevenue": 148.0, "totalValidations": 3}
    give_back(back)
    User.objects.filter(pk=bob.pk).update(deleted_at=timezone.now(), is_active=False)
    delete_in_slices(Result.objects.filter(batch=batch))
    assert staff.get(STATS).json() == {"totalUsers": 2, "totalRevenue": 59.0, "totalValidations": 3}


@pytest.mark.spec("ADM-404", "ADM-405", "ADM-408")
def test_without_data_every_figure_is_nought(staff: APIClient) -> None:
    for days in payment_list.ReportRange.values:
        assert load_figures(staff, range=days) == {
            "totalRevenue": 0.0, "monthlyRevenue": 0.0, "yearlyRevenue": 0.0, "planBreakdown": [],
            "recentTransactions": [], "churnRate": 0.0, "avgCustomerValue": 0.0,
        }  # fmt: skip


@pytest.mark.spec("ADM-402", "ADM-404", "ADM-408")
def test_the_breakdown_is_of_the_range_with_packs_and_quotes_of_their_own(
    staff: APIClient, alice: User, bob: User, clock: time_machine.Traveller
) -> None:
    plan_paid(alice, "CAP-OLD", Plan.GROWTH, "79")
    clock.shift(timedelta(days=31))
    plan_paid(alice, "CAP-1", Plan.GROWTH, "79", kind="renewal")
    plan_paid(bob, "CAP-2", Plan.GROWTH, "79")
    captured(alice, "CAP-3", amount="59")
    plan_paid(bob, "CAP-4", Plan.ENTERPRISE, "350", kind="quote")
    plan_paid(bob, "CAP-5", Plan.ENTERPRISE, "33", kind="renewal")
    client = client_of(User.objects.get(email="sam@emailcheck.app"))
    assert load_figures(client)["planBreakdown"] == [
        {"plan": "Quotes", "revenue": 383.0, "customers": 1, "percentage": 63.8},
        {"plan": "Growth", "revenue": 158.0, "customers": 2, "percentage": 26.3},
        {"plan": "Credit packs", "revenue": 59.0, "customers": 1, "percentage": 9.8},
    ]
    everything = {line["plan"]: line for line in load_figures(client, range="all")["planBreakdown"]}
    assert everything["Growth"] == {"plan": "Growth", "revenue": 237.0, "customers": 2, "percentage": 34.9}
    assert [len(load_figures(client, range=days)["planBreakdown"]) for days in ("7d", "30d", "90d", "1y")] == [3] * 4
    assert load_figures(client, range="90d")["planBreakdown"][1]["revenue"] == 237.0


@pytest.mark.spec("ADM-403", "ADM-406", "ADM-405")
def test_only_what_was_captured_and_kept_is_a_transaction(staff: APIClient, alice: User, bob: User) -> None:
    for number, state in enumerate((PaymentState.PENDING, PaymentState.DECLINED)):
        Payment.objects.create(
            organisation=alice.own_organisation,
            provider_id=f"CAP-N{number}",
            kind=PaymentKind.CREDITS,
            state=state,
            amount="9",
            description="x",
        )
    kept = captured(alice, "CAP-1")
    back = plan_paid(bob, "CAP-2", Plan.STARTER, "49")
    before = load_figures(staff)
    assert [row["id"] for row in before["recentTransactions"]] == ["CAP-2", "CAP-1"]
    assert (before["totalRevenue"], before["yearlyRevenue"], before["avgCustomerValue"]) == (108.0, 108.0, 54.0)
    give_back(back)
    after = load_figures(staff)
    assert after["recentTransactions"] == [
        {"id": "CAP-1", "customer": "Alice Alder", "amount": 59.0, "plan": "Credit packs",
         "date": "2030-01-31T04:05:06Z"},
    ]  # fmt: skip
    assert after["planBreakdown"] == [{"plan": "Credit packs", "revenue": 59.0, "customers": 1, "percentage": 100.0}]
    assert (after["totalRevenue"], after["yearlyRevenue"], after["avgCustomerValue"]) == (59.0, 59.0, 59.0)
    Payment.objects.filter(pk=kept.pk).update(organisation=None)
    assert load_figures(staff)["recentTransactions"][0]["customer"] == "Deleted account"
    assert load_figures(staff)["avgCustomerValue"] == 59.0


@pytest.mark.spec("ADM-407", "ADM-408")
def test_the_year_is_365_days_and_the_total_is_of_all_time(
    staff: APIClient, sam: User, alice: User, clock: time_machine.Traveller
) -> None:
    old = captured(alice, "CAP-OLD", amount="59")
    captured(alice, "CAP-OLD-2", amount="89")
    clock.shift(timedelta(days=366))
    captured(alice, "CAP-NEW", amount="179")
    api = client_of(sam)
    found = load_figures(api, range="7d")
    assert (found["totalRevenue"], found["yearlyRevenue"]) == (327.0, 179.0)
    give_back(old)  # what went back this year takes from this year
    found = load_figures(api, range="7d")
    assert (found["totalRevenue"], found["yearlyRevenue"]) == (268.0, 120.0)
    assert api.get(REVENUE, {"range": "2d"}).status_code == 400


@pytest.mark.spec("ADM-408")
def test_monthly_revenue_is_what_active_paid_plans_cost_a_month(staff: APIClient, alice: User, bob: User) -> None:
    def monthly() -> float:
        found: float = load_figures(staff)["monthlyRevenue"]
        return found

    put_on_plan(alice, Plan.PRO, Cycle.MONTHLY)
    put_on_plan(bob, Plan.GROWTH, Cycle.YEARLY)
    assert monthly() == 214.58  # 149 + 787 / 12
    for status in (Status.PAUSED, Status.PAST_DUE, Status.TRIAL, Status.CANCELLED):
        Subscription.objects.filter(organisation=alice.own_organisation).update(status=status)
        assert monthly() == 65.58
    put_on_plan(alice, Plan.ENTERPRISE, Cycle.MONTHLY, agreement=create_agreement(alice, "I-1", price="33.50"))
    assert monthly() == 99.08
    put_on_plan(bob, Plan.ENTERPRISE, Cycle.YEARLY)
    plan_paid(bob, "CAP-Q", Plan.ENTERPRISE, "1200", kind="quote")
    assert monthly() == 133.5
    Subscription.objects.update(paid_until=None)  # given, not paid
    assert monthly() == 0.0


LIVES: list[tuple[Plan, Cycle, str, dict[str, Any], dict[str, Any]]] = [
    (Plan.GROWTH, Cycle.MONTHLY, "79", {}, {}),
    (Plan.PRO, Cycle.YEARLY, "1484", {}, {}),
    (Plan.GROWTH, Cycle.MONTHLY, "59.50", {}, {}),  # agreed before the list price rose
    (Plan.ENTERPRISE, Cycle.MONTHLY, "33.50", {}, {}),
    (Plan.STARTER, Cycle.MONTHLY, "49", {"status": Status.PAST_DUE}, {}),
    (Plan.STARTER, Cycle.MONTHLY, "49", {"status": Status.PAUSED}, {"desired_state": AgreementState.SUSPENDED}),
    (Plan.STARTER, Cycle.MONTHLY, "49", {"status": Status.CANCELLED}, {"desired_state": AgreementState.CANCELLED}),
    (Plan.STARTER, Cycle.MONTHLY, "49", {}, {"state": AgreementState.SUSPENDED}),
    (Plan.STARTER, Cycle.MONTHLY, "49", {}, {"desired_state": AgreementState.CANCELLED}),
    (Plan.STARTER, Cycle.MONTHLY, "49", {}, {"state": AgreementState.CANCELLED, "ended_at": NOW}),
    (Plan.STARTER, Cycle.MONTHLY, "49", {"paid_until": None}, {}),  # given by staff
]


def create_payer(
    number: int, plan: Plan, cycle: Cycle, price: str, life: dict[str, Any], terms: dict[str, Any]
) -> User:
    """A customer whose agreement charges this price, as far as it charges."""
    user = make_user(f"payer{number}@larch.com", f"Payer {number}")
    paying = create_agreement(user, f"I-{number}", plan=plan, cycle=cycle, price=price, **terms)
    put_on_plan(user, plan, cycle, agreement=paying, **life)
    return user


@pytest.mark.finding("D4")
@pytest.mark.spec("ADM-408")
def test_only_what_is_billed_is_monthly_revenue(staff: APIClient, alice: User) -> None:
    customers = [create_payer(number, *life) for number, life in enumerate(LIVES)]
    put_on_plan(alice, Plan.GROWTH, Cycle.MONTHLY, status=Status.TRIAL, paid_until=None)
    # Growth, a twelfth of Pro's year, Growth at its old price, the agreed one: recounted here, not by the product.
    billed = [Decimal("79.00"), Decimal(1484) / 12, Decimal("59.50"), Decimal("33.50")]
    assert load_figures(staff)["monthlyRevenue"] == float(round(sum(billed, Decimal(0)), 2)) == 295.67
    Organisation.objects.filter(pk=customers[0].pk).update(is_active=False)  # suspended: nothing is charged
    assert load_figures(staff)["monthlyRevenue"] == 216.67
    Organisation.objects.filter(pk=customers[0].pk).update(is_active=True)
    assert load_figures(staff)["monthlyRevenue"] == 295.67


@pytest.mark.finding("D4")
@pytest.mark.spec("ADM-408")
def test_a_change_that_waits_changes_the_monthly_revenue_when_it_holds(staff: APIClient, alice: User) -> None:
    mine = create_agreement(alice, "I-1", plan=Plan.PRO, price="149")
    put_on_plan(alice, Plan.PRO, Cycle.MONTHLY, agreement=mine)
    assert load_figures(staff)["monthlyRevenue"] == 149.0
    Agreement.objects.filter(pk=mine.pk).update(price="79", plan=Plan.GROWTH)  # lowered from the billing date on
    Subscription.objects.filter(organisation=alice.own_organisation).update(
        scheduled_plan=Plan.GROWTH, scheduled_cycle=Cycle.MONTHLY
    )
    assert load_figures(staff)["monthlyRevenue"] == 149.0
    Agreement.objects.filter(pk=mine.pk).update(price="149", desired_state=AgreementState.SUSPENDED)
    next_one = create_agreement(alice, "I-2", plan=Plan.GROWTH, cycle=Cycle.YEARLY, price="787")
    Subscription.objects.filter(organisation=alice.own_organisation).update(
        scheduled_cycle=Cycle.YEARLY, scheduled_agreement=next_one
    )
    assert load_figures(staff)["monthlyRevenue"] == 149.0
    put_on_plan(alice, Plan.GROWTH, Cycle.YEARLY, agreement=next_one, scheduled_agreement=None, scheduled_plan="")
    assert load_figures(staff)["monthlyRevenue"] == 65.58


@pytest.mark.spec("ADM-408")
def test_churn_is_who_left_in_the_range_over_who_was_there_at_its_start(
    staff: APIClient, alice: User, bob: User, sam: User, clock: time_machine.Traveller
) -> None:
    ida, now = create_agreement(None, "I-GONE"), timezone.now()
    mine = create_agreement(alice, "I-A")
    create_agreement(bob, "I-B")
    create_agreement(sam, "I-C")
    Agreement.objects.update(created_at=now - timedelta(days=40))
    create_agreement(None, "I-NEW")
    assert load_figures(staff)["churnRate"] == 0.0
    ida.ended_at = now - timedelta(days=35)  # before the range: neither there nor lost
    ida.save()
    Agreement.objects.filter(pk=mine.pk).update(ended_at=now)
    assert load_figures(staff, range="30d")["churnRate"] == 33.3
    assert load_figures(staff, range="90d")["churnRate"] == 0.0  # nobody was there at its start
    assert load_figures(staff, range="all")["churnRate"] == 40.0  # two of five who ever were
    create_agreement(alice, "I-A2")  # changed the plan, did not leave
    assert load_figures(staff, range="30d")["churnRate"] == 0.0


@pytest.mark.parametrize(("path", "queries"), [(STATS, 5), (REVENUE, 12)])
def test_the_number_of_queries_is_constant(
    staff: APIClient, alice: User, django_assert_num_queries: DjangoAssertNumQueries, path: str, queries: int
) -> None:
    for number in range(12):
        captured(alice, f"CAP-{number}")
        plan_paid(alice, f"CAP-P{number}", Plan.GROWTH, "79")
    with django_assert_num_queries(queries):
        assert staff.get(path).status_code == 200
