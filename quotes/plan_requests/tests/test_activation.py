"""From a chosen quote to an active plan, at the simulated PayPal."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.utils import timezone

from accounts.activity.models import Activity
from accounts.signin import services as signin
from accounts.users.models import User
from billing.catalogue.plans import Plan
from billing.invoices.models import Invoice
from billing.ledger.models import CreditLot
from billing.payments.models import Agreement, Payment, Purchase, PurchaseReason
from billing.refunds import services as refunds
from billing.subscriptions.models import Subscription as Standing
from conftest import PASSWORD, client_of, make_user
from crm.contracts.models import Contract
from crm.deals import services as deals
from crm.deals.models import Stage
from emailcheck.common.errors import BadInput
from emailcheck.common.outbound.models import OutgoingMail
from emailcheck.common.testing import drain_queue
from quotes import tasks
from quotes.custom_plans.models import CustomPlan
from quotes.plan_requests import activation
from quotes.plan_requests.models import PlanRequest
from quotes.quotes import services as quotes
from quotes.quotes.models import Period, Quote
from tests.paypal import NOW, Buyer
from tests.subscriber import Subscriber

AT = datetime.fromisoformat(NOW)


@pytest.fixture
def clock() -> Iterator[Any]:
    with time_machine.travel(NOW, tick=False) as found:
        yield found


@pytest.fixture
def nora(db: None, buyer: Buyer, clock: Any) -> Subscriber:
    return Subscriber(make_user("nora@nettle.org", "Nora Nettle", plan=Plan.FREE), buyer, clock)


@pytest.fixture
def staff(db: None, clock: Any) -> User:
    return make_user("sam@emailcheck.app", "Sam Staff", role="admin")


@pytest.fixture
def quote(nora: Subscriber, staff: User) -> Quote:
    return create_quote(staff)


def create_quote(staff: User, email: str = "nora@nettle.org", **fields: Any) -> Quote:
    return quotes.generate_quote(staff=staff, customer_name="Nora", customer_email=email, credits=250_000, **fields)


def choose_plan(nora: Subscriber, quote: Quote, plan: str = "yearly") -> Any:
    path = f"/api/quotes/{quote.quote_id}/create-payment-order"
    return nora.api.post(path, {"plan": plan}, format="json")


def pay_quote(nora: Subscriber, quote: Quote, plan: str = "yearly", outcome: str = "pay") -> str:
    answer = choose_plan(nora, quote, plan)
    assert answer.status_code == 200, answer.json()
    return nora.approve(answer.json()["approval_url"], outcome)


def show_quote(nora: Subscriber) -> tuple[str, str | None, str | None, bool]:
    (found,) = nora.api.get("/api/quotes/my-quotes").json()["quotes"]
    return found["status"], found["plan_status"], found["selected_plan"], found["is_expired"]


def move_clock(nora: Subscriber, **time: float) -> None:
    nora.clock.move_to(timezone.now() + timedelta(**time), tick=False)


def list_mails() -> list[str]:
    names = ("plan_request_received", "plan_activated")
    return list(OutgoingMail.objects.filter(name__in=names).order_by("pk").values_list("name", flat=True))


def list_lots(nora: Subscriber) -> list[tuple[str, int, str]]:
    found = CreditLot.objects.filter(organisation=nora.user.own_organisation, remaining__gt=0).order_by("pk")
    return [(lot.kind, lot.remaining, f"{lot.expires_at:%Y-%m-%d}") for lot in found]


@pytest.mark.spec("QUO-207", "QUO-051", "LIM-028")
def test_a_year_is_paid_approves_itself_and_brings_its_credits(nora: Subscriber, quote: Quote) -> None:
    token = pay_quote(nora, quote)
    assert show_quote(nora) == ("paid", "payment_received", "yearly", False)
    request = PlanRequest.objects.get()
    assert (request.amount_paid, request.payment_received_at, request.auto_approval_at) == (
        Decimal("1307.25"),
        AT,
        AT + timedelta(minutes=8),
    )
    status = nora.api.get(f"/api/payments/paypal/status/{token}").json()
    assert status == {"kind": "quote", "state": "paid", "message": "Payment received! Activation pending..."}
    assert (nora.plan.plan, list_mails(), activation.approve_due_requests()) == ("free", ["plan_request_received"], 0)
    move_clock(nora, minutes=8)
    for _ in range(2):
        tasks.approve_due()
    assert show_quote(nora) == ("activated", "approved", "yearly", False)
    assert (nora.plan.plan, nora.plan.cycle, nora.plan.custom_monthly_credits) == ("enterprise", "yearly", 0)
    assert ("plan", 292_500, "2031-01-31") in list_lots(nora)
    for path in ("/api/subscriptions/status", "/api/analytics/dashboard"):
        assert nora.api.get(path).json()["monthly_limit"] == 292_500 // 12
    contract = Contract.objects.get()
    assert (contract.quote_id, contract.value, str(contract.starts_on), str(contract.ends_on)) == (
        quote.quote_id,
        Decimal("1307.25"),
        "2030-01-31",
        "2031-01-31",
    )
    assert Invoice.objects.get().total == Decimal("1307.25")
    assert (list_mails(), CustomPlan.objects.get().name) == (
        ["plan_request_received", "plan_activated"],
        f"Quote {quote.quote_id}",
    )
    nora.check()


@pytest.mark.spec("QUO-210", "QUO-112")
def test_a_year_that_was_paid_once_ends_with_the_year(nora: Subscriber, quote: Quote) -> None:
    pay_quote(nora, quote)
    move_clock(nora, minutes=8)
    tasks.approve_due()
    nora.pass_to("2031-01-31 04:00")
    assert nora.plan.plan == "enterprise"
    nora.pass_to("2031-01-31 12:00")
    assert (nora.plan.plan, nora.charges(), [lot for lot in list_lots(nora) if lot[1] > 100]) == (
        "free",
        [("01-31", "1307.25")],
        [],
    )
    nora.check()


@pytest.mark.spec("QUO-120", "QUO-037", "QUO-210")
def test_twelve_months_are_paid_one_by_one_and_end(nora: Subscriber, quote: Quote) -> None:
    pay_quote(nora, quote, "monthly")
    assert show_quote(nora) == ("paid", "payment_received", "monthly", False)
    move_clock(nora, minutes=8)
    tasks.approve_due()
    assert (nora.plan.plan, nora.plan.cycle, nora.plan.custom_monthly_credits) == ("enterprise", "monthly", 20_833)
    ends = ["02-28", "03-31", "04-30", "05-31", "06-30", "07-31", "08-31", "09-30", "10-31", "11-30", "12-31"]
    nora.pass_to(*(f"2030-{day} 12:00" for day in ends))
    granted = [amount for day, amount in nora.grants() if amount != 100]
    assert (granted[:2], sum(granted), granted[2:]) == ([20_833, 4], 250_000, [20_833] * 11)
    assert [amount for _, amount in nora.charges()] == ["131.25"] * 12
    assert Invoice.objects.count() == 12
    nora.pass_to("2031-01-31 12:00", "2031-02-28 12:00")
    assert (len(nora.charges()), nora.plan.plan, Agreement.objects.get().state) == (12, "free", "expired")
    nora.check()


@pytest.mark.spec("QUO-118", "QUO-113")
def test_what_is_declined_expired_or_paid_cannot_be_paid(nora: Subscriber, quote: Quote, staff: User) -> None:
    for change in ({"status": "declined"}, {"status": "paid"}, {"status": "activated"}, {"expires_at": AT}):
        other = create_quote(staff)
        Quote.objects.filter(pk=other.pk).update(**change)
        answer = choose_plan(nora, other)
        assert (answer.status_code, answer.json()["detail"]) == (400, "This quote cannot be paid")
    strangers = create_quote(staff, "somebody@elm.com")
    foreign, unknown = choose_plan(nora, strangers), choose_plan(nora, Quote(quote_id="Q-0"))
    for answer in (foreign, unknown):
        assert (answer.status_code, answer.json()["detail"]) == (404, "Quote not found")
    assert choose_plan(nora, quote, "weekly").status_code == 400
    assert (Purchase.objects.count(), PlanRequest.objects.count()) == (0, 0)


@pytest.mark.spec("QUO-116", "QUO-211")
@pytest.mark.parametrize("outcome", ["cancel", "decline"])
def test_what_was_not_paid_may_be_paid_later(nora: Subscriber, quote: Quote, outcome: str) -> None:
    pay_quote(nora, quote, "yearly", outcome)
    assert show_quote(nora) == ("active", "pending", "yearly", False)
    assert (Payment.objects.filter(captured_at__isnull=False).count(), list_mails()) == (0, [])
    pay_quote(nora, quote, "monthly")
    assert (show_quote(nora), PlanRequest.objects.count()) == (("paid", "payment_received", "monthly", False), 1)


@pytest.mark.spec("QUO-118")
def test_of_two_approvals_of_one_quote_one_takes_money(nora: Subscriber, quote: Quote) -> None:
    first = choose_plan(nora, quote).json()
    move_clock(nora, seconds=601)
    second = choose_plan(nora, quote).json()
    nora.approve(second["approval_url"])
    token = nora.approve(first["approval_url"])
    assert nora.charges() == [("01-31", "1307.25")]
    state = nora.api.get(f"/api/payments/paypal/status/{token}").json()["state"]
    assert (state, show_quote(nora)[0], Payment.objects.count()) == ("pending", "paid", 1)
    nora.check()


@pytest.mark.spec("PEN-003", "PEN-002")
@pytest.mark.finding("D1")
@pytest.mark.parametrize(
    ("plan", "what"),
    [("yearly", "Quote {}: 250,000 credits a year, yearly"), ("monthly", "Enterprise plan, billed monthly")],
)
def test_a_quote_whose_payment_waits_is_paid_again_only_when_that_is_confirmed(
    nora: Subscriber, quote: Quote, plan: str, what: str
) -> None:
    token = pay_quote(nora, quote, plan, outcome="delay")
    (waiting,) = nora.api.get("/api/payments/pending").json()["payments"]
    assert (waiting["id"], waiting["what"]) == (token, what.format(quote.quote_id))
    for wanted in ("yearly", "monthly"):
        refused = choose_plan(nora, quote, wanted)
        told = refused.json()
        assert (refused.status_code, told["code"], told["detail"]) == (
            409, "PAYMENT_PENDING", "A payment for the same thing is still waiting. Buy it a second time?",
        )  # fmt: skip
    assert (Purchase.objects.count(), show_quote(nora)[2]) == (1, plan)
    path = f"/api/quotes/{quote.quote_id}/create-payment-order"
    again = nora.api.post(path, {"plan": plan, "confirm_second": True}, format="json")
    assert (again.status_code, Purchase.objects.count()) == (200, 2)


@pytest.mark.spec("QUO-110", "QUO-118")
def test_a_quote_that_is_declined_after_the_approval_takes_no_money(nora: Subscriber, quote: Quote) -> None:
    approval = choose_plan(nora, quote).json()["approval_url"]
    quotes.decline_quote(organisation=nora.user.own_organisation, quote_id=quote.quote_id)
    nora.approve(approval)
    assert (nora.charges(), Quote.objects.get().status) == ([], "declined")


@pytest.mark.spec("QUO-119")
def test_a_quote_that_expires_while_it_is_paid_is_paid(nora: Subscriber, quote: Quote) -> None:
    approval = choose_plan(nora, quote).json()["approval_url"]
    Quote.objects.update(expires_at=AT - timedelta(seconds=1))
    nora.approve(approval)
    assert show_quote(nora) == ("paid", "payment_received", "yearly", False)


def test_a_plan_that_was_there_gives_way_and_keeps_its_credits(nora: Subscriber, quote: Quote) -> None:
    nora.subscribe("growth")
    pay_quote(nora, quote)
    move_clock(nora, minutes=8)
    tasks.approve_due()
    drain_queue()
    assert (nora.plan.plan, nora.running()) == ("enterprise", [])
    assert {("plan", 10_000, "2030-02-28"), ("plan", 292_500, "2031-01-31")} <= set(list_lots(nora))
    nora.pass_to("2030-03-01 12:00")
    assert (nora.charges(), nora.plan.plan) == ([("01-31", "1307.25"), ("01-31", "79.00")], "enterprise")
    nora.check()


@pytest.mark.spec("INV-019")
def test_a_refund_takes_plan_and_credits_back(nora: Subscriber, quote: Quote) -> None:
    pay_quote(nora, quote)
    move_clock(nora, minutes=8)
    tasks.approve_due()
    refunds.complete_refund(payment_id=Payment.objects.get().pk)
    drain_queue()
    assert (nora.plan.plan, [lot for lot in list_lots(nora) if lot[1] > 100]) == ("free", [])
    nora.check()


@pytest.mark.spec("QUO-203", "QUO-205", "QUO-206")
def test_staff_approve_by_hand(nora: Subscriber, quote: Quote, staff: User) -> None:
    api = client_of(staff)
    pay_quote(nora, quote)
    (row,) = api.get("/api/admin/plan-requests").json()["requests"]
    path = f"/api/admin/plan-requests/{row['id']}/approve"
    assert row == {
        "id": PlanRequest.objects.get().pk,
        "quote_id": quote.quote_id,
        "customer_email": "nora@nettle.org",
        "organisation": "Nora Nettle",
        "selected_plan": "yearly",
        "status": "payment_received",
        "amount_paid": 1307.25,
        "payment_received_at": NOW,
        "auto_approval_at": "2030-01-31T04:13:06Z",
        "created_at": NOW,
    }
    assert api.post(path).json() == {"message": "Plan request approved successfully!"}
    again = api.post(path)
    assert (again.status_code, again.json()["detail"]) == (400, "Plan request already approved")
    unknown = api.post("/api/admin/plan-requests/99999/approve")
    assert (unknown.status_code, unknown.json()["detail"]) == (404, "Plan request not found")
    assert (api.get("/api/admin/plan-requests").json()["requests"], nora.plan.plan) == ([], "enterprise")
    assert (Contract.objects.count(), list_mails().count("plan_activated")) == (1, 1)
    line = Activity.objects.get(action=f"Plan of quote {quote.quote_id} approved")
    assert (line.staff_id, line.changes["plan"], line.changes["credits"]) == (
        staff.pk, ["Free Trial", "Enterprise"], [100, 292_600],
    )  # fmt: skip


@pytest.mark.spec("QUO-212", "QUO-204")
def test_an_unpaid_request_needs_a_reason(nora: Subscriber, quote: Quote, staff: User) -> None:
    choose_plan(nora, quote, "monthly")
    api, path = client_of(staff), f"/api/admin/plan-requests/{PlanRequest.objects.get().pk}/approve"
    refused = api.post(path, {"reason": " "}, format="json")
    assert (refused.status_code, nora.plan.plan, Contract.objects.count()) == (400, "free", 0)
    assert api.post(path, {"reason": "Pays by bank transfer"}, format="json").status_code == 200
    request = PlanRequest.objects.get()
    assert (request.staff_id, request.reason, nora.plan.plan) == (staff.pk, "Pays by bank transfer", "enterprise")
    assert nora.grants()[-2:] == [("01-31", 20_833), ("01-31", 4)]
    nora.check()


@pytest.mark.spec("QUO-210")
def test_a_plan_waits_for_the_account_of_its_customer(nora: Subscriber, staff: User) -> None:
    quote = create_quote(staff, "olaf@oak.org")
    request = PlanRequest.objects.create(quote=quote, selected_plan=Period.YEARLY)
    activation.approve_request(request_id=request.pk, staff=staff, reason="Pays by bank transfer")
    olaf = signin.register_account(email="olaf@oak.org", password=PASSWORD, name="Olaf")
    assert Standing.objects.get(organisation=olaf.own_organisation).plan == "free"
    signin.verify_address(user=olaf)
    assert Standing.objects.get(organisation=olaf.own_organisation).plan == "enterprise"
    assert CreditLot.objects.filter(organisation=olaf.own_organisation, granted=292_500).count() == 1
    assert list_mails() == ["plan_activated"]
    line = Activity.objects.get(action=f"Plan of quote {quote.quote_id} activated")
    assert (line.organisation, line.changes["plan"]) == (olaf.own_organisation, ["Free Trial", "Enterprise"])


@pytest.mark.spec("CRM-014")
def test_a_deal_its_quote_and_its_plan_request_share_one_contract(nora: Subscriber, staff: User) -> None:
    terms = deals.DealTerms(
        company_name="Nettle", contact_name="Nora", contact_email="nora@nettle.org", value=Decimal(2_000),
        expected_close_date=AT.date(),
    )  # fmt: skip
    won_first, paid_first = (deals.create_deal(staff=staff, terms=terms) for _ in range(2))
    of_won, of_paid = (create_quote(staff, deal_id=deal.pk) for deal in (won_first, paid_first))
    deals.move_deal(staff=staff, deal_id=won_first.pk, stage=Stage.CLOSED_WON)
    approve_paid(of_won)
    approve_paid(of_paid)
    deals.move_deal(staff=staff, deal_id=paid_first.pk, stage=Stage.CLOSED_WON)
    told = client_of(staff).get(f"/api/admin/deals/{won_first.pk}").json()
    assert told["quotes"] == [{"quote_id": of_won.quote_id}]
    shared = [(won_first.pk, of_won.quote_id), (paid_first.pk, of_paid.quote_id)]
    assert list(Contract.objects.order_by("pk").values_list("deal_id", "quote_id")) == shared


def approve_paid(quote: Quote) -> None:
    request = PlanRequest.objects.create(quote=quote, selected_plan=Period.YEARLY, status="payment_received")
    activation.approve_request(request_id=request.pk)


@pytest.mark.django_db(transaction=True)
@pytest.mark.spec("QUO-209", "QUO-212")
def test_of_sixteen_approvals_at_once_one_gives_the_plan(nora: Subscriber, quote: Quote) -> None:
    pay_quote(nora, quote)
    move_clock(nora, minutes=8)
    request_id = PlanRequest.objects.get().pk

    def once(number: int) -> int:
        try:
            if number % 2:
                return activation.approve_due_requests()
            activation.approve_request(request_id=request_id)
            return 1
        except BadInput:
            return 0
        finally:
            connection.close()

    with ThreadPoolExecutor(16) as pool:
        assert sum(pool.map(once, range(16))) == 1
    assert CreditLot.objects.filter(granted=292_500).count() == 1
    assert (Contract.objects.count(), list_mails().count("plan_activated")) == (1, 1)
    nora.check()


def test_money_for_a_quote_that_is_gone_is_given_back(nora: Subscriber, quote: Quote) -> None:
    approval = choose_plan(nora, quote, "monthly").json()["approval_url"]
    Quote.objects.all().delete()
    token = nora.approve(approval)
    drain_queue()
    assert Purchase.objects.get(public_id=token).reason == PurchaseReason.SUPERSEDED
    assert (nora.plan.plan, nora.running()) == ("free", [])
