"""Subscriptions and their life in time, over real sockets against the simulated PayPal."""

from datetime import UTC, datetime, timedelta

import pytest

from billing.payments.paypal import Amount, PayPal, PlanTerms, Return, SubscriptionTerms, paypal
from billing.payments.paypal.errors import WrongStatus
from billing.payments.paypal.types import Interval, Plan
from tests.paypal import Buyer

BACK = Return("https://shop.example/back", "https://shop.example/stay")
PRICE = Amount.usd("79.00")
NOW = datetime(2030, 1, 31, 4, 5, 6, tzinfo=UTC)


@pytest.fixture
def shop(buyer: Buyer) -> PayPal:
    return paypal()


@pytest.fixture
def plan(shop: PayPal) -> Plan:
    return make_plan(shop, "Growth monthly", PRICE)


def make_plan(shop: PayPal, name: str, price: Amount, *, interval: Interval = Interval.MONTH) -> Plan:
    product = shop.create_product(name="EmailCheck", request_id="product")
    terms = PlanTerms(product_id=product.id, name=name, price=price, interval=interval)
    return shop.create_plan(terms=terms, request_id=f"plan:{name.replace(' ', '-')}")


def subscribe(
    shop: PayPal,
    buyer: Buyer,
    plan: Plan,
    outcome: str = "pay",
    *,
    charge_now: Amount | None = None,
    start_time: datetime | None = None,
) -> str:
    """An approved subscription; answers its id."""
    terms = SubscriptionTerms(
        plan_id=plan.id,
        custom_id="sub_1",
        return_to=BACK,
        brand="EmailCheck",
        charge_now=charge_now,
        start_time=start_time,
    )
    approval = shop.create_subscription(terms=terms, request_id=f"subscribe:{plan.id}")
    buyer.press(approval.url, outcome)
    return approval.id


def on(month: int, day: int, hour: int = 10) -> datetime:
    return datetime(2030, month, day, hour, tzinfo=UTC)


def paid(shop: PayPal, subscription_id: str) -> list[tuple[str, str, str]]:
    """The payments: day, amount, status."""
    listed = shop.list_transactions(subscription_id, start=NOW - timedelta(days=1), end=NOW + timedelta(days=800))
    return [(f"{found.time:%m-%d}", str(found.amount.value), found.status) for found in listed]


def test_a_plan_has_its_price(shop: PayPal, plan: Plan) -> None:
    assert (plan.status, plan.name, plan.price) == ("ACTIVE", "Growth monthly", PRICE)
    assert make_plan(shop, "Growth monthly", PRICE) == plan


def test_a_subscription_is_charged_at_once_and_renewed_on_its_day(shop: PayPal, buyer: Buyer, plan: Plan) -> None:
    terms = SubscriptionTerms(
        plan_id=plan.id, custom_id="sub_1", return_to=BACK, brand="EmailCheck", email="a@b.example"
    )
    approval = shop.create_subscription(terms=terms, request_id="subscribe")
    assert shop.fetch_subscription(approval.id).status == "APPROVAL_PENDING"
    sent_to = buyer.press(approval.url)
    assert sent_to.startswith(f"https://shop.example/back?subscription_id={approval.id}&ba_token=BA-")
    found = shop.fetch_subscription(approval.id)
    assert (found.status, found.plan_id, found.custom_id, found.price) == ("ACTIVE", plan.id, "sub_1", PRICE)
    assert (found.last_payment, found.last_payment_time) == (PRICE, NOW)
    assert found.next_billing_time == on(2, 28)
    buyer.control("clock", days=62)
    assert paid(shop, approval.id) == [
        ("01-31", "79.00", "COMPLETED"), ("02-28", "79.00", "COMPLETED"), ("03-31", "79.00", "COMPLETED"),
    ]  # fmt: skip
    assert shop.fetch_subscription(approval.id).next_billing_time == on(4, 30)
    assert buyer.kinds().count("PAYMENT.SALE.COMPLETED") == 3


def test_a_year_is_a_year(shop: PayPal, buyer: Buyer) -> None:
    yearly = make_plan(shop, "Growth yearly", Amount.usd("787.00"), interval=Interval.YEAR)
    found = shop.fetch_subscription(subscribe(shop, buyer, yearly))
    assert found.next_billing_time == datetime(2031, 1, 31, 10, tzinfo=UTC)


def test_one_approval_takes_the_difference_now_and_the_new_price_later(shop: PayPal, buyer: Buyer, plan: Plan) -> None:
    old = subscribe(shop, buyer, plan)
    pro = make_plan(shop, "Pro monthly", Amount.usd("149.00"))
    next_billing = shop.fetch_subscription(old).next_billing_time
    new = subscribe(shop, buyer, pro, charge_now=Amount.usd("35.00"), start_time=next_billing)
    found = shop.fetch_subscription(new)
    assert (found.status, found.last_payment, found.next_billing_time, found.price) == (
        "ACTIVE", Amount.usd("35.00"), on(2, 28), Amount.usd("149.00"),
    )  # fmt: skip
    shop.cancel_subscription(old, reason="Changed to Pro")
    buyer.control("clock", days=62)
    assert paid(shop, old) == [("01-31", "79.00", "COMPLETED")]
    assert [amount for _, amount, _ in paid(shop, new)] == ["35.00", "149.00", "149.00"]


def test_without_the_charge_now_there_is_no_new_agreement(shop: PayPal, buyer: Buyer, plan: Plan) -> None:
    found = subscribe(shop, buyer, plan, "decline", charge_now=Amount.usd("35.00"), start_time=on(2, 28))
    assert (shop.fetch_subscription(found).status, paid(shop, found)) == ("CANCELLED", [])
    assert buyer.kinds()[-2:] == ["BILLING.SUBSCRIPTION.PAYMENT.FAILED", "BILLING.SUBSCRIPTION.CANCELLED"]


def test_an_agreement_may_begin_when_a_paid_period_ends(shop: PayPal, buyer: Buyer, plan: Plan) -> None:
    found = subscribe(shop, buyer, plan, start_time=on(2, 28))
    assert (shop.fetch_subscription(found).status, paid(shop, found)) == ("ACTIVE", [])
    assert shop.fetch_subscription(found).next_billing_time == on(2, 28)
    buyer.control("clock", days=30)
    assert paid(shop, found) == [("02-28", "79.00", "COMPLETED")]


def test_a_delayed_first_payment_is_pending(shop: PayPal, buyer: Buyer, plan: Plan) -> None:
    found = subscribe(shop, buyer, plan, "delay")
    assert (shop.fetch_subscription(found).status, paid(shop, found)) == ("ACTIVE", [("01-31", "79.00", "PENDING")])
    (transaction,) = shop.list_transactions(found, start=NOW, end=NOW)
    assert shop.fetch_capture(transaction.id).status == "PENDING"
    buyer.control(f"payments/{transaction.id}", action="complete")
    assert paid(shop, found) == [("01-31", "79.00", "COMPLETED")]


def test_a_failed_renewal_is_tried_twice_more_then_suspends(shop: PayPal, buyer: Buyer, plan: Plan) -> None:
    found = subscribe(shop, buyer, plan)
    buyer.control(f"subscriptions/{found}", action="fail")
    seen = []
    for day in (on(2, 28), on(3, 5), on(3, 10)):
        buyer.control("clock", to=day.isoformat())
        now = shop.fetch_subscription(found)
        seen.append((now.status, now.failed_payments, now.retry_time, now.outstanding))
    assert seen == [
        ("ACTIVE", 1, on(3, 5), PRICE),
        ("ACTIVE", 2, on(3, 10), PRICE),
        ("SUSPENDED", 3, None, PRICE),
    ]
    buyer.control("clock", days=100)
    assert len(paid(shop, found)) == 1
    assert buyer.kinds()[-4:] == [
        *["BILLING.SUBSCRIPTION.PAYMENT.FAILED"] * 3, "BILLING.SUBSCRIPTION.SUSPENDED",
    ]  # fmt: skip


def test_a_retry_that_succeeds_settles_what_was_open(shop: PayPal, buyer: Buyer, plan: Plan) -> None:
    found = subscribe(shop, buyer, plan)
    buyer.control(f"subscriptions/{found}", action="fail")
    buyer.control("clock", to="2030-03-01T00:00:00Z")
    buyer.control(f"subscriptions/{found}", action="recover")
    buyer.control("clock", to="2030-03-06T00:00:00Z")
    now = shop.fetch_subscription(found)
    assert (now.status, now.failed_payments, now.outstanding) == ("ACTIVE", 0, Amount.usd("0.00"))
    assert paid(shop, found)[1:] == [("03-05", "79.00", "COMPLETED")]
    assert now.next_billing_time == on(3, 31)


def test_while_it_is_suspended_whole_charges_are_skipped(shop: PayPal, buyer: Buyer, plan: Plan) -> None:
    found = subscribe(shop, buyer, plan)
    suspended = shop.suspend_subscription(found, reason="Paused")
    assert (suspended.status, suspended.next_billing_time) == ("SUSPENDED", None)
    assert shop.suspend_subscription(found, reason="Paused").status == "SUSPENDED"
    buyer.control("clock", to="2030-04-15T00:00:00Z")
    active = shop.activate_subscription(found, reason="Resumed")
    assert (active.status, active.next_billing_time) == ("ACTIVE", on(4, 30))
    assert shop.activate_subscription(found, reason="Resumed").status == "ACTIVE"
    assert paid(shop, found) == [("01-31", "79.00", "COMPLETED")]
    assert buyer.kinds()[-2:] == ["BILLING.SUBSCRIPTION.SUSPENDED", "BILLING.SUBSCRIPTION.RE-ACTIVATED"]


def test_a_cancelled_subscription_is_final(shop: PayPal, buyer: Buyer, plan: Plan) -> None:
    found = subscribe(shop, buyer, plan)
    assert shop.cancel_subscription(found, reason="Enough").status == "CANCELLED"
    assert shop.cancel_subscription(found, reason="Enough").status == "CANCELLED"
    with pytest.raises(WrongStatus):
        shop.activate_subscription(found, reason="Changed my mind")
    buyer.control("clock", days=100)
    assert len(paid(shop, found)) == 1
    assert buyer.kinds().count("BILLING.SUBSCRIPTION.CANCELLED") == 1


def test_the_report_holds_every_movement_once(shop: PayPal, buyer: Buyer, plan: Plan) -> None:
    found = subscribe(shop, buyer, plan)
    buyer.control("clock", days=62)
    (_, second, third) = shop.list_transactions(found, start=NOW, end=NOW + timedelta(days=99))
    shop.refund_capture(second.id, invoice_id="CN-1", note="Sorry", request_id="refund-1")
    buyer.control(f"payments/{third.id}", action="reverse")
    listed = list(shop.fetch_reported(start=NOW - timedelta(days=1), end=NOW + timedelta(days=99)))
    assert [(line.event_code, line.status, str(line.amount.value)) for line in listed] == [
        ("T0002", "S", "79.00"), ("T0002", "V", "79.00"), ("T0002", "V", "79.00"),
        ("T1107", "S", "-79.00"), ("T1106", "S", "-79.00"),
    ]  # fmt: skip
    assert [line.reference_id for line in listed] == [found, found, found, second.id, third.id]
    assert {line.custom_id for line in listed} == {"sub_1"}
    assert buyer.kinds()[-2:] == ["PAYMENT.SALE.REFUNDED", "PAYMENT.SALE.REVERSED"]
    assert list(shop.fetch_reported(start=NOW + timedelta(days=90), end=NOW + timedelta(days=99))) == []


def test_a_lower_price_holds_from_the_next_charge_without_approval(shop: PayPal, buyer: Buyer, plan: Plan) -> None:
    found = subscribe(shop, buyer, plan)
    for _ in range(2):
        shop.reprice_subscription(found, price=Amount.usd("49.00"))
    assert shop.fetch_subscription(found).price == Amount.usd("49.00")
    buyer.control("clock", days=30)
    assert [amount for _, amount, _ in paid(shop, found)] == ["79.00", "49.00"]


def test_a_price_changed_within_ten_days_waits_for_the_charge_after(shop: PayPal, buyer: Buyer, plan: Plan) -> None:
    found = subscribe(shop, buyer, plan)
    buyer.control("clock", to="2030-02-19T00:00:00Z")
    shop.reprice_subscription(found, price=Amount.usd("49.00"))
    buyer.control("clock", to="2030-04-01T00:00:00Z")
    assert [amount for _, amount, _ in paid(shop, found)] == ["79.00", "79.00", "49.00"]
    shop.cancel_subscription(found, reason="Enough")
    with pytest.raises(WrongStatus):
        shop.reprice_subscription(found, price=PRICE)
