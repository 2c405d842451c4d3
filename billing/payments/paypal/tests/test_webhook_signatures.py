"""Webhooks: genuine ones are PayPal's own word, and nothing that anybody can forge is taken."""

import base64
from typing import Any

import pytest

from billing.payments.paypal import Amount, OrderTerms, PayPal, Return, paypal
from billing.payments.paypal.errors import Unreachable, WebhookRefused
from tests.paypal import Buyer
from tests.stack import free_port

BACK = Return("https://shop.example/back", "https://shop.example/stay")
FORGERIES = {
    "stranger": "The signature is not PayPal's for this event.",
    "elsewhere": "The certificate is not at PayPal.",
    "other_webhook": "The signature is not PayPal's for this event.",
    "altered": "The signature is not PayPal's for this event.",
    "checksum": "PayPal tells this event differently.",
    "invented": "PayPal knows no such event.",
}
NOT_SIGNED = base64.b64encode(b"x" * 256).decode()
CAPTURED = "PAYMENT.CAPTURE.COMPLETED"


@pytest.fixture
def shop(buyer: Buyer) -> PayPal:
    """A shop that has just been paid 59 dollars."""
    found = paypal()
    terms = OrderTerms(
        amount=Amount.usd("59.00"), description="Pack", custom_id="pay_1", invoice_id="INV-1", return_to=BACK, brand="E"
    )
    approval = found.create_order(terms=terms, request_id="order")
    buyer.press(approval.url)
    found.capture_order(approval.id, request_id="capture")
    return found


def test_a_genuine_event_is_told_as_paypal_knows_it(shop: PayPal, buyer: Buyer) -> None:
    event = shop.fetch_verified_event(*buyer.delivery(CAPTURED))
    order_id = buyer.overview()["orders"][0]["id"]
    capture_id = buyer.overview()["payments"][0]["id"]
    assert (event.kind, event.resource_id, event.order_id, event.status) == (
        CAPTURED, capture_id, order_id, "COMPLETED",
    )  # fmt: skip
    assert (event.amount, event.custom_id, event.invoice_id) == (Amount.usd("59.00"), "pay_1", "INV-1")
    assert shop.fetch_verified_event(*buyer.delivery(CAPTURED)) == event
    approved = shop.fetch_verified_event(*buyer.delivery("CHECKOUT.ORDER.APPROVED"))
    assert (approved.order_id, approved.amount, approved.custom_id) == (order_id, Amount.usd("59.00"), "pay_1")


def test_a_refund_and_a_chargeback_name_their_capture(shop: PayPal, buyer: Buyer) -> None:
    capture_id = buyer.overview()["payments"][0]["id"]
    shop.refund_capture(capture_id, amount=Amount.usd("9.00"), invoice_id="CN-1", note="Part", request_id="refund")
    event = shop.fetch_verified_event(*buyer.delivery("PAYMENT.CAPTURE.REFUNDED"))
    assert (event.capture_id, event.amount) == (capture_id, Amount.usd("9.00"))
    buyer.control(f"payments/{capture_id}", action="reverse")
    assert shop.fetch_verified_event(*buyer.delivery("PAYMENT.CAPTURE.REVERSED")).resource_id == capture_id


@pytest.mark.parametrize("forgery", FORGERIES)
def test_forged_events_are_refused(shop: PayPal, buyer: Buyer, forgery: str) -> None:
    with pytest.raises(WebhookRefused) as refused:
        shop.fetch_verified_event(*buyer.delivery(CAPTURED, forgery))
    assert (refused.value.detail, refused.value.status) == (FORGERIES[forgery], 400)


@pytest.mark.parametrize(
    ("header", "value", "said"),
    [
        ("PAYPAL-TRANSMISSION-ID", "", "The headers of a PayPal event are missing."),
        ("PAYPAL-TRANSMISSION-ID", "x|2030-01-01T00:00:00Z", "The headers of a PayPal event are missing."),
        ("PAYPAL-TRANSMISSION-ID", "a" * 601, "The headers of a PayPal event are missing."),
        ("PAYPAL-TRANSMISSION-TIME", "2030-01-31T04:05:07Z", "The signature is not PayPal's for this event."),
        ("PAYPAL-TRANSMISSION-SIG", "no base64!", "The headers of a PayPal event are missing."),
        ("PAYPAL-TRANSMISSION-SIG", "no_base64", "The signature is not PayPal's for this event."),
        ("PAYPAL-TRANSMISSION-SIG", NOT_SIGNED, "The signature is not PayPal's for this event."),
        ("PAYPAL-AUTH-ALGO", "SHA1withRSA", "The event is signed in another way than PayPal signs."),
        ("PAYPAL-AUTH-ALGO", "none", "The event is signed in another way than PayPal signs."),
    ],
)  # fmt: skip
def test_headers_are_read_strictly(shop: PayPal, buyer: Buyer, header: str, value: str, said: str) -> None:
    headers, body = buyer.delivery(CAPTURED)
    with pytest.raises(WebhookRefused) as refused:
        shop.fetch_verified_event({**headers, header: value}, body)
    assert refused.value.detail == said


@pytest.mark.parametrize(
    "address",
    [
        "{}@evil.example/v1/notifications/certs/CERT-1",
        "http://evil.example/v1/notifications/certs/CERT-1",
        "{}.evil.example/v1/notifications/certs/CERT-1",
        "{}/v1/notifications/certs/../../../sandbox/outbox",
        "{}/v1/notifications/certs/CERT-1?x=1",
        "{}/v1/notifications/certs/CERT-1#x",
        "{}/v1/notifications/webhooks-events/WH-1",
        "{}//v1/notifications/certs/CERT-1",
        "ftp{}",
        "https://127.0.0.1/v1/notifications/certs/CERT-1",
    ],
)
def test_certificates_come_from_paypal_alone(shop: PayPal, buyer: Buyer, address: str) -> None:
    headers, body = buyer.delivery(CAPTURED)
    base = headers["PAYPAL-CERT-URL"].partition("/v1")[0]
    with pytest.raises(WebhookRefused, match="The certificate is not at PayPal"):
        shop.fetch_verified_event({**headers, "PAYPAL-CERT-URL": address.format(base)}, body)


def test_a_certificate_that_is_not_there_is_no_certificate(shop: PayPal, buyer: Buyer) -> None:
    headers, body = buyer.delivery(CAPTURED)
    url = headers["PAYPAL-CERT-URL"].replace("CERT-", "CERT-0")
    with pytest.raises(WebhookRefused, match="There is no certificate at that address"):
        shop.fetch_verified_event({**headers, "PAYPAL-CERT-URL": url}, body)


@pytest.mark.parametrize("body", [b"", b"{}", b"[]", b"x" * 300_000, b'{"id": "WH-1"}', b"\xff"])
def test_a_body_that_was_not_signed_is_refused(shop: PayPal, buyer: Buyer, body: bytes) -> None:
    headers, _ = buyer.delivery(CAPTURED)
    with pytest.raises(WebhookRefused):
        shop.fetch_verified_event(headers, body)


def test_when_paypal_cannot_be_asked_the_event_has_to_come_again(shop: PayPal, buyer: Buyer) -> None:
    delivery = buyer.delivery(CAPTURED)
    buyer.control("trouble", kind="unavailable", path="/v1/notifications/webhooks-events", times=3)
    with pytest.raises(Unreachable):
        shop.fetch_verified_event(*delivery)
    assert shop.fetch_verified_event(*delivery).kind == CAPTURED


def test_a_certificate_that_cannot_be_fetched_says_nothing_about_the_event(shop: PayPal, settings: Any) -> None:
    gone = f"http://127.0.0.1:{free_port()}"
    settings.PAYPAL_API_BASE = gone
    headers = {
        "PAYPAL-TRANSMISSION-ID": "1", "PAYPAL-TRANSMISSION-TIME": "2", "PAYPAL-TRANSMISSION-SIG": "aaaa",
        "PAYPAL-CERT-URL": f"{gone}/v1/notifications/certs/CERT-1", "PAYPAL-AUTH-ALGO": "SHA256withRSA",
    }  # fmt: skip
    with pytest.raises(Unreachable):
        paypal().fetch_verified_event(headers, b"{}")
