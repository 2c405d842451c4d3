"""Going from plan to plan, against the simulated PayPal and both clocks."""

import pytest

from billing import subscriptions
from billing.models import Agreement, Cycle, Plan, Purchase
from conftest import client_of, make_user
from tests.subscriber import CHANGE, Subscriber

FULL = 100 + 10_000


@pytest.mark.spec("SUB-034", "SUB-047", "SUB-035")
def test_the_preview_tells_the_figures(erin: Subscriber) -> None:
    erin.subscribe("starter")
    erin.pass_to("2030-02-14T12:00")
    answer = erin.api.get(f"{CHANGE}/preview", {"new_plan_id": "growth", "billing_cycle": "monthly"})
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
    }
    assert Purchase.objects.count() == 1


@pytest.mark.spec("SUB-036", "SUB-037", "SUB-050", "SUB-052", "SUB-049")
def test_an_upgrade_by_one_approval(erin: Subscriber) -> None:
    erin.subscribe("starter")
    erin.pass_to("2030-02-14T10:00")
    token = erin.upgrade("growth")
    assert (erin.status["subscription_plan"], erin.status["next_billing_date"]) == ("growth", "2030-02-28T10:00:00Z")
    assert erin.grants() == [("01-31", 100), ("01-31", 5_000), ("02-14", 2_500)]
    assert erin.running() == [("ACTIVE", "79.00")]
    for _ in range(2):
        assert erin.say(f"plan-change/complete/{token}") == "Your plan is now Growth, billed monthly."
    erin.pass_to("2030-02-28T11:00", "2030-03-31T11:00")
    assert erin.charges() == [("01-31", "49.00"), ("02-14", "15.00"), ("02-28", "79.00"), ("03-28", "79.00")]
    assert [amount for _, amount in erin.grants()[3:]] == [10_000, 10_000]
    erin.check()


@pytest.mark.spec("SUB-052", "SUB-049", "SUB-045")
@pytest.mark.parametrize("outcome", ["cancel", "decline", "delay"])
def test_until_the_charge_is_there_the_old_plan_stays(erin: Subscriber, outcome: str) -> None:
    erin.subscribe("starter")
    before = erin.status
    token = erin.upgrade("pro", outcome=outcome)
    status, answer = erin.call(f"plan-change/complete/{token}")
    assert (status, answer["code"], answer["detail"]) == (
        400,
        "PAYMENT_NOT_CAPTURED",
        "Failed to complete plan change. Please contact support if you were charged.",
    )
    assert erin.status == before
    assert ("ACTIVE", "49.00") in erin.running()
    erin.check()


@pytest.mark.spec("SUB-049")
def test_a_change_of_somebody_else_cannot_be_completed(erin: Subscriber) -> None:
    erin.subscribe("starter")
    token = erin.upgrade("growth")
    stranger = client_of(make_user("bob@birch.net", "Bob", plan=Plan.FREE))
    for foreign in (token, "unknown"):
        assert stranger.post(f"{CHANGE}/complete/{foreign}").json()["code"] == "PAYMENT_NOT_CAPTURED"
    assert stranger.get("/api/subscriptions/status").json()["subscription_plan"] == "free"


@pytest.mark.spec("SUB-047", "SUB-050", "SUB-052")
def test_monthly_to_yearly_begins_a_year_now(erin: Subscriber) -> None:
    erin.subscribe("starter")
    erin.pass_to("2030-02-14T10:00")
    erin.upgrade("growth", "yearly")
    status = erin.status
    assert (status["subscription_plan"], status["billing_cycle"]) == ("growth", "yearly")
    assert status["next_billing_date"] == "2031-02-14T10:00:00Z"
    assert erin.charges() == [("01-31", "49.00"), ("02-14", "762.50")]
    assert erin.running() == [("ACTIVE", "787.00")]
    erin.pass_to("2030-02-28T11:00", "2030-12-31T11:00", "2031-01-31T11:00", "2031-02-14T11:00", "2031-02-28T11:00")
    assert erin.grants()[2:] == [
        ("02-14", 2_500), ("02-28", 10_000), ("12-31", 10_000), ("01-31", 10_000), ("02-28", 10_000),
    ]  # fmt: skip
    assert erin.charges()[-1] == ("02-14", "787.00")
    assert erin.plan.paid_until is not None
    assert f"{erin.plan.paid_until:%Y-%m-%d}" == "2032-02-14"
    erin.check()


@pytest.mark.spec("SUB-039", "SUB-047", "SUB-050", "SUB-052")
def test_a_downgrade_holds_from_the_billing_date_without_approval(erin: Subscriber) -> None:
    erin.subscribe("growth")
    message = erin.say("plan-change", new_plan_id="starter", billing_cycle="monthly")
    assert message == "Your plan changes to Starter, billed monthly on 28 February 2030. Until then nothing changes."
    status = erin.status
    assert (status["subscription_plan"], status["credits"]) == ("growth", FULL)
    assert (status["scheduled_plan"], status["scheduled_cycle"], status["scheduled_at"]) == (
        "starter", "monthly", "2030-02-28T10:00:00Z",
    )  # fmt: skip
    assert erin.running() == [("ACTIVE", "49.00")]
    erin.pass_to("2030-02-28T09:00")
    assert erin.status["subscription_plan"] == "growth"
    erin.pass_to("2030-02-28T11:00")
    status = erin.status
    assert (status["subscription_plan"], status["scheduled_plan"], status["monthly_limit"]) == ("starter", None, 5_000)
    assert erin.grants()[2:] == [("02-28", 5_000)]
    assert erin.charges() == [("01-31", "79.00"), ("02-28", "49.00")]
    erin.check()


@pytest.mark.spec("SUB-047", "SUB-039")
def test_a_scheduled_change_can_be_undone(erin: Subscriber) -> None:
    erin.subscribe("growth")
    erin.say("plan-change", new_plan_id="starter", billing_cycle="monthly")
    assert erin.undo() == "Your plan stays Growth, billed monthly."
    again = erin.api.delete(CHANGE)
    assert (again.status_code, again.json()["code"], again.json()["detail"]) == (
        400, "NOTHING_SCHEDULED", "No plan change is scheduled",
    )  # fmt: skip
    erin.pass_to("2030-02-28T11:00")
    assert erin.running() == [("ACTIVE", "79.00")]
    assert (erin.status["subscription_plan"], erin.charges()[-1]) == ("growth", ("02-28", "79.00"))


@pytest.mark.spec("SUB-047", "SUB-052")
@pytest.mark.parametrize("ending", ["change", "undo"])
def test_another_cycle_is_approved_now_and_charged_later(erin: Subscriber, ending: str) -> None:
    erin.subscribe("growth", "yearly")
    status, answer = erin.call("plan-change", new_plan_id="starter", billing_cycle="monthly")
    assert (status, answer["message"]) == (
        200,
        "Approve the new price at PayPal. Your plan then changes to Starter, billed monthly on 31 January 2031; "
        "nothing is charged before.",
    )
    assert erin.status["scheduled_plan"] is None
    token = erin.approve(answer["approval_url"])
    assert erin.say(f"plan-change/complete/{token}") == (
        "Your plan changes to Starter, billed monthly on 31 January 2031."
    )
    assert (erin.status["scheduled_plan"], erin.status["scheduled_at"]) == ("starter", "2031-01-31T10:00:00Z")
    assert erin.running() == [("ACTIVE", "49.00"), ("SUSPENDED", "787.00")]
    if ending == "undo":
        erin.undo()
    erin.pass_to("2030-02-28T11:00", "2031-01-31T11:00")
    after = {"change": ("starter", "49.00"), "undo": ("growth", "787.00")}[ending]
    assert (erin.status["subscription_plan"], erin.running()) == (after[0], [("ACTIVE", after[1])])
    assert erin.charges() == [("01-31", after[1]), ("01-31", "787.00")] or ending == "undo"
    assert [amount for _, amount in erin.charges()].count("787.00") == (2 if ending == "undo" else 1)
    erin.check()


@pytest.mark.spec("SUB-047")
def test_within_ten_days_a_lower_price_needs_an_approval(erin: Subscriber) -> None:
    erin.subscribe("growth")
    erin.pass_to("2030-02-20T10:00")
    _, answer = erin.call("plan-change", new_plan_id="starter", billing_cycle="monthly")
    erin.approve(answer["approval_url"])
    erin.pass_to("2030-02-28T11:00")
    assert erin.charges() == [("01-31", "79.00"), ("02-28", "49.00")]
    assert (erin.status["subscription_plan"], erin.running()) == ("starter", [("ACTIVE", "49.00")])
    erin.check()


@pytest.mark.spec("SUB-041", "SUB-042", "SUB-043", "SUB-015", "SUB-018", "PRC-028")
def test_what_cannot_be_changed_is_refused(erin: Subscriber) -> None:
    def refusals(plan: str, cycle: str = "monthly") -> set[tuple[str, str]]:
        body = {"new_plan_id": plan, "billing_cycle": cycle}
        answers = [
            erin.api.get(f"{CHANGE}/preview", body),
            erin.api.post(CHANGE, body, format="json"),
            erin.api.post(f"{CHANGE}/create-payment", body, format="json"),
        ]
        assert {answer.status_code for answer in answers} == {400}
        return {(answer.json()["code"], answer.json()["detail"]) for answer in answers}

    assert refusals("growth") == {("FREE_USER", "Free users must start a trial first")}
    subscriptions.start_trial(user=erin.user)
    erin.pass_to("2030-02-15T10:00")
    assert refusals("growth") == {("FREE_USER", "Free users must upgrade")}
    erin.subscribe("growth")
    assert refusals("growth") == {("SAME_PLAN", "You are already on this plan")}
    upgrade = erin.api.post(CHANGE, {"new_plan_id": "pro", "billing_cycle": "monthly"}, format="json")
    assert (upgrade.status_code, upgrade.json()["code"], upgrade.json()["detail"]) == (
        400, "PAYMENT_REQUIRED", "This upgrade requires payment",
    )  # fmt: skip
    erin.say("cancel")
    assert refusals("pro") == {("NO_SUBSCRIPTION", "No active subscription found. Please subscribe to a plan first.")}
    assert erin.api.get(f"{CHANGE}/preview", {"new_plan_id": "free", "billing_cycle": "monthly"}).status_code == 400
    assert (Purchase.objects.count(), erin.status["subscription_plan"]) == (1, "growth")


@pytest.mark.spec("SUB-019", "SUB-017")
def test_from_a_trial_the_plan_is_paid_in_full(erin: Subscriber) -> None:
    subscriptions.start_trial(user=erin.user)
    preview = erin.api.get(f"{CHANGE}/preview", {"new_plan_id": "growth", "billing_cycle": "monthly"}).json()
    assert (preview["current_plan_price"], preview["immediate_charge"], preview["is_upgrade"]) == (0, 79.0, True)
    token = erin.upgrade("growth")
    assert erin.say(f"plan-change/complete/{token}") == "Your plan is now Growth, billed monthly."
    status = erin.status
    assert (status["subscription_status"], status["trial_status"], status["credits"]) == ("active", "converted", FULL)
    assert erin.charges() == [("01-31", "79.00")]


@pytest.mark.spec("SUB-052")
def test_a_change_that_was_overtaken_brings_nothing_and_charges_no_more(erin: Subscriber) -> None:
    erin.subscribe("starter")
    _, slow = erin.call("plan-change/create-payment", new_plan_id="pro", billing_cycle="monthly")
    erin.upgrade("growth")
    token = erin.approve(slow["approval_url"])
    assert erin.call(f"plan-change/complete/{token}")[0] == 400
    assert (erin.status["subscription_plan"], erin.running()) == ("growth", [("ACTIVE", "79.00")])
    erin.check()


@pytest.mark.spec("SUB-050")
def test_to_and_fro_earns_nothing(erin: Subscriber) -> None:
    erin.subscribe("starter")
    erin.pass_to("2030-02-07T10:00")
    erin.upgrade("pro")
    granted = sum(amount for _, amount in erin.grants())
    for plan in ("starter", "growth"):
        erin.say("plan-change", new_plan_id=plan, billing_cycle="monthly")
        erin.undo()
    assert sum(amount for _, amount in erin.grants()) == granted == 100 + 5_000 + 11_250
    erin.pass_to("2030-02-28T11:00")
    assert erin.grants()[-1] == ("02-28", 20_000)
    erin.check()


@pytest.mark.spec("SUB-049")
def test_a_plan_that_was_given_is_bought_in_full(erin: Subscriber) -> None:
    subscriptions.activate(user_id=erin.user.pk, plan=Plan.GROWTH, cycle=Cycle.MONTHLY, paid_until=None)
    erin.upgrade("pro")
    assert (erin.status["subscription_plan"], erin.charges()) == ("pro", [("01-31", "149.00")])
    assert erin.plan.agreement == Agreement.objects.get()
    assert erin.credits == FULL + 20_000
    erin.check()
