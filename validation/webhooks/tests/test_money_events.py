"""The events `credits.low` and `payment.pending`: once for each time, to endpoints that chose them alone."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from accounts.users.models import User
from billing.ledger import services as ledger
from billing.ledger.models import CreditAccount, LotKind
from billing.payments import records
from billing.payments.models import PaymentKind, PaymentState
from billing.payments.paypal import Amount
from emailcheck.common.testing import run_sixteen
from tests.hooks import Endpoint, endpoint, sent
from tests.world import Sandbox
from validation.batches import services as batches
from validation.batches.models import BatchType
from validation.single.services import validate_single
from validation.webhooks.models import Webhook, WebhookDelivery

pytestmark = pytest.mark.django_db
ALERTS = "/api/user/usage-alerts"
LIVING = "ida.holm@harborquill.com"
CHOSEN = ["credits.low", "payment.pending"]
OLD_EVENTS = ["validation.completed", "batch.processing", "batch.completed", "quota.warning", "quota.exceeded"]


@pytest.fixture
def shop(world: Sandbox, alice: User) -> Endpoint:
    sent()
    return endpoint(world, alice, events=CHOSEN)


def spend(user: User, credits: int) -> None:
    """By checking so many addresses that nobody has to be asked about."""
    lines = [f"a{number}@harborquill.com" for number in range(credits)]
    batches.start_list(organisation=user.own_organisation, lines=lines, batch_type=BatchType.BULK_TEXTAREA)


def hold_payment(user: User, *, state: PaymentState = PaymentState.PENDING, provider_id: str = "CAP-1") -> None:
    records.record_payment(
        provider_id=provider_id,
        state=state,
        kind=PaymentKind.RENEWAL,
        amount=Amount.usd("79.00"),
        organisation_id=user.pk,
        description="Growth, monthly",
    )


@pytest.mark.spec("API-034")
def test_a_balance_below_what_was_set_is_told_once_until_it_is_above_again(
    shop: Endpoint, alice: User, alice_api: APIClient
) -> None:
    assert alice_api.put(ALERTS, {"low_balance": 98}, format="json").json()["low_balance"] == 98
    spend(alice, 2)
    sent()
    assert (CreditAccount.objects.get(organisation=alice.own_organisation).balance, shop.messages) == (98, [])
    for _ in range(2):
        spend(alice, 1)
        alice_api.put(ALERTS, {"low_balance": 98}, format="json")  # what is set already asks for nothing anew
    sent()
    (message,) = shop.messages
    assert (message["event"], message["data"]) == ("credits.low", {"balance": 97, "low_balance": 98})
    ledger.grant_credits(organisation_id=alice.pk, kind=LotKind.PACK, amount=5, reason="Pack", key="p1")
    spend(alice, 4)
    sent()
    assert [message["data"]["balance"] for message in shop.messages] == [97, 97]


@pytest.mark.spec("API-034")
def test_without_a_balance_that_was_set_nothing_is_told(shop: Endpoint, alice: User) -> None:
    spend(alice, 99)
    sent()
    assert (shop.deliveries, shop.arrived) == ([], [])


@pytest.mark.django_db(transaction=True)
@pytest.mark.xdist_group("threads")
@pytest.mark.spec("API-034")
def test_of_sixteen_checks_at_once_that_pass_the_balance_one_is_told(
    shop: Endpoint, alice: User, alice_api: APIClient
) -> None:
    alice_api.put(ALERTS, {"low_balance": 95}, format="json")
    run_sixteen(lambda _: validate_single(organisation=alice.own_organisation, address=LIVING))
    sent()
    (message,) = shop.messages
    assert (message["event"], message["data"]["low_balance"]) == ("credits.low", 95)
    assert CreditAccount.objects.get(organisation=alice.own_organisation).balance == 84


@pytest.mark.spec("API-034")
def test_a_payment_that_is_held_back_is_told_once(shop: Endpoint, alice: User, alice_api: APIClient) -> None:
    for _ in range(2):
        hold_payment(alice)
    hold_payment(alice, state=PaymentState.COMPLETED, provider_id="CAP-2")
    sent()
    (message,) = shop.messages
    (waiting,) = alice_api.get("/api/payments/pending").json()["payments"]
    told = message["data"]
    assert (message["event"], set(told)) == ("payment.pending", {"id", "what", "amount", "currency", "since"})
    assert {name: told[name] for name in ("id", "what", "currency")} == {
        "id": "CAP-1", "what": "Growth, monthly", "currency": "USD",
    }  # fmt: skip
    assert told["amount"] == f"{waiting['amount']:.2f}" == "79.00"


@pytest.mark.spec("API-034")
def test_endpoints_that_did_not_choose_them_hear_of_neither(world: Sandbox, alice: User, alice_api: APIClient) -> None:
    sent()
    before = endpoint(world, alice, events=list(OLD_EVENTS))
    alice_api.put(ALERTS, {"low_balance": 100}, format="json")
    spend(alice, 1)
    hold_payment(alice)
    sent()
    assert {message["event"] for message in before.messages} == {"batch.processing", "batch.completed"}
    assert not WebhookDelivery.objects.filter(event__in=CHOSEN).exists()


@pytest.mark.spec("API-034")
def test_each_has_an_example_with_the_members_of_the_real_thing(
    shop: Endpoint, alice: User, alice_api: APIClient
) -> None:
    alice_api.put(ALERTS, {"low_balance": 100}, format="json")
    spend(alice, 1)
    hold_payment(alice)
    sent()
    real: dict[str, Any] = {message["event"]: set(message["data"]) for message in shop.messages}
    assert sorted(real) == CHOSEN
    for event in CHOSEN:
        path = f"/api/user/webhooks/{shop.hook.pk}/test"
        assert alice_api.post(path, {"event": event}, format="json").json()["delivered"] is True
        last = shop.messages[-1]
        assert (last["event"], last["test"], set(last["data"])) == (event, True, real[event])


@pytest.mark.spec("API-034")
def test_an_example_of_an_event_that_was_not_chosen_is_refused(shop: Endpoint, alice_api: APIClient) -> None:
    path = f"/api/user/webhooks/{shop.hook.pk}/test"
    for event in ("batch.completed", "batch.exploded"):
        answer = alice_api.post(path, {"event": event}, format="json")
        assert (answer.status_code, answer.json()["details"]["field"]) == (400, "event")
    assert (shop.arrived, shop.deliveries) == ([], [])
    assert Webhook.objects.get().events == CHOSEN
