"""Buying: from the button to the credits and the plan."""

from decimal import Decimal
from typing import Any

import pytest
from rest_framework.test import APIClient

from accounts.activity.models import Activity
from accounts.organisations.models import Organisation
from accounts.users.models import User
from billing.ledger import services as ledger
from billing.ledger.models import CreditEntry
from billing.payments.models import Agreement, Payment, PaymentMethod, ProviderItem, Purchase, PurchaseState
from billing.subscriptions.models import Subscription
from conftest import client_of
from tests import checkout
from tests.checkout import PAYMENTS
from tests.paypal import NOW, Buyer


def credits(api: APIClient) -> int:
    return int(api.get("/api/credits").json()["credits"])


@pytest.mark.spec("PRC-021", "PRC-022", "PRC-026")
@pytest.mark.parametrize("package", ["small", "5k"])
def test_a_pack_is_bought(erin_api: APIClient, erin: User, buyer: Buyer, package: str) -> None:
    before = credits(erin_api)
    end = checkout.buy_pack(erin_api, buyer, package)
    purchase = Purchase.objects.get()
    assert end == f"/account-settings?payment=success&token={purchase.public_id}"
    assert (purchase.state, purchase.pack, purchase.amount) == ("paid", "small", Decimal("59.00"))
    assert credits(erin_api) == before + 5_000
    payment = Payment.objects.get()
    assert (payment.kind, payment.state, payment.amount, payment.organisation) == (
        "credits", "completed", Decimal("59.00"), erin.own_organisation,
    )  # fmt: skip
    entry = CreditEntry.objects.get(key=f"payment:{payment.provider_id}")
    assert (entry.amount, entry.lot.kind, entry.lot.expires_at, entry.reference) == (
        5_000, "pack", None, payment.provider_id,
    )  # fmt: skip
    assert erin_api.post(f"{PAYMENTS}/complete/{purchase.public_id}").json() == {
        "kind": "credits",
        "message": "5,000 credits were added to your account.",
    }
    assert erin_api.get(f"{PAYMENTS}/status/{purchase.provider_id}").json()["state"] == "paid"
    method = PaymentMethod.objects.get()
    assert (method.organisation, method.kind, method.is_default, method.label != "") == (
        erin.own_organisation,
        "paypal",
        True,
        True,
    )
    assert (method.card_brand, method.card_last_four) == ("", "")
    assert Activity.objects.filter(organisation=erin.own_organisation, kind="purchase").values_list(
        "action", flat=True
    )[0] == ("5,000 credits: $59.00 by PayPal on 31 January 2030")
    assert ledger.reconcile_ledger() == []


@pytest.mark.spec("PRC-015", "PRC-022", "SUB-072")
@pytest.mark.parametrize(
    ("cycle", "amount", "until"), [("monthly", "79.00", "2030-02-28T10:00"), ("yearly", "787.00", "2031-01-31T10:00")]
)
def test_a_plan_is_bought(erin_api: APIClient, erin: User, buyer: Buyer, cycle: str, amount: str, until: str) -> None:
    end = checkout.subscribe(erin_api, buyer, "growth", cycle)
    purchase = Purchase.objects.get()
    assert end == f"/account-settings?payment=success&token={purchase.public_id}"
    found = Subscription.objects.get(organisation=erin.own_organisation)
    assert (found.plan, found.status, found.cycle) == ("growth", "active", cycle)
    assert found.paid_until is not None
    assert f"{found.paid_until:%Y-%m-%dT%H:%M}" == until
    made = Agreement.objects.get()
    assert (made.organisation, made.plan, made.cycle, made.price, made.state) == (
        erin.own_organisation, "growth", cycle, Decimal(amount), "active",
    )  # fmt: skip
    payment = Payment.objects.get()
    assert (payment.kind, payment.amount, payment.agreement, payment.plan, payment.cycle) == (
        "subscription", Decimal(amount), made, "growth", cycle,
    )  # fmt: skip
    assert credits(erin_api) == 100 + 10_000
    assert erin_api.post(f"{PAYMENTS}/complete/{purchase.public_id}").json()["message"] == "Your Growth plan is active."
    assert ledger.reconcile_ledger() == []


@pytest.mark.spec("PRC-023")
def test_what_is_not_paid_brings_nothing(erin_api: APIClient, erin: User, buyer: Buyer, clock: Any) -> None:
    before, ends = credits(erin_api), []
    for buy, outcomes in (
        (checkout.buy_pack, ("cancel", "decline", "refuse", "delay")),
        (checkout.subscribe, ("cancel", "decline", "delay")),
    ):
        for outcome in outcomes:
            ends.append(buy(client_of(erin), buyer, outcome=outcome))
            if outcome == "cancel":
                clock.shift(601)  # after that the next one is a purchase of its own
    results = ["cancelled", "success", "success", "success", "cancelled", "success", "success"]
    assert [end.partition("payment=")[2].partition("&")[0] for end in ends] == results
    states = list(Purchase.objects.order_by("pk").values_list("state", flat=True))
    assert states == ["pending", "failed", "failed", "pending", "pending", "failed", "pending"]
    erin_api = client_of(erin)  # the time of the sign-in is over
    assert credits(erin_api) == before
    assert Subscription.objects.get(organisation=erin.own_organisation).plan == "free"
    tokens = Purchase.objects.order_by("pk").values_list("public_id", flat=True)
    answers = [erin_api.post(f"{PAYMENTS}/complete/{token}") for token in tokens]
    assert [answer.status_code for answer in answers] == [409, 400, 400, 409, 409, 400, 409]
    assert answers[1].json()["detail"] == (
        "PayPal declined the payment. Nothing was charged. Please choose another way to pay."
    )
    assert ledger.reconcile_ledger() == []


@pytest.mark.spec("SUB-017")
def test_buying_ends_the_trial(erin_api: APIClient, erin: User, buyer: Buyer) -> None:
    erin_api.post("/api/trial/start")
    checkout.subscribe(erin_api, buyer, "starter")
    found = Subscription.objects.get(organisation=erin.own_organisation)
    assert (found.plan, found.status, found.trial_status) == ("starter", "active", "converted")
    assert credits(erin_api) == 100 + 5_000


@pytest.mark.finding("J2")
@pytest.mark.spec("PRC-028", "DEC-021")
def test_who_has_a_plan_changes_it_instead(alice: User, buyer: Buyer) -> None:
    answer = client_of(alice).post(
        f"{PAYMENTS}/create-billing-agreement", {"plan_id": "pro", "billing_cycle": "monthly"}, format="json"
    )
    assert (answer.status_code, answer.json()["code"], answer.json()["detail"]) == (
        409, "HAS_PLAN", "This account already has a plan. Change the plan instead.",
    )  # fmt: skip
    assert Purchase.objects.count() == 0
    assert buyer.overview()["subscriptions"] == []


@pytest.mark.spec("PRC-017")
def test_when_paypal_is_down_nothing_is_begun(erin_api: APIClient, buyer: Buyer) -> None:
    buyer.control("trouble", kind="unavailable", path="/v2/checkout/orders", times=9)
    answer = erin_api.post(f"{PAYMENTS}/create-order", {"package_id": "small"}, format="json")
    assert (answer.status_code, answer.json()["code"], answer.json()["detail"]) == (
        502, "PAYMENT_PROVIDER_ERROR", "Failed to create PayPal payment",
    )  # fmt: skip
    assert Purchase.objects.get().state == PurchaseState.FAILED


@pytest.mark.spec("PRC-023")
def test_a_stranger_learns_nothing(erin_api: APIClient, buyer: Buyer, bob_api: APIClient) -> None:
    checkout.buy_pack(erin_api, buyer)
    purchase = Purchase.objects.get()
    for token in (purchase.public_id, purchase.provider_id, "unknown"):
        answers = [bob_api.get(f"{PAYMENTS}/status/{token}"), bob_api.post(f"{PAYMENTS}/complete/{token}")]
        assert [(answer.status_code, answer.json()["detail"]) for answer in answers] == [(404, "Payment not found")] * 2
    assert credits(bob_api) == 100


@pytest.mark.spec("PRC-035")
def test_a_repeated_call_begins_one_purchase(erin_api: APIClient, buyer: Buyer) -> None:
    header = {"Idempotency-Key": "once"}
    body = {"package_id": "small"}
    first, again = (erin_api.post(f"{PAYMENTS}/create-order", body, format="json", headers=header) for _ in range(2))
    assert (first.json(), again.headers["Idempotent-Replayed"]) == (again.json(), "true")
    other = erin_api.post(f"{PAYMENTS}/create-order", {"package_id": "large"}, format="json", headers=header)
    assert (other.status_code, other.json()["code"]) == (422, "IDEMPOTENCY_MISMATCH")
    assert (Purchase.objects.count(), len(buyer.overview()["orders"])) == (1, 1)


def test_purchases_are_throttled(erin_api: APIClient, buyer: Buyer, clock: Any) -> None:
    for _ in range(20):
        checkout.order(erin_api)
    for path, body in (
        ("create-order", {"package_id": "small"}),
        ("create-billing-agreement", {"plan_id": "pro", "billing_cycle": "monthly"}),
    ):
        answer = erin_api.post(f"{PAYMENTS}/{path}", body, format="json")
        assert (answer.status_code, answer.headers["Retry-After"]) == (429, "600")
    assert (Purchase.objects.count(), len(buyer.overview()["orders"])) == (1, 1)
    clock.shift(601)
    checkout.order(erin_api)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("create-order", {"package_id": "huge"}),
        ("create-order", {}),
        ("create-billing-agreement", {"plan_id": "free", "billing_cycle": "monthly"}),
        ("create-billing-agreement", {"plan_id": "enterprise", "billing_cycle": "monthly"}),
        ("create-billing-agreement", {"plan_id": "pro", "billing_cycle": "weekly"}),
    ],
)
def test_what_is_not_sold_is_refused(erin_api: APIClient, buyer: Buyer, path: str, body: dict[str, str]) -> None:
    answer = erin_api.post(f"{PAYMENTS}/{path}", body, format="json")
    assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_ERROR")
    assert (Purchase.objects.count(), buyer.overview()["orders"]) == (0, [])


@pytest.mark.spec("PRC-025", "PRC-033")
def test_prices_come_from_our_tables(erin_api: APIClient, buyer: Buyer) -> None:
    body = {"package_id": "medium", "amount": "0.01", "price": 1, "credits": 10**6, "currency": "JPY"}
    assert erin_api.post(f"{PAYMENTS}/create-order", body, format="json").status_code == 200
    checkout.agreement(erin_api, "pro", "yearly")
    amounts = Purchase.objects.order_by("pk").values_list("amount", "price", "currency", "credits")
    assert list(amounts) == [(Decimal(89), None, "USD", 10_000), (Decimal(1484), Decimal(1484), "USD", 0)]
    assert buyer.overview()["orders"][0]["amount"] == {"currency_code": "USD", "value": "89.00"}


@pytest.mark.spec("PRC-023")
def test_the_return_may_be_replayed_by_anybody(erin_api: APIClient, buyer: Buyer, bob_api: APIClient) -> None:
    back = buyer.press(checkout.order(erin_api))
    ends = {checkout.arrive(back) for _ in range(3)}
    purchase = Purchase.objects.get()
    assert ends == {f"/account-settings?payment=success&token={purchase.public_id}"}
    assert (credits(erin_api), credits(bob_api), Payment.objects.count()) == (5_100, 100, 1)
    away = checkout.arrive(f"{back}&cancelled=true")
    assert (away, Purchase.objects.get().state) == (ends.pop(), "paid")
    assert checkout.arrive("/payments/paypal/return?token=unknown") == "/account-settings"
    assert checkout.arrive("/payments/paypal/return") == "/account-settings"
    assert checkout.arrive("/payments/paypal/return?cancelled=true") == "/account-settings?payment=cancelled"


def test_a_plan_that_paypal_forgot_is_made_anew(erin_api: APIClient, buyer: Buyer) -> None:
    for _ in range(2):
        checkout.agreement(erin_api)
    known = set(ProviderItem.objects.values_list("provider_id", flat=True))
    assert len(known) == 2  # the product and the plan
    buyer.control("reset", to=NOW)
    buyer.press(checkout.agreement(erin_api))
    anew = set(ProviderItem.objects.values_list("provider_id", flat=True))
    assert (len(anew), known & anew) == (2, set())


@pytest.mark.spec("PRC-023")
def test_a_declined_buyer_may_try_again_at_paypal(erin_api: APIClient, buyer: Buyer) -> None:
    url = checkout.order(erin_api)
    checkout.arrive(buyer.press(url, "decline"))
    assert Purchase.objects.get().state == "failed"
    checkout.arrive(buyer.press(url, "pay"))
    assert (Purchase.objects.get().state, credits(erin_api)) == ("paid", 5_100)


def test_an_account_that_was_suspended_meanwhile_is_not_charged(erin: User, erin_api: APIClient, buyer: Buyer) -> None:
    back = buyer.press(checkout.order(erin_api))
    Organisation.objects.filter(pk=erin.pk).update(is_active=False)
    checkout.arrive(back)
    assert (Purchase.objects.get().state, buyer.overview()["payments"]) == ("pending", [])
