"""What a customer can do, by the token of one sign-in."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from accounts.users.models import User
from billing.ledger.models import CreditAccount
from quotes.requests.models import QuoteRequest
from tests.paypal import Buyer
from tests.world import Sandbox
from validation.results.models import Result

CALLS: list[tuple[str, str, dict[str, Any]]] = [
    ("post", "/api/validate/single", {"email": "ida.holm@harborquill.com"}),
    ("get", "/api/validate/batches", {}),
    ("post", "/api/payments/paypal/create-order", {"package_id": "small"}),
    ("get", "/api/subscriptions/status", {}),
    ("get", "/api/referral/stats", {}),
    ("post", "/api/quotes/request-custom", {"credits_needed": 250_000}),
    ("get", "/api/quotes/my-quotes", {}),
]


def call(client: APIClient, method: str, path: str, data: dict[str, Any]) -> Any:
    return client.get(path, data) if method == "get" else client.post(path, data, format="json")


@pytest.mark.spec("DASH-010")
def test_a_customer_validates_looks_back_buys_refers_and_asks_for_a_quote(
    world: Sandbox, buyer: Buyer, alice: User, alice_api: APIClient
) -> None:
    answers = [call(alice_api, *one) for one in CALLS]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 200, 200, 201, 200]
    checked, history, order, plan, referrals, _, quotes = (answer.json() for answer in answers)
    assert [row["id"] for row in history["individual_validations"]] == [checked["id"]]
    assert "approve" in {link["rel"] for link in order["links"]}
    assert (plan["subscription_plan"], referrals["referral_code"] != "") == ("growth", True)
    assert QuoteRequest.objects.values_list("organisation", "credits_requested").get() == (alice.pk, 250_000)
    assert quotes == {"quotes": []}  # until one is made


@pytest.mark.spec("DASH-010")
@pytest.mark.parametrize(("method", "path", "data"), CALLS)
def test_without_the_token_nobody_does(alice: User, method: str, path: str, data: dict[str, Any]) -> None:
    before = CreditAccount.objects.get(organisation=alice.own_organisation).balance
    assert call(APIClient(), method, path, data).status_code == 401
    assert (Result.objects.count(), QuoteRequest.objects.count()) == (0, 0)
    assert CreditAccount.objects.get(organisation=alice.own_organisation).balance == before
