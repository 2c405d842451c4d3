"""Plans that are given before they are paid: the open invoice, and what pays it (QUO-212)."""

from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from accounts.activity.models import Activity
from accounts.signin import services as signin
from accounts.users.models import User
from billing.catalogue.plans import Plan
from billing.invoices import open_invoices
from billing.invoices import services as invoices
from billing.invoices.models import Invoice, NumberSeries
from billing.ledger.models import CreditLot
from billing.payments.models import Payment
from billing.refunds import services as refunds
from billing.tasks import keep_time
from conftest import PASSWORD, client_of, make_user
from emailcheck.common.outbound.models import OutgoingMail
from emailcheck.common.testing import drain_queue, failing_mail, run_sixteen
from quotes.plan_requests import activation
from quotes.plan_requests.models import PlanRequest
from quotes.quotes import services as quotes
from quotes.quotes.models import Period, Quote
from tests.paypal import NOW, Buyer
from tests.subscriber import Subscriber

pytestmark = pytest.mark.postgres

YEAR = Decimal("1307.25")


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


def create_quote(staff: User, email: str = "nora@nettle.org") -> Quote:
    return quotes.generate_quote(staff=staff, customer_name="Nora", customer_email=email, credits=250_000)


def approve_unpaid(staff: User, quote: Quote, period: Period = Period.YEARLY) -> PlanRequest:
    """Approved without a payment."""
    request = PlanRequest.objects.create(quote=quote, selected_plan=period)
    return activation.approve_request(request_id=request.pk, staff=staff, reason="Pays by bank transfer")


def count_mails(name: str) -> int:
    return OutgoingMail.objects.filter(name=name).count()


def start_paying(nora: Subscriber) -> str:
    answer = nora.api.post(f"/api/invoices/{Invoice.objects.get().pk}/pay")
    assert answer.status_code == 200, answer.json()
    return str(answer.json()["approval_url"])


def list_invoices(nora: Subscriber) -> list[tuple[str, str | None, float]]:
    found = nora.api.get("/api/invoices").json()["invoices"]
    return [(one["payment_status"], one["due_date"], one["total_amount"]) for one in found]


@pytest.mark.spec("QUO-212", "INV-003", "INV-016")
@pytest.mark.parametrize(
    ("period", "amount", "line"),
    [
        (Period.YEARLY, "1307.25", "292,500 credits, one year"),
        (Period.MONTHLY, "131.25", "20,837 credits, first month"),
    ],
)
def test_a_plan_that_is_given_unpaid_is_on_an_open_invoice(
    nora: Subscriber, quote: Quote, staff: User, period: Period, amount: str, line: str
) -> None:
    approve_unpaid(staff, quote, period)
    invoice = Invoice.objects.get()
    assert (invoice.number, invoice.total, str(invoice.due_on), invoice.reference, invoice.is_paid) == (
        "INV-2030-000001",
        Decimal(amount),
        "2030-02-14",
        quote.quote_id,
        False,
    )
    assert [one.description for one in invoice.lines.all()] == [f"Quote {quote.quote_id}: {line}"]
    assert list_invoices(nora) == [("pending", "2030-02-14", float(amount))]
    assert (count_mails("invoice"), nora.plan.plan) == (1, "enterprise")
    assert nora.api.get(f"/api/invoices/{invoice.pk}/pdf").content.startswith(b"%PDF")


@pytest.mark.spec("QUO-212")
def test_a_month_that_is_given_unpaid_is_the_only_one(nora: Subscriber, quote: Quote, staff: User) -> None:
    approve_unpaid(staff, quote, Period.MONTHLY)
    nora.pass_to("2030-03-01 12:00", "2030-04-01 12:00")
    assert sum(amount for _, amount in nora.grants() if amount > 100) == 20_833
    assert (nora.plan.plan, Invoice.objects.count()) == ("free", 1)
    nora.check()


@pytest.mark.spec("QUO-212")
def test_the_open_invoice_waits_for_the_account_as_the_plan_does(nora: Subscriber, staff: User) -> None:
    approve_unpaid(staff, create_quote(staff, "olaf@oak.org"))
    assert Invoice.objects.count() == 0
    olaf = signin.register_account(email="olaf@oak.org", password=PASSWORD, name="Olaf")
    signin.verify_address(user=olaf)
    invoice = Invoice.objects.get()
    assert (invoice.organisation, invoice.total, invoice.is_paid) == (olaf.own_organisation, YEAR, False)


@pytest.mark.spec("QUO-212", "INV-003")
def test_the_customer_pays_the_open_invoice_at_paypal(nora: Subscriber, quote: Quote, staff: User) -> None:
    request = approve_unpaid(staff, quote)
    token = nora.approve(start_paying(nora))
    invoice, payment = Invoice.objects.get(), Payment.objects.get()
    assert (invoice.payment, invoice.total, payment.amount, invoice.paid_with) == (payment, YEAR, YEAR, "PayPal")
    assert list_invoices(nora) == [("paid", "2030-02-14", 1307.25)]
    status = nora.api.get(f"/api/payments/paypal/status/{token}").json()
    assert (status["state"], status["message"]) == ("paid", "Invoice INV-2030-000001 is paid.")
    request.refresh_from_db()
    assert (request.status, request.amount_paid) == ("approved", YEAR)
    assert (CreditLot.objects.filter(granted=292_500).count(), count_mails("invoice")) == (1, 2)
    refused = nora.api.post(f"/api/invoices/{invoice.pk}/pay")
    assert (refused.status_code, refused.json()["code"]) == (400, "NOT_OPEN")
    nora.check()


@pytest.mark.spec("QUO-212")
@pytest.mark.parametrize("outcome", ["cancel", "decline"])
def test_an_invoice_that_was_not_paid_stays_open(nora: Subscriber, quote: Quote, staff: User, outcome: str) -> None:
    approve_unpaid(staff, quote)
    nora.approve(start_paying(nora), outcome)
    assert list_invoices(nora) == [("pending", "2030-02-14", 1307.25)]
    nora.approve(start_paying(nora))
    assert list_invoices(nora) == [("paid", "2030-02-14", 1307.25)]


@pytest.mark.spec("QUO-212")
def test_an_invoice_is_paid_once(nora: Subscriber, quote: Quote, staff: User) -> None:
    approve_unpaid(staff, quote)
    first, second = start_paying(nora), start_paying(nora)
    nora.approve(first)
    nora.approve(second)
    assert (nora.charges(), Invoice.objects.count()) == ([("01-31", "1307.25")], 1)


@pytest.mark.spec("QUO-212", "QUO-118")
def test_an_order_that_was_begun_before_the_approval_pays_the_invoice(
    nora: Subscriber, quote: Quote, staff: User
) -> None:
    path = f"/api/quotes/{quote.quote_id}/create-payment-order"
    approval = nora.api.post(path, {"plan": "yearly"}, format="json").json()["approval_url"]
    activation.approve_request(request_id=PlanRequest.objects.get().pk, staff=staff, reason="Pays by bank transfer")
    nora.approve(approval)
    assert (nora.charges(), list_invoices(nora)) == ([("01-31", "1307.25")], [("paid", "2030-02-14", 1307.25)])
    assert CreditLot.objects.filter(granted=292_500).count() == 1
    nora.check()


@pytest.mark.spec("QUO-212", "QUO-118")
def test_an_agreement_that_was_begun_before_the_approval_brings_nothing(
    nora: Subscriber, quote: Quote, staff: User
) -> None:
    path = f"/api/quotes/{quote.quote_id}/create-payment-order"
    approval = nora.api.post(path, {"plan": "monthly"}, format="json").json()["approval_url"]
    activation.approve_request(request_id=PlanRequest.objects.get().pk, staff=staff, reason="Pays by bank transfer")
    nora.approve(approval)
    drain_queue()
    nora.clock.move_to(timezone.now() + timedelta(hours=1), tick=False)
    refunds.resume_refunds()
    kept = Payment.objects.filter(state="completed").count()
    assert (kept, nora.running(), Invoice.objects.open().count()) == (0, [], 1)
    nora.check()


@pytest.mark.spec("QUO-212")
def test_staff_tell_that_the_money_came(nora: Subscriber, quote: Quote, staff: User) -> None:
    approve_unpaid(staff, quote)
    api, invoice = client_of(staff), Invoice.objects.get()
    assert api.get("/api/admin/invoices/open").json() == {
        "invoices": [
            {
                "id": invoice.pk,
                "number": "INV-2030-000001",
                "quote_id": quote.quote_id,
                "customer": "Nora Nettle",
                "customer_email": "nora@nettle.org",
                "organisation": "Nora Nettle",
                "amount": 1307.25,
                "currency": "USD",
                "date": NOW,
                "due_date": "2030-02-14",
                "status": "pending",
            }
        ],
        "total": 1,
        "next": None,
    }
    assert api.get("/api/admin/invoices/open", {"search": "nobody"}).json()["total"] == 0
    path = f"/api/admin/invoices/{invoice.pk}/paid"
    assert api.post(path, {"paid_with": " "}, format="json").status_code == 400
    done = api.post(path, {"paid_with": "Bank transfer"}, format="json")
    assert done.json() == {"message": "Invoice INV-2030-000001 is paid"}
    again = api.post(path, {"paid_with": "Cash"}, format="json")
    assert (again.status_code, again.json()["detail"]) == (400, "This invoice is not open")
    invoice.refresh_from_db()
    assert (invoice.paid_with, invoice.staff_id, invoice.payment) == ("Bank transfer", staff.pk, None)
    assert (list_invoices(nora)[0][0], count_mails("invoice")) == ("paid", 2)
    assert api.get("/api/admin/invoices/open").json()["invoices"] == []
    line = Activity.objects.get(action="Invoice INV-2030-000001 paid")
    assert (line.staff_id, line.changes["paid_with"]) == (staff.pk, "Bank transfer")
    assert line.changes["status"] == ["open", "paid"]
    assert api.post("/api/admin/invoices/99999/paid", {"paid_with": "Cash"}, format="json").status_code == 404


@pytest.mark.spec("QUO-212", "INV-016")
def test_an_invoice_of_somebody_else_cannot_be_paid(nora: Subscriber, quote: Quote, staff: User) -> None:
    approve_unpaid(staff, quote)
    bob = client_of(make_user("bob@birch.net", "Bob"))
    answer = bob.post(f"/api/invoices/{Invoice.objects.get().pk}/pay")
    assert (answer.status_code, answer.json()["detail"]) == (404, "Invoice not found")


@pytest.mark.spec("QUO-212")
def test_a_day_after_it_was_due_one_mail_says_so(nora: Subscriber, quote: Quote, staff: User) -> None:
    approve_unpaid(staff, quote)
    nora.clock.move_to("2030-02-14T23:59:00Z", tick=False)
    keep_time()
    assert (count_mails("invoice_overdue"), list_invoices(nora)[0][0]) == (0, "pending")
    nora.clock.move_to("2030-02-15T00:01:00Z", tick=False)
    assert (open_invoices.send_due_reminders(), open_invoices.send_due_reminders(), count_mails("invoice_overdue")) == (
        1,
        0,
        1,
    )
    assert list_invoices(nora)[0][0] == "overdue"
    assert nora.plan.plan == "enterprise"
    open_invoices.mark_invoice_paid(staff=staff, invoice_id=Invoice.objects.get().pk, paid_with="Bank transfer")
    assert list_invoices(nora)[0][0] == "paid"


@pytest.mark.spec("QUO-212")
def test_a_reminder_that_fails_holds_up_no_other(nora: Subscriber) -> None:
    for reference in ("QUO-1", "QUO-2"):
        invoices.issue_open_invoice(
            organisation=nora.user.own_organisation, reference=reference, amount=YEAR, description="A year"
        )
    Invoice.objects.update(due_on=(timezone.now() - timedelta(days=2)).date())
    first = Invoice.objects.order_by("pk")[0]
    with failing_mail(f"invoice_overdue:{first.number}"):
        assert (open_invoices.send_due_reminders(), count_mails("invoice_overdue")) == (1, 1)
    assert list(Invoice.objects.filter(reminded_at=None)) == [first]
    assert (open_invoices.send_due_reminders(), count_mails("invoice_overdue")) == (1, 2)


@pytest.mark.django_db(transaction=True)
@pytest.mark.spec("QUO-212")
def test_sixteen_at_once_write_and_settle_one_invoice(nora: Subscriber, quote: Quote, staff: User) -> None:
    def write(_: int) -> int:
        return invoices.issue_open_invoice(
            organisation=nora.user.own_organisation, reference=quote.quote_id, amount=YEAR, description="A year"
        ).pk

    assert set(run_sixteen(write)) == {Invoice.objects.get().pk}
    assert (NumberSeries.objects.get().last, count_mails("invoice")) == (1, 1)

    def settle(_: int) -> int:
        return open_invoices.mark_invoice_paid(
            staff=staff, invoice_id=Invoice.objects.get().pk, paid_with="Bank transfer"
        ).pk

    assert run_sixteen(settle).count("NOT_OPEN") == 15
    assert (Activity.objects.filter(action__startswith="Invoice").count(), count_mails("invoice")) == (1, 2)
    later = timezone.now() + timedelta(days=1)
    Invoice.objects.update(settled_at=None, due_on=(later - timedelta(days=2)).date())
    assert sum(run_sixteen(lambda _: open_invoices.send_due_reminders())) == 1
