"""Invoices: one a payment, numbered without gaps, frozen."""

from decimal import Decimal
from typing import Any

import pytest
import time_machine
from django.core import mail as django_mail
from django.db import transaction

from accounts.organisations.models import Organisation
from accounts.users.models import User
from billing.invoices import pdf
from billing.invoices import services as invoices
from billing.invoices.models import Invoice, InvoiceLine
from billing.ledger import services as ledger
from billing.payments.models import Payment, PaymentState
from billing.refunds import services as refunds
from billing.signals import payment_captured
from billing.tests.paid import captured, numbers
from emailcheck.common.testing import drain_queue, run_sixteen

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]
NOW = "2030-01-31T04:05:06Z"


@pytest.mark.spec("INV-016", "PRC-023")
def test_a_captured_payment_has_an_invoice_with_what_was_true_then(alice: User, settings: Any) -> None:
    settings.INVOICE_TAX_RATE, settings.SELLER_VAT_ID = Decimal(19), "DE987654321"
    Organisation.objects.filter(holder=alice).update(
        company="Alder & Ash", address="1 Quay, Hull", vat_id="GB123456789"
    )
    with time_machine.travel(NOW, tick=False):
        invoice = captured(alice, amount="59.50").invoice
    assert (invoice.number, invoice.currency, invoice.paid_with) == ("INV-2030-000001", "USD", "PayPal")
    assert (invoice.net, invoice.tax_rate, invoice.tax, invoice.total) == (
        Decimal("50.00"), Decimal(19), Decimal("9.50"), Decimal("59.50"),
    )  # fmt: skip
    buyer = {"name": "Alice Alder", "company": "Alder & Ash", "address": "1 Quay, Hull", "email": "alice@alder.com"}
    assert invoice.buyer == buyer | {"vat_id": "GB123456789"}
    assert (invoice.seller["company"], invoice.seller["vat_id"]) == (settings.SELLER_NAME, "DE987654321")
    line = InvoiceLine.objects.get()
    assert (line.description, line.quantity, line.unit_price, line.net) == (
        "5,000 credits", 1, Decimal("50.00"), Decimal("50.00"),
    )  # fmt: skip


@pytest.mark.spec("INV-016")
@pytest.mark.parametrize(
    ("total", "rate", "net", "tax"),
    [
        ("59.00", "0", "59.00", "0.00"),
        ("59.00", "19", "49.58", "9.42"),
        ("0.01", "19", "0.01", "0.00"),
        ("0.05", "100", "0.03", "0.02"),  # half a cent goes up, once
        ("1990.00", "8.1", "1840.89", "149.11"),
    ],
)
def test_the_tax_is_in_the_total_and_rounded_once(total: str, rate: str, net: str, tax: str) -> None:
    sums = invoices.split_tax(Decimal(total), Decimal(rate))
    assert (sums.net, sums.tax) == (Decimal(net), Decimal(tax))
    assert sums.net + sums.tax == sums.total == Decimal(total)


@pytest.mark.spec("INV-016", "SET-007")
def test_an_invoice_stays_as_it_was_issued(alice: User, settings: Any) -> None:
    invoice = captured(alice).invoice
    before, file = Invoice.objects.values().get(), pdf.render_pdf(invoice)
    settings.SELLER_NAME, settings.INVOICE_TAX_RATE = "Another Seller", Decimal(7)
    User.objects.filter(pk=alice.pk).update(name="Alice Birch")
    Organisation.objects.filter(holder=alice).update(company="New", address="Elsewhere", vat_id="X1")
    invoices.issue_invoice(payment=Payment.objects.get())
    assert Invoice.objects.values().get() == before
    assert pdf.render_pdf(Invoice.objects.get()) == file


def test_numbers_go_on_within_a_year_and_begin_anew_with_the_next(alice: User) -> None:
    for day, name in (("2030-12-31T23:59:59Z", "A"), ("2031-01-01T00:00:00Z", "B"), ("2031-06-01T00:00:00Z", "C")):
        with time_machine.travel(day, tick=False):
            captured(alice, name)
    assert numbers() == ["INV-2030-000001", "INV-2031-000001", "INV-2031-000002"]


def test_a_number_that_was_rolled_back_is_given_again(alice: User) -> None:
    with time_machine.travel(NOW, tick=False):
        captured(alice, "A")
        with transaction.atomic():
            captured(alice, "B")
            transaction.set_rollback(True)
        captured(alice, "C")
    assert numbers() == ["INV-2030-000001", "INV-2030-000002"]
    assert ledger.reconcile_ledger() == []


@pytest.mark.django_db(transaction=True)
def test_sixteen_payments_at_once_leave_no_gap(alice: User, bob: User) -> None:
    """Every fourth one is rolled back; accounts take turns."""

    def once(number: int) -> None:
        with transaction.atomic():
            captured((alice, bob)[number % 2], f"CAP-{number}")
            if number % 4 == 3:
                transaction.set_rollback(True)

    with time_machine.travel(NOW):
        run_sixteen(once)
    assert numbers() == [f"INV-2030-{number:06}" for number in range(1, 13)]
    assert ledger.reconcile_ledger() == []


@pytest.mark.django_db(transaction=True)
def test_a_payment_has_one_invoice_and_one_mail_however_often_it_is_asked_for(alice: User) -> None:
    payment = captured(alice)
    documents = run_sixteen(lambda _: invoices.issue_invoice(payment=payment).pk)
    assert set(documents) == {payment.invoice.pk}
    assert (Invoice.objects.count(), len(set(numbers()))) == (1, 1)
    drain_queue()
    assert len(django_mail.outbox) == 1


def test_no_invoice_when_what_listens_after_it_fails(alice: User) -> None:
    """The invoice is in the transaction of the payment: both are there, or neither."""

    def fail(**kwargs: Any) -> None:
        raise ZeroDivisionError

    payment_captured.connect(fail)
    try:
        with pytest.raises(ZeroDivisionError):
            captured(alice)
    finally:
        payment_captured.disconnect(fail)
    drain_queue()
    assert (Payment.objects.count(), numbers(), django_mail.outbox) == (0, [], [])


@pytest.mark.spec("INV-005", "PRC-023")
def test_the_invoice_is_mailed_once_with_its_pdf(alice: User) -> None:
    invoice = captured(alice).invoice
    captured(alice)
    drain_queue()
    (message,) = django_mail.outbox
    assert (message.subject, message.to) == (f"Invoice {invoice.number}", ["alice@alder.com"])
    for part in ("5,000 credits", "$59.00", "Paid", "alice@alder.com"):
        assert part in message.body
    assert message.attachments == [(f"{invoice.number}-alice-alder.pdf", pdf.render_pdf(invoice), "application/pdf")]


@pytest.mark.spec("INV-019")
def test_a_credit_note_cancels_all_of_its_invoice(alice: User, settings: Any) -> None:
    settings.INVOICE_TAX_RATE = Decimal(19)
    with time_machine.travel(NOW, tick=False):
        payment = captured(alice, amount="59.50")
    User.objects.filter(pk=alice.pk).update(name="Alice Birch")
    settings.INVOICE_TAX_RATE = Decimal(7)
    with time_machine.travel("2031-02-01T00:00:00Z", tick=False):
        refund = refunds.complete_refund(payment_id=payment.pk, reason="Not needed")
    assert refund is not None
    note = refund.credit_note
    assert (note.number, note.cancels, note.payment, note.note) == (
        "CN-2031-000001", payment.invoice, None, "Not needed",
    )  # fmt: skip
    assert (note.net, note.tax, note.total) == (Decimal("-50.00"), Decimal("-9.50"), Decimal("-59.50"))
    assert note.buyer == payment.invoice.buyer
    assert [line.net for line in note.lines.all()] == [Decimal("-50.00")]
    assert invoices.issue_credit_note(refund=refund) == note


def test_money_of_nobody_we_know_is_in_the_books_too(db: None) -> None:
    invoice = captured(None).invoice
    drain_queue()
    assert (invoice.organisation, invoice.buyer, invoice.total) == (None, {}, Decimal("59.00"))
    assert django_mail.outbox == []
    assert Payment.objects.get().state == PaymentState.COMPLETED
