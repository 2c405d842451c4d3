"""Buying at the simulated PayPal through our own calls, as a browser does, and PayPal's events on their way to us."""

from typing import Any
from urllib.parse import urlsplit

from django.test import Client
from rest_framework.test import APIClient

from tests.paypal import Buyer

PAYMENTS = "/api/payments/paypal"


def order(api: APIClient, package: str = "small") -> str:
    """Begin to buy a pack. Answers where it is approved."""
    answer = api.post(f"{PAYMENTS}/create-order", {"package_id": package}, format="json")
    assert answer.status_code == 200, answer.json()
    return next(str(link["href"]) for link in answer.json()["links"] if link["rel"] == "approve")


def agreement(api: APIClient, plan: str = "growth", cycle: str = "monthly") -> str:
    """Begin to subscribe. Answers where it is approved."""
    body = {"plan_id": plan, "billing_cycle": cycle}
    answer = api.post(f"{PAYMENTS}/create-billing-agreement", body, format="json")
    assert answer.status_code == 200, answer.json()
    return str(answer.json()["approval_url"])


def arrive(address: str) -> str:
    """The browser comes back from PayPal, without a sign-in. Answers where it is sent on to."""
    parts = urlsplit(address)
    answer = Client().get(f"{parts.path}?{parts.query}")
    assert answer.status_code == 302
    return answer.headers["Location"]


def buy_pack(api: APIClient, buyer: Buyer, package: str = "small", outcome: str = "pay") -> str:
    """All of it. Answers where the browser ends."""
    return arrive(buyer.press(order(api, package), outcome))


def subscribe(api: APIClient, buyer: Buyer, plan: str = "growth", cycle: str = "monthly", outcome: str = "pay") -> str:
    """All of it. Answers where the browser ends."""
    return arrive(buyer.press(agreement(api, plan, cycle), outcome))


def deliver(buyer: Buyer, kind: str, forged: str = "") -> Any:
    """Bring the newest event of a kind to our webhook. Answers what we say."""
    return send_event(*buyer.delivery(kind, forged))


def send_event(headers: dict[str, str], body: bytes) -> Any:
    return Client().post(f"{PAYMENTS}/webhook", body, content_type="application/json", headers=without_type(headers))


def without_type(headers: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in headers.items() if name.lower() != "content-type"}
