"""A payment is dated by PayPal everywhere, and when we learnt of it is kept apart; what is told of the last one."""

import csv
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from rest_framework.test import APIClient

from accounts.activity.models import Activity
from accounts.users.models import User
from billing import tasks
from billing.catalogue.plans import Cycle, Plan
from billing.invoices.models import Invoice
from billing.ledger.models import CreditAccount
from billing.payments.models import Payment, PaymentKind, PaymentState
from billing.payments.paypal import Amount
from billing.payments.records import record_payment
from billing.provider_sync import sweeper
from billing.refunds import clawbacks
from billing.refunds import services as refunds
from billing.subscriptions import services as subscriptions
from billing.tests.paid import captured
from billing.tests.payments.test_sweeper import forward
from conftest import client_of
from tests import checkout
from tests.paypal import Buyer

pytestmark = pytest.mark.postgres

PAID_AT, TOLD_AT = "2030-01-31T04:05:06Z", "2030-02-01T04:05:06Z"
STATUS = "/api/subscriptions/status"


@pytest.fixture
def delayed(erin: User, erin_api: APIClient, buyer: Buyer, clock: Any) -> Payment:
    """A pack that PayPal took on the 31st of January and released a day later."""
    checkout.buy_pack(erin_api, buyer, outcome="delay")
    waiting = Payment.objects.get()
    assert (waiting.state, waiting.captured_at, waiting.recorded_at) == (PaymentState.PENDING, None, None)
    forward(clock, buyer, days=1)
    buyer.control(f"payments/{waiting.provider_id}", action="complete")
    sweeper.sweep_provider()
    return Payment.objects.get()


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)


def plan_paid(user: User, provider_id: str, paid_at: datetime) -> Payment:
    """A payment for a plan that we learn of now."""
    return record_payment(
        provider_id=provider_id, state=PaymentState.COMPLETED, kind=PaymentKind.SUBSCRIPTION, amount=Amount.usd("79"),
        organisation_id=user.pk, description="Growth plan", plan="growth", cycle="yearly", created_at=paid_at,
    )  # fmt: skip


@pytest.mark.finding("D7")
def test_a_payment_is_dated_by_paypal_wherever_it_stands(delayed: Payment, erin: User, sam: User) -> None:
    assert (delayed.created_at, delayed.captured_at, delayed.recorded_at) == (at(PAID_AT), at(PAID_AT), at(TOLD_AT))
    staff, api = client_of(sam), client_of(erin)
    (recent,) = staff.get("/api/admin/revenue").json()["recentTransactions"]
    (listed,) = staff.get("/api/admin/payments").json()["payments"]
    shown = staff.get(f"/api/admin/payments/{delayed.pk}").json()
    assert (recent["date"], listed["date"], shown["date"], shown["learnt_at"]) == (PAID_AT, PAID_AT, PAID_AT, TOLD_AT)
    (invoice,) = api.get("/api/invoices").json()["invoices"]
    assert (invoice["paid_at"], invoice["invoice_date"]) == (PAID_AT, "2030-02-01")  # issued when we knew
    told = api.get(STATUS).json()
    assert (told["last_payment_date"], told["last_payment"]["date"]) == (PAID_AT, PAID_AT)
    assert "5,000 credits: $59.00 by PayPal on 31 January 2030" in Activity.objects.filter(
        organisation=erin.own_organisation
    ).values_list("action", flat=True)


@pytest.mark.finding("D7")
def test_the_statement_tells_when_the_credits_were_paid_and_when_they_came(delayed: Payment, erin: User) -> None:
    api = client_of(erin)
    entries = api.get("/api/credits/statement").json()["entries"]
    assert [(line["amount"], line["time"], line["paid_at"]) for line in entries[1:]] == [(5_000, TOLD_AT, PAID_AT)]
    assert entries[0]["paid_at"] is None
    answer: Any = api.get("/api/credits/statement/export")
    rows = list(csv.reader(b"".join(answer.streaming_content).decode().splitlines()))
    assert [row[-1] for row in rows] == ["Paid (UTC)", "", "2030-01-31T04:05:06+00:00"]


@pytest.mark.finding("D7")
def test_revenue_of_a_range_goes_by_paypals_date(erin: User, sam: User, clock: Any) -> None:
    old = at(PAID_AT) - timedelta(days=40)
    captured(erin, "CAP-OLD", created_at=old)
    api = client_of(sam)
    assert api.get("/api/admin/revenue", {"range": "30d"}).json()["recentTransactions"] == []
    (row,) = api.get("/api/admin/revenue", {"range": "90d"}).json()["recentTransactions"]
    assert row["date"] == "2029-12-22T04:05:06Z"


@pytest.mark.finding("D7")
def test_what_a_late_payment_brought_is_taken_back(delayed: Payment, erin: User) -> None:
    before = CreditAccount.objects.get(organisation=erin.own_organisation).balance
    assert clawbacks.count_granted_credits(delayed) == 5_000
    assert refunds.complete_refund(payment_id=delayed.pk) is not None
    assert CreditAccount.objects.get(organisation=erin.own_organisation).balance == before - 5_000


@pytest.mark.finding("D7")
def test_the_credits_of_a_renewal_that_we_learnt_of_late_are_its_own(
    erin: User, erin_api: APIClient, buyer: Buyer, clock: Any
) -> None:
    forward(clock, buyer, minutes=1)  # after the credits of the free month
    checkout.subscribe(erin_api, buyer)
    forward(clock, buyer, days=30)
    sweeper.sweep_provider()
    first, second = Payment.objects.order_by("captured_at")
    assert second.captured_at == at("2030-02-28T10:00:00Z")
    assert second.recorded_at == at(PAID_AT) + timedelta(days=30, minutes=1)
    assert (second.kind, clawbacks.count_granted_credits(first), clawbacks.count_granted_credits(second)) == (
        PaymentKind.RENEWAL,
        10_000,
        10_000,
    )


@pytest.mark.finding("D7")
def test_a_clock_of_paypals_that_is_ahead_hides_no_credits(erin: User, clock: Any) -> None:
    clock.shift(timedelta(minutes=1))  # after the credits of the free month
    ahead = at(PAID_AT) + timedelta(minutes=2)
    payment = plan_paid(erin, "CAP-1", ahead)
    until = ahead + timedelta(days=28)
    subscriptions.activate_plan(organisation_id=erin.pk, plan=Plan.GROWTH, cycle=Cycle.MONTHLY, paid_until=until)
    assert (payment.captured_at, clawbacks.count_granted_credits(payment)) == (ahead, 10_000)


@pytest.mark.finding("D7")
def test_credits_that_came_before_we_learnt_of_a_dearer_plan_are_the_first_ones(erin: User, clock: Any) -> None:
    clock.shift(timedelta(minutes=1))  # after the credits of the free month
    first = plan_paid(erin, "CAP-1", at(PAID_AT))
    until = at(PAID_AT) + timedelta(days=365)
    subscriptions.activate_plan(organisation_id=erin.pk, plan=Plan.GROWTH, cycle=Cycle.YEARLY, paid_until=until)
    clock.shift(timedelta(days=29))  # its second month began on the 28th of February
    tasks.keep_time()
    assert clawbacks.count_granted_credits(first) == 20_000
    clock.shift(timedelta(minutes=1))
    second = plan_paid(erin, "CAP-2", datetime(2030, 2, 20, tzinfo=UTC))
    assert (clawbacks.count_granted_credits(first), clawbacks.count_granted_credits(second)) == (20_000, 0)


@pytest.mark.spec("PEN-006")
@pytest.mark.finding("D7")
def test_the_last_payment_is_told_whatever_it_was_for_and_whether_it_went_back(
    erin: User, erin_api: APIClient, buyer: Buyer, clock: Any
) -> None:
    before = erin_api.get(STATUS).json()
    assert (before["last_payment"], before["last_payment_date"]) == (None, None)
    checkout.buy_pack(erin_api, buyer)
    told = erin_api.get(STATUS).json()
    pack = {
        "date": PAID_AT, "amount": 59.0, "currency": "USD", "description": "5,000 credits", "is_pack": True,
        "status": "captured", "refunded_at": None,
    }  # fmt: skip
    assert (told["last_payment"], told["last_payment_date"], told["next_billing_date"]) == (pack, PAID_AT, None)
    clock.shift(timedelta(seconds=54))
    refunds.complete_refund(payment_id=Payment.objects.get().pk)
    back = pack | {"status": "refunded", "refunded_at": "2030-01-31T04:06:00Z"}
    assert erin_api.get(STATUS).json()["last_payment"] == back


@pytest.mark.spec("PEN-006")
@pytest.mark.finding("D7")
@pytest.mark.parametrize("state", [PaymentState.PENDING, PaymentState.DECLINED])
def test_what_was_never_captured_is_no_last_payment(alice: User, alice_api: APIClient, state: PaymentState) -> None:
    Payment.objects.create(
        organisation=alice.own_organisation,
        provider_id="CAP-1",
        kind=PaymentKind.CREDITS,
        state=state,
        amount=59,
        description="5,000 credits",
    )
    assert alice_api.get(STATUS).json()["last_payment"] is None


@pytest.mark.spec("PEN-006")
def test_a_chargeback_is_named_as_one_and_strangers_payments_are_not_told(
    alice: User, alice_api: APIClient, bob_api: APIClient
) -> None:
    refunds.complete_refund(payment_id=captured(alice).pk, state=PaymentState.REVERSED)
    assert alice_api.get(STATUS).json()["last_payment"]["status"] == "charged_back"
    assert bob_api.get(STATUS).json()["last_payment"] is None
    assert Invoice.objects.count() == 2
