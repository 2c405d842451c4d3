"""What staff see of payments, and the call that refunds one."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.access.models import SignIn
from accounts.activity.models import Activity
from accounts.organisations.models import Organisation
from accounts.users.models import User
from billing.catalogue.plans import Plan
from billing.invoices.models import Invoice
from billing.ledger.models import CreditEntry, LotKind
from billing.ledger.services import grant_credits, reconcile_ledger
from billing.payments.models import Payment, PaymentKind, PaymentState, Refund
from billing.refunds import services as refunds
from billing.reports import payment_list
from billing.tests.paid import captured
from conftest import client_of
from emailcheck.common.testing import drain_queue
from tests import checkout
from tests.paypal import NOW, Buyer

pytestmark = pytest.mark.postgres

PAYMENTS = "/api/admin/payments"
WHY = {"reason": "Not what was expected"}


@pytest.fixture(autouse=True)
def clock() -> Iterator[Any]:
    with time_machine.travel(NOW, tick=False) as found:
        yield found


@pytest.fixture
def staff(sam: User) -> APIClient:
    return client_of(sam)


def found(api: APIClient, **query: str) -> list[str]:
    return [row["paypal_id"] for row in api.get(PAYMENTS, query).json()["payments"]]


@pytest.mark.spec("INV-019")
def test_a_payment_is_found_by_customer_document_and_paypal_id(
    staff: APIClient, alice: User, bob: User, clock: Any
) -> None:
    captured(alice, "CAP-A")
    Organisation.objects.filter(pk=bob.pk).update(name="Birch Works")
    second = captured(bob, "CAP-B", amount="249.00", payer_email="bob@paypal.example", kind=PaymentKind.RENEWAL)
    note = refunds.complete_refund(payment_id=second.pk, provider_id="REF-B")
    assert note is not None
    for search in ("bob@birch", "Bob B", "CAP-B", "cap-b", second.invoice.number, note.credit_note.number, "REF-B",
                   "bob@paypal.example"):  # fmt: skip
        assert found(staff, search=search) == ["CAP-B"], search
    assert found(staff) == ["CAP-B", "CAP-A"]
    assert found(staff, search="CAP") == []  # an id is known, or is not
    assert staff.get(PAYMENTS, {"search": "CAP-B"}).json() == {
        "payments": [
            {
                "id": second.pk, "paypal_id": "CAP-B", "customer": "Bob Birch", "customer_email": "bob@birch.net",
                "organisation": "Birch Works", "kind": "subscription", "amount": 249.0, "currency": "USD",
                "status": "refunded", "date": "2030-01-31T04:05:06Z", "invoice_number": second.invoice.number,
            }
        ],
        "refunded_total": 249.0,
        "total": 1,
        "next": None,
    }  # fmt: skip


@pytest.mark.spec("INV-019", "ADM-406")
def test_payments_are_filtered_by_state_and_range(staff: APIClient, alice: User, clock: Any) -> None:
    for number, state in enumerate(PaymentState):
        Payment.objects.create(
            organisation=alice.own_organisation, provider_id=f"CAP-{state}", kind=PaymentKind.CREDITS, state=state,
            amount="9", description="x",
            created_at=timezone.now() - timedelta(days=20 * number),
        )  # fmt: skip
    shown = {status: found(staff, status=status) for status in payment_list.ShownState.values}
    assert shown == {
        "captured": ["CAP-completed"],
        "refunded": ["CAP-reversed", "CAP-refunded"],
        "pending": ["CAP-pending"],
        "failed": ["CAP-lapsed", "CAP-declined"],
    }
    counts = {days: len(found(staff, range=days)) for days in payment_list.ReportRange.values}
    assert counts == {"7d": 1, "30d": 2, "90d": 5, "1y": 6, "all": 6}
    for query in ({"status": "paid"}, {"range": "2d"}, {"cursor": "x"}):
        assert staff.get(PAYMENTS, query).status_code == 400


@pytest.mark.spec("INV-019", "ADM-406")
def test_the_refunded_sum_is_that_of_the_range(sam: User, alice: User, clock: Any) -> None:
    for number in range(3):
        refunds.complete_refund(payment_id=captured(alice, f"CAP-{number}", amount="10.10").pk)
        clock.shift(timedelta(days=10))
    staff = client_of(sam)
    totals = [staff.get(PAYMENTS, {"range": days, "search": "x"}).json()["refunded_total"] for days in ("30d", "7d")]
    assert totals == [30.3, 0.0]


@pytest.mark.spec("INV-019")
def test_a_long_list_comes_in_pages(staff: APIClient, alice: User) -> None:
    for number in range(payment_list.PAGE_ROWS + 2):
        Payment.objects.create(
            organisation=alice.own_organisation,
            provider_id=f"CAP-{number}",
            kind="credits",
            state="completed",
            amount="9",
            description="x",
        )
    first = staff.get(PAYMENTS).json()
    assert (len(first["payments"]), first["total"]) == (50, 52)
    assert found(staff, cursor=first["next"]) == ["CAP-1", "CAP-0"]


@pytest.mark.spec("INV-019", "PUB-085", "PUB-089")
def test_the_guarantee_is_for_the_first_subscription_and_thirty_days(sam: User, alice: User, clock: Any) -> None:
    def told(payment: Payment) -> tuple[bool, str]:
        answer = client_of(sam).get(f"{PAYMENTS}/{payment.pk}").json()
        return answer["guarantee_applies"], answer["guarantee_reason"]

    pack = captured(alice, "CAP-P")
    clock.shift(timedelta(days=1))
    first = captured(alice, "CAP-1", kind=PaymentKind.SUBSCRIPTION, plan=Plan.GROWTH, cycle="monthly")
    assert told(pack) == (False, "The guarantee is for the first payment of a subscription.")
    assert told(first) == (True, "First subscription of this customer; the 30 days end on 3 March 2030.")
    clock.shift(timedelta(days=30))
    assert told(first)[0] is True
    clock.shift(timedelta(seconds=1))
    assert told(first) == (False, "The 30 days ended on 3 March 2030.")
    second = captured(alice, "CAP-2", kind=PaymentKind.SUBSCRIPTION, plan=Plan.GROWTH, cycle="monthly")
    assert told(second) == (False, "The customer had paid for a subscription before.")
    renewal = captured(alice, "CAP-3", kind=PaymentKind.RENEWAL, plan=Plan.GROWTH, cycle="monthly")
    assert told(renewal) == (False, "The guarantee is for the first payment of a subscription.")
    refunds.complete_refund(payment_id=second.pk)
    assert told(second) == (False, "The guarantee is for payments that were captured and not refunded.")
    Payment.objects.filter(pk=first.pk).update(organisation=None)
    assert told(first)[0] is False


@pytest.mark.spec("INV-019")
def test_the_detail_names_what_a_refund_does(staff: APIClient, alice: User) -> None:
    payment = captured(alice)
    grant_credits(organisation_id=alice.pk, kind=LotKind.PACK, amount=5_000, reason="Bought", key="payment:CAP-1")
    answer = staff.get(f"{PAYMENTS}/{payment.pk}").json()
    assert {name: answer[name] for name in ("credits_unspent", "ends_plan", "refund", "description", "status")} == {
        "credits_unspent": 5_000, "ends_plan": False, "refund": None, "description": "5,000 credits",
        "status": "captured",
    }  # fmt: skip
    refunds.complete_refund(payment_id=payment.pk, reason="Twice")
    answer = staff.get(f"{PAYMENTS}/{payment.pk}").json()
    assert answer["refund"] == {"amount": 59.0, "date": "2030-01-31T04:05:06Z", "reason": "Twice"}
    assert (answer["credits_unspent"], answer["status"]) == (0, "refunded")


@pytest.fixture
def bought(alice: User, buyer: Buyer) -> Payment:
    checkout.buy_pack(client_of(alice), buyer)
    drain_queue()
    return Payment.objects.get()


@pytest.mark.spec("INV-019")
def test_staff_refund_a_payment_once(staff: APIClient, bought: Payment) -> None:
    path = f"{PAYMENTS}/{bought.pk}/refund"
    first = staff.post(path, WHY, format="json", headers={"Idempotency-Key": "one"})
    done = Refund.objects.get()
    assert (first.status_code, first.json()) == (200, {
        "refund_id": done.provider_id, "credit_note_number": done.credit_note.number,
        "message": "Refund of $59.00 sent to alice@alder.com",
    })  # fmt: skip
    again = staff.post(path, WHY, format="json", headers={"Idempotency-Key": "one"})
    assert (again.json(), again["Idempotent-Replayed"]) == (first.json(), "true")
    twice = staff.post(path, WHY, format="json")
    assert (twice.status_code, twice.json()["code"]) == (400, "ALREADY_REFUNDED")
    assert twice.json()["detail"] == "This payment was already refunded"
    assert (Refund.objects.count(), reconcile_ledger()) == (1, [])


@pytest.mark.spec("INV-019", "SEC-015")
@pytest.mark.parametrize(
    ("case", "status", "code"),
    [
        ("no reason", 400, "VALIDATION_ERROR"),
        ("late", 403, "REAUTH_REQUIRED"),
        ("customer", 403, "PERMISSION_DENIED"),
        ("unknown", 404, "NOT_FOUND"),
        ("silent", 502, "PAYMENT_PROVIDER_ERROR"),
    ],
)
def test_a_refused_call_gives_nothing_back(
    staff: APIClient, bought: Payment, alice: User, sam: User, buyer: Buyer, case: str, status: int, code: str
) -> None:
    api = client_of(alice) if case == "customer" else staff
    before = state()
    if case == "late":
        SignIn.objects.filter(user=sam).update(confirmed_at=timezone.now() - timedelta(minutes=15))
    if case == "silent":
        buyer.control("trouble", kind="unavailable", path="/v2/payments", times=3)
    number = bought.pk + 1 if case == "unknown" else bought.pk
    body = {"reason": "  "} if case == "no reason" else WHY
    answer = api.post(f"{PAYMENTS}/{number}/refund", body, format="json")
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert state() == before


def state() -> list[Any]:
    tables = (Payment, Invoice, CreditEntry, Activity)
    return [list(table._default_manager.order_by("pk").values()) for table in tables]
