"""Tokens, retries and time limits, and answers that are not what PayPal documents."""

import json
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from hypothesis import HealthCheck, given
from hypothesis import settings as how
from hypothesis import strategies as st

from billing.payments.paypal import Account, Amount, OrderTerms, PayPal, Return
from billing.payments.paypal.calls import Timing
from billing.payments.paypal.errors import PayPalError, UnexpectedAnswer, Unreachable, WrongKeys
from tests.paypal import Buyer
from tests.stack import free_port

BACK = Return("https://shop.example/back", "https://shop.example/stay")
TERMS = OrderTerms(amount=Amount.usd("59.00"), description="Pack", custom_id="pay_1", return_to=BACK, brand="E")
SHAPES = json.loads(Path(settings.BASE_DIR, "emailcheck/sandbox/paypal/tests/shapes.json").read_text())


class Pauses:
    """Notes the pauses between tries instead of making them."""

    def __init__(self) -> None:
        self.made: list[float] = []

    def __call__(self, seconds: float) -> None:
        self.made.append(seconds)


@pytest.fixture
def pauses() -> Pauses:
    return Pauses()


def shop_at(
    base: str, pauses: Pauses, *, attempt: float = 10, call: float = 25, secret: str = "sandbox-secret"
) -> PayPal:
    account = Account(
        api_base=base,
        web_base=f"{base}/sandbox/paypal",
        client_id="sandbox-client",
        secret=secret,
        webhook_id="W",
        merchant_id="M",
    )
    return PayPal(account, Timing(pause=pauses, attempt=attempt, call=call))


@pytest.fixture
def shop(buyer: Buyer, pauses: Pauses) -> PayPal:
    return shop_at(settings.PAYPAL_API_BASE, pauses)


def tokens(buyer: Buyer) -> int:
    return int(buyer.overview()["tokens_given"])


def test_sixteen_callers_share_one_new_token(shop: PayPal, buyer: Buyer) -> None:
    before = tokens(buyer)
    buyer.control("trouble", kind="slow", path="/v1/oauth2/token", seconds=0.3)
    order = shop_order_id(buyer)
    with ThreadPoolExecutor(16) as threads:
        found = list(threads.map(lambda _: shop.fetch_order(order).id, range(16)))
    assert (found, tokens(buyer) - before) == ([order] * 16, 2)  # one of them is of the shop that ordered


def shop_order_id(buyer: Buyer) -> str:
    """An order that another process of ours made."""
    return shop_at(settings.PAYPAL_API_BASE, Pauses()).create_order(terms=TERMS, request_id="order").id


def test_a_token_that_ended_early_is_renewed_once(shop: PayPal, buyer: Buyer, pauses: Pauses) -> None:
    order = shop.create_order(terms=TERMS, request_id="order").id
    before = tokens(buyer)
    buyer.control("trouble", kind="expired_token", path="/v2/checkout")
    assert (shop.fetch_order(order).id, tokens(buyer) - before, pauses.made) == (order, 1, [])
    buyer.control("trouble", kind="expired_token", path="/v2/checkout", times=2)
    with pytest.raises(WrongKeys):
        shop.fetch_order(order)


def test_wrong_keys_are_named_and_not_tried_again(buyer: Buyer, pauses: Pauses) -> None:
    shop = shop_at(settings.PAYPAL_API_BASE, pauses, secret="guess")
    with pytest.raises(WrongKeys) as refused:
        shop.fetch_order("X")
    assert (refused.value.status, refused.value.code, pauses.made) == (502, "PAYMENT_PROVIDER_ERROR", [])
    assert refused.value.detail == "PayPal cannot do this at the moment. Please try again in a few minutes."


@pytest.mark.parametrize("kind", ["unavailable", "lost"])
def test_a_failed_call_is_tried_again_and_takes_effect_once(
    shop: PayPal, buyer: Buyer, pauses: Pauses, kind: str
) -> None:
    buyer.control("trouble", kind=kind, path="/v2/checkout/orders", times=2)
    approval = shop.create_order(terms=TERMS, request_id="order")
    assert [order["id"] for order in buyer.overview()["orders"]] == [approval.id]
    assert pauses.made == [0.4, 1.2]


@pytest.mark.parametrize("kind", ["lost", "slow"])
def test_a_capture_whose_answer_was_lost_is_one_capture(buyer: Buyer, pauses: Pauses, kind: str) -> None:
    shop = shop_at(settings.PAYPAL_API_BASE, pauses, attempt=0.5)
    approval = shop.create_order(terms=TERMS, request_id="order")
    buyer.press(approval.url)
    buyer.control("trouble", kind=kind, path=f"/v2/checkout/orders/{approval.id}/capture", times=2, seconds=1)
    assert shop.capture_order(approval.id, request_id="capture").captures[0].status == "COMPLETED"
    assert len(buyer.overview()["payments"]) == 1


def test_after_three_tries_it_is_unreachable(shop: PayPal, buyer: Buyer, pauses: Pauses) -> None:
    order = shop.create_order(terms=TERMS, request_id="order").id
    buyer.control("trouble", kind="unavailable", path="/v2", times=4)
    with pytest.raises(Unreachable, match="500, debug id"):
        shop.fetch_order(order)
    assert (pauses.made, buyer.overview()["troubles"][0]["times"]) == ([0.4, 1.2], 1)


def test_a_busy_paypal_says_when_to_come_again(shop: PayPal, buyer: Buyer, pauses: Pauses) -> None:
    order = shop.create_order(terms=TERMS, request_id="order").id
    buyer.control("trouble", kind="rate_limited", path="/v2", seconds=3)
    buyer.control("trouble", kind="rate_limited", path="/v2", seconds=60)
    assert shop.fetch_order(order).id == order
    assert pauses.made == [3.0, 5.0]


def test_a_call_ends_in_its_time(buyer: Buyer, pauses: Pauses) -> None:
    shop = shop_at(settings.PAYPAL_API_BASE, pauses, attempt=0.2, call=0.5)
    buyer.control("trouble", kind="slow", path="/v1/oauth2/token", times=9, seconds=0.6)
    with pytest.raises(Unreachable):
        shop.fetch_order("X")


def test_nobody_there_is_unreachable(pauses: Pauses) -> None:
    with pytest.raises(Unreachable, match="NotSent"):
        shop_at(f"http://127.0.0.1:{free_port()}", pauses).fetch_order("X")
    assert pauses.made == [0.4, 1.2]


def test_nonsense_for_an_answer_is_named(shop: PayPal, buyer: Buyer) -> None:
    buyer.control("trouble", kind="garbled", path="/v2")
    with pytest.raises(UnexpectedAnswer, match="no JSON"):
        shop.create_order(terms=TERMS, request_id="order")


# --- any answer at all


class Anything(BaseHTTPRequestHandler):
    """Gives a token, and then whatever it was told to answer."""

    answer: tuple[int, bytes] = (200, b"{}")

    def do_GET(self) -> None:
        token = json.dumps({"access_token": "A21AAx", "expires_in": 32_400}).encode()
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        status, body = (200, token) if self.path == "/v1/oauth2/token" else type(self).answer
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        self.do_GET()

    def log_message(self, format: str, *arguments: Any) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def anything() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Anything)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


CALLS: dict[str, tuple[Any, Callable[[PayPal], object]]] = {
    "order": (SHAPES["orders"]["GET /v2/checkout/orders/{id}"]["200"], lambda shop: shop.fetch_order("X")),
    "capture": (SHAPES["payments"]["GET /v2/payments/captures/{id}"]["200"], lambda shop: shop.fetch_capture("X")),
    "refund": (
        SHAPES["payments"]["POST /v2/payments/captures/{id}/refund"]["201"],
        lambda shop: shop.refund_capture("X", invoice_id="CN", note="", request_id="r"),
    ),
    "subscription": (
        SHAPES["subscriptions"]["GET /v1/billing/subscriptions/{id}"]["200"],
        lambda shop: shop.fetch_subscription("X"),
    ),
    "new order": (
        SHAPES["orders"]["POST /v2/checkout/orders"]["200 (payment_source given)"],
        lambda shop: shop.create_order(terms=TERMS, request_id="r"),
    ),
    "event": (SHAPES["webhooks"]["events"]["PAYMENT.SALE.COMPLETED"], lambda shop: shop.fetch_event("X")),
    "error": (SHAPES["errors"]["400"], lambda shop: shop.fetch_order("X")),
}
ODD = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=20), st.just([]), st.just({}), st.just([{}]),
    st.sampled_from(["NaN", "1e9", "-1.00", "99999999999999", "2026-13-01T00:00:00Z", "\x00", "\ud800", "x" * 5000]),
)  # fmt: skip


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to every member of a value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for name, member in inner for place in places(member, (*path, name)))]


def changed(value: Any, place: tuple[Any, ...], odd: Any) -> Any:
    if not place:
        return odd
    copy = deepcopy(value)
    inner = copy
    for name in place[:-1]:
        inner = inner[name]
    inner[place[-1]] = odd
    return copy


@pytest.mark.parametrize("name", CALLS)
@how(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_odd_answers_end_in_a_value_or_a_named_error(anything: str, name: str, data: st.DataObject) -> None:
    sample, call = CALLS[name]
    value = changed(sample, data.draw(st.sampled_from(places(sample))), data.draw(ODD))
    status = 400 if name == "error" else 200
    Anything.answer = (data.draw(st.sampled_from([status, 201, 404, 409, 422])), json.dumps(value).encode())
    assert ends_well(anything, call)


@how(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=st.one_of(st.binary(max_size=200), st.sampled_from([b"[" * 100_000, b'{"id":' * 50_000, b"9" * 10_000])))
def test_bodies_that_are_no_object_end_in_a_named_error(anything: str, body: bytes) -> None:
    Anything.answer = (200, body)
    with pytest.raises(PayPalError):
        shop_at(anything, Pauses()).fetch_order("X")


def ends_well(base: str, call: Callable[[PayPal], object]) -> bool:
    """Whether the call gives a value, or one of the named errors."""
    try:
        return call(shop_at(base, Pauses())) is not None
    except PayPalError as error:
        return type(error) is not PayPalError
