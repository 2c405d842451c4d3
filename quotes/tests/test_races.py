"""What may happen at once to a quote that is being paid: it is paid once, or not at all, and the books agree."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.utils import timezone

from accounts.users.models import User
from billing.catalogue.plans import Plan
from billing.invoices import open_invoices
from billing.invoices.models import Invoice
from billing.ledger.models import CreditLot
from billing.payments import purchases
from billing.payments.models import Payment, Purchase, Refund
from billing.provider_sync import orders, polling
from billing.refunds import services as refunds
from conftest import make_user
from crm.contracts.models import Contract
from emailcheck.common.errors import ProductError
from emailcheck.common.outbound.models import OutgoingMail
from emailcheck.common.testing import drain_queue
from quotes import tasks
from quotes.plan_requests import activation
from quotes.plan_requests.models import PlanRequest
from quotes.quotes import reminders
from quotes.quotes import services as quotes
from quotes.quotes.models import Period, Quote
from tests.paypal import NOW, Buyer
from tests.subscriber import Subscriber

pytestmark = pytest.mark.django_db(transaction=True)


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
    return quotes.generate_quote(staff=staff, customer_name="Nora", customer_email="nora@nettle.org", credits=250_000)


def approved_at_paypal(nora: Subscriber, quote: Quote, period: Period = Period.YEARLY) -> Purchase:
    """The customer has pressed Pay; we have not heard of it."""
    begun = activation.choose_plan(organisation=nora.user.own_organisation, quote_id=quote.quote_id, period=period)
    nora.buyer.press(begun.url)
    return begun.purchase


def at_once(*acts: Callable[[], object]) -> list[str]:
    """The acts by turns, sixteen at once: what each was told, the answer or the code of the refusal."""

    def once(number: int) -> str:
        try:
            return str(acts[number % len(acts)]())
        except ProductError as error:
            return error.code
        finally:
            connection.close()

    with ThreadPoolExecutor(16) as pool:
        snapshot = list(pool.map(once, range(16)))
    drain_queue()
    return snapshot


def build_poll(purchase: Purchase) -> Callable[[], object]:
    """The browser's return, the webhook and the sweeper all ask in this way."""
    return lambda: polling.poll_purchase(Purchase.objects.get(pk=purchase.pk)).state


def count_completed_payments(nora: Subscriber) -> int:
    """How many payments we keep, once everything that is to be given back has been."""
    nora.clock.move_to(timezone.now() + timedelta(minutes=10), tick=False)
    refunds.resume_refunds()
    nora.check()
    return Payment.objects.filter(state="completed").count()


def count_mails(name: str) -> int:
    return OutgoingMail.objects.filter(name=name).count()


@pytest.mark.spec("QUO-112", "QUO-116")
@pytest.mark.parametrize("period", list(Period))
def test_sixteen_looks_at_a_payment_pay_the_quote_once(nora: Subscriber, quote: Quote, period: Period) -> None:
    purchase = approved_at_paypal(nora, quote, period)
    assert set(at_once(build_poll(purchase))) <= {"paid", "pending"}
    polling.poll_purchase(Purchase.objects.get(pk=purchase.pk))
    quote.refresh_from_db()
    assert (quote.status, Payment.objects.count(), Invoice.objects.count()) == ("paid", 1, 1)
    assert (count_mails("plan_request_received"), count_completed_payments(nora)) == (1, 1)


@pytest.mark.spec("QUO-110", "QUO-118")
@pytest.mark.parametrize("period", list(Period))
def test_paid_while_declined_takes_money_only_for_a_paid_quote(nora: Subscriber, quote: Quote, period: Period) -> None:
    purchase = approved_at_paypal(nora, quote, period)
    at_once(
        build_poll(purchase),
        lambda: quotes.decline_quote(organisation=nora.user.own_organisation, quote_id=quote.quote_id).status,
    )
    polling.poll_purchase(Purchase.objects.get(pk=purchase.pk))
    quote.refresh_from_db()
    assert (quote.status, count_completed_payments(nora)) in {("declined", 0), ("paid", 1)}
    assert quote.status != "paid" or PlanRequest.objects.get().status == "payment_received"


@pytest.mark.spec("QUO-034", "QUO-039")
def test_a_quote_that_is_being_paid_is_never_deleted(nora: Subscriber, quote: Quote, staff: User) -> None:
    purchase = approved_at_paypal(nora, quote)
    snapshot = at_once(build_poll(purchase), lambda: quotes.delete_quote(staff=staff, quote_id=quote.quote_id))
    polling.poll_purchase(Purchase.objects.get(pk=purchase.pk))
    assert snapshot.count("QUOTE_PAID") == 8
    assert (Quote.objects.get().status, count_completed_payments(nora), PlanRequest.objects.count()) == ("paid", 1, 1)


@pytest.mark.spec("QUO-058", "QUO-119")
def test_a_quote_that_expires_while_it_is_being_paid_is_paid(nora: Subscriber, quote: Quote) -> None:
    purchase = approved_at_paypal(nora, quote)
    Quote.objects.update(expires_at=timezone.now() - timedelta(days=30))
    snapshot = at_once(build_poll(purchase), lambda: reminders.sweep_quotes().deleted_quotes)
    polling.poll_purchase(Purchase.objects.get(pk=purchase.pk))
    assert snapshot.count("0") == 8
    assert (Quote.objects.get().status, count_completed_payments(nora)) == ("paid", 1)


@pytest.mark.spec("QUO-205", "QUO-212")
def test_approved_by_staff_while_it_is_paid_gives_one_plan_for_one_payment(
    nora: Subscriber, quote: Quote, staff: User
) -> None:
    purchase = approved_at_paypal(nora, quote)
    request_id = PlanRequest.objects.get().pk

    def approve() -> object:
        return activation.approve_request(request_id=request_id, staff=staff, reason="Pays by bank transfer").status

    snapshot = at_once(build_poll(purchase), approve)
    polling.poll_purchase(Purchase.objects.get(pk=purchase.pk))
    quote.refresh_from_db()
    assert (snapshot.count("approved"), snapshot.count("ALREADY_APPROVED"), quote.status) == (1, 7, "activated")
    assert (count_completed_payments(nora), Invoice.objects.count(), Invoice.objects.get().is_paid) == (1, 1, True)
    assert (CreditLot.objects.filter(granted=292_500).count(), Contract.objects.count()) == (1, 1)
    assert count_mails("plan_activated") == 1


@pytest.mark.spec("QUO-209", "QUO-039")
def test_approval_and_deletion_of_a_paid_quote_at_once(nora: Subscriber, quote: Quote, staff: User) -> None:
    polling.poll_purchase(approved_at_paypal(nora, quote))
    nora.clock.move_to(timezone.now() + timedelta(minutes=8), tick=False)
    snapshot = at_once(tasks.approve_due, lambda: quotes.delete_quote(staff=staff, quote_id=quote.quote_id))
    assert snapshot.count("QUOTE_PAID") == 8
    assert (Quote.objects.get().status, CreditLot.objects.filter(granted=292_500).count()) == ("activated", 1)


@pytest.mark.spec("QUO-112", "QUO-118")
def test_of_two_orders_that_were_taken_at_once_one_is_given_back(nora: Subscriber, quote: Quote) -> None:
    first = approved_at_paypal(nora, quote)
    nora.clock.move_to(timezone.now() + purchases.JOINED_WITHIN, tick=False)
    second = approved_at_paypal(nora, quote)
    taken = [
        orders.fetch_and_capture_order(first),
        orders.fetch_and_capture_order(second),
    ]  # both before either is written down
    for purchase, snapshot in zip((first, second), taken, strict=True):
        for _ in range(2):
            orders.apply_order_state(purchase_id=purchase.pk, snapshot=snapshot)
    assert len(nora.charges()) == 2
    assert (count_completed_payments(nora), Refund.objects.get().state, Quote.objects.get().status) == (
        1,
        "done",
        "paid",
    )
    assert len(nora.charges()) == 1


@pytest.mark.spec("QUO-212")
def test_an_invoice_that_is_paid_and_told_as_paid_at_once(nora: Subscriber, quote: Quote, staff: User) -> None:
    request = PlanRequest.objects.create(quote=quote, selected_plan=Period.YEARLY)
    activation.approve_request(request_id=request.pk, staff=staff, reason="Pays by bank transfer")
    invoice = Invoice.objects.get()
    begun = open_invoices.begin_invoice_payment(organisation=nora.user.own_organisation, invoice_id=invoice.pk)
    nora.buyer.press(begun.url)

    def settle() -> object:
        return open_invoices.mark_invoice_paid(staff=staff, invoice_id=invoice.pk, paid_with="Bank transfer").paid_with

    snapshot = at_once(build_poll(begun.purchase), settle)
    polling.poll_purchase(Purchase.objects.get(pk=begun.purchase.pk))
    invoice.refresh_from_db()
    assert (snapshot.count("Bank transfer"), count_completed_payments(nora), invoice.paid_with) in {
        (1, 0, "Bank transfer"),
        (0, 1, "PayPal"),
    }
    assert (Invoice.objects.open().count(), CreditLot.objects.filter(granted=292_500).count()) == (0, 1)


@pytest.mark.spec("QUO-009", "QUO-210")
def test_sixteen_confirmations_claim_a_plan_that_waits_once(nora: Subscriber, staff: User) -> None:
    olaf = make_user("olaf@oak.org", "Olaf", plan=Plan.FREE)
    quote = quotes.generate_quote(staff=staff, customer_name="Olaf", customer_email="olaf@oak.org", credits=250_000)
    Quote.objects.filter(pk=quote.pk).update(organisation=None)
    request = PlanRequest.objects.create(quote=quote, selected_plan=Period.YEARLY)
    activation.approve_request(request_id=request.pk, staff=staff, reason="Pays by bank transfer")

    def claim() -> object:
        quotes.claim_quotes(organisation=olaf.own_organisation)
        return activation.give_waiting_plans(organisation=olaf.own_organisation)

    at_once(claim)
    assert (CreditLot.objects.filter(granted=292_500).count(), Invoice.objects.count()) == (1, 1)
