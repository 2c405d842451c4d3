"""How the charge of a plan change comes about, line by line: on the invoice, its PDF and its credit note."""

import logging
from datetime import date, timedelta
from decimal import Decimal
from io import BytesIO
from typing import Any

import pytest
from pypdf import PdfReader

from accounts.privacy import services as privacy
from billing.catalogue.plans import Cycle, Plan
from billing.catalogue.price_list import OFFERS
from billing.invoices import pdf
from billing.invoices.models import Invoice
from billing.payments.models import Payment, PaymentKind, PaymentState, Purchase
from billing.refunds import services as refunds
from billing.subscriptions.lifecycle.proration import ChangeMoment, CurrentTerms, build_charge_lines, compute_change
from emailcheck.common import personal
from tests.subscriber import Subscriber

pytestmark = pytest.mark.postgres

MONTHLY, YEARLY = Cycle.MONTHLY, Cycle.YEARLY
Lines = list[tuple[str, Decimal]]


def worked_out(plan: Plan, new: Plan, cycle: Cycle, period: tuple[str, str], today: str, ends_on: str) -> Lines:
    starts, ends, now, until = map(date.fromisoformat, (*period, today, ends_on))
    held = CurrentTerms(plan, MONTHLY, OFFERS[plan].price(MONTHLY), starts, ends)
    change = compute_change(held, new, cycle, today=now)
    return [(line.description, line.amount) for line in build_charge_lines(held, change, today=now, ends_on=until)]


def lines_of(document: Invoice) -> Lines:
    return [(line.description, line.net) for line in document.lines.all()]


def changed(nora: Subscriber, plan: str = "pro", cycle: str = "monthly") -> Invoice:
    """The invoice of a change on the 14th of February, 14 days before the billing date."""
    nora.subscribe("starter")
    nora.pass_to("2030-02-15T10:00")
    nora.upgrade(plan, cycle)
    return Payment.objects.get(kind=PaymentKind.PLAN_CHANGE).invoice


@pytest.mark.spec("PEN-007")
@pytest.mark.finding("D7")
def test_the_invoice_of_a_change_has_its_working_as_lines(nora: Subscriber) -> None:
    invoice = changed(nora)
    lines = [
        ("Pro, 13 of 28 days (15 February 2030 to 27 February 2030)", Decimal("69.18")),
        ("Unused Starter, 13 of 28 days", Decimal("-22.75")),
    ]
    assert (lines_of(invoice), invoice.total) == (lines, Decimal("46.43"))
    shown = next(one for one in nora.api.get("/api/invoices").json()["invoices"] if one["id"] == invoice.pk)
    assert [(item["description"], Decimal(str(item["amount"]))) for item in shown["items"]] == lines
    text = "\n".join(page.extract_text() for page in PdfReader(BytesIO(pdf.render_pdf(invoice))).pages)
    for part in ("Unused Starter, 13 of 28 days", "$69.18", "\N{MINUS SIGN}$22.75", "$46.43"):
        assert part in text
    refund = refunds.complete_refund(payment_id=invoice.payment_id or 0)
    assert refund is not None
    note = refund.credit_note
    assert (lines_of(note), note.total) == ([(name, -amount) for name, amount in lines], Decimal("-46.43"))
    nora.check()


@pytest.mark.spec("PEN-007")
@pytest.mark.finding("D7")
def test_a_year_begins_with_what_is_left_of_the_month_taken_off(nora: Subscriber) -> None:
    invoice = changed(nora, "starter", "yearly")
    assert lines_of(invoice) == [
        ("Starter yearly, 365 of 365 days (15 February 2030 to 14 February 2031)", Decimal("488.00")),
        ("Unused Starter monthly, 13 of 28 days", Decimal("-22.75")),
    ]
    assert invoice.total == Decimal("465.25")


@pytest.mark.spec("PEN-007")
def test_with_tax_lines_and_tax_add_up_to_what_was_captured(nora: Subscriber, settings: Any) -> None:
    settings.INVOICE_TAX_RATE = Decimal(19)
    invoice = changed(nora)
    assert lines_of(invoice) == [
        ("Pro, 13 of 28 days (15 February 2030 to 27 February 2030)", Decimal("58.13")),
        ("Unused Starter, 13 of 28 days", Decimal("-19.12")),
        ("Rounding", Decimal("0.01")),
    ]
    assert (invoice.net, invoice.tax, invoice.total) == (Decimal("39.02"), Decimal("7.41"), Decimal("46.43"))


@pytest.mark.spec("PEN-007")
def test_on_every_day_the_lines_add_up_to_the_charge_and_a_cent_at_most(nora: Subscriber) -> None:
    missed = set()
    for left in range(1, 31):
        ends = date(2030, 5, 1)
        today = ends - timedelta(days=left)
        held = CurrentTerms(Plan.STARTER, MONTHLY, Decimal(49), date(2030, 4, 1), ends)
        change = compute_change(held, Plan.PRO, MONTHLY, today=today)
        made = build_charge_lines(held, change, today=today, ends_on=ends)
        missed.add(change.immediate_charge - sum((line.amount for line in made), Decimal(0)))
    assert missed == {Decimal("-0.01"), Decimal("0.00"), Decimal("0.01")}


@pytest.mark.spec("PEN-007")
def test_what_rounding_left_over_has_a_line_of_its_own(nora: Subscriber) -> None:
    nora.subscribe("starter")
    nora.pass_to("2030-02-28T11:00", "2030-03-18T10:00")
    nora.upgrade("pro")
    payment = Payment.objects.get(kind=PaymentKind.PLAN_CHANGE)
    amounts = [Decimal("62.48"), Decimal("-20.55"), Decimal("0.01")]
    assert [amount for _, amount in lines_of(payment.invoice)] == amounts
    assert [name for name, _ in lines_of(payment.invoice)][2] == "Rounding"
    assert sum(amounts) == payment.amount == Decimal("41.94")


@pytest.mark.spec("PEN-007")
def test_a_plan_that_is_paid_in_full_has_one_line(nora: Subscriber) -> None:
    nora.subscribe("starter")
    assert lines_of(Invoice.objects.get()) == [("Starter plan, billed monthly", Decimal("49.00"))]
    trial = CurrentTerms(Plan.GROWTH, None, Decimal(0), date(2030, 1, 1), date(2030, 1, 15), is_paid=False)
    change = compute_change(trial, Plan.STARTER, MONTHLY, today=date(2030, 1, 2))
    assert change.moment == ChangeMoment.NEW_PERIOD
    assert build_charge_lines(trial, change, today=date(2030, 1, 2), ends_on=date(2030, 2, 2)) == ()


@pytest.mark.spec("PEN-007")
def test_a_charge_that_was_worked_out_otherwise_is_not_explained_wrongly(nora: Subscriber) -> None:
    """Lines that do not make up what was captured are left out: the invoice names the plan then."""
    nora.subscribe("starter")
    nora.pass_to("2030-02-15T10:00")
    payment = _change_with(nora, [["Pro, 13 of 28 days", "60.00"]])
    assert lines_of(payment.invoice) == [("Pro plan, billed monthly", Decimal("46.43"))]


def _change_with(nora: Subscriber, lines: list[list[str]]) -> Payment:
    _, begun = nora.call("plan-change/create-payment", new_plan_id="pro", billing_cycle="monthly")
    Purchase.objects.filter(kind="plan_change").update(lines=lines)
    nora.approve(begun["approval_url"])
    return Payment.objects.get(kind=PaymentKind.PLAN_CHANGE)


def test_the_charge_of_a_change_is_no_surprise_after_the_account_is_gone(
    nora: Subscriber, caplog: pytest.LogCaptureFixture
) -> None:
    charge = Payment.objects.get(invoice=changed(nora))
    privacy.close_account(user=nora.user)
    personal.erase_person(nora.user.pk)
    nora.look()
    assert [record.message for record in caplog.records if record.levelno >= logging.ERROR] == []
    nora.buyer.control(f"payments/{charge.provider_id}", action="refund")
    nora.look()
    charge.refresh_from_db()
    assert charge.state == PaymentState.REFUNDED
