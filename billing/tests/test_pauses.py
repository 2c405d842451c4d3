"""Pausing and resuming, against the simulated PayPal and both clocks."""

from datetime import UTC, datetime

import pytest

from billing import services, subscriptions
from billing.models import CreditLot, Cycle, LotKind, Pause, Plan
from emailcheck.common.models import OutgoingMail
from tests.subscriber import Subscriber

CANNOT = (400, "CANNOT_PAUSE", "Subscription cannot be paused at this time")


def give_pack(erin: Subscriber) -> None:
    services.grant(user_id=erin.user.pk, kind=LotKind.PACK, amount=500, reason="Pack", key="pack")


def mails(name: str) -> int:
    return OutgoingMail.objects.filter(name=name).count()


def refused(erin: Subscriber) -> tuple[int, str, str]:
    status, answer = erin.call("pause")
    return status, answer["code"], answer["detail"]


@pytest.mark.spec("SUB-064", "SUB-066", "SUB-070")
def test_a_pause_between_two_charges_skips_none(erin: Subscriber) -> None:
    erin.subscribe("starter")
    give_pack(erin)
    erin.pass_to("2030-02-05T10:00")
    services.hold(user_id=erin.user.pk, amount=1_100, reason="List", key="list")
    message = erin.say("pause")
    assert message == (
        "Your subscription is paused until 5 April 2030. Charges that fall due while it is paused are skipped; the "
        "next one is on 30 April 2030. Plan credits are frozen, pack credits stay usable."
    )
    status = erin.status
    assert (status["subscription_status"], status["credits"], status["plan_credits"]) == ("paused", 500, 4_000)
    assert (status["can_pause"], status["next_billing_date"]) == (False, "2030-04-30T10:00:00Z")
    assert erin.running() == [("SUSPENDED", "49.00")]
    erin.check()
    erin.pass_to("2030-02-15T10:00")
    assert erin.say("resume") == "Your subscription is active again. The next charge is on 28 February 2030."
    assert (erin.credits, erin.running()) == (4_500, [("ACTIVE", "49.00")])
    frozen = CreditLot.objects.get(granted=5_000)
    assert frozen.expires_at == datetime(2030, 3, 10, 10, tzinfo=UTC)  # ten days more
    erin.pass_to("2030-02-28T11:00")
    assert (erin.charges(), erin.credits) == ([("01-31", "49.00"), ("02-28", "49.00")], 9_500)
    erin.pass_to("2030-03-11T10:00")
    assert erin.credits == 5_500
    assert (mails("subscription_paused"), mails("subscription_resumed")) == (1, 1)
    erin.check()


@pytest.mark.spec("SUB-070", "SUB-067")
def test_it_resumes_by_itself_after_two_months_and_charges_were_skipped(erin: Subscriber) -> None:
    erin.subscribe("growth")
    erin.pass_to("2030-02-10T12:00")
    erin.say("pause")
    erin.pass_to("2030-02-28T11:00", "2030-03-31T11:00", "2030-04-10T11:59")
    assert (erin.status["subscription_status"], erin.credits, erin.charges()) == ("paused", 0, [("01-31", "79.00")])
    erin.pass_to("2030-04-10T12:00")
    status = erin.status
    assert (status["subscription_status"], status["credits"]) == ("active", FULL)
    assert (status["next_billing_date"], status["can_pause"]) == ("2030-04-30T10:00:00Z", False)
    assert refused(erin) == CANNOT
    erin.pass_to("2030-04-30T11:00")
    assert erin.charges() == [("01-31", "79.00"), ("04-30", "79.00")]
    assert erin.grants()[-1] == ("04-30", 10_000)
    assert mails("subscription_resumed") == 1
    erin.check()


FULL = 10_000 + 100


@pytest.mark.spec("SUB-067", "SUB-065", "SUB-070")
def test_two_months_in_twelve(erin: Subscriber) -> None:
    erin.subscribe("starter")
    erin.pass_to("2030-02-01T10:00")
    erin.say("pause")
    erin.pass_to("2030-03-03T10:00")
    erin.say("resume")
    assert (Pause.objects.count(), erin.status["can_pause"]) == (1, True)
    erin.pass_to("2030-05-01T10:00")
    assert erin.say("pause").startswith("Your subscription is paused until 30 May 2030.")  # 59 days less 30
    erin.pass_to("2030-05-30T10:00")
    assert (erin.status["subscription_status"], erin.status["can_pause"]) == ("active", False)
    erin.pass_to("2031-02-01T10:00")
    assert erin.status["can_pause"] is False
    erin.pass_to("2031-02-11T10:00")
    assert erin.status["can_pause"] is True
    assert erin.say("pause").startswith("Your subscription is paused until 21 February 2031.")
    erin.check()


@pytest.mark.spec("SUB-070")
def test_of_a_paid_year_nothing_is_lost(erin: Subscriber) -> None:
    erin.subscribe("starter", "yearly")
    erin.pass_to("2030-02-20T10:00")
    message = erin.say("pause")
    assert "The next charge is on 31 January 2031, as before." in message
    erin.pass_to("2030-02-28T11:00", "2030-03-31T11:00")
    assert (erin.credits, erin.status["plan_credits"]) == (0, 15_100)
    erin.pass_to("2030-04-20T10:00")
    assert (erin.status["subscription_status"], erin.credits) == ("active", 15_100)
    erin.pass_to("2030-04-30T11:00")
    assert erin.credits == 15_000  # the month of January has lapsed, three are there
    assert erin.charges() == [("01-31", "488.00")]
    erin.check()


@pytest.mark.spec("SUB-070")
def test_a_pause_ends_before_the_charge_of_a_year(erin: Subscriber) -> None:
    erin.subscribe("starter", "yearly")
    erin.pass_to("2031-01-10T10:00")
    assert erin.say("pause").startswith("Your subscription is paused until 30 January 2031.")
    erin.pass_to("2031-01-30T10:00", "2031-01-31T11:00")
    assert (erin.status["subscription_status"], erin.charges()) == (
        "active", [("01-31", "488.00"), ("01-31", "488.00")],
    )  # fmt: skip
    erin.check()


@pytest.mark.spec("SUB-065", "SUB-020", "SUB-068")
def test_who_cannot_pause_is_told(erin: Subscriber) -> None:
    assert refused(erin) == CANNOT
    subscriptions.start_trial(user=erin.user)
    assert (refused(erin), erin.status["can_pause"]) == (CANNOT, False)
    erin.subscribe("growth")
    assert erin.status["can_pause"] is True
    erin.say("pause")
    assert refused(erin) == CANNOT
    assert Pause.objects.count() == 1
    status, answer = erin.call("plan-change", new_plan_id="starter", billing_cycle="monthly")
    assert (status, answer["code"]) == (400, "NO_SUBSCRIPTION")
    erin.say("resume")
    status, answer = erin.call("resume")
    assert (status, answer["detail"]) == (400, "Your subscription is not paused")


@pytest.mark.spec("SUB-070")
def test_what_a_list_gives_back_while_paused_is_frozen_too(erin: Subscriber) -> None:
    erin.subscribe("starter")
    held = services.hold(user_id=erin.user.pk, amount=1_000, reason="List", key="list")
    erin.say("pause")
    services.settle(hold_id=held.pk, captured=250)
    assert (erin.credits, erin.status["plan_credits"]) == (0, 4_850)
    erin.check()
    erin.say("resume")
    assert erin.credits == 4_850
    erin.check()


@pytest.mark.spec("SUB-070")
def test_frozen_credits_are_taken_back_before_anything_is_owed(erin: Subscriber) -> None:
    erin.subscribe("starter")
    give_pack(erin)
    erin.say("pause")
    grant = erin.user.credit_entries.get(kind="grant", amount=5_000).key
    services.claw_back(user_id=erin.user.pk, amount=5_000, reason="Refund", key="refund", granted_by=grant)
    assert (erin.credits, erin.status["plan_credits"], erin.user.credit_account.debt) == (500, 100, 0)
    erin.check()


@pytest.mark.spec("SUB-062", "SUB-066", "SUB-071")
def test_a_paused_plan_can_be_cancelled(erin: Subscriber) -> None:
    erin.subscribe("starter")
    erin.pass_to("2030-02-18T10:00")
    erin.say("pause")
    erin.pass_to("2030-03-08T10:00")
    assert erin.say("cancel") == "Your subscription ends on 31 March 2030. Until then you can use it as before."
    assert (erin.status["subscription_status"], erin.credits, erin.running()) == ("cancelled", 5_100, [])
    erin.pass_to("2030-03-31T11:00")
    assert (erin.status["subscription_plan"], erin.charges()) == ("free", [("01-31", "49.00")])
    erin.check()


@pytest.mark.spec("SUB-070")
def test_a_plan_that_nobody_pays_for_can_be_paused(erin: Subscriber) -> None:
    subscriptions.activate(user_id=erin.user.pk, plan=Plan.PRO, cycle=Cycle.MONTHLY, paid_until=None)
    assert "Nothing is charged." in erin.say("pause")
    assert erin.credits == 0
    assert erin.say("resume") == "Your subscription is active again."
    assert erin.credits == 20_100
    erin.check()


@pytest.mark.spec("SUB-070")
def test_a_pause_that_paypal_does_not_hear_is_told_again(erin: Subscriber) -> None:
    erin.subscribe("starter")
    erin.buyer.control("trouble", kind="unavailable", path="/v1/billing/subscriptions", times=3)
    erin.say("pause")
    assert erin.running() == [("ACTIVE", "49.00")]
    erin.pass_to("2030-02-01T10:00")
    assert (erin.running(), erin.status["subscription_status"]) == ([("SUSPENDED", "49.00")], "paused")
