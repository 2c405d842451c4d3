"""Webhooks as they are sent: signed, late, twice, out of order, again after a refusal, and forged."""

import json
import zlib
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import time_machine
from cryptography import x509

from emailcheck.sandbox import Sandbox
from emailcheck.sandbox.paypal.state import State
from emailcheck.sandbox.paypal.tests.conftest import Shop
from emailcheck.sandbox.paypal.tests.receiver import Receiver, receiving
from emailcheck.sandbox.paypal.webhook_delivery import FORGERIES
from emailcheck.sandbox.paypal.webhook_signing import Signer

BOUGHT = ["CHECKOUT.ORDER.APPROVED", "PAYMENT.CAPTURE.COMPLETED"]


@pytest.fixture
async def receiver(paypal: Sandbox, shop: Shop) -> AsyncIterator[Receiver]:
    paypal.simulation.paypal.site.memory.webhooks.clear()
    async with receiving() as found:
        asked = {"url": found.url, "event_types": [{"name": "*"}]}
        await shop.ask("POST", "/v1/notifications/webhooks", asked)
        yield found


async def buy(shop: Shop) -> None:
    order_id = await shop.order("pay")
    await shop.ask("POST", f"/v2/checkout/orders/{order_id}/capture", {})


async def test_events_are_sent_by_themselves_in_their_order(shop: Shop, receiver: Receiver) -> None:
    await shop.control("webhooks", hold=0)
    await buy(shop)
    await receiver.wait_for(2)
    assert receiver.kinds() == BOUGHT
    headers, _ = receiver.got[0]
    assert headers["paypal-auth-algo"] == "SHA256withRSA"
    assert headers["content-type"] == "application/json"


async def test_an_address_that_leads_nowhere_does_not_stop_the_others(shop: Shop, receiver: Receiver) -> None:
    webhook = {"url": "http://[nowhere", "event_types": [{"name": "*"}]}
    assert (await shop.ask("POST", "/v1/notifications/webhooks", webhook)).status_code == 201
    await shop.control("webhooks", hold=0)
    await buy(shop)
    await receiver.wait_for(2)


async def test_a_name_that_is_no_text_is_refused(shop: Shop) -> None:
    answer = await shop.ask("POST", "/v1/catalogs/products", {"name": ["Credits"]})
    assert (answer.status_code, answer.json()["details"][0]["issue"]) == (400, "INVALID_PARAMETER_VALUE")


async def test_held_events_wait_until_they_are_delivered_in_another_order(shop: Shop, receiver: Receiver) -> None:
    await buy(shop)
    assert (receiver.got, (await shop.overview())["waiting"]) == ([], 2)
    answer = await shop.control("deliver", order="reversed")
    assert [(told["kind"], told["status"]) for told in answer] == [(kind, 200) for kind in reversed(BOUGHT)]
    assert (receiver.kinds(), (await shop.overview())["waiting"]) == (list(reversed(BOUGHT)), 0)


async def test_single_events_can_be_delivered_before_others(shop: Shop, receiver: Receiver) -> None:
    await buy(shop)
    newest = (await shop.overview())["events"][0]["id"]
    await shop.control("deliver", events=[newest])
    assert (receiver.kinds(), (await shop.overview())["waiting"]) == ([BOUGHT[1]], 1)


async def test_copies_are_the_same_event_in_deliveries_of_their_own(shop: Shop, receiver: Receiver) -> None:
    await shop.control("webhooks", copies=3)
    await shop.order("pay")
    await shop.control("deliver", order="shuffled")
    assert len({event["id"] for event in receiver.events()}) == 1
    assert len({headers["paypal-transmission-id"] for headers, _ in receiver.got}) == 3


async def test_late_and_lost_events(shop: Shop, receiver: Receiver) -> None:
    await shop.control("webhooks", hold=0, delay_s=3600)
    await shop.order("pay")
    assert (receiver.got, (await shop.overview())["waiting"]) == ([], 1)
    await shop.control("webhooks", lose=1)
    await shop.order("pay")
    overview = await shop.overview()
    assert (overview["waiting"], len(overview["events"])) == (1, 2)


async def test_a_refused_delivery_is_made_again(shop: Shop, receiver: Receiver) -> None:
    receiver.statuses = [500, 404]
    await shop.order("pay")
    statuses = [(await shop.control("deliver"))[0]["status"] for _ in range(3)]
    assert (statuses, await shop.control("deliver")) == ([500, 404, 200], [])
    attempts = (await shop.overview())["events"][0]["attempts"]
    assert [attempt["status"] for attempt in attempts] == [500, 404, 200]


async def test_nobody_there_counts_as_refused(paypal: Sandbox, shop: Shop) -> None:
    await shop.order("pay")
    assert (await shop.control("deliver"))[0]["status"] == 0
    assert (await shop.overview())["waiting"] == 1
    assert (await shop.overview())["events"][0]["attempts"][0]["note"] == "ConnectError"


async def test_an_event_can_be_sent_again_by_us_and_by_the_shop(shop: Shop, receiver: Receiver) -> None:
    await buy(shop)
    await shop.control("deliver")
    event = receiver.events()[0]["id"]
    await shop.control(f"events/{event}")
    again = await shop.ask("POST", f"/v1/notifications/webhooks-events/{event}/resend", {})
    await shop.control("deliver")
    assert (again.status_code, receiver.kinds()) == (202, [*BOUGHT, BOUGHT[0], BOUGHT[0]])
    assert receiver.got[0][1] == receiver.got[2][1]


@pytest.mark.parametrize("forgery", FORGERIES)
async def test_forgeries_arrive_and_are_not_paypals(
    paypal: Sandbox, shop: Shop, receiver: Receiver, forgery: str
) -> None:
    await buy(shop)
    await shop.control("deliver")
    (_, (genuine, body)), event = receiver.got, receiver.events()[1]
    await shop.control(f"events/{event['id']}", forged=forgery)
    headers, forged = receiver.got[2]
    webhook_id = next(iter(paypal.simulation.paypal.site.memory.webhooks))
    told = {name: headers[f"paypal-{name.replace('_', '-')}"] for name in ("transmission_id", "transmission_time")}
    signed = {**told, "transmission_sig": headers["paypal-transmission-sig"]}
    verified = paypal.simulation.paypal.site.signer.verify(signed, webhook_id, forged)
    same_checksum = zlib.crc32(forged) == zlib.crc32(body)
    # Only the checksum can be made to agree; then it is the content that differs.
    assert verified == (forgery in {"checksum", "invented"})
    assert same_checksum == (forgery != "altered")
    assert (json.loads(forged) != event) == (forgery in {"altered", "checksum", "invented"})
    assert ("127.0.0.2" in headers["paypal-cert-url"]) == (forgery == "elsewhere")
    assert genuine["paypal-transmission-id"] != headers["paypal-transmission-id"]


async def test_only_the_kinds_that_were_asked_for_are_sent(paypal: Sandbox, shop: Shop) -> None:
    paypal.simulation.paypal.site.memory.webhooks.clear()
    async with receiving() as receiver:
        asked: Any = {"url": receiver.url, "event_types": [{"name": BOUGHT[1]}]}
        await shop.ask("POST", "/v1/notifications/webhooks", asked)
        await buy(shop)
        await shop.control("deliver")
        assert receiver.kinds() == [BOUGHT[1]]


async def test_what_falls_due_while_nobody_asks_is_sent_by_itself(
    paypal: Sandbox, shop: Shop, receiver: Receiver
) -> None:
    await shop.subscription()
    await shop.control("deliver")
    before = len(receiver.got)
    await shop.control("webhooks", hold=0)
    memory = paypal.simulation.paypal.site.memory
    memory.held = datetime(2030, 3, 1, tzinfo=UTC)  # a month later, and no call tells so
    paypal.simulation.paypal.courier.notify()
    await receiver.wait_for(before + 1)
    assert receiver.kinds()[before:] == ["PAYMENT.SALE.COMPLETED"]
    assert receiver.events()[-1]["create_time"] == "2030-02-28T10:00:00.000Z"


@pytest.mark.parametrize("made", ["2024-02-29", "2031-05-01"])
def test_the_certificate_counts_whatever_the_time_was_when_it_was_made(tmp_path: Path, made: str) -> None:
    with time_machine.travel(made):
        pem = Signer(State(tmp_path / "state")).certificate()
    certificate = x509.load_pem_x509_certificate(pem)
    assert certificate.not_valid_before_utc < datetime.now(UTC) < certificate.not_valid_after_utc
