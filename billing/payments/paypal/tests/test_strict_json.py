"""PayPal's JSON is read strictly, and what is wrong with it is named by its place."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from billing.payments.paypal import Amount, OrderTerms, PlanTerms, Return, SubscriptionTerms, parsers
from billing.payments.paypal.errors import UnexpectedAnswer
from billing.payments.paypal.strict_json import Node, parse_json
from billing.payments.paypal.terms import format_moment
from billing.payments.paypal.types import Interval

BACK = Return("https://shop.example/back", "https://shop.example/stay")


def money(value: Any, currency: Any = "USD") -> Node:
    return Node({"amount": {"currency_code": currency, "value": value}})


@pytest.mark.parametrize(("value", "read"), [("59.00", "59.00"), ("0.0", "0"), ("-9.5", "-9.5"), ("7", "7")])
def test_amounts(value: str, read: str) -> None:
    assert money(value).amount("amount") == Amount(Decimal(read))
    assert Node({"amount": {"total": value, "currency": "EUR"}}).amount("amount") == Amount(Decimal(read), "EUR")


@pytest.mark.parametrize(
    ("value", "currency"),
    [
        ("NaN", "USD"), ("1e3", "USD"), ("1.005", "USD"), ("", "USD"), (59, "USD"), (59.0, "USD"), (None, "USD"),
        ("1,000.00", "USD"), (" 1.00", "USD"), ("١.00", "USD"), ("9" * 13, "USD"), ("1.00", "usd"), ("1.00", "US"),
        ("1.00", None),
    ],
)  # fmt: skip
def test_what_is_no_amount(value: Any, currency: Any) -> None:
    with pytest.raises(UnexpectedAnswer, match=r"answer\.amount"):
        money(value, currency).amount("amount")


@pytest.mark.parametrize(
    "text",
    ["2026-11-20T04:05:06Z", "2026-11-20T04:05:06.000Z", "2026-11-20T04:05:06+0000", "2026-11-20T05:05:06+01:00"],
)
def test_times(text: str) -> None:
    assert Node({"time": text}).time("time") == datetime(2026, 11, 20, 4, 5, 6, tzinfo=UTC)


@pytest.mark.parametrize("text", ["2026-11-20", "2026-11-20T04:05:06", "2026-02-30T00:00:00Z", "soon", "", 1, None])
def test_what_is_no_time(text: Any) -> None:
    with pytest.raises(UnexpectedAnswer, match=r"answer\.time"):
        Node({"time": text}).time("time")


@pytest.mark.parametrize("value", ["", "a\x00b", "a\nb", "\ud800", "x" * 2001, None, 7, []])
def test_what_is_no_text(value: Any) -> None:
    with pytest.raises(UnexpectedAnswer, match=r"answer\.name is not text"):
        Node({"name": value}).text("name")


@pytest.mark.parametrize("value", [True, 1.0, -1, "1", 2**31, None])
def test_what_is_no_number(value: Any) -> None:
    with pytest.raises(UnexpectedAnswer, match=r"answer\.page is not a whole number"):
        Node({"page": value}).number("page")


@pytest.mark.parametrize("body", [b"", b"[]", b"null", b"{", b"\xff", b"[" * 100_000])
def test_what_is_no_object(body: bytes) -> None:
    with pytest.raises(UnexpectedAnswer):
        parse_json(body)


def test_the_place_is_named() -> None:
    with pytest.raises(UnexpectedAnswer, match=r"answer\.purchase_units\[0\]\.amount is no object"):
        parsers.parse_order(Node({"id": "X", "status": "CREATED", "purchase_units": [{}]}))


def test_a_time_for_paypal_has_its_zone() -> None:
    assert format_moment(datetime(2030, 1, 31, 4, 5, 6, tzinfo=UTC)) == "2030-01-31T04:05:06Z"
    with pytest.raises(ValueError, match="needs its zone"):
        format_moment(datetime(2030, 1, 31, tzinfo=UTC).replace(tzinfo=None))


def test_long_names_are_cut_to_what_paypal_takes() -> None:
    price = Amount.usd("1")
    order = OrderTerms(amount=price, description="x" * 200, custom_id="p", return_to=BACK, brand="E").as_json()
    plan = PlanTerms(product_id="P", name="x" * 200, price=price, interval=Interval.YEAR).as_json()
    assert (len(order["purchase_units"][0]["description"]), len(plan["name"])) == (127, 127)
    assert order["purchase_units"][0]["amount"]["value"] == "1.00"


def test_a_plain_subscription_says_nothing_of_charges_of_its_own() -> None:
    terms = SubscriptionTerms(plan_id="P", custom_id="s", return_to=BACK, brand="E").as_json()
    assert {"plan", "start_time", "subscriber"} & terms.keys() == set()
