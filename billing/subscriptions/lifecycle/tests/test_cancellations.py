"""Cancelling, keeping, running out and coming back, against the simulated PayPal and both clocks."""

import pytest

from accounts.staff import services as staff
from accounts.users.models import User
from billing.catalogue.plans import Cycle, Plan
from billing.ledger import services as ledger
from billing.ledger.models import LotKind
from billing.payments.models import Agreement
from billing.subscriptions import services as subscriptions
from billing.subscriptions.lifecycle.trials import start_trial
from emailcheck.common.outbound.models import OutgoingMail
from emailcheck.common.testing import drain_queue
from tests.subscriber import CHANGE, Subscriber

ENDS = "Your subscription ends on 28 February 2030. Until then you can use it as before."


@pytest.mark.spec("SUB-066", "SUB-064", "PRC-029")
def test_a_cancelled_plan_can_be_used_until_its_end(nora: Subscriber) -> None:
    ledger.grant_credits(organisation_id=nora.user.pk, kind=LotKind.PACK, amount=500, reason="Pack", key="pack")
    nora.subscribe("growth")
    assert [nora.say("cancel") for _ in range(2)] == [ENDS, ENDS]
    status = nora.status()
    assert (status["subscription_status"], status["cancel_at"]) == ("cancelled", "2030-02-28T10:00:00Z")
    assert (status["subscription_plan"], status["next_billing_date"], status["can_pause"]) == ("growth", None, False)
    assert (nora.running(), nora.credits) == ([], 10_600)
    assert OutgoingMail.objects.filter(name="subscription_cancelled").count() == 1
    nora.pass_to("2030-02-28T09:59")
    assert nora.status()["subscription_plan"] == "growth"
    nora.pass_to("2030-02-28T10:00")
    status = nora.status()
    assert (status["subscription_plan"], status["subscription_status"], status["cancel_at"]) == ("free", "active", None)
    nora.pass_to("2030-04-15T10:00")
    assert nora.charges() == [("01-31", "79.00")]
    assert status["pack_credits"] == 500
    nora.check()


@pytest.mark.spec("SUB-071")
def test_keep_my_plan_is_charged_when_the_paid_period_ends(nora: Subscriber) -> None:
    nora.subscribe("growth")
    nora.say("cancel")
    status, answer = nora.call("reactivate")
    assert (status, answer["message"]) == (
        200, "Approve the payment at PayPal. The next charge is on 28 February 2030, nothing before.",
    )  # fmt: skip
    assert nora.status()["subscription_status"] == "cancelled"
    token = nora.approve(answer["approval_url"])
    assert nora.say(f"plan-change/complete/{token}") == "Your plan goes on. The next charge is on 28 February 2030."
    status = nora.status()
    assert (status["subscription_status"], status["cancel_at"], status["next_billing_date"]) == (
        "active", None, "2030-02-28T10:00:00Z",
    )  # fmt: skip
    assert (nora.charges(), nora.credits) == ([("01-31", "79.00")], 10_100)
    nora.pass_to("2030-02-28T11:00")
    assert nora.charges() == [("01-31", "79.00"), ("02-28", "79.00")]
    assert (nora.grants()[-1], nora.running()) == (("02-28", 10_000), [("ACTIVE", "79.00")])
    nora.check()


@pytest.mark.spec("SUB-071")
def test_a_plan_that_is_kept_too_late_begins_anew(nora: Subscriber) -> None:
    nora.subscribe("growth")
    nora.say("cancel")
    _, answer = nora.call("reactivate")
    nora.pass_to("2030-03-05T10:00")
    assert nora.status()["subscription_plan"] == "free"
    nora.approve(answer["approval_url"])
    assert (nora.status()["subscription_plan"], nora.charges()[-1]) == ("growth", ("03-05", "79.00"))
    assert [amount for _, amount in nora.grants()].count(10_000) == 2
    nora.check()


@pytest.mark.spec("SUB-071")
@pytest.mark.parametrize("state", ["free", "active", "paused", "ended"])
def test_what_is_not_cancelled_cannot_be_kept(nora: Subscriber, state: str) -> None:
    if state != "free":
        nora.subscribe("growth")
    if state == "paused":
        nora.say("pause")
    if state == "ended":
        nora.say("cancel")
        nora.pass_to("2030-03-01T10:00")
    before = nora.running()
    status, answer = nora.call("reactivate")
    assert (status, answer["code"], answer["detail"]) == (
        400, "NOT_CANCELLED", "Your subscription is not cancelled",
    )  # fmt: skip
    assert nora.running() == before


@pytest.mark.spec("SUB-020")
def test_a_cancelled_trial_ends_on_its_day_without_charge(nora: Subscriber) -> None:
    start_trial(organisation=nora.user.own_organisation)
    assert nora.say("cancel") == "Your trial ends on 14 February 2030. Nothing will be charged."
    status = nora.status()
    assert (status["subscription_status"], status["cancel_at"], status["can_pause"]) == (
        "trial", "2030-02-14T04:05:06Z", False,
    )  # fmt: skip
    assert nora.call("reactivate") == (200, {"message": "Your plan goes on.", "approval_url": None})
    assert nora.status()["cancel_at"] is None
    nora.say("cancel")
    nora.pass_to("2030-02-14T05:00")
    assert (nora.status()["subscription_plan"], nora.charges()) == ("free", [])
    nora.check()


@pytest.mark.spec("SUB-042")
def test_nothing_can_be_cancelled_on_free(nora: Subscriber) -> None:
    status, answer = nora.call("cancel")
    assert (status, answer["detail"]) == (400, "No active subscription found. Please subscribe to a plan first.")


@pytest.mark.spec("SUB-071")
def test_a_plan_that_was_given_ends_with_its_month_and_can_be_kept(nora: Subscriber) -> None:
    subscriptions.activate_plan(organisation_id=nora.user.pk, plan=Plan.PRO, cycle=Cycle.MONTHLY, paid_until=None)
    assert nora.say("cancel") == ENDS
    assert nora.call("reactivate") == (200, {"message": "Your plan goes on.", "approval_url": None})
    assert (nora.status()["subscription_status"], nora.status()["cancel_at"]) == ("active", None)
    nora.say("cancel")
    nora.pass_to("2030-02-28T11:00")
    assert nora.status()["subscription_plan"] == "free"


@pytest.mark.spec("SUB-071", "SUB-047")
def test_cancelling_forgets_a_change_that_waits(nora: Subscriber) -> None:
    nora.subscribe("growth", "yearly")
    _, answer = nora.call("plan-change", new_plan_id="starter", billing_cycle="monthly")
    nora.approve(answer["approval_url"])
    nora.say("cancel")
    assert (nora.running(), nora.status()["scheduled_plan"]) == ([], None)
    nora.pass_to("2031-01-31T11:00", "2031-03-05T10:00")
    assert (nora.status()["subscription_plan"], nora.charges()) == ("free", [("01-31", "787.00")])
    nora.check()


@pytest.mark.spec("SUB-071")
def test_who_has_left_can_come_back(nora: Subscriber) -> None:
    nora.subscribe("growth")
    nora.say("cancel")
    nora.pass_to("2030-03-15T10:00")
    nora.subscribe("starter")
    assert (nora.status()["subscription_plan"], nora.status()["subscription_status"]) == ("starter", "active")
    nora.pass_to("2030-04-15T11:00")
    assert nora.charges() == [("01-31", "79.00"), ("03-15", "49.00"), ("04-15", "49.00")]
    assert [amount for _, amount in nora.grants()].count(5_000) == 2
    nora.check()


@pytest.mark.spec("SUB-071")
def test_who_cancels_at_paypal_has_cancelled_here(nora: Subscriber) -> None:
    nora.subscribe("growth")
    nora.buyer.control(f"subscriptions/{Agreement.objects.get().provider_id}", action="cancel")
    nora.pass_to("2030-02-03T10:00")
    status = nora.status()
    assert (status["subscription_status"], status["cancel_at"]) == ("cancelled", "2030-02-28T10:00:00Z")
    nora.pass_to("2030-02-28T10:01")
    assert nora.status()["subscription_plan"] == "free"
    nora.check()


@pytest.mark.spec("ADM-222")
def test_nobody_pays_for_an_account_that_is_suspended(nora: Subscriber, sam: User) -> None:
    nora.subscribe("growth")
    staff.change_account(user=nora.user, by=sam, is_active=False, suspension_reason="Abuse")
    drain_queue()
    assert nora.running() == [("SUSPENDED", "79.00")]
    nora.pass_to("2030-02-28T11:00", "2030-03-05T10:00")
    assert nora.charges() == [("01-31", "79.00")]
    staff.change_account(user=User.objects.get(pk=nora.user.pk), by=sam, is_active=True)
    drain_queue()
    assert nora.running() == [("ACTIVE", "79.00")]
    nora.pass_to("2030-03-31T11:00")
    assert (nora.charges()[1:], nora.grants()[-1]) == ([("03-31", "79.00")], ("03-31", 10_000))
    nora.check()


@pytest.mark.spec("SUB-052")
def test_an_old_agreement_is_cancelled_until_it_is(nora: Subscriber) -> None:
    nora.subscribe("starter")
    old = Agreement.objects.get()
    cancelling = f"/v1/billing/subscriptions/{old.provider_id}/cancel"
    nora.buyer.control("trouble", kind="unavailable", path=cancelling, times=3)
    nora.upgrade("growth")
    old.refresh_from_db()
    assert (nora.running(), old.sync_pending) == ([("ACTIVE", "49.00"), ("ACTIVE", "79.00")], True)
    nora.pass_to("2030-02-01T10:00")
    assert nora.running() == [("ACTIVE", "79.00")]
    nora.pass_to("2030-02-28T11:00")
    assert nora.charges() == [("01-31", "30.00"), ("01-31", "49.00"), ("02-28", "79.00")]
    assert nora.api.delete(CHANGE).status_code == 400
    nora.check()
