"""Going from plan to plan, against the simulated PayPal and both clocks."""

import pytest

from billing.catalogue.plans import Cycle, Plan
from billing.payments.models import Agreement, Purchase
from billing.payments.paypal import Amount, paypal
from billing.provider_sync import next_charges
from billing.subscriptions import services as subscriptions
from billing.subscriptions.lifecycle.trials import start_trial
from conftest import client_of, make_user
from tests.subscriber import CHANGE, Subscriber

FULL = 100 + 10_000


@pytest.mark.spec("SUB-034", "SUB-047", "SUB-035")
def test_the_preview_tells_the_figures(nora: Subscriber) -> None:
    nora.subscribe("starter")
    nora.pass_to("2030-02-14T12:00")
    answer = nora.api.get(f"{CHANGE}/preview", {"new_plan_id": "growth", "billing_cycle": "monthly"})
    assert answer.json() == {
        "current_plan": "starter",
        "new_plan": "growth",
        "days_remaining": 14,
        "total_days": 28,
        "current_plan_price": 49.0,
        "new_plan_price": 79.0,
        "is_upgrade": True,
        "immediate_charge": 15.0,
        "next_billing_amount": 79.0,
        "billing_cycle": "monthly",
        "credits_now": 2_500,
        "credits_a_month": 10_000,
    }
    assert Purchase.objects.count() == 1


@pytest.mark.spec("SUB-036", "SUB-037", "SUB-049")
def test_an_upgrade_by_one_approval(nora: Subscriber) -> None:
    nora.subscribe("starter")
    nora.pass_to("2030-02-14T10:00")
    token = nora.upgrade("growth")
    assert (nora.status()["subscription_plan"], nora.status()["next_billing_date"]) == (
        "growth",
        "2030-02-28T10:00:00Z",
    )
    assert nora.grants() == [("01-31", 100), ("01-31", 5_000), ("02-14", 2_500)]
    assert nora.running() == [("ACTIVE", "79.00")]
    for _ in range(2):
        assert nora.say(f"plan-change/complete/{token}") == "Your plan is now Growth, billed monthly."
    nora.pass_to("2030-02-28T11:00", "2030-03-31T11:00")
    assert nora.charges() == [("01-31", "49.00"), ("02-14", "15.00"), ("02-28", "79.00"), ("03-28", "79.00")]
    assert [amount for _, amount in nora.grants()[3:]] == [10_000, 10_000]
    nora.check()


@pytest.mark.spec("SUB-037")
def test_a_change_is_complete_when_paypal_says_so_though_nobody_told_us(nora: Subscriber) -> None:
    """The browser is closed at PayPal: no return, no webhook, only the call with the token."""
    nora.subscribe("starter")
    _, answer = nora.call("plan-change/create-payment", new_plan_id="growth", billing_cycle="monthly")
    token = Purchase.objects.latest("pk").public_id
    status, refused = nora.call(f"plan-change/complete/{token}")
    assert (status, refused["code"], nora.status()["subscription_plan"]) == (400, "PAYMENT_NOT_CAPTURED", "starter")
    nora.buyer.press(answer["approval_url"], "pay")
    assert nora.status()["subscription_plan"] == "starter"
    for _ in range(2):
        assert nora.say(f"plan-change/complete/{token}") == "Your plan is now Growth, billed monthly."
    assert nora.status()["subscription_plan"] == "growth"
    nora.check()


@pytest.mark.spec("SUB-052", "SUB-049", "SUB-045")
@pytest.mark.parametrize("outcome", ["cancel", "decline", "delay"])
def test_until_the_charge_is_there_the_old_plan_stays(nora: Subscriber, outcome: str) -> None:
    nora.subscribe("starter")
    before = nora.status()
    token = nora.upgrade("pro", outcome=outcome)
    status, answer = nora.call(f"plan-change/complete/{token}")
    assert (status, answer["code"], answer["detail"]) == (
        400,
        "PAYMENT_NOT_CAPTURED",
        "Failed to complete plan change. Please contact support if you were charged.",
    )
    assert nora.status() == before
    assert ("ACTIVE", "49.00") in nora.running()
    nora.check()


@pytest.mark.spec("SUB-049")
def test_a_change_of_somebody_else_cannot_be_completed(nora: Subscriber) -> None:
    nora.subscribe("starter")
    token = nora.upgrade("growth")
    stranger = client_of(make_user("bob@birch.net", "Bob", plan=Plan.FREE))
    for foreign in (token, "unknown"):
        assert stranger.post(f"{CHANGE}/complete/{foreign}").json()["code"] == "PAYMENT_NOT_CAPTURED"
    assert stranger.get("/api/subscriptions/status").json()["subscription_plan"] == "free"


@pytest.mark.spec("SUB-047", "SUB-050", "SUB-052")
def test_monthly_to_yearly_begins_a_year_now(nora: Subscriber) -> None:
    nora.subscribe("starter")
    nora.pass_to("2030-02-14T10:00")
    nora.upgrade("growth", "yearly")
    status = nora.status()
    assert (status["subscription_plan"], status["billing_cycle"]) == ("growth", "yearly")
    assert status["next_billing_date"] == "2031-02-14T10:00:00Z"
    assert nora.charges() == [("01-31", "49.00"), ("02-14", "762.50")]
    assert nora.running() == [("ACTIVE", "787.00")]
    nora.pass_to("2030-02-28T11:00", "2030-12-31T11:00", "2031-01-31T11:00", "2031-02-14T11:00", "2031-02-28T11:00")
    assert nora.grants()[2:] == [
        ("02-14", 2_500), ("02-28", 10_000), ("12-31", 10_000), ("01-31", 10_000), ("02-28", 10_000),
    ]  # fmt: skip
    assert nora.charges()[-1] == ("02-14", "787.00")
    assert nora.plan.paid_until is not None
    assert f"{nora.plan.paid_until:%Y-%m-%d}" == "2032-02-14"
    nora.check()


@pytest.mark.spec("SUB-039", "SUB-050", "SUB-052")
def test_a_downgrade_holds_from_the_billing_date_without_approval(nora: Subscriber) -> None:
    nora.subscribe("growth")
    message = nora.say("plan-change", new_plan_id="starter", billing_cycle="monthly")
    assert message == "Your plan changes to Starter, billed monthly on 28 February 2030. Until then nothing changes."
    status = nora.status()
    assert (status["subscription_plan"], status["credits"]) == ("growth", FULL)
    assert (status["scheduled_plan"], status["scheduled_cycle"], status["scheduled_at"]) == (
        "starter", "monthly", "2030-02-28T10:00:00Z",
    )  # fmt: skip
    assert nora.running() == [("ACTIVE", "49.00")]
    nora.pass_to("2030-02-28T09:00")
    assert nora.status()["subscription_plan"] == "growth"
    nora.pass_to("2030-02-28T11:00")
    status = nora.status()
    assert (status["subscription_plan"], status["scheduled_plan"], status["monthly_limit"]) == ("starter", None, 5_000)
    assert nora.grants()[2:] == [("02-28", 5_000)]
    assert nora.charges() == [("01-31", "79.00"), ("02-28", "49.00")]
    nora.check()


@pytest.mark.spec("SUB-047", "SUB-039")
def test_a_scheduled_change_can_be_undone(nora: Subscriber) -> None:
    nora.subscribe("growth")
    nora.say("plan-change", new_plan_id="starter", billing_cycle="monthly")
    assert nora.undo() == "Your plan stays Growth, billed monthly."
    again = nora.api.delete(CHANGE)
    assert (again.status_code, again.json()["code"], again.json()["detail"]) == (
        400, "NOTHING_SCHEDULED", "No plan change is scheduled",
    )  # fmt: skip
    nora.pass_to("2030-02-28T11:00")
    assert nora.running() == [("ACTIVE", "79.00")]
    assert (nora.status()["subscription_plan"], nora.charges()[-1]) == ("growth", ("02-28", "79.00"))


@pytest.mark.spec("SUB-047", "SUB-052")
@pytest.mark.parametrize("ending", ["change", "undo"])
def test_another_cycle_is_approved_now_and_charged_later(nora: Subscriber, ending: str) -> None:
    nora.subscribe("growth", "yearly")
    status, answer = nora.call("plan-change", new_plan_id="starter", billing_cycle="monthly")
    assert (status, answer["message"]) == (
        200,
        "Approve the new price at PayPal. Your plan then changes to Starter, billed monthly on 31 January 2031; "
        "nothing is charged before.",
    )
    assert nora.status()["scheduled_plan"] is None
    token = nora.approve(answer["approval_url"])
    assert nora.say(f"plan-change/complete/{token}") == (
        "Your plan changes to Starter, billed monthly on 31 January 2031."
    )
    assert (nora.status()["scheduled_plan"], nora.status()["scheduled_at"]) == ("starter", "2031-01-31T10:00:00Z")
    assert nora.running() == [("ACTIVE", "49.00"), ("SUSPENDED", "787.00")]
    if ending == "undo":
        nora.undo()
    nora.pass_to("2030-02-28T11:00", "2031-01-31T11:00")
    after = {"change": ("starter", "49.00"), "undo": ("growth", "787.00")}[ending]
    assert (nora.status()["subscription_plan"], nora.running()) == (after[0], [("ACTIVE", after[1])])
    assert nora.charges() == [("01-31", after[1]), ("01-31", "787.00")] or ending == "undo"
    assert [amount for _, amount in nora.charges()].count("787.00") == (2 if ending == "undo" else 1)
    nora.check()


@pytest.mark.spec("SUB-047")
def test_within_ten_days_a_lower_price_needs_an_approval(nora: Subscriber) -> None:
    nora.subscribe("growth")
    nora.pass_to("2030-02-20T10:00")
    _, answer = nora.call("plan-change", new_plan_id="starter", billing_cycle="monthly")
    nora.approve(answer["approval_url"])
    nora.pass_to("2030-02-28T11:00")
    assert nora.charges() == [("01-31", "79.00"), ("02-28", "49.00")]
    assert (nora.status()["subscription_plan"], nora.running()) == ("starter", [("ACTIVE", "49.00")])
    nora.check()


@pytest.mark.spec("SUB-041", "SUB-042", "SUB-043")
def test_what_cannot_be_changed_is_refused(nora: Subscriber) -> None:
    def refusals(plan: str, cycle: str = "monthly") -> set[tuple[str, str]]:
        body = {"new_plan_id": plan, "billing_cycle": cycle}
        answers = [
            nora.api.get(f"{CHANGE}/preview", body),
            nora.api.post(CHANGE, body, format="json"),
            nora.api.post(f"{CHANGE}/create-payment", body, format="json"),
        ]
        assert {answer.status_code for answer in answers} == {400}
        return {(answer.json()["code"], answer.json()["detail"]) for answer in answers}

    assert refusals("growth") == {("FREE_USER", "Free users must start a trial first")}
    start_trial(organisation=nora.user.own_organisation)
    nora.pass_to("2030-02-15T10:00")
    assert refusals("growth") == {("FREE_USER", "Free users must upgrade")}
    nora.subscribe("growth")
    assert refusals("growth") == {("SAME_PLAN", "You are already on this plan")}
    upgrade = nora.api.post(CHANGE, {"new_plan_id": "pro", "billing_cycle": "monthly"}, format="json")
    assert (upgrade.status_code, upgrade.json()["code"], upgrade.json()["detail"]) == (
        400, "PAYMENT_REQUIRED", "This upgrade requires payment",
    )  # fmt: skip
    nora.say("cancel")
    assert refusals("pro") == {("NO_SUBSCRIPTION", "No active subscription found. Please subscribe to a plan first.")}
    assert nora.api.get(f"{CHANGE}/preview", {"new_plan_id": "free", "billing_cycle": "monthly"}).status_code == 400
    assert (Purchase.objects.count(), nora.status()["subscription_plan"]) == (1, "growth")


@pytest.mark.spec("SUB-019", "SUB-017")
def test_from_a_trial_the_plan_is_paid_in_full(nora: Subscriber) -> None:
    start_trial(organisation=nora.user.own_organisation)
    preview = nora.api.get(f"{CHANGE}/preview", {"new_plan_id": "growth", "billing_cycle": "monthly"}).json()
    assert (preview["current_plan_price"], preview["immediate_charge"], preview["is_upgrade"]) == (0, 79.0, True)
    assert (preview["credits_now"], preview["credits_a_month"]) == (10_000, 10_000)
    token = nora.upgrade("growth")
    assert nora.say(f"plan-change/complete/{token}") == "Your plan is now Growth, billed monthly."
    status = nora.status()
    assert (status["subscription_status"], status["trial_status"], status["credits"]) == ("active", "converted", FULL)
    assert nora.charges() == [("01-31", "79.00")]


@pytest.mark.spec("SUB-052")
def test_a_change_that_was_overtaken_brings_nothing_and_charges_no_more(nora: Subscriber) -> None:
    nora.subscribe("starter")
    _, slow = nora.call("plan-change/create-payment", new_plan_id="pro", billing_cycle="monthly")
    nora.upgrade("growth")
    token = nora.approve(slow["approval_url"])
    assert nora.call(f"plan-change/complete/{token}")[0] == 400
    assert (nora.status()["subscription_plan"], nora.running()) == ("growth", [("ACTIVE", "79.00")])
    nora.pass_to("2030-02-01T10:00")
    assert nora.charges() == [("01-31", "30.00"), ("01-31", "49.00")]  # the 100.00 went back
    assert (nora.status()["subscription_plan"], nora.credits) == ("growth", 10_100)
    nora.check()


@pytest.mark.spec("SUB-052")
def test_a_price_that_differs_at_paypal_is_noticed(nora: Subscriber) -> None:
    nora.subscribe("growth")
    nora.check()
    found = Agreement.objects.get()
    paypal().reprice_subscription(found.provider_id, price=Amount.usd("12.00"))
    assert next_charges.compare_next_charges().differ == [
        f"agreement {found.provider_id} charges 12.00 next instead of 79.00"
    ]


@pytest.mark.spec("SUB-050")
def test_to_and_fro_earns_nothing(nora: Subscriber) -> None:
    nora.subscribe("starter")
    nora.pass_to("2030-02-07T10:00")
    nora.upgrade("pro")
    granted = sum(amount for _, amount in nora.grants())
    for plan in ("starter", "growth"):
        nora.say("plan-change", new_plan_id=plan, billing_cycle="monthly")
        nora.undo()
    assert sum(amount for _, amount in nora.grants()) == granted == 100 + 5_000 + 11_250
    nora.pass_to("2030-02-28T11:00")
    assert nora.grants()[-1] == ("02-28", 20_000)
    nora.check()


@pytest.mark.spec("SUB-049")
def test_a_plan_that_was_given_is_bought_in_full(nora: Subscriber) -> None:
    subscriptions.activate_plan(organisation_id=nora.user.pk, plan=Plan.GROWTH, cycle=Cycle.MONTHLY, paid_until=None)
    nora.upgrade("pro")
    assert (nora.status()["subscription_plan"], nora.charges()) == ("pro", [("01-31", "149.00")])
    assert nora.plan.agreement == Agreement.objects.get()
    assert nora.credits == FULL + 20_000
    nora.check()
