"""Renewals that fail, are tried again, and are made up for or end the plan (SUB-072)."""

import random
from typing import Any

import pytest
from django.test import Client

from billing.invoices.models import Invoice
from billing.payments.models import Agreement
from conftest import PASSWORD
from emailcheck.common.outbound.models import OutgoingMail
from tests import checkout
from tests.subscriber import Subscriber


def tell(nora: Subscriber, action: str) -> None:
    agreement = Agreement.objects.latest("pk")
    nora.buyer.control(f"subscriptions/{agreement.provider_id}", action=action)


def mails() -> list[str]:
    names = OutgoingMail.objects.filter(name__startswith="payment_failed").order_by("pk")
    return list(names.values_list("name", flat=True))


@pytest.mark.spec("SUB-072", "PRC-032")
def test_a_renewal_is_paid_and_gives_the_month(nora: Subscriber) -> None:
    nora.subscribe("growth")
    nora.pass_to("2030-02-28T09:59")
    assert nora.grants() == [("01-31", 100), ("01-31", 10_000)]
    nora.pass_to("2030-02-28T11:00", "2030-03-31T11:00", "2030-04-30T11:00")
    assert nora.grants()[2:] == [("02-28", 10_000), ("03-31", 10_000), ("04-30", 10_000)]
    assert nora.status()["next_billing_date"] == "2030-05-31T10:00:00Z"
    assert Invoice.objects.filter(organisation=nora.user.own_organisation).count() == 4
    nora.check()


@pytest.mark.spec("SUB-072")
def test_a_failed_renewal_is_made_up_for(nora: Subscriber) -> None:
    nora.subscribe("growth")
    tell(nora, "fail")
    nora.pass_to("2030-02-28T11:00")
    status = nora.status()
    assert (status["subscription_status"], status["subscription_plan"], status["can_pause"]) == (
        "past_due", "growth", False,
    )  # fmt: skip
    assert status["next_billing_date"] == "2030-03-05T10:00:00Z"
    assert (nora.credits, mails()) == (0, ["payment_failed_1"])
    page = Client()
    page.post("/api/auth/login", {"email": nora.user.email, "password": PASSWORD}, "application/json")
    assert "The last payment for your plan did not go through." in page.get("/dashboard").content.decode()
    nora.pass_to("2030-03-05T09:00")
    assert mails() == ["payment_failed_1"]
    tell(nora, "recover")
    nora.pass_to("2030-03-05T11:00")
    status = nora.status()
    assert (status["subscription_status"], status["next_billing_date"]) == ("active", "2030-03-31T10:00:00Z")
    assert (nora.credits, nora.charges()) == (10_000, [("01-31", "79.00"), ("03-05", "79.00")])
    assert mails() == ["payment_failed_1"]
    nora.check()


@pytest.mark.spec("SUB-072")
def test_after_the_last_failure_the_plan_ends(nora: Subscriber) -> None:
    nora.subscribe("growth")
    tell(nora, "fail")
    nora.pass_to("2030-02-28T11:00", "2030-03-05T11:00")
    assert (mails(), nora.status()["subscription_status"]) == (["payment_failed_1", "payment_failed_2"], "past_due")
    nora.pass_to("2030-03-10T11:00")
    status = nora.status()
    assert (status["subscription_plan"], status["subscription_status"]) == ("free", "active")
    assert (nora.running(), mails()) == ([], ["payment_failed_1", "payment_failed_2"])
    nora.pass_to("2030-04-30T11:00")
    assert (nora.charges(), nora.grants()[-1]) == ([("01-31", "79.00")], ("04-30", 100))
    nora.check()


@pytest.mark.spec("SUB-072")
def test_each_failed_renewal_is_told_of(nora: Subscriber) -> None:
    nora.subscribe("growth")
    tell(nora, "fail")
    nora.pass_to("2030-02-28T11:00")
    tell(nora, "recover")
    nora.pass_to("2030-03-05T11:00")
    tell(nora, "fail")
    nora.pass_to("2030-03-31T11:00", "2030-04-05T11:00")
    assert mails() == ["payment_failed_1", "payment_failed_1", "payment_failed_2"]
    tell(nora, "recover")
    nora.pass_to("2030-04-10T11:00")
    assert (nora.status()["subscription_status"], nora.charges()[-1]) == ("active", ("04-10", "79.00"))
    nora.check()


@pytest.mark.spec("SUB-072")
def test_an_unpaid_plan_that_is_cancelled_ends_at_once(nora: Subscriber) -> None:
    nora.subscribe("growth")
    tell(nora, "fail")
    nora.pass_to("2030-02-28T11:00")
    assert nora.say("cancel") == "Your subscription has ended. Pack credits stay."
    assert (nora.status()["subscription_plan"], nora.running()) == ("free", [])
    nora.check()


@pytest.mark.spec("SUB-072")
def test_what_the_provider_suspends_gets_nothing_new_until_it_goes_on(nora: Subscriber) -> None:
    nora.subscribe("growth")
    tell(nora, "suspend")
    nora.pass_to("2030-02-01T10:00")
    assert nora.status()["subscription_status"] == "past_due"
    nora.pass_to("2030-02-28T11:00")
    assert nora.grants()[2:] == []
    tell(nora, "activate")
    nora.pass_to("2030-03-01T10:00")
    assert nora.status()["subscription_status"] == "active"
    nora.pass_to("2030-03-31T11:00")
    assert (nora.grants()[2:], nora.charges()[-1]) == ([("03-31", 10_000)], ("03-31", "79.00"))
    nora.check()


@pytest.mark.spec("SUB-072")
@pytest.mark.parametrize("seed", range(4))
def test_events_in_any_order_and_number_end_the_same(nora: Subscriber, clock: Any, seed: int) -> None:
    nora.subscribe("growth")
    tell(nora, "fail")
    nora.buyer.control("clock", to="2030-03-01T10:00:00Z")
    tell(nora, "recover")
    nora.buyer.control("clock", to="2030-03-06T10:00:00Z")
    clock.move_to("2030-03-06T10:00:00Z", tick=False)
    events = [kind for kind in nora.buyer.kinds() if kind.startswith(("BILLING.SUB", "PAYMENT.SALE"))] * 2
    random.Random(seed).shuffle(events)
    for kind in events:
        answer = checkout.deliver(nora.buyer, kind)
        assert answer.status_code == 200, answer.json()
    nora.pass_to("2030-03-06T11:00")
    status = nora.status()
    assert (status["subscription_status"], status["next_billing_date"]) == ("active", "2030-03-31T10:00:00Z")
    assert (nora.grants()[2:], len(nora.charges())) == ([("03-06", 10_000)], 2)
    nora.check()


@pytest.mark.spec("SUB-072")
def test_a_leap_day_is_a_billing_date(nora: Subscriber) -> None:
    nora.buyer.control("reset", to="2028-01-31T04:05:06Z")
    nora.clock.move_to("2028-01-31T04:05:06Z", tick=False)
    nora.subscribe("growth")
    nora.pass_to("2028-02-29T11:00", "2028-03-31T11:00")
    assert nora.charges() == [("01-31", "79.00"), ("02-29", "79.00"), ("03-31", "79.00")]
    assert nora.grants()[-2:] == [("02-29", 10_000), ("03-31", 10_000)]
    nora.check()
