"""Every answer, field for field, beside the samples of PayPal's documentation."""

from typing import Any

import pytest

from emailcheck.sandbox import Sandbox
from emailcheck.sandbox.paypal.tests.conftest import SHAPES, Shop, sample
from emailcheck.sandbox.paypal.tests.likeness import differences

ORDERS, PAYMENTS, SUBSCRIPTIONS = SHAPES["orders"], SHAPES["payments"], SHAPES["subscriptions"]
SUBSCRIPTION = "/v1/billing/subscriptions"


def documented(value: Any, paypal: Sandbox) -> Any:
    """The sample with our addresses in its links."""
    api = f"http://127.0.0.1:{paypal.http_port}"
    if isinstance(value, dict):
        return {name: documented(inner, paypal) for name, inner in value.items() if not name.startswith("_")}
    if isinstance(value, list):
        return [documented(inner, paypal) for inner in value]
    if isinstance(value, str):
        return value.replace("{API}", api).replace("{WEB}", f"{api}/sandbox/paypal")
    return value


@pytest.fixture
def like(paypal: Sandbox) -> Any:
    def compare(value: Any, found: Any, *but: str) -> None:
        told = [line for line in differences(documented(value, paypal), found) if not line.startswith(but or ("-",))]
        assert told == []

    return compare


async def test_tokens(shop: Shop, like: Any) -> None:
    ask = SHAPES["auth"]["POST /v1/oauth2/token"]
    answer = await shop.client.post(
        "/v1/oauth2/token", auth=("sandbox-client", "sandbox-secret"), data={"grant_type": "client_credentials"}
    )
    assert answer.status_code == 200
    like(ask["200"], answer.json(), "/access_token", "/nonce", "/scope")
    assert answer.json()["access_token"].startswith("A21AA")
    assert answer.json()["expires_in"] == 32_400
    refused = await shop.client.post("/v1/oauth2/token", auth=("sandbox-client", "guess"), data={"grant_type": "x"})
    assert (refused.status_code, refused.json()) == (401, ask["401"])


async def test_a_new_order_with_a_payment_source_asks_for_the_payer(shop: Shop, like: Any) -> None:
    call = ORDERS["POST /v2/checkout/orders"]
    answer = await shop.ask("POST", "/v2/checkout/orders", call["request"])
    assert answer.status_code == 200
    like(call["200 (payment_source given)"], answer.json())
    assert answer.json()["status"] == "PAYER_ACTION_REQUIRED"
    assert len(answer.headers["Paypal-Debug-Id"]) == 13


async def test_a_new_order_without_one_is_created(shop: Shop, like: Any) -> None:
    call = ORDERS["POST /v2/checkout/orders"]
    asked = {name: value for name, value in call["request"].items() if name != "payment_source"}
    answer = await shop.ask("POST", "/v2/checkout/orders", asked)
    assert answer.status_code == 201
    like(call["201 (no payment_source / application_context)"], answer.json())
    assert answer.json()["status"] == "CREATED"


async def test_an_approved_order(shop: Shop, like: Any) -> None:
    order_id = await shop.order("pay")
    answer = await shop.ask("GET", f"/v2/checkout/orders/{order_id}")
    like(ORDERS["GET /v2/checkout/orders/{id}"]["200"], answer.json())
    assert (answer.json()["id"], answer.json()["status"]) == (order_id, "APPROVED")


async def test_a_capture_and_its_payment(shop: Shop, like: Any) -> None:
    order_id = await shop.order("pay")
    captured = await shop.ask("POST", f"/v2/checkout/orders/{order_id}/capture", {})
    assert captured.status_code == 201
    like(ORDERS["POST /v2/checkout/orders/{id}/capture"]["201"], captured.json())
    capture = captured.json()["purchase_units"][0]["payments"]["captures"][0]
    assert capture["seller_receivable_breakdown"] == {
        "gross_amount": {"currency_code": "USD", "value": "25.00"},
        "paypal_fee": {"currency_code": "USD", "value": "1.17"},
        "net_amount": {"currency_code": "USD", "value": "23.83"},
    }
    asked = await shop.ask("GET", f"/v2/payments/captures/{capture['id']}")
    like(PAYMENTS["GET /v2/payments/captures/{id}"]["200"], asked.json(), "/supplementary_data")
    assert asked.json()["supplementary_data"] == {"related_ids": {"order_id": order_id}}


@pytest.mark.parametrize(
    ("outcome", "captures", "sample_name"),
    [("", 1, "422 not approved"), ("pay", 2, "422 already"), ("decline", 1, "422 declined")],
)
async def test_refused_captures(shop: Shop, like: Any, outcome: str, captures: int, sample_name: str) -> None:
    order_id = await shop.order(outcome)
    path = f"/v2/checkout/orders/{order_id}/capture"
    answer = [await shop.ask("POST", path, {}) for _ in range(captures)][-1]
    assert answer.status_code == 422
    call = ORDERS["POST /v2/checkout/orders/{id}/capture"][sample_name]
    wanted = {**call, "links": [*call["links"], *([call["_extra_link"]] if "_extra_link" in call else [])]}
    like(wanted, answer.json(), "/debug_id", "/message")
    assert answer.json()["details"] == call["details"]


async def test_refunds(shop: Shop, like: Any) -> None:
    order_id = await shop.order("pay")
    captured = (await shop.ask("POST", f"/v2/checkout/orders/{order_id}/capture", {})).json()
    payment = captured["purchase_units"][0]["payments"]["captures"][0]["id"]
    call = PAYMENTS["POST /v2/payments/captures/{id}/refund"]
    path = f"/v2/payments/captures/{payment}/refund"
    answer = await shop.ask("POST", path, call["request partial"], Prefer="return=representation")
    assert answer.status_code == 201
    like(call["201"], answer.json())
    again = await shop.ask("GET", f"/v2/payments/refunds/{answer.json()['id']}")
    assert again.json() == answer.json()
    rest = await shop.ask("POST", path, {})
    assert sorted(rest.json()) == ["id", "links", "status"]
    issues = [
        (await shop.ask("POST", path, asked)).json()["details"][0]["issue"]
        for asked in ({}, {"amount": {"currency_code": "USD", "value": "0.01"}})
    ]
    assert issues == ["CAPTURE_FULLY_REFUNDED", "CAPTURE_FULLY_REFUNDED"]


async def test_the_catalogue(shop: Shop, like: Any) -> None:
    product = await shop.ask("POST", "/v1/catalogs/products", sample("catalog", "POST /v1/catalogs/products"))
    like(SHAPES["catalog"]["POST /v1/catalogs/products"]["201"], product.json())
    asked = sample("plans", "POST /v1/billing/plans") | {"product_id": product.json()["id"]}
    plan = await shop.ask("POST", "/v1/billing/plans", asked)
    assert (product.status_code, plan.status_code) == (201, 201)
    like(SHAPES["plans"]["POST /v1/billing/plans"]["201"], plan.json())
    here = f"/v1/billing/plans/{plan.json()['id']}"
    for verb, status, taken in (("deactivate", "INACTIVE", 422), ("activate", "ACTIVE", 201)):
        turned = await shop.ask("POST", f"{here}/{verb}")
        subscribed = await shop.ask(
            "POST",
            SUBSCRIPTION,
            sample("subscriptions", "POST /v1/billing/subscriptions") | {"plan_id": plan.json()["id"]},
        )
        assert (turned.status_code, turned.content, subscribed.status_code) == (204, b"", taken)
        assert (await shop.ask("GET", here)).json()["status"] == status


async def test_a_trial_costs_nothing_until_it_ends(shop: Shop) -> None:
    cycles = sample("plans", "POST /v1/billing/plans")["billing_cycles"]
    regular = next(cycle for cycle in cycles if cycle["tenure_type"] == "REGULAR")
    frequency = {"interval_unit": "DAY", "interval_count": 14}
    trial = {"frequency": frequency, "tenure_type": "TRIAL", "total_cycles": 1, "sequence": 1}
    found = await shop.subscription(plan_id=await shop.plan(billing_cycles=[trial, regular | {"sequence": 2}]))
    begun = (await shop.shown(found))["billing_info"]
    assert ("last_payment" in begun, begun["next_billing_time"]) == (False, "2030-02-14T10:00:00Z")
    await shop.control("clock", days=15)
    now = (await shop.shown(found))["billing_info"]
    assert (now["last_payment"]["time"], now["next_billing_time"]) == ("2030-02-14T10:00:00Z", "2030-03-14T10:00:00Z")


async def test_what_payments_left_open_is_charged_by_the_shop(shop: Shop) -> None:
    found = await shop.subscription()

    async def charge() -> str:
        answer = await shop.ask(
            "POST", f"{SUBSCRIPTION}/{found}/capture", SUBSCRIPTIONS["POST .../{id}/capture"]["request"]
        )
        return answer.json()["details"][0]["issue"] if answer.content else str(answer.status_code)

    told = [await charge()]
    await shop.control(f"subscriptions/{found}", action="fail")
    await shop.control("clock", days=40)
    told.append(await charge())
    await shop.control(f"subscriptions/{found}", action="recover")
    told += [await charge(), await charge()]
    assert told == ["ZERO_OUTSTANDING_BALANCE", "INSTRUMENT_DECLINED", "202", "ZERO_OUTSTANDING_BALANCE"]


async def test_a_subscription_before_and_after_its_approval(shop: Shop, like: Any) -> None:
    call = SUBSCRIPTIONS["POST /v1/billing/subscriptions"]
    answer = await shop.ask("POST", SUBSCRIPTION, call["request"] | {"plan_id": await shop.plan()})
    assert answer.status_code == 201
    like(call["201"], answer.json())
    await shop.choose(answer.json()["links"][0]["href"], "pay")
    like(SUBSCRIPTIONS["GET /v1/billing/subscriptions/{id}"]["200"], await shop.shown(answer.json()["id"]))


async def test_what_a_shop_does_with_a_subscription(shop: Shop, like: Any) -> None:
    found = await shop.subscription()
    here, reason = f"{SUBSCRIPTION}/{found}", {"reason": "Customer request"}
    plan = (await shop.shown(found))["plan_id"]
    revise = SUBSCRIPTIONS["POST .../{id}/revise"]
    answer = await shop.ask("POST", f"{here}/revise", revise["request"] | {"plan_id": plan} | {
        "application_context": {"return_url": "https://app/back", "cancel_url": "https://app/back"}
    })  # fmt: skip
    assert answer.status_code == 200
    like(revise["200"], answer.json(), "/plan_id")
    statuses = [(await shop.ask("POST", f"{here}/{verb}", reason)).status_code for verb in ("suspend", "activate")]
    refused = await shop.ask("POST", f"{here}/activate", reason)
    statuses.append((await shop.ask("POST", f"{here}/cancel", reason)).status_code)
    assert statuses == [204, 204, 204]
    assert refused.status_code == 422
    like(SUBSCRIPTIONS["POST .../{id}/suspend|cancel|activate"]["422"], refused.json(), "/debug_id", "/message")
    patched = await shop.ask("PATCH", here, SUBSCRIPTIONS["PATCH .../{id}"]["request"])
    assert (patched.status_code, patched.content) == (204, b"")


async def test_transactions(shop: Shop, like: Any) -> None:
    found = await shop.subscription()
    span = "start_time=2030-01-01T00:00:00Z&end_time=2030-02-01T00:00:00Z"
    answer = await shop.ask("GET", f"{SUBSCRIPTION}/{found}/transactions?{span}")
    assert answer.status_code == 200
    like(SUBSCRIPTIONS["GET .../{id}/transactions?start_time=..&end_time=.."]["200"], answer.json())


async def test_webhooks_are_registered_and_verified(shop: Shop, paypal: Sandbox, like: Any) -> None:
    call = SHAPES["webhooks"]["POST /v1/notifications/webhooks"]
    answer = await shop.ask("POST", "/v1/notifications/webhooks", call["request"])
    assert answer.status_code == 201
    like(call["201"], answer.json())
    await shop.order("pay")
    event = next(iter(paypal.simulation.paypal.site.memory.events.values()))
    headers, body = paypal.simulation.paypal.courier.package(event, answer.json()["id"])
    assert sorted(headers.keys() - {"Content-Type"}) == sorted(SHAPES["webhooks"]["delivery headers"])
    told = {
        "transmission_id": headers["PAYPAL-TRANSMISSION-ID"],
        "transmission_time": headers["PAYPAL-TRANSMISSION-TIME"],
        "cert_url": headers["PAYPAL-CERT-URL"],
        "auth_algo": headers["PAYPAL-AUTH-ALGO"],
        "transmission_sig": headers["PAYPAL-TRANSMISSION-SIG"],
        "webhook_id": answer.json()["id"],
    }
    asked = ", ".join(f'"{name}": "{value}"' for name, value in told.items())
    verdicts = []
    for text in (body.decode(), body.decode().replace("25.00", "99.00")):
        raw = f'{{{asked}, "webhook_event": {text}}}'
        path = "/v1/notifications/verify-webhook-signature"
        verdicts.append((await shop.client.post(path, content=raw, headers=shop.headers)).json())
    assert verdicts == [{"verification_status": "SUCCESS"}, {"verification_status": "FAILURE"}]


async def test_events_of_an_order_and_its_refund(shop: Shop, like: Any) -> None:
    events = SHAPES["webhooks"]["events"]
    order_id = await shop.order("pay")
    like(events["CHECKOUT.ORDER.APPROVED"], await shop.event("CHECKOUT.ORDER.APPROVED"))
    captured = (await shop.ask("POST", f"/v2/checkout/orders/{order_id}/capture", {})).json()
    like(events["PAYMENT.CAPTURE.COMPLETED"], await shop.event("PAYMENT.CAPTURE.COMPLETED"))
    payment = captured["purchase_units"][0]["payments"]["captures"][0]["id"]
    asked = PAYMENTS["POST /v2/payments/captures/{id}/refund"]["request partial"]
    await shop.ask("POST", f"/v2/payments/captures/{payment}/refund", asked)
    refunded = await shop.event("PAYMENT.CAPTURE.REFUNDED")
    like(events["PAYMENT.CAPTURE.REFUNDED"], refunded)
    asked_again = await shop.ask("GET", f"/v1/notifications/webhooks-events/{refunded['id']}")
    assert asked_again.json() == refunded


async def test_events_of_a_subscription(shop: Shop, like: Any) -> None:
    events = SHAPES["webhooks"]["events"]
    found = await shop.subscription()
    activated = await shop.event("BILLING.SUBSCRIPTION.ACTIVATED")
    like(events["BILLING.SUBSCRIPTION.ACTIVATED"], activated)
    like(events["PAYMENT.SALE.COMPLETED"], await shop.event("PAYMENT.SALE.COMPLETED"))
    assert activated["resource"] == await shop.shown(found)
    await shop.ask("POST", f"{SUBSCRIPTION}/{found}/cancel", {"reason": "Enough"})
    cancelled = await shop.event("BILLING.SUBSCRIPTION.CANCELLED")
    assert (cancelled["resource_type"], cancelled["resource"]["status"]) == ("subscription", "CANCELLED")


async def test_errors(shop: Shop, like: Any) -> None:
    errors = SHAPES["errors"]
    order = sample("orders", "POST /v2/checkout/orders")
    order["purchase_units"][0]["amount"]["value"] = ""
    invalid = await shop.ask("POST", "/v2/checkout/orders", order)
    like(errors["400"], invalid.json(), "/debug_id")
    missing = await shop.ask("GET", "/v2/checkout/orders/5O190127TN364715T")
    like(errors["404"], missing.json(), "/debug_id")
    expired = await shop.ask("GET", "/v2/checkout/orders/x", Authorization="Bearer A21AAold")
    like(errors["401 expired token"], expired.json())
    without = await shop.ask("GET", "/v2/checkout/orders/x", Authorization="")
    like(errors["401"], without.json(), "/debug_id")
    await shop.control("trouble", kind="rate_limited", path="/v2", seconds=3)
    limited = await shop.ask("GET", "/v2/checkout/orders/x")
    like(errors["429"], limited.json(), "/debug_id")
    await shop.control("trouble", kind="unavailable", path="/v2")
    broken = await shop.ask("GET", "/v2/checkout/orders/x")
    like(errors["500"], broken.json(), "/debug_id")
    assert [answer.status_code for answer in (invalid, missing, expired, without, limited, broken)] == [
        400, 404, 401, 401, 429, 500,
    ]  # fmt: skip
    assert limited.headers["Retry-After"] == "3"
