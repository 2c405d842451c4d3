"""PayPal's events: in any order, often, never, forged, or for something that was tampered with."""

from collections.abc import Callable
from decimal import Decimal
from functools import partial
from itertools import permutations
from typing import Any

import pytest
from django.db import transaction
from rest_framework.test import APIClient

from accounts.activity.models import Activity
from accounts.users.models import User
from billing.catalogue.plans import Plan
from billing.ledger import services as ledger
from billing.ledger.models import CreditAccount, CreditEntry
from billing.payments.models import Agreement, Payment, PaymentMethod, Purchase, Refund
from billing.payments.paypal import Amount, OrderTerms, Return, paypal
from billing.provider_sync.models import ProviderEvent
from billing.subscriptions.models import Subscription
from conftest import client_of, make_user
from emailcheck.common.testing import run_sixteen
from tests import checkout
from tests.paypal import Buyer

FORGERIES = ["stranger", "elsewhere", "other_webhook", "altered", "checksum", "invented"]
Delivery = tuple[dict[str, str], bytes]


def state(user: User) -> dict[str, Any]:
    """All that payments change."""
    found = Subscription.objects.get(organisation=user.own_organisation)
    return {
        "balance": CreditAccount.objects.get(organisation=user.own_organisation).balance,
        "entries": sorted(CreditEntry.objects.filter(organisation=user.own_organisation).values_list("kind", "amount")),
        "plan": (found.plan, found.status, found.cycle, found.paid_until, found.started_at, found.renews_at),
        "purchases": list(Purchase.objects.order_by("pk").values_list("state", "reason")),
        "payments": list(Payment.objects.order_by("provider_id").values_list("provider_id", "state", "kind", "amount")),
        "agreements": list(Agreement.objects.values_list("provider_id", "state", "next_billing_at")),
        "methods": PaymentMethod.objects.count(),
        "told": Activity.objects.filter(organisation=user.own_organisation, kind="purchase").count(),
    }


@pytest.fixture
def rolled_back() -> Callable[[Callable[[], Any]], Any]:
    """Does something, and then it never was."""

    def run(do: Callable[[], Any]) -> Any:
        with transaction.atomic():
            answer = do()
            transaction.set_rollback(True)
        return answer

    return run


def delivered(deliveries: tuple[Delivery, ...]) -> list[int]:
    return [checkout.send_event(*delivery).status_code for delivery in deliveries]


@pytest.mark.spec("PRC-023", "SUB-072")
@pytest.mark.parametrize("arrives", ["before", "after", "never"])
def test_all_orders_of_four_events_end_alike(
    erin: User, erin_api: APIClient, buyer: Buyer, rolled_back: Callable[[Callable[[], Any]], Any], arrives: str
) -> None:
    back = buyer.press(checkout.agreement(erin_api), "delay")
    payment = buyer.overview()["payments"][0]["id"]
    pending = buyer.delivery("PAYMENT.SALE.PENDING")
    if arrives == "before":
        checkout.arrive(back)
        assert (Purchase.objects.get().state, Subscription.objects.get(organisation=erin.own_organisation).plan) == (
            "pending",
            "free",
        )
    buyer.control(f"payments/{payment}", action="complete")
    events = [pending, *map(buyer.delivery, ("BILLING.SUBSCRIPTION.CREATED", "BILLING.SUBSCRIPTION.ACTIVATED"))]
    events.append(buyer.delivery("PAYMENT.SALE.COMPLETED"))

    def one(order: tuple[Delivery, ...]) -> dict[str, Any]:
        assert delivered(order + order[:1]) == [200] * 5
        if arrives == "after":
            checkout.arrive(back)
        assert ledger.reconcile_ledger() == []
        assert ProviderEvent.objects.count() == 4
        return state(erin)

    ends = [rolled_back(partial(one, order)) for order in permutations(events)]
    assert len(ends) == 24
    assert ends == ends[:1] * 24
    assert (ends[0]["balance"], ends[0]["purchases"], ends[0]["methods"], ends[0]["told"]) == (
        10_100, [("paid", "")], 1, 2 if arrives == "before" else 1,  # that it waits, and that it came
    )  # fmt: skip
    assert ends[0]["payments"] == [(payment, "completed", "subscription", Decimal("79.00"))]


@pytest.mark.spec("PRC-023", "INV-019")
@pytest.mark.parametrize("known", [True, False])
def test_all_orders_of_the_events_of_a_refunded_pack_end_alike(
    erin: User, erin_api: APIClient, buyer: Buyer, rolled_back: Callable[[Callable[[], Any]], Any], known: bool
) -> None:
    """When it is not known, we died between the capture and the credits."""
    back = buyer.press(checkout.order(erin_api), "delay")
    purchase = Purchase.objects.get()
    if known:
        checkout.arrive(back)
    else:
        paypal().capture_order(str(purchase.provider_id), request_id=f"capture:{purchase.public_id}")
    payment = buyer.overview()["payments"][0]["id"]
    events = [buyer.delivery("CHECKOUT.ORDER.APPROVED"), buyer.delivery("PAYMENT.CAPTURE.PENDING")]
    buyer.control(f"payments/{payment}", action="complete")
    events.append(buyer.delivery("PAYMENT.CAPTURE.COMPLETED"))
    if known:
        assert checkout.send_event(*events.pop()).status_code == 200
        assert state(erin)["balance"] == 5_100
    buyer.control(f"payments/{payment}", action="refund")
    events.append(buyer.delivery("PAYMENT.CAPTURE.REFUNDED"))

    def one(order: tuple[Delivery, ...]) -> dict[str, Any]:
        assert delivered(order + order[:1]) == [200] * (len(order) + 1)
        assert ledger.reconcile_ledger() == []
        return state(erin)

    ends = [rolled_back(partial(one, order)) for order in permutations(events)]
    assert ends == ends[:1] * len(ends)
    assert (ends[0]["balance"], ends[0]["payments"], ends[0]["purchases"][0][0]) == (
        100, [(payment, "refunded", "credits", Decimal("59.00"))], "paid" if known else "failed",
    )  # fmt: skip


@pytest.mark.spec("PRC-023")
def test_without_the_browser_the_event_captures(erin: User, erin_api: APIClient, buyer: Buyer) -> None:
    buyer.press(checkout.order(erin_api, "large"))
    assert checkout.deliver(buyer, "CHECKOUT.ORDER.APPROVED").status_code == 200
    end = state(erin)
    assert (end["balance"], end["purchases"]) == (25_100, [("paid", "")])
    assert checkout.deliver(buyer, "PAYMENT.CAPTURE.COMPLETED").status_code == 200
    assert state(erin) == end
    assert ledger.reconcile_ledger() == []


@pytest.mark.spec("PRC-023")
def test_a_pending_payment_brings_its_credits_when_it_completes(erin: User, erin_api: APIClient, buyer: Buyer) -> None:
    checkout.buy_pack(erin_api, buyer, outcome="delay")
    purchase, payment = Purchase.objects.get(), Payment.objects.get()
    status = f"{checkout.PAYMENTS}/status/{purchase.public_id}"
    told = erin_api.get(status).json()
    assert (told["state"], payment.state, payment.captured_at, state(erin)["balance"]) == (
        "pending", "pending", None, 100,
    )  # fmt: skip
    assert told["message"].startswith("PayPal has not confirmed this payment yet.")
    buyer.control(f"payments/{payment.provider_id}", action="complete")
    assert checkout.deliver(buyer, "PAYMENT.CAPTURE.COMPLETED").status_code == 200
    assert erin_api.get(status).json()["state"] == "paid"
    assert state(erin)["balance"] == 5_100
    assert ledger.reconcile_ledger() == []


@pytest.mark.spec("PRC-023")
def test_a_pending_payment_that_is_declined_brings_nothing(erin: User, erin_api: APIClient, buyer: Buyer) -> None:
    checkout.subscribe(erin_api, buyer, outcome="delay")
    payment = Payment.objects.get()
    assert (payment.state, payment.kind) == ("pending", "subscription")
    buyer.control(f"payments/{payment.provider_id}", action="decline")
    assert checkout.deliver(buyer, "PAYMENT.SALE.DECLINED").status_code == 200
    end = state(erin)
    assert (end["balance"], end["plan"][0], end["purchases"][0][0]) == (100, "free", "failed")


@pytest.mark.spec("PRC-023")
@pytest.mark.parametrize("forgery", FORGERIES)
def test_forged_events_change_nothing(erin: User, erin_api: APIClient, buyer: Buyer, forgery: str) -> None:
    buyer.press(checkout.agreement(erin_api))
    before = state(erin)
    answer = checkout.deliver(buyer, "PAYMENT.SALE.COMPLETED", forgery)
    assert (answer.status_code, answer.json()["code"]) == (400, "WEBHOOK_REFUSED")
    assert (state(erin), ProviderEvent.objects.count()) == (before, 0)
    assert checkout.deliver(buyer, "PAYMENT.SALE.COMPLETED").status_code == 200
    assert state(erin)["balance"] == 10_100


@pytest.mark.finding("I3")
@pytest.mark.parametrize("forgery", ["altered", "checksum", "invented"])
def test_an_altered_event_of_any_kind_is_refused(erin: User, erin_api: APIClient, buyer: Buyer, forgery: str) -> None:
    buyer.press(checkout.order(erin_api))
    buyer.press(checkout.agreement(erin_api))
    kinds = set(buyer.kinds())
    before = state(erin)
    assert {"CHECKOUT.ORDER.APPROVED", "BILLING.SUBSCRIPTION.ACTIVATED", "PAYMENT.SALE.COMPLETED"} <= kinds
    answers = {kind: checkout.deliver(buyer, kind, forgery) for kind in kinds}
    assert {(answer.status_code, answer.json()["code"]) for answer in answers.values()} == {(400, "WEBHOOK_REFUSED")}
    assert (state(erin), ProviderEvent.objects.count()) == (before, 0)


@pytest.mark.parametrize("body", [b"", b"{}", b"[" * 10_000, b"x" * 300_000, b"\xff\xfe"])
def test_what_is_no_event_is_refused(db: None, buyer: Buyer, body: bytes) -> None:
    answer = checkout.send_event({}, body)
    assert (answer.status_code, ProviderEvent.objects.count()) == (400, 0)


@pytest.mark.spec("PRC-023")
@pytest.mark.parametrize(
    "tampered", [{"amount": Decimal("1.00")}, {"currency": "EUR"}, {"public_id": "pay_other"}, {"amount": Decimal(60)}]
)
@pytest.mark.parametrize("kind", ["order", "agreement"])
def test_what_is_not_as_ordered_brings_nothing(
    erin: User, erin_api: APIClient, buyer: Buyer, kind: str, tampered: dict[str, Any]
) -> None:
    """The row stands for what we asked for; here PayPal's side is another."""
    back = buyer.press(getattr(checkout, kind)(erin_api))
    Purchase.objects.update(
        **tampered, **({"price": tampered["amount"]} if kind == "agreement" and "amount" in tampered else {})
    )
    checkout.arrive(back)
    checkout.deliver(buyer, "CHECKOUT.ORDER.APPROVED" if kind == "order" else "PAYMENT.SALE.COMPLETED")
    end = state(erin)
    assert (end["balance"], end["plan"][0], end["payments"], end["methods"]) == (100, "free", [], 0)
    assert end["purchases"] == [("failed", "mismatch")]
    assert [found["status"] for found in buyer.overview()["payments"]] == ([] if kind == "order" else ["COMPLETED"])


@pytest.mark.spec("PRC-023")
def test_money_for_another_payee_brings_nothing(erin: User, erin_api: APIClient, buyer: Buyer, settings: Any) -> None:
    back = buyer.press(checkout.order(erin_api))
    settings.PAYPAL_MERCHANT_ID = "SOMEBODYELSE1"
    checkout.arrive(back)
    end = state(erin)
    assert (end["balance"], end["purchases"][0][0], end["payments"]) == (100, "failed", [])


@pytest.mark.spec("PRC-023")
def test_a_cheap_order_with_the_id_of_a_dear_purchase_brings_nothing(
    erin: User, erin_api: APIClient, buyer: Buyer
) -> None:
    checkout.order(erin_api, "large")
    dear = Purchase.objects.get()
    back = Return("https://shop.example/back", "https://shop.example/stay")
    terms = OrderTerms(
        amount=Amount.usd("1.00"), description="Cheap", custom_id=dear.public_id, return_to=back, brand="Somebody"
    )
    cheap = paypal().create_order(terms=terms, request_id="cheap")
    buyer.press(cheap.url)
    paypal().capture_order(cheap.id, request_id="capture")
    for kind in ("CHECKOUT.ORDER.APPROVED", "PAYMENT.CAPTURE.COMPLETED"):
        assert checkout.deliver(buyer, kind).status_code == 200
    end = state(erin)
    assert (end["balance"], end["purchases"], end["payments"]) == (100, [("pending", "")], [])


@pytest.mark.spec("PRC-023")
def test_an_event_is_sent_again_when_paypal_could_not_be_asked(erin: User, erin_api: APIClient, buyer: Buyer) -> None:
    buyer.press(checkout.order(erin_api))
    delivery = buyer.delivery("CHECKOUT.ORDER.APPROVED")
    buyer.control("trouble", kind="unavailable", path="/v2/checkout/orders", times=3)
    answer = checkout.send_event(*delivery)
    events = ProviderEvent.objects.values_list("state", flat=True)
    assert (answer.status_code, events.get(), state(erin)["balance"]) == (502, "waiting", 100)
    assert checkout.send_event(*delivery).status_code == 200
    assert (events.get(), state(erin)["balance"]) == ("done", 5_100)


@pytest.mark.spec("PRC-023")
def test_an_answer_that_is_lost_in_the_middle_charges_once(erin: User, erin_api: APIClient, buyer: Buyer) -> None:
    back = buyer.press(checkout.order(erin_api))
    buyer.control("trouble", kind="lost", path="/v2/checkout/orders", times=2)
    checkout.arrive(back)
    checkout.arrive(back)
    assert [found["status"] for found in buyer.overview()["payments"]] == ["COMPLETED"]
    assert (state(erin)["balance"], Payment.objects.count()) == (5_100, 1)
    assert ledger.reconcile_ledger() == []


def test_events_about_nothing_of_ours_are_taken(erin: User, buyer: Buyer) -> None:
    back = Return("https://shop.example/back", "https://shop.example/stay")
    terms = OrderTerms(amount=Amount.usd("5.00"), description="Hat", custom_id="hat", return_to=back, brand="Hats")
    buyer.press(paypal().create_order(terms=terms, request_id="hat").url)
    assert checkout.deliver(buyer, "CHECKOUT.ORDER.APPROVED").status_code == 200
    assert state(erin)["balance"] == 100


@pytest.mark.spec("PRC-023", "PRC-035", "SUB-049")
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kind", ["order", "agreement"])
def test_sixteen_at_once_have_one_effect(erin: User, erin_api: APIClient, buyer: Buyer, kind: str) -> None:
    """Half of them are the same event, the others the browser's return."""
    back = buyer.press(getattr(checkout, kind)(erin_api))
    event = buyer.delivery("CHECKOUT.ORDER.APPROVED" if kind == "order" else "PAYMENT.SALE.COMPLETED")

    def one(number: int) -> int | str:
        return int(checkout.send_event(*event).status_code) if number % 2 else checkout.arrive(back)

    answers = run_sixteen(one)
    assert answers[1::2] == [200] * 8
    assert len(set(answers[0::2])) == 1
    end = state(erin)
    assert (end["balance"], end["purchases"], len(end["payments"]), end["methods"], end["told"]) == (
        5_100 if kind == "order" else 10_100, [("paid", "")], 1, 1, 1,
    )  # fmt: skip
    assert (ProviderEvent.objects.count(), ledger.reconcile_ledger()) == (1, [])


@pytest.mark.spec("INV-019", "PRC-023")
@pytest.mark.parametrize(("kind", "told"), [("order", "PAYMENT.CAPTURE"), ("agreement", "PAYMENT.SALE")])
@pytest.mark.parametrize(("action", "word"), [("refund", "REFUNDED"), ("reverse", "REVERSED")])
def test_what_goes_back_at_paypal_is_taken_back_once(
    erin: User, erin_api: APIClient, buyer: Buyer, clock: Any, kind: str, told: str, action: str, word: str
) -> None:
    clock.shift(60)
    checkout.arrive(buyer.press(getattr(checkout, kind)(erin_api)))
    payment = Payment.objects.get()
    buyer.control(f"payments/{payment.provider_id}", action=action)
    for _ in range(2):
        assert checkout.deliver(buyer, f"{told}.{word}").status_code == 200
    payment.refresh_from_db()
    end = state(erin)
    assert (payment.state, end["balance"], end["plan"][0]) == (word.lower(), 100, "free")
    assert Refund.objects.get().state == "done"
    assert checkout.deliver(buyer, f"{told}.COMPLETED").status_code == 200
    assert (state(erin), ledger.reconcile_ledger()) == (end, [])


@pytest.mark.spec("PRC-015")
@pytest.mark.django_db(transaction=True)
def test_sixteen_who_begin_at_once_share_one_plan_at_paypal(buyer: Buyer) -> None:
    buyers = [make_user(f"buyer{number}@birch.org", "A Buyer", plan=Plan.FREE) for number in range(16)]
    addresses = run_sixteen(lambda number: checkout.agreement(client_of(buyers[number])))
    assert len(set(addresses)) == 16
    found = {paypal().fetch_subscription(told["id"]).plan_id for told in buyer.overview()["subscriptions"]}
    assert len(found) == 1
