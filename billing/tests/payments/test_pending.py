"""Payments that PayPal holds back: seen everywhere until they end, paid for a second time only when that is wanted."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.core import mail as outbox
from rest_framework.test import APIClient

from accounts.activity.models import Activity
from accounts.users.models import User
from billing.ledger import services as ledger
from billing.ledger.models import CreditAccount
from billing.payments.emails import send_payment_not_made
from billing.payments.models import Payment, Purchase
from billing.provider_sync import sweeper
from billing.subscriptions.models import Subscription
from conftest import client_of, client_with, make_user
from emailcheck.common.testing import drain_queue, run_sixteen
from tests import checkout
from tests.paypal import NOW, Buyer
from tests.subscriber import Subscriber

PENDING = "/api/payments/pending"
NOT_MADE = "The payment was not made. You were not charged."
AGAIN = "A payment for the same thing is still waiting. Buy it a second time?"
CALLS = {
    "credits": (f"{checkout.PAYMENTS}/create-order", {"package_id": "small"}),
    "subscription": (
        f"{checkout.PAYMENTS}/create-billing-agreement",
        {"plan_id": "growth", "billing_cycle": "monthly"},
    ),
}
COMPLETED = {"credits": "PAYMENT.CAPTURE.COMPLETED", "subscription": "PAYMENT.SALE.COMPLETED"}


def begin(api: APIClient, kind: str, **body: Any) -> Any:
    path, wanted = CALLS[kind]
    return api.post(path, wanted | body, format="json")


def delay(api: APIClient, buyer: Buyer, kind: str) -> Purchase:
    """Pay what PayPal then holds back."""
    if kind == "credits":
        checkout.buy_pack(api, buyer, outcome="delay")
    else:
        checkout.subscribe(api, buyer, outcome="delay")
    return Purchase.objects.latest("pk")


def decide(buyer: Buyer, action: str) -> None:
    buyer.control(f"payments/{Payment.objects.latest('pk').provider_id}", action=action)


def bought(user: User) -> tuple[int, str]:
    return CreditAccount.objects.get(organisation=user.own_organisation).balance, Subscription.objects.get(
        organisation=user.own_organisation
    ).plan


def mails() -> list[tuple[str, list[str]]]:
    """Of payments that had to wait: subjects and recipients."""
    drain_queue()
    found = [mail for mail in outbox.outbox if mail.subject.startswith("Your payment of")]
    return [(str(mail.subject), mail.to) for mail in found]


def log_of(user: User) -> list[str]:
    return list(
        Activity.objects.filter(organisation=user.own_organisation, kind="purchase")
        .order_by("pk")
        .values_list("action", flat=True)
    )


def statement_of(api: APIClient) -> list[tuple[str, str, int]]:
    return [
        (line["reason"], line["state"], line["amount"]) for line in api.get("/api/credits/statement").json()["entries"]
    ]


def invoices_of(api: APIClient) -> list[tuple[str, float, None, None, str | None]]:
    names = ("payment_status", "total_amount", "invoice_number", "id", "message")
    return [tuple(one[name] for name in names) for one in api.get("/api/invoices").json()["invoices"]]


@pytest.mark.spec("PEN-002")
@pytest.mark.finding("D1")
@pytest.mark.postgres
@pytest.mark.parametrize(
    ("kind", "what", "amount"),
    [("credits", "5,000 credits", 59.0), ("subscription", "Growth plan, billed monthly", 79.0)],
)
def test_a_payment_that_waits_stands_everywhere(
    erin: User, erin_api: APIClient, buyer: Buyer, bob: User, kind: str, what: str, amount: float
) -> None:
    assert erin_api.get(PENDING).json() == {"payments": []}
    purchase = delay(erin_api, buyer, kind)
    elsewhere = client_of(erin)
    assert elsewhere.get(PENDING).json() == {
        "payments": [
            {"id": purchase.public_id, "what": what, "amount": amount, "currency": "USD", "since": NOW,
             "approve_url": None},
        ]
    }  # fmt: skip
    assert (f"{what}, ${amount:.2f}: pending at PayPal", "pending", 0) in statement_of(elsewhere)
    assert invoices_of(elsewhere) == [("pending", amount, None, None, None)]
    assert log_of(erin) == [f"{what}: ${amount:.2f} is pending at PayPal"]
    assert (bought(erin), mails()) == ((100, "free"), [])
    stranger = client_of(bob)
    assert (stranger.get(PENDING).json(), invoices_of(stranger)) == ({"payments": []}, [])
    assert "pending" not in {state for _, state, _ in statement_of(stranger)}


@pytest.mark.spec("PEN-002")
def test_a_key_may_not_see_what_waits(erin: User, erin_api: APIClient, buyer: Buyer) -> None:
    delay(erin_api, buyer, "credits")
    key = erin_api.post("/api/user/api-keys", {"name": "Shop"}, format="json").json()["key"]
    refused = client_with(key).get(PENDING)
    assert (refused.status_code, refused.json()["code"], "payments" in refused.json()) == (
        403,
        "PERMISSION_DENIED",
        False,
    )


@pytest.mark.spec("PEN-002", "PRC-036")
def test_a_payment_that_waits_is_in_the_file_of_its_month_alone(erin: User, erin_api: APIClient, buyer: Buyer) -> None:
    delay(erin_api, buyer, "credits")
    files: list[Any] = [
        erin_api.get(f"/api/credits/statement/export?month={month}") for month in ("2030-01", "2030-02")
    ]
    waiting = [b"".join(file.streaming_content).decode().count("pending at PayPal") for file in files]
    assert waiting == [1, 0]


@pytest.mark.spec("PEN-003")
@pytest.mark.finding("D1")
@pytest.mark.postgres
@pytest.mark.parametrize("kind", CALLS)
def test_the_same_thing_is_bought_again_only_when_that_is_confirmed(
    erin: User, erin_api: APIClient, buyer: Buyer, kind: str
) -> None:
    delay(erin_api, buyer, kind)
    before = buyer.overview()
    for body in ({}, {"confirm_second": False}):
        refused = begin(erin_api, kind, **body)
        assert (refused.status_code, refused.json()["code"], refused.json()["detail"]) == (
            409,
            "PAYMENT_PENDING",
            AGAIN,
        )
    assert Purchase.objects.count() == 1
    assert {name: len(buyer.overview()[name]) for name in ("orders", "subscriptions")} == {
        name: len(before[name]) for name in ("orders", "subscriptions")
    }
    assert begin(erin_api, kind, confirm_second=True).status_code == 200
    assert Purchase.objects.count() == 2


@pytest.mark.spec("PEN-003")
def test_other_things_and_other_buyers_are_not_asked(erin: User, erin_api: APIClient, buyer: Buyer, clock: Any) -> None:
    delay(erin_api, buyer, "credits")
    delay(erin_api, buyer, "subscription")
    assert begin(erin_api, "credits", package_id="medium").status_code == 200
    assert begin(erin_api, "subscription", plan_id="pro").status_code == 200
    assert begin(erin_api, "subscription", billing_cycle="yearly").status_code == 409  # it is the same plan
    another = client_of(make_user("ann@ash.org", "Ann Ash"))
    assert begin(another, "credits").status_code == 200


@pytest.mark.spec("PEN-003")
def test_a_change_of_plan_is_paid_again_only_when_that_is_confirmed(nora: Subscriber) -> None:
    nora.subscribe("starter")
    nora.upgrade("pro", outcome="delay")
    change = {"new_plan_id": "pro", "billing_cycle": "monthly"}
    status, refused = nora.call("plan-change/create-payment", **change)
    assert (status, refused["code"], refused["detail"]) == (409, "PAYMENT_PENDING", AGAIN)
    assert Purchase.objects.count() == 2
    path = "/api/subscriptions/plan-change/create-payment"
    assert nora.api.post(path, change | {"confirm_second": True}, format="json").status_code == 200
    assert Purchase.objects.count() == 3


@pytest.mark.spec("PEN-003")
@pytest.mark.finding("D1")
@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_second", [False, True])
@pytest.mark.parametrize(("kind", "name"), [("credits", "orders"), ("subscription", "subscriptions")])
def test_sixteen_tabs_at_once_make_one_order(
    erin: User, erin_api: APIClient, buyer: Buyer, kind: str, name: str, is_second: bool
) -> None:
    if is_second:
        delay(erin_api, buyer, kind)
    told = run_sixteen(lambda _: begin(client_of(erin), kind, confirm_second=is_second))
    assert [answer.status_code for answer in told] == [200] * 16
    assert len({str(answer.json()) for answer in told}) == 1
    assert (Purchase.objects.count(), len(buyer.overview()[name])) == (1 + is_second, 1 + is_second)


@pytest.mark.spec("PEN-004")
@pytest.mark.finding("D1")
@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("kind", "balance", "plan"), [("credits", 5_100, "free"), ("subscription", 10_100, "growth")])
@pytest.mark.parametrize("by", ["webhook", "sweeper"])
def test_what_waited_comes_once_with_no_browser_open(
    erin: User, erin_api: APIClient, buyer: Buyer, clock: Any, kind: str, balance: int, plan: str, by: str
) -> None:
    purchase = delay(erin_api, buyer, kind)
    decide(buyer, "complete")
    if by == "webhook":
        delivery = buyer.delivery(COMPLETED[kind])
        assert [answer.status_code for answer in run_sixteen(lambda _: checkout.send_event(*delivery))] == [200] * 16
    clock.shift(120)
    for _ in range(2):
        sweeper.sweep_provider()
    assert (bought(erin), ledger.reconcile_ledger()) == ((balance, plan), [])
    assert mails() == [(f"Your payment of ${purchase.amount} went through", ["erin@elm.org"])]
    assert erin_api.get(PENDING).json() == {"payments": []}
    assert "pending" not in {state for _, state, _ in statement_of(erin_api)}
    (invoice,) = invoices_of(erin_api)
    assert invoice[0] == "paid"
    assert len(log_of(erin)) == 2


@pytest.mark.spec("PEN-004")
def test_what_did_not_wait_is_told_by_its_invoice_alone(erin: User, erin_api: APIClient, buyer: Buyer) -> None:
    checkout.buy_pack(erin_api, buyer)
    assert (bought(erin), mails()) == ((5_100, "free"), [])


@pytest.mark.spec("PEN-004")
@pytest.mark.finding("D1")
@pytest.mark.postgres
@pytest.mark.parametrize("kind", CALLS)
@pytest.mark.parametrize("fate", ["denied", "lapsed"])
def test_what_was_not_made_is_told_everywhere(
    erin: User, erin_api: APIClient, buyer: Buyer, clock: Any, kind: str, fate: str
) -> None:
    purchase = delay(erin_api, buyer, kind)
    if fate == "denied":
        decide(buyer, "decline")
    else:
        buyer.control("reset", to=NOW)
    clock.shift(120)
    for _ in range(2):
        sweeper.sweep_provider()
    purchase.refresh_from_db()
    assert (purchase.state in {"failed", "cancelled"}, purchase.reason) == (True, fate)
    told = erin_api.get(f"{checkout.PAYMENTS}/status/{purchase.public_id}").json()
    assert (told["message"], erin_api.get(PENDING).json()) == (NOT_MADE, {"payments": []})
    assert invoices_of(erin_api) == [("not_made", float(purchase.amount), None, None, NOT_MADE)]
    what = f"{purchase.description}, ${purchase.amount}. {NOT_MADE}"
    assert (what, "not_made", 0) in statement_of(erin_api)
    assert log_of(erin)[1:] == [f"{purchase.description}: ${purchase.amount} by PayPal. {NOT_MADE}"]
    assert mails() == [(f"Your payment of ${purchase.amount} was not made", ["erin@elm.org"])]
    assert NOT_MADE in str(outbox.outbox[-1].body)
    assert (bought(erin), ledger.reconcile_ledger()) == ((100, "free"), [])
    assert begin(erin_api, kind).status_code == 200


@pytest.mark.spec("PEN-002", "PEN-004")
@pytest.mark.parametrize(
    ("state", "told", "message"),
    [
        ("pending", "pending", "PayPal has not confirmed this payment yet."),
        ("completed", "paid", "Growth plan, billed monthly: your payment has arrived."),
        ("lapsed", "failed", NOT_MADE),
    ],
)
def test_a_renewal_that_waits_is_seen_and_its_end_told(nora: Subscriber, state: str, told: str, message: str) -> None:
    nora.subscribe("growth")
    at = datetime(2030, 2, 28, tzinfo=UTC)
    held = Payment.objects.create(
        organisation=nora.user.own_organisation, agreement=Payment.objects.get().agreement, provider_id="HELD-1",
        kind="renewal", state="pending", amount=79, plan="growth", cycle="monthly",
        description="Growth plan, billed monthly", created_at=at, on_hold_at=at,
    )  # fmt: skip
    assert [one["id"] for one in nora.api.get(PENDING).json()["payments"]] == ["HELD-1"]
    Payment.objects.filter(pk=held.pk).update(state=state)
    answer = nora.api.get(f"{checkout.PAYMENTS}/status/HELD-1").json()
    assert (answer["state"], answer["message"].startswith(message)) == (told, True)
    assert len(nora.api.get(PENDING).json()["payments"]) == (state == "pending")


@pytest.mark.spec("PEN-004")
@pytest.mark.parametrize(("kind", "is_asked"), [("renewal", False), ("credits", True)])
def test_who_did_not_pay_is_told_to_buy_again_only_what_can_be_bought(erin: User, kind: str, is_asked: bool) -> None:
    payment = Payment.objects.create(
        organisation=erin.own_organisation, provider_id="HELD-1", kind=kind, state="lapsed", amount=59, description="It"
    )
    send_payment_not_made(organisation=erin.own_organisation, payment=payment)
    drain_queue()
    assert ("choose it again" in str(outbox.outbox[-1].body)) is is_asked
