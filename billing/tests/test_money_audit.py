"""The audit says what plan and credits were before money changed them, and what they are after it."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from accounts.users.models import User
from billing.clients.tests.agencies import client_in, join, make_client, transfer
from billing.ledger import bulk_grants
from billing.ledger.bulk_grants import GrantReason
from billing.payments.models import Payment, PaymentMethod
from conftest import client_of
from tests import checkout
from tests.paypal import Buyer
from tests.subscriber import Subscriber

AUDIT = "/api/organisation/audit"
Changes = dict[str, list[Any]]


def changes(api: APIClient, action: str) -> Changes:
    """Of the newest line whose action has these words."""
    found: Changes = api.get(AUDIT, {"action": action}).json()["lines"][0]["changes"]
    return found


def count_lines(api: APIClient) -> int:
    """But for those of signing in."""
    return sum(line["kind"] != "sign_in" for line in api.get(AUDIT).json()["lines"])


@pytest.mark.spec("ORG-024")
def test_a_pack_says_what_the_credits_were(erin_api: APIClient, buyer: Buyer) -> None:
    checkout.buy_pack(erin_api, buyer)
    line = erin_api.get(AUDIT, {"kind": "purchase"}).json()["lines"][0]
    assert (line["action"], line["changes"]) == (
        "5,000 credits: $59.00 by PayPal on 31 January 2030",
        {"credits": [100, 5_100]},
    )


@pytest.mark.spec("ORG-024")
def test_a_plan_that_is_bought_paused_resumed_and_cancelled_says_what_it_was(nora: Subscriber) -> None:
    nora.subscribe("growth")
    until = "2030-02-28"
    assert changes(nora.api, "$79.00 by PayPal") == {
        "plan": ["Free Trial", "Growth"],
        "billed": ["", "monthly"],
        "paid_until": [None, until],
        "credits": [100, 10_100],
    }
    nora.say("pause")
    assert changes(nora.api, "Plan paused until") == {"status": ["active", "paused"], "credits": [10_100, 100]}
    nora.say("resume")
    assert changes(nora.api, "Plan resumed") == {"status": ["paused", "active"], "credits": [100, 10_100]}
    nora.say("cancel")
    assert changes(nora.api, "Plan cancelled") == {"status": ["active", "cancelled"], "ends_on": [None, until]}
    lines = count_lines(nora.api)
    nora.say("cancel")
    assert count_lines(nora.api) == lines
    nora.pass_to("2030-02-28T11:00")
    ended = nora.api.get(AUDIT, {"action": "Plan ended"}).json()["lines"]
    assert [(line["who"], line["changes"]["plan"], line["changes"]["billed"]) for line in ended] == [
        ("EmailCheck", ["Growth", "Free Trial"], ["monthly", ""]),
    ]  # fmt: skip


@pytest.mark.spec("ORG-024")
def test_a_renewal_says_until_when_it_was_paid(nora: Subscriber) -> None:
    nora.subscribe("growth")
    nora.pass_to("2030-02-28T11:00")
    renewed = changes(nora.api, "on 28 February 2030")
    assert renewed["paid_until"] == ["2030-02-28", "2030-03-31"]


@pytest.mark.spec("ORG-024")
def test_a_change_of_plan_that_waits_and_its_undoing_stand_in_it(nora: Subscriber) -> None:
    nora.subscribe("growth")
    body = {"new_plan_id": "starter", "billing_cycle": "monthly"}
    assert nora.api.post("/api/subscriptions/plan-change", body, format="json").status_code == 200
    assert changes(nora.api, "Change of plan on 28 February 2030") == {"next_plan": [None, "Starter"]}
    nora.undo()
    assert changes(nora.api, "Change of plan undone") == {"next_plan": ["Starter", None]}


@pytest.mark.spec("ORG-024")
def test_a_trial_says_what_it_gave(erin_api: APIClient) -> None:
    assert erin_api.post("/api/trial/start").status_code == 200
    assert changes(erin_api, "Trial started") == {
        "plan": ["Free Trial", "Growth"], "status": ["active", "trial"], "credits": [100, 200],
    }  # fmt: skip


@pytest.mark.spec("ORG-024")
def test_what_staff_do_to_money_is_theirs_and_says_what_it_was(
    erin: User, erin_api: APIClient, sam: User, buyer: Buyer
) -> None:
    checkout.buy_pack(erin_api, buyer)
    sam_api, path = client_of(sam), f"/api/admin/users/{erin.pk}"
    bulk_grants.grant_to_accounts(
        staff=sam, addresses=[erin.email], credits=250, reason=GrantReason.COMPENSATION, reference="one"
    )
    given = {"credits": 6_000, "credits_read": 5_350, "reason": "Sorry", "plan": "starter"}
    assert sam_api.put(path, given, format="json").status_code == 200
    refund = f"/api/admin/payments/{Payment.objects.get().pk}/refund"
    assert sam_api.post(refund, {"reason": "Asked for it"}, format="json").status_code == 200
    lines = erin_api.get(AUDIT, {"kind": "staff"}).json()["lines"]
    assert {line["who"] for line in lines} == {"EmailCheck staff"}
    assert {line["action"]: line["changes"] for line in lines} == {
        "250 credits added": {"credits": [5_100, 5_350]},
        "Credits changed from 5,350 to 6,000": {"credits": [5_350, 6_000]},
        "Plan changed from Free Trial to Starter": {
            "plan": ["Free Trial", "Starter"],
            "billed": ["", "monthly"],
            "credits": [6_000, 11_000],
        },
        "Payment of $59.00 of 31 January 2030 refunded": {
            "credits": [11_000, 6_000],
            "state": ["completed", "refunded"],
        },
    }


@pytest.mark.spec("ORG-024")
def test_both_sides_of_a_transfer_say_what_they_had(alice: User, alice_api: APIClient, bob: User) -> None:
    client = make_client(alice)
    join(bob, client, "owner")
    assert transfer(alice_api, client, credits=40).status_code == 200
    assert changes(alice_api, "40 credits went") == {"credits": [100, 60]}
    assert changes(client_in(bob, client), "40 credits went") == {"credits": [0, 40]}
    before = count_lines(alice_api)
    assert transfer(alice_api, client, credits=1_000, key="transfer-2").status_code == 403
    assert count_lines(alice_api) == before


@pytest.mark.spec("ORG-024")
def test_billing_details_and_alerts_say_what_they_were(alice_api: APIClient) -> None:
    path = "/api/organisation/billing"
    alice_api.put(path, {"company": "Alder Ltd"}, format="json")
    alice_api.put(path, {"company": "Alder Ltd", "purchase_order": "PO-77"}, format="json")
    assert changes(alice_api, "Billing details changed") == {"purchase_order": ["", "PO-77"]}
    alice_api.put("/api/user/usage-alerts", {"low_balance": 500}, format="json")
    assert changes(alice_api, "Usage alerts changed") == {"low_balance": [None, 500]}
    before = count_lines(alice_api)
    alice_api.put("/api/user/usage-alerts", {"low_balance": 500}, format="json")
    assert count_lines(alice_api) == before


@pytest.mark.spec("ORG-024")
def test_payment_methods_stand_in_it_without_the_payers_address(alice: User, alice_api: APIClient) -> None:
    first, second = (
        PaymentMethod.objects.create(
            organisation=alice.own_organisation,
            provider_id=name,
            label=f"{name}@paypal.example",
            is_default=name == "a",
        ).pk
        for name in ("a", "b")
    )
    path = f"/api/payment-methods/{second}"
    for _ in range(2):
        assert alice_api.put(path, {"is_default": True}, format="json").status_code == 200
    assert alice_api.delete(path).status_code == 200
    lines = alice_api.get(AUDIT, {"kind": "purchase"}).json()["lines"]
    assert [(line["action"], line["changes"]) for line in lines] == [
        ("Payment method removed", {"method": [f"PayPal account {second}", None]}),
        ("Default payment method changed", {"default": [f"PayPal account {first}", f"PayPal account {second}"]}),
    ]
    assert "paypal.example" not in str(lines)
