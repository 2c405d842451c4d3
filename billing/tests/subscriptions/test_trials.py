"""The Growth trial, and what the account is told of its plan."""

from datetime import UTC, datetime

import pytest
import time_machine
from rest_framework.test import APIClient

from accounts.users.models import User
from billing import tasks
from billing.catalogue.plans import Cycle, Plan
from billing.ledger import services as ledger
from billing.ledger.models import CreditEntry, LotKind
from billing.subscriptions import entitlements
from billing.subscriptions import services as subscriptions
from billing.subscriptions.lifecycle.trials import start_trial
from billing.subscriptions.models import Subscription
from conftest import client_of, make_user
from emailcheck.common.testing import run_sixteen
from emailcheck.common.text import check_costs

START = datetime(2026, 1, 10, 8, tzinfo=UTC)
END = datetime(2026, 1, 24, 8, tzinfo=UTC)


@pytest.fixture
def tom(db: None) -> User:
    with time_machine.travel(START, tick=False):
        return make_user("tom@tansy.org", "Tom Tansy", plan=Plan.FREE)


def credits(user: User) -> int:
    total: int = entitlements.build_account_summary(user.own_organisation)["credits"]
    return total


def status(api: APIClient) -> dict[str, object]:
    body: dict[str, object] = api.get("/api/subscriptions/status").json()
    return body


@pytest.mark.spec("SUB-011", "SUB-016", "LIM-020")
def test_a_trial_is_14_days_of_growth_with_100_credits(tom: User) -> None:
    with time_machine.travel(START, tick=False):
        api = client_of(tom)
        before = status(api)
        assert (before["subscription_plan"], before["trial_status"]) == ("free", None)
        answer = api.post("/api/trial/start")
        assert (answer.status_code, answer.json()) == (
            200,
            {
                "message": "Your 14-day Growth trial has started. 100 credits were added.",
                "trial_ends_at": "2026-01-24T08:00:00Z",
                "credits": 200,
            },
        )
        assert status(api) == {
            "subscription_plan": "growth",
            "credits": 200,
            "subscription_status": "trial",
            "payment_method": None,
            "last_payment_date": None,
            "last_payment": None,
            "next_billing_date": None,
            "monthly_usage": 0,
            "trial_status": "active",
            "can_pause": False,
            "pause_ends_at": None,
            "billing_cycle": None,
            "trial_ends_at": "2026-01-24T08:00:00Z",
            "cancel_at": None,
            "monthly_limit": 100,
            "scheduled_plan": None,
            "scheduled_cycle": None,
            "scheduled_at": None,
            "plan_credits": 200,
            "pack_credits": 0,
            "unknown_costs": check_costs.FULL,
        }


@pytest.mark.spec("SUB-013", "SUB-018")
def test_a_second_start_is_refused(tom: User) -> None:
    with time_machine.travel(START, tick=False) as clock:
        start_trial(organisation=tom.own_organisation)
        api = client_of(tom)
        for moment in (START, END):
            clock.move_to(moment, tick=False)
            tasks.keep_time()
            before = (status(client_of(tom)), CreditEntry.objects.count())
            refused = client_of(tom).post("/api/trial/start")
            assert (refused.status_code, refused.json()["code"], refused.json()["detail"]) == (
                400, "TRIAL_USED", "Growth trial already used",
            )  # fmt: skip
            assert (status(client_of(tom)), CreditEntry.objects.count()) == before
        assert api.get("/api/plans").status_code == 200


@pytest.mark.spec("SUB-013")
def test_no_trial_on_a_paid_plan(alice: User, alice_api: APIClient) -> None:
    assert alice_api.post("/api/trial/start").json()["code"] == "TRIAL_USED"
    assert credits(alice) == 100


@pytest.mark.spec("SUB-017", "SUB-018")
def test_the_end_of_a_trial(tom: User) -> None:
    with time_machine.travel(START, tick=False) as clock:
        start_trial(organisation=tom.own_organisation)
        held = ledger.open_hold(organisation_id=tom.pk, amount=150, reason="Batch", key="b1")
        clock.move_to(END, tick=False)
        assert status(client_of(tom))["trial_status"] == "expired"  # also before the job has run
        tasks.keep_time()
        tasks.keep_time()
        after = status(client_of(tom))
        assert (after["subscription_plan"], after["subscription_status"], after["trial_status"]) == (
            "free", "active", "expired",
        )  # fmt: skip
        assert credits(tom) == 50
        ledger.close_hold(hold=held, captured=20)
        assert credits(tom) == 100  # what was held of the trial lapses, what was held of the month comes back
    assert ledger.reconcile_ledger() == []


@pytest.mark.spec("SUB-017")
def test_buying_a_plan_ends_the_trial_at_once(tom: User) -> None:
    with time_machine.travel(START, tick=False) as clock:
        start_trial(organisation=tom.own_organisation)
        clock.move_to(START.replace(day=12), tick=False)
        subscriptions.activate_plan(
            organisation_id=tom.pk, plan=Plan.GROWTH, cycle=Cycle.MONTHLY, paid_until=END.replace(month=2)
        )
        found = status(client_of(tom))
        assert (found["subscription_status"], found["trial_status"], found["credits"], found["monthly_limit"]) == (
            "active", "converted", 10_100, 10_000,
        )  # fmt: skip
        clock.move_to(END, tick=False)
        tasks.keep_time()
        assert status(client_of(tom))["subscription_plan"] == "growth"
        assert credits(tom) == 10_100
    assert ledger.reconcile_ledger() == []


@pytest.mark.django_db(transaction=True)
def test_sixteen_starts_at_once_begin_one_trial(tom: User) -> None:
    assert run_sixteen(lambda _: start_trial(organisation=tom.own_organisation)).count("TRIAL_USED") == 15
    assert CreditEntry.objects.filter(organisation=tom.own_organisation, lot__kind=LotKind.TRIAL).count() == 1
    assert Subscription.objects.get(organisation=tom.own_organisation).plan == Plan.GROWTH
    assert ledger.reconcile_ledger() == []
