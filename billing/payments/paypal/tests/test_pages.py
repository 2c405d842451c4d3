"""A buyer's way through our own site to the simulated PayPal and back."""

from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from billing.payments.paypal import Amount, OrderTerms, Return, paypal
from billing.payments.paypal.types import Approval
from tests.paypal import Buyer
from tests.world import WEBHOOK_ID, Sandbox

BACK = Return(
    "http://testserver/account-settings?payment=success", "http://testserver/account-settings?payment=cancelled"
)


@pytest.fixture
def approval(buyer: Buyer, world: Sandbox) -> Approval:
    terms = OrderTerms(
        amount=Amount.usd("59.00"), description="5,000 credits", custom_id="pay_1", return_to=BACK, brand="EmailCheck"
    )
    return paypal().create_order(terms=terms, request_id="order")


@pytest.mark.spec("PRC-034")
@pytest.mark.parametrize(
    ("outcome", "status", "payment"), [("pay", "APPROVED", "success"), ("cancel", "PAYER_ACTION_REQUIRED", "cancelled")]
)
def test_the_buyer_chooses_below_our_own_address(
    client: Client, approval: Approval, outcome: str, status: str, payment: str
) -> None:
    path = f"/sandbox/paypal/checkoutnow?token={approval.id}"
    page = client.get(path)
    assert (page.status_code, "This is a simulation of PayPal." in page.content.decode()) == (200, True)
    assert "form-action 'self' http://testserver;" in page["Content-Security-Policy"]
    answer = client.post(path, f"outcome={outcome}", content_type="application/x-www-form-urlencoded")
    assert answer.status_code == 302
    assert answer["Location"].startswith(f"http://testserver/account-settings?payment={payment}&token={approval.id}")
    assert paypal().fetch_order(approval.id).status == status


@pytest.mark.spec("PRC-034")
def test_in_live_mode_there_is_no_page_to_choose_on(client: Client, settings: Any, approval: Approval) -> None:
    settings.SANDBOX = False
    path = f"/sandbox/paypal/checkoutnow?token={approval.id}"
    answers = [client.get(path), client.post(path, {"outcome": "pay"}), client.get("/sandbox/paypal")]
    assert [answer.status_code for answer in answers] == [404] * 3
    assert paypal().fetch_order(approval.id).status == "PAYER_ACTION_REQUIRED"


def test_the_settings_and_the_simulation_agree_on_the_webhook() -> None:
    assert settings.PAYPAL_WEBHOOK_ID == WEBHOOK_ID
