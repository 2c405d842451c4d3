"""Pausing and resuming, against the simulated PayPal and both clocks."""

from datetime import UTC, datetime

import pytest

from billing.catalogue.plans import Cycle, Plan
from billing.ledger import services as ledger
from billing.ledger.models import CreditLot, LotKind
from billing.subscriptions import services as subscriptions
from billing.subscriptions.lifecycle.trials import start_trial
from billing.subscriptions.models import Pause
from emailcheck.common.outbound.models import OutgoingMail
from tests.subscriber import Subscriber

CANNOT = (400, "CANNOT_PAUSE", "Subscription cannot be paused at this time")


def give_pack(nora: Subscriber) -> None:
    ledger.grant_credits(organisation_id=nora.user.pk, kind=LotKind.PACK, amount=500, reason="Pack", key="pack")


def mails(name: str) -> int:
    return OutgoingMail.objects.filter(name=name).count()


def refused(nora: Subscriber) -> tuple[int, str, str]:
    status, answer = nora.call("pause")
    return status, answer["code"], answer["detail"]


@pytest.mark.spec("SUB-064", "SUB-066", "SUB-070")
def test_a_pause_between_two_charges_skips_none(nora: Subscriber) -> None:
    nora.subscribe("starter")
    give_pack(nora)
    nora.pass_to("2030-02-05T10:00")
    ledger.open_hold(organisation_id=nora.user.pk, amount=1_100, reason="List", key="list")
    assert nora.status()["pause_ends_at"] == "2030-04-05T10:00:00Z"
    message = nora.say("pause")
    assert message == (
        "Your subscription is paused until 5 April 2030. Charges that fall due while it is paused are skipped; the "
        "next one is on 30 April 2030. Plan credits are frozen, pack credits stay usable."
    )
    status = nora.status()
    assert (status["subscription_status"], status["credits"], status["plan_credits"]) == ("paused", 500, 4_000)
    assert (status["can_pause"], status["next_billing_date"]) == (False, "2030-04-30T10:00:00Z")
    assert status["pause_ends_at"] == "2030-04-05T10:00:00Z"
    credits = nora.api.get("/api/credits").json()
    assert credits["frozen_lots"] == [{"kind": "plan", "origin": "Starter: credits of the month", "frozen": 4_000}]
    assert [(lot["kind"], lot["remaining"]) for lot in credits["lots"]] == [("pack", 500)]
    assert nora.running() == [("SUSPENDED", "49.00")]
    nora.check()
    nora.pass_to("2030-02-15T10:00")
    assert nora.say("resume") == "Your subscription is active again. The next charge is on 28 February 2030."
    assert (nora.credits, nora.running()) == (4_500, [("ACTIVE", "49.00")])
    frozen = CreditLot.objects.get(granted=5_000)
    assert frozen.expires_at == datetime(2030, 3, 10, 10, tzinfo=UTC)  # ten days more
    nora.pass_to("2030-02-28T11:00")
    assert (nora.charges(), nora.credits) == ([("01-31", "49.00"), ("02-28", "49.00")], 9_500)
    nora.pass_to("2030-03-11T10:00")
    assert nora.credits == 5_500
    assert (mails("subscription_paused"), mails("subscription_resumed")) == (1, 1)
    nora.check()


@pytest.mark.spec("SUB-070", "SUB-067")
def test_it_resumes_by_itself_after_two_months_and_charges_were_skipped(nora: Subscriber) -> None:
    nora.subscribe("growth")
    nora.pass_to("2030-02-10T12:00")
    nora.say("pause")
    nora.pass_to("2030-02-28T11:00", "2030-03-31T11:00", "2030-04-10T11:59")
    assert (nora.status()["subscription_status"], nora.credits, nora.charges()) == ("paused", 0, [("01-31", "79.00")])
    nora.pass_to("2030-04-10T12:00")
    status = nora.status()
    assert (status["subscription_status"], status["credits"]) == ("active", 10_000)
    assert (status["next_billing_date"], status["can_pause"]) == ("2030-04-30T10:00:00Z", False)
    assert refused(nora) == CANNOT
    nora.pass_to("2030-04-30T11:00")
    assert nora.charges() == [("01-31", "79.00"), ("04-30", "79.00")]
    assert nora.grants()[-1] == ("04-30", 10_000)
    assert mails("subscription_resumed") == 1
    nora.check()


FULL = 10_000 + 100


@pytest.mark.spec("SUB-067", "SUB-065", "LIM-022")
def test_two_months_in_twelve(nora: Subscriber) -> None:
    nora.subscribe("starter")
    nora.pass_to("2030-02-01T10:00")
    nora.say("pause")
    nora.pass_to("2030-03-03T10:00")
    nora.say("resume")
    assert (Pause.objects.count(), nora.status()["can_pause"]) == (1, True)
    nora.pass_to("2030-05-01T10:00")
    assert nora.say("pause").startswith("Your subscription is paused until 30 May 2030.")  # 59 days less 30
    nora.pass_to("2030-05-30T10:00")
    assert (nora.status()["subscription_status"], nora.status()["can_pause"]) == ("active", False)
    nora.pass_to("2031-02-01T10:00")
    assert nora.status()["can_pause"] is False
    nora.pass_to("2031-02-11T10:00")
    assert nora.status()["can_pause"] is True
    assert nora.say("pause").startswith("Your subscription is paused until 21 February 2031.")
    nora.check()


@pytest.mark.spec("SUB-070")
def test_of_a_paid_year_nothing_is_lost(nora: Subscriber) -> None:
    nora.subscribe("starter", "yearly")
    nora.pass_to("2030-02-20T10:00")
    message = nora.say("pause")
    assert "The next charge is on 31 January 2031, as before." in message
    nora.pass_to("2030-02-28T11:00", "2030-03-31T11:00")
    assert (nora.credits, nora.status()["plan_credits"]) == (0, 15_000)
    nora.pass_to("2030-04-20T10:00")
    assert (nora.status()["subscription_status"], nora.credits) == ("active", 15_000)
    nora.pass_to("2030-04-30T11:00")
    assert nora.credits == 15_000  # three months are there
    assert nora.charges() == [("01-31", "488.00")]
    nora.check()


@pytest.mark.spec("SUB-070")
def test_a_pause_ends_before_the_charge_of_a_year(nora: Subscriber) -> None:
    nora.subscribe("starter", "yearly")
    nora.pass_to("2031-01-10T10:00")
    assert nora.say("pause").startswith("Your subscription is paused until 30 January 2031.")
    nora.pass_to("2031-01-30T10:00", "2031-01-31T11:00")
    assert (nora.status()["subscription_status"], nora.charges()) == (
        "active", [("01-31", "488.00"), ("01-31", "488.00")],
    )  # fmt: skip
    nora.check()


@pytest.mark.spec("SUB-065", "SUB-020", "SUB-068")
def test_who_cannot_pause_is_told(nora: Subscriber) -> None:
    assert refused(nora) == CANNOT
    start_trial(organisation=nora.user.own_organisation)
    assert (refused(nora), nora.status()["can_pause"]) == (CANNOT, False)
    nora.subscribe("growth")
    assert nora.status()["can_pause"] is True
    nora.say("pause")
    assert refused(nora) == CANNOT
    assert Pause.objects.count() == 1
    status, answer = nora.call("plan-change", new_plan_id="starter", billing_cycle="monthly")
    assert (status, answer["code"]) == (400, "NO_SUBSCRIPTION")
    nora.say("resume")
    status, answer = nora.call("resume")
    assert (status, answer["detail"]) == (400, "Your subscription is not paused")


@pytest.mark.spec("SUB-070")
def test_what_a_list_gives_back_while_paused_is_frozen_too(nora: Subscriber) -> None:
    nora.subscribe("starter")
    held = ledger.open_hold(organisation_id=nora.user.pk, amount=1_000, reason="List", key="list")
    nora.say("pause")
    ledger.close_hold(hold=held, captured=250)
    assert (nora.credits, nora.status()["plan_credits"]) == (0, 4_850)
    nora.check()
    nora.say("resume")
    assert nora.credits == 4_850
    nora.check()


@pytest.mark.spec("SUB-070")
def test_frozen_credits_are_taken_back_before_anything_is_owed(nora: Subscriber) -> None:
    nora.subscribe("starter")
    give_pack(nora)
    nora.say("pause")
    grant = nora.user.own_organisation.credit_entries.get(kind="grant", amount=5_000).key
    ledger.claw_back_credits(
        organisation_id=nora.user.pk, amount=5_000, reason="Refund", key="refund", granted_by=grant
    )
    assert (nora.credits, nora.status()["plan_credits"], nora.user.own_organisation.credit_account.debt) == (
        600,
        100,
        0,
    )
    nora.check()


@pytest.mark.spec("SUB-062", "SUB-066", "SUB-071")
def test_a_paused_plan_can_be_cancelled(nora: Subscriber) -> None:
    nora.subscribe("starter")
    nora.pass_to("2030-02-18T10:00")
    nora.say("pause")
    nora.pass_to("2030-03-08T10:00")
    assert nora.say("cancel") == "Your subscription ends on 31 March 2030. Until then you can use it as before."
    assert (nora.status()["subscription_status"], nora.credits, nora.running()) == ("cancelled", 5_000, [])
    nora.pass_to("2030-03-31T11:00")
    assert (nora.status()["subscription_plan"], nora.charges()) == ("free", [("01-31", "49.00")])
    nora.check()


@pytest.mark.spec("SUB-070")
def test_a_plan_that_nobody_pays_for_can_be_paused(nora: Subscriber) -> None:
    subscriptions.activate_plan(organisation_id=nora.user.pk, plan=Plan.PRO, cycle=Cycle.MONTHLY, paid_until=None)
    assert "Nothing is charged." in nora.say("pause")
    assert nora.credits == 100  # those of the first month
    assert nora.say("resume") == "Your subscription is active again."
    assert nora.credits == 20_100
    nora.check()


@pytest.mark.spec("SUB-070")
def test_a_pause_that_paypal_does_not_hear_is_told_again(nora: Subscriber) -> None:
    nora.subscribe("starter")
    nora.buyer.control("trouble", kind="unavailable", path="/v1/billing/subscriptions", times=3)
    nora.say("pause")
    assert nora.running() == [("ACTIVE", "49.00")]
    nora.pass_to("2030-02-01T10:00")
    assert (nora.running(), nora.status()["subscription_status"]) == ([("SUSPENDED", "49.00")], "paused")
