"""What pages bring with them is what the calls answer."""

import json
import re
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from accounts.users.models import User
from billing.catalogue.plans import Plan
from conftest import PASSWORD, browser_of, make_user
from quotes.quotes import services as quotes

pytestmark = pytest.mark.django_db


def all_known(page: Any) -> list[Any]:
    """What the page brings for each of its islands that gets something."""
    props = re.findall(r'<script id="island-[^"]+" type="application/json">(.*?)</script>', page.content.decode())
    return [read["known"] for read in map(json.loads, props) if "known" in read]


def known(page: Any) -> Any:
    """What the page brings for its main island."""
    (found,) = all_known(page)
    return found


@pytest.fixture
def signed_in(client: Client, alice: User, sam: User) -> Client:
    """Alice, to whom a quote was made."""
    quotes.generate_quote(
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


@pytest.mark.spec("PEN-027")
def test_the_notice_of_full_checks_comes_with_its_figures() -> None:
    browser = browser_of(make_user("wes@willow.org", "Wes Willow", plan=Plan.FREE))
    for tab, islands in (("history", 1), ("validate", 2)):
        found = all_known(browser.get(f"/dashboard?tab={tab}"))
        shown = [(one["credits"]["welcome_credits"], one["subscription"]["subscription_plan"]) for one in found]
        assert shown == [(100, "free")] * islands
        paid = all_known(browser.get(f"/dashboard?tab={tab}&payment=success&token=pay_1"))
        assert paid == [{}] * islands
