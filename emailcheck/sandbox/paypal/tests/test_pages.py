"""The approval pages and the control page, as a browser and as a program see them."""

import json
from pathlib import Path
from typing import Any

import httpx2
import pytest

from emailcheck.sandbox import SandboxOptions, start_sandbox
from emailcheck.sandbox.paypal.tests.conftest import ACCEPT_JSON, Shop, sample, sample_order

PAGE = "/sandbox/paypal"


async def approval_page(shop: Shop, order_id: str) -> httpx2.Response:
    return await shop.client.get(f"{PAGE}/checkoutnow?token={order_id}")


@pytest.mark.spec("PRC-034")
async def test_the_approval_page_says_what_is_paid_to_whom_and_that_it_is_a_simulation(shop: Shop) -> None:
    page = await approval_page(shop, await shop.order())
    assert page.status_code == 200
    for text in (
        "This is a simulation of PayPal.", "No account is asked for and no money moves.", "25 000 credits",
        "$25.00 USD", "one payment", "merchant@example.com", "buyer@example.com", "INV-2026-000123", "Pay now",
        "Cancel and return", "Decline", "Delay",
    ):  # fmt: skip
        assert text in page.text
    assert page.headers["Content-Security-Policy"] == (
        "default-src 'none'; style-src 'self'; font-src 'self'; frame-src 'self'; form-action 'self' https://app; "
        "base-uri 'none'"
    )
    assert "<script" not in page.text


async def test_names_from_the_shop_are_inert(shop: Shop) -> None:
    order = sample_order()
    order["purchase_units"][0]["description"] = "<img src=x onerror=alert(1)>"
    made = (await shop.ask("POST", "/v2/checkout/orders", order)).json()
    page = await approval_page(shop, made["id"])
    assert "<img" not in page.text
    assert "&lt;img src=x onerror=alert(1)&gt;" in page.text


async def test_what_is_decided_is_not_asked_again(shop: Shop) -> None:
    order_id = await shop.order("pay")
    assert "This payment is approved. The shop has not captured it yet." in (await approval_page(shop, order_id)).text
    await shop.ask("POST", f"/v2/checkout/orders/{order_id}/capture", {})
    page = (await approval_page(shop, order_id)).text
    assert "This payment is complete." in page
    assert '<button class="button primary pay-wide" name="outcome"' not in page


@pytest.mark.spec("PRC-034")
async def test_a_subscription_says_what_is_charged_when(shop: Shop) -> None:
    asked = sample("subscriptions", "POST /v1/billing/subscriptions")
    fee = {"setup_fee": {"currency_code": "USD", "value": "12.50"}}
    asked |= {"plan_id": await shop.plan(), "start_time": "2030-02-28T10:00:00Z", "plan": {"payment_preferences": fee}}
    made = (await shop.ask("POST", "/v1/billing/subscriptions", asked)).json()
    page = (await shop.client.get(made["links"][0]["href"])).text
    for text in ("Pro monthly", "Today", "$12.50 USD", "From 28 February 2030", "$25.00 USD", "each month"):
        assert text in page
    assert "Agree and subscribe" in page


async def test_a_change_of_plan_says_the_old_and_the_new_price(shop: Shop) -> None:
    found = await shop.subscription()
    before = (await shop.ask("GET", f"/v1/billing/plans/{(await shop.shown(found))['plan_id']}")).json()
    cycles = sample("plans", "POST /v1/billing/plans")["billing_cycles"]
    cycles[0]["pricing_scheme"]["fixed_price"]["value"] = "99.00"
    asked = sample("plans", "POST /v1/billing/plans")
    asked |= {"product_id": before["product_id"], "name": "Pro plus", "billing_cycles": cycles}
    plan = (await shop.ask("POST", "/v1/billing/plans", asked)).json()["id"]
    told = (await shop.ask("POST", f"/v1/billing/subscriptions/{found}/revise", {"plan_id": plan})).json()
    page = (await shop.client.get(told["links"][0]["href"])).text
    for text in ("Pro plus", "Until then", "$25.00 USD", "From 28 February 2030", "$99.00 USD", "Agree and change"):
        assert text in page
    assert "Decline" not in page


@pytest.mark.parametrize("path", ["/checkoutnow?token=X", "/webapps/billing/subscriptions?ba_token=X", "/checkoutnow"])
async def test_unknown_links_lead_to_a_page_that_says_so(shop: Shop, path: str) -> None:
    page = await shop.client.get(PAGE + path)
    assert (page.status_code, "No such payment" in page.text) == (404, True)
    pressed = await shop.client.post(PAGE + path, data={"outcome": "pay"})
    assert pressed.status_code == 404


async def test_choices_are_few(shop: Shop) -> None:
    order_id = await shop.order()
    answer = await shop.client.post(f"{PAGE}/checkoutnow?token={order_id}", data={"outcome": "steal"})
    detail = "outcome is one of pay, delay, refuse, decline, cancel."
    assert (answer.status_code, answer.json()) == (400, {"detail": detail})
    assert (await shop.ask("GET", f"/v2/checkout/orders/{order_id}")).json()["status"] == "PAYER_ACTION_REQUIRED"


async def test_an_order_that_names_no_way_back_says_so(shop: Shop) -> None:
    order = {name: value for name, value in sample_order().items() if name != "payment_source"}
    made = (await shop.ask("POST", "/v2/checkout/orders", order)).json()
    answer = await shop.client.post(f"{PAGE}/checkoutnow?token={made['id']}", data={"outcome": "pay"})
    assert (answer.status_code, answer.json()) == (409, {"detail": "The shop did not say where to return to."})


async def test_other_sites_may_not_press_the_buttons(shop: Shop) -> None:
    order_id = await shop.order()
    answer = await shop.client.post(
        f"{PAGE}/checkoutnow?token={order_id}", data={"outcome": "pay"}, headers={"Sec-Fetch-Site": "cross-site"}
    )
    assert (answer.status_code, await shop.kinds()) == (403, [])


async def test_the_control_page_lists_everything(shop: Shop) -> None:
    order_id = await shop.order("delay")
    await shop.ask("POST", f"/v2/checkout/orders/{order_id}/capture", {})
    found = await shop.subscription()
    page = (await shop.client.get(PAGE)).text
    for text in (order_id, found, "2030-01-31 04:05 UTC", "and time stands still", "PAYMENT.CAPTURE.PENDING",
                 "Complete", "Payments fail", "5 deliveries wait", "http://127.0.0.1:9/webhooks/paypal"):  # fmt: skip
        assert text in page
    assert "<script" not in page


async def test_a_new_control_page_says_what_to_do(shop: Shop) -> None:
    page = (await shop.client.get(PAGE)).text
    for text in ("No subscription yet.", "No payment yet.", "No order yet.", "No event yet."):
        assert text in page


async def test_a_form_leads_back_to_its_section(shop: Shop) -> None:
    answer = await shop.client.post(f"{PAGE}/clock", data={"days": "31"})
    assert (answer.status_code, answer.headers["Location"]) == (303, "/sandbox/paypal#clock")
    assert (await shop.overview())["now"] == "2030-03-03T04:05:06Z"


@pytest.mark.parametrize(
    ("path", "fields", "detail"),
    [
        ("clock", {"days": -1}, "days is a number from 0 to 800."),
        ("clock", {"days": 801}, "days is a number from 0 to 800."),
        ("clock", {"to": "2029-01-01T00:00:00Z"}, "Time moves ahead, by at most 800 days at once."),
        ("clock", {"to": "tomorrow"}, "to is a time such as 2026-12-20T10:00:00Z."),
        ("webhooks", {"copies": 17}, "copies is a number from 0 to 16."),
        ("webhooks", {"speed": 1}, "There is no switch speed; there are copies, delay_s, hold, lose."),
        ("deliver", {"order": "best"}, "order is one of as_made, reversed, shuffled."),
        ("trouble", {"kind": "war"},
         "kind is one of unavailable, lost, slow, garbled, rate_limited, expired_token."),
        ("reset", {"to": "never"}, "to is a time such as 2026-12-20T10:00:00Z."),
    ],
)  # fmt: skip
async def test_impossible_orders_change_nothing(shop: Shop, path: str, fields: dict[str, Any], detail: str) -> None:
    before = await shop.overview()
    answer = await shop.client.post(f"{PAGE}/{path}", json=fields)
    assert (answer.status_code, answer.json()) == (400, {"detail": detail})
    assert await shop.overview() == before


@pytest.mark.parametrize(("room", "action"), [("subscriptions", "fail"), ("payments", "complete"), ("events", "")])
async def test_what_is_not_there_cannot_be_moved(shop: Shop, room: str, action: str) -> None:
    answer = await shop.client.post(f"{PAGE}/{room}/NOBODY", json={"action": action})
    assert answer.status_code == 404


async def test_everything_is_kept_over_a_restart(tmp_path: Path) -> None:
    options = SandboxOptions(data_dir=tmp_path, site_url="http://127.0.0.1:8000")
    async with start_sandbox(options) as first, httpx2.AsyncClient(trust_env=False) as client:
        client.base_url = f"http://127.0.0.1:{first.http_port}"
        shop = Shop(client)
        await shop.sign_in()
        made = (await shop.ask("POST", "/v2/checkout/orders", sample_order())).json()
        await shop.control("clock", days=2)
        before = await shop.overview()
    assert made["links"][1]["href"] == f"http://127.0.0.1:8000/sandbox/paypal/checkoutnow?token={made['id']}"
    async with start_sandbox(options) as second, httpx2.AsyncClient(trust_env=False) as client:
        answer = await client.get(f"http://127.0.0.1:{second.http_port}/sandbox/paypal", headers=ACCEPT_JSON)
    after = answer.json()
    assert (after["orders"], after["now"][:10]) == (before["orders"], before["now"][:10])


async def test_a_memory_that_cannot_be_read_is_a_fresh_start(tmp_path: Path) -> None:
    (tmp_path / "paypal").mkdir()
    (tmp_path / "paypal" / "paypal.state").write_bytes(json.dumps({"orders": 1}).encode())
    async with start_sandbox(SandboxOptions(data_dir=tmp_path)) as fresh, httpx2.AsyncClient(trust_env=False) as client:
        answer = await client.get(f"http://127.0.0.1:{fresh.http_port}/sandbox/paypal", headers=ACCEPT_JSON)
    assert answer.json()["orders"] == []
