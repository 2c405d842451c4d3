"""What pages bring with them is what the calls answer."""

import json
import re
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from accounts.models import User
from conftest import PASSWORD
from quotes import services

pytestmark = pytest.mark.django_db


def known(page: Any) -> Any:
    """What the page brings for its main island."""
    props = re.findall(r'<script id="island-[^"]+" type="application/json">(.*?)</script>', page.content.decode())
    found = [read["known"] for read in map(json.loads, props) if "known" in read]
    assert len(found) == 1
    return found[0]


@pytest.fixture
def signed_in(client: Client, alice: User, sam: User) -> Client:
    """Alice, to whom a quote was made."""
    services.generate(
        staff=sam, customer_name="Alice", customer_email=alice.email, credits=250_000, customer_company="", notes=""
    )
    body = {"email": alice.email, "password": PASSWORD}
    answer = client.post("/api/auth/login", body, content_type="application/json")
    client.defaults["HTTP_AUTHORIZATION"] = f"Bearer {answer.json()['token']}"
    return client


def test_the_plan_comes_with_the_page(signed_in: Client) -> None:
    with time_machine.travel(timezone.now(), tick=False):  # it says how long a pause would last that began now
        plan = signed_in.get("/api/subscriptions/status").json()
        assert plan["subscription_plan"] == "growth"
        assert known(signed_in.get("/account-settings?tab=subscription")) == {"subscription": plan}
        credits = signed_in.get("/api/credits").json()
        assert (credits["credits"], len(credits["lots"])) == (100, 1)
        assert known(signed_in.get("/dashboard")) == {"subscription": plan, "credits": credits}


def test_the_quotes_come_with_the_page(signed_in: Client) -> None:
    answered = signed_in.get("/api/quotes/my-quotes").json()
    assert [quote["credits_needed"] for quote in answered["quotes"]] == [250_000]
    assert known(signed_in.get("/dashboard?tab=custom-packages")) == answered


@pytest.mark.parametrize(
    "address", ["/dashboard?tab=custom-packages&payment=success&token=pay_1", "/account-settings?tab=profile"]
)
def test_nothing_comes_that_is_not_shown_or_about_to_change(signed_in: Client, address: str) -> None:
    assert known(signed_in.get(address)) == {}
