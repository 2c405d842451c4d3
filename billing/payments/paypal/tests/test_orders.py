"""One-time payments and refunds, over real sockets against the simulated PayPal."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from billing.payments.paypal import Amount, OrderTerms, PayPal, Return, paypal
from billing.payments.paypal.errors import (
    AlreadyRefunded,
    Declined,
    InvoiceUsed,
    Missing,
    NotApproved,
    RefundRefused,
    Rejected,
    RequestIdUsed,
    UnexpectedAnswer,
)
from billing.payments.paypal.types import Approval, Order
from tests.paypal import Buyer

BACK = Return("https://shop.example/back?flow=pack", "https://shop.example/stay")
PRICE = Amount.usd("59.00")


def terms(*, custom_id: str = "pay_1", invoice_id: str = "", amount: Amount = PRICE) -> OrderTerms:
    return OrderTerms(
        amount=amount,
        description="5,000 credits",
        custom_id=custom_id,
        invoice_id=invoice_id,
        return_to=BACK,
        brand="EmailCheck",
    )


def bought(shop: PayPal, buyer: Buyer, *, key: str = "1", invoice_id: str = "") -> Order:
    """A captured order."""
    approval = shop.create_order(terms=terms(invoice_id=invoice_id), request_id=f"order-{key}")
    buyer.press(approval.url)
    return shop.capture_order(approval.id, request_id=f"capture-{key}")


@pytest.fixture
def shop(buyer: Buyer) -> PayPal:
    return paypal()


@pytest.fixture
def approval(shop: PayPal) -> Approval:
    return shop.create_order(terms=terms(), request_id="order-1")


@pytest.mark.spec("PRC-034")
def test_a_pack_is_approved_captured_and_paid(shop: PayPal, buyer: Buyer, approval: Approval) -> None:
    assert shop.fetch_order(approval.id).status == "PAYER_ACTION_REQUIRED"
    sent_to = buyer.press(approval.url)
    assert sent_to == f"https://shop.example/back?flow=pack&token={approval.id}&PayerID=QYR5Z8XDVJNXQ"
    approved = shop.fetch_order(approval.id)
    assert (approved.status, approved.amount, approved.payee_id, approved.custom_id, approved.captures) == (
        "APPROVED", PRICE, shop.merchant_id, "pay_1", (),
    )  # fmt: skip
    assert (approved.payer.id, approved.payer.email) == ("QYR5Z8XDVJNXQ", "buyer@example.com")
    paid = shop.capture_order(approval.id, request_id="capture-1")
    (capture,) = paid.captures
    assert (paid.status, capture.status, capture.amount, capture.custom_id) == (
        "COMPLETED", "COMPLETED", PRICE, "pay_1",
    )  # fmt: skip
    assert (capture.order_id, capture.fee) == (approval.id, Amount.usd("2.36"))
    assert capture.create_time == datetime(2030, 1, 31, 4, 5, 6, tzinfo=UTC)
    assert shop.fetch_capture(capture.id) == capture


def test_an_order_is_captured_once_however_often_it_is_asked(shop: PayPal, buyer: Buyer, approval: Approval) -> None:
    buyer.press(approval.url)
    with ThreadPoolExecutor(16) as threads:
        done = list(threads.map(lambda n: shop.capture_order(approval.id, request_id=f"capture-{n % 2}"), range(16)))
    assert {len(order.captures) for order in done} == {1}
    assert len({order.captures[0].id for order in done}) == 1
    assert [payment["amount"]["value"] for payment in buyer.overview()["payments"]] == ["59.00"]
    assert buyer.kinds() == ["CHECKOUT.ORDER.APPROVED", "PAYMENT.CAPTURE.COMPLETED"]


def test_an_order_that_nobody_approved_is_not_captured(shop: PayPal, buyer: Buyer, approval: Approval) -> None:
    with pytest.raises(NotApproved) as refused:
        shop.capture_order(approval.id, request_id="capture-1")
    assert refused.value.issue == "ORDER_NOT_APPROVED"
    assert refused.value.detail == "The payment has not been approved at PayPal yet."
    assert buyer.overview()["payments"] == []


def test_a_buyer_who_goes_back_leaves_the_order_as_it_was(shop: PayPal, buyer: Buyer, approval: Approval) -> None:
    assert buyer.press(approval.url, "cancel") == f"https://shop.example/stay?token={approval.id}"
    assert (shop.fetch_order(approval.id).status, buyer.kinds()) == ("PAYER_ACTION_REQUIRED", [])


def test_a_declined_payment_can_be_tried_again(shop: PayPal, buyer: Buyer, approval: Approval) -> None:
    buyer.press(approval.url, "decline")
    with pytest.raises(Declined) as refused:
        shop.capture_order(approval.id, request_id="capture-1")
    assert refused.value.link == approval.url
    assert buyer.overview()["payments"] == []
    buyer.press(refused.value.link)
    assert shop.capture_order(approval.id, request_id="capture-2").captures[0].status == "COMPLETED"


def test_a_delayed_payment_is_money_only_when_it_completes(shop: PayPal, buyer: Buyer, approval: Approval) -> None:
    buyer.press(approval.url, "delay")
    order = shop.capture_order(approval.id, request_id="capture-1")
    (capture,) = order.captures
    assert (order.status, capture.status, capture.status_reason, capture.fee) == (
        "COMPLETED", "PENDING", "PENDING_REVIEW", None,
    )  # fmt: skip
    buyer.control(f"payments/{capture.id}", action="complete")
    assert shop.fetch_capture(capture.id).status == "COMPLETED"
    assert buyer.kinds()[-2:] == ["PAYMENT.CAPTURE.PENDING", "PAYMENT.CAPTURE.COMPLETED"]


def test_a_completed_order_may_hold_a_declined_capture(shop: PayPal, buyer: Buyer, approval: Approval) -> None:
    buyer.press(approval.url, "refuse")
    order = shop.capture_order(approval.id, request_id="capture-1")
    assert (order.status, order.captures[0].status) == ("COMPLETED", "DECLINED")
    assert buyer.kinds()[-1] == "PAYMENT.CAPTURE.DECLINED"


def test_an_order_that_was_not_approved_in_time_is_void(shop: PayPal, buyer: Buyer, approval: Approval) -> None:
    buyer.control("clock", to="2030-01-31T07:05:06Z")
    assert shop.fetch_order(approval.id).status == "PAYER_ACTION_REQUIRED"
    buyer.control("clock", to="2030-01-31T07:05:07Z")
    assert shop.fetch_order(approval.id).status == "VOIDED"
    buyer.press(approval.url)
    assert shop.fetch_order(approval.id).status == "VOIDED"


def test_a_request_id_makes_one_order(shop: PayPal, buyer: Buyer, approval: Approval) -> None:
    assert shop.create_order(terms=terms(), request_id="order-1") == approval
    with pytest.raises(RequestIdUsed):
        shop.create_order(terms=terms(custom_id="pay_2"), request_id="order-1")
    assert [order["id"] for order in buyer.overview()["orders"]] == [approval.id]
    buyer.control("clock", to="2030-01-31T10:05:06Z")  # PayPal has forgotten the id
    assert shop.create_order(terms=terms(), request_id="order-1").id != approval.id


def test_an_invoice_number_pays_one_order(shop: PayPal, buyer: Buyer) -> None:
    first = bought(shop, buyer, key="1", invoice_id="INV-1")
    assert (first.invoice_id, first.captures[0].invoice_id) == ("INV-1", "INV-1")
    with pytest.raises(InvoiceUsed):
        bought(shop, buyer, key="2", invoice_id="INV-1")
    assert len(buyer.overview()["payments"]) == 1


def test_an_approval_link_that_leads_elsewhere_is_refused(shop: PayPal, settings: Any) -> None:
    settings.PAYPAL_WEB_BASE = "https://www.paypal.com"
    with pytest.raises(UnexpectedAnswer, match=r"the approval link leads to 127\.0\.0\.1"):
        paypal().create_order(terms=terms(), request_id="order-1")


def test_what_paypal_does_not_know_is_missing(shop: PayPal) -> None:
    with pytest.raises(Missing):
        shop.fetch_order("5O190127TN364715T")
    with pytest.raises(Missing):
        shop.fetch_order("../../v1/oauth2/token")


@pytest.mark.parametrize("value", ["0.001", "10.555", "NaN", "Infinity"])
def test_money_is_whole_cents(value: str) -> None:
    with pytest.raises(ValueError, match="whole cents"):
        Amount(Decimal(value))


@pytest.mark.parametrize("request_id", ["", "a" * 109, "a b", "a\r\nX-Evil: 1", "é"])
def test_a_request_id_is_plain(shop: PayPal, request_id: str) -> None:
    with pytest.raises(ValueError, match="1 to 108"):
        shop.create_order(terms=terms(), request_id=request_id)


def test_refunds_add_up_to_the_payment_and_no_further(shop: PayPal, buyer: Buyer) -> None:
    (capture,) = bought(shop, buyer).captures
    part = shop.refund_capture(
        capture.id, amount=Amount.usd("9.00"), invoice_id="CN-1", note="Part", request_id="refund-1"
    )
    assert (part.status, part.amount, part.total_refunded) == ("COMPLETED", Amount.usd("9.00"), Amount.usd("9.00"))
    assert (part.capture_id, part.invoice_id) == (capture.id, "CN-1")
    assert shop.fetch_capture(capture.id).status == "PARTIALLY_REFUNDED"
    with pytest.raises(RefundRefused):
        shop.refund_capture(
            capture.id, amount=Amount.usd("50.01"), invoice_id="CN-2", note="More", request_id="refund-2"
        )
    with pytest.raises(InvoiceUsed):
        shop.refund_capture(
            capture.id, amount=Amount.usd("1.00"), invoice_id="CN-1", note="Same", request_id="refund-3"
        )
    rest = shop.refund_capture(capture.id, invoice_id="CN-3", note="Rest", request_id="refund-4")
    assert (rest.amount, rest.total_refunded) == (Amount.usd("50.00"), PRICE)
    assert shop.fetch_capture(capture.id).status == "REFUNDED"
    with pytest.raises(AlreadyRefunded):
        shop.refund_capture(capture.id, invoice_id="CN-4", note="Again", request_id="refund-5")
    assert buyer.kinds()[-2:] == ["PAYMENT.CAPTURE.REFUNDED"] * 2


def test_a_refund_is_given_once_however_often_it_is_asked(shop: PayPal, buyer: Buyer) -> None:
    (capture,) = bought(shop, buyer).captures
    with ThreadPoolExecutor(16) as threads:
        given = list(
            threads.map(
                lambda _: shop.refund_capture(capture.id, invoice_id="CN-1", note="Sorry", request_id="refund-1"),
                range(16),
            )
        )
    assert len({refund.id for refund in given}) == 1
    assert shop.fetch_capture(capture.id).status == "REFUNDED"
    assert buyer.kinds().count("PAYMENT.CAPTURE.REFUNDED") == 1


def test_a_refund_comes_too_late_after_180_days(shop: PayPal, buyer: Buyer) -> None:
    (capture,) = bought(shop, buyer).captures
    buyer.control("clock", days=181)
    with pytest.raises(RefundRefused) as refused:
        shop.refund_capture(capture.id, invoice_id="CN-1", note="Late", request_id="refund-1")
    assert refused.value.issue == "REFUND_TIME_LIMIT_EXCEEDED"
    assert shop.fetch_capture(capture.id).status == "COMPLETED"


def test_a_chargeback_takes_the_money_back(shop: PayPal, buyer: Buyer) -> None:
    (capture,) = bought(shop, buyer).captures
    buyer.control(f"payments/{capture.id}", action="reverse")
    assert shop.fetch_capture(capture.id).status == "REFUNDED"
    assert buyer.kinds()[-1] == "PAYMENT.CAPTURE.REVERSED"
    with pytest.raises(Rejected):
        shop.refund_capture(capture.id, invoice_id="CN-1", note="Too", request_id="refund-1")
