"""Invoices and credit notes: one for each payment and refund, numbered without gaps, frozen when they are issued.

Prices include the tax: the total is what was captured, and the tax in it is worked out from the rate, rounded once.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounts.organisations.models import Organisation
from billing.invoices import emails
from billing.invoices.models import DocumentKind, Invoice, InvoiceLine, NumberSeries
from billing.ledger import services as ledger
from billing.payments.models import ChargeLine, Payment, PaymentKind, Refund
from emailcheck.common.api import throttles
from emailcheck.common.api.throttles import Limit
from emailcheck.common.text.money import round_to_cents
from emailcheck.env import Env

PAID_WITH = "PayPal"
ROUNDING = "Rounding"
DUE_WITHIN = timedelta(days=Env().number("INVOICE_DUE_DAYS", 14))
RESENT = Limit("resent invoices", 10, 3_600)
_CENT = Decimal("0.01")
_PREFIXES = {DocumentKind.INVOICE: "INV", DocumentKind.CREDIT_NOTE: "CN"}


@dataclass(frozen=True, slots=True)
class InvoiceSums:
    """What a total is made of; `rate` is the tax in percent."""

    net: Decimal
    rate: Decimal
    tax: Decimal
    total: Decimal


def split_tax(total: Decimal, rate: Decimal) -> InvoiceSums:
    """Take the tax out of a total that includes it."""
    net = round_to_cents(total * 100 / (100 + rate))
    return InvoiceSums(net, rate, total - net, total)


@transaction.atomic
def issue_invoice(*, payment: Payment) -> Invoice:
    """The invoice of a captured payment, issued and mailed the first time it is asked for; the open one it pays."""
    now = timezone.now()
    series = _lock_series(DocumentKind.INVOICE, payment.organisation_id, now)
    found = Invoice.objects.filter(payment=payment).first() or _pay_open_invoice(payment, now)
    if found is not None:
        return found
    terms = _InvoiceTerms(
        payment.organisation, payment.amount, payment.currency, payment.description, _load_charge_lines(payment)
    )
    made = _create_document(series, terms, now, payment=payment, paid_with=PAID_WITH)
    if payment.organisation is not None and payment.kind != PaymentKind.RENEWAL:  # which has a mail of its own
        emails.send_document(document=made, to=payment.organisation.invoice_email, key=f"invoice:{made.number}")
    return made


@transaction.atomic
def issue_open_invoice(*, organisation: Organisation, reference: str, amount: Decimal, description: str) -> Invoice:
    """Issue an invoice for a plan that was activated unpaid, due in some days; mailed the first time (QUO-212)."""
    now = timezone.now()
    series = _lock_series(DocumentKind.INVOICE, organisation.pk, now)
    found = Invoice.objects.filter(reference=reference).first()
    if found is not None:
        return found
    terms = _InvoiceTerms(organisation, amount, "USD", description)
    made = _create_document(series, terms, now, reference=reference, due_on=(now + DUE_WITHIN).date(), paid_with="")
    emails.send_document(document=made, to=organisation.invoice_email, key=f"invoice:{made.number}")
    return made


@transaction.atomic
def issue_credit_note(*, refund: Refund) -> Invoice | None:
    """The credit note of a refund, issued the first time it is asked for; None when the payment has no invoice."""
    now = timezone.now()
    series = _lock_series(DocumentKind.CREDIT_NOTE, refund.payment.organisation_id, now)
    found = Invoice.objects.filter(refund=refund).first()
    first = Invoice.objects.filter(payment=refund.payment).first()
    if found is not None or first is None:
        return found
    made = Invoice.objects.create(
        organisation=first.organisation,
        kind=DocumentKind.CREDIT_NOTE,
        number=_take_next_number(series),
        refund=refund,
        cancels=first,
        issued_at=now,
        currency=first.currency,
        net=-first.net,
        tax_rate=first.tax_rate,
        tax=-first.tax,
        total=-first.total,
        paid_with=first.paid_with,
        seller=_build_seller(),
        buyer=first.buyer,
        note=refund.reason,
    )
    InvoiceLine.objects.bulk_create(
        InvoiceLine(
            invoice=made,
            position=line.position,
            description=line.description,
            quantity=line.quantity,
            unit_price=-line.unit_price,
            net=-line.net,
        )
        for line in first.lines.all()
    )
    return made


def list_invoices(organisation: Organisation) -> Sequence[Invoice]:
    """Invoices and credit notes of an account, newest first."""
    found = Invoice.objects.for_org(organisation).select_related("payment", "cancelled_by").prefetch_related("lines")
    return list(found.order_by("-issued_at", "-pk"))


def resend_document(*, document: Invoice, organisation: Organisation) -> None:
    """Mail a document to its owner once more. Raises `TooMany` after ten in an hour."""
    throttles.require_pass(RESENT, str(organisation.pk))
    emails.send_document(document=document, to=organisation.invoice_email)


@dataclass(frozen=True, slots=True)
class _InvoiceTerms:
    organisation: Organisation | None
    amount: Decimal
    currency: str
    description: str
    working: Sequence[ChargeLine] = ()


def _create_document(series: NumberSeries, terms: _InvoiceTerms, now: datetime, **columns: Any) -> Invoice:
    """The next document of the series, with its lines."""
    sums = split_tax(terms.amount, settings.INVOICE_TAX_RATE)
    made = Invoice.objects.create(
        organisation=terms.organisation,
        number=_take_next_number(series),
        issued_at=now,
        currency=terms.currency,
        net=sums.net,
        tax_rate=sums.rate,
        tax=sums.tax,
        total=sums.total,
        seller=_build_seller(),
        buyer=_build_buyer(terms.organisation),
        **columns,
    )
    InvoiceLine.objects.bulk_create(
        InvoiceLine(
            invoice=made, position=position, description=line.description, unit_price=line.amount, net=line.amount
        )
        for position, line in enumerate(_build_net_lines(terms, sums), 1)
    )
    return made


def _build_net_lines(terms: _InvoiceTerms, sums: InvoiceSums) -> list[ChargeLine]:
    """The lines without tax: they add up to the net sum, by a line of their own for what rounding left over."""
    if not terms.working:
        return [ChargeLine(terms.description, sums.net)]
    lines = [ChargeLine(line.description, split_tax(line.amount, sums.rate).net) for line in terms.working]
    missing = sums.net - sum((line.amount for line in lines), Decimal(0))
    return [*lines, ChargeLine(ROUNDING, missing)] if missing else lines


def _load_charge_lines(payment: Payment) -> list[ChargeLine]:
    """How a change of plan was worked out; nothing for other payments, and where that is not what was paid."""
    if payment.kind != PaymentKind.PLAN_CHANGE or payment.purchase is None:
        return []
    lines = [ChargeLine(description, Decimal(amount)) for description, amount in payment.purchase.lines]
    missing = payment.amount - sum((line.amount for line in lines), Decimal(0))
    return lines if abs(missing) <= _CENT else []


def _pay_open_invoice(payment: Payment, now: datetime) -> Invoice | None:
    """The open invoice that a payment at once is for: it is paid, and mailed anew.

    The first of many payments, which an agreement brings, pays none: its plan begins by itself.
    """
    purchase = payment.purchase
    if purchase is None or purchase.recurs or not purchase.reference:
        return None
    waiting = Invoice.objects.open().filter(reference=purchase.reference, total=payment.amount)
    found = waiting.select_for_update().first()
    if found is None:
        return None
    found.payment, found.settled_at, found.paid_with = payment, now, PAID_WITH
    found.save(update_fields=["payment", "settled_at", "paid_with"])
    if payment.organisation is not None:
        emails.send_document(document=found, to=payment.organisation.invoice_email, key=f"invoice_paid:{found.number}")
    return found


def _lock_series(kind: DocumentKind, organisation_id: int | None, now: datetime) -> NumberSeries:
    """The series of the year, locked until the caller's transaction ends, so that no unused number is lost.

    Lock order: the account, then the series.
    """
    if organisation_id is not None:
        ledger.lock_account(organisation_id)
    name = f"{_PREFIXES[kind]}-{now.year}"
    NumberSeries.objects.get_or_create(name=name)
    return NumberSeries.objects.select_for_update().get(name=name)


def _take_next_number(series: NumberSeries) -> str:
    series.last += 1
    series.save(update_fields=["last"])
    return f"{series.name}-{series.last:06}"


def _build_seller() -> dict[str, Any]:
    return {
        "name": settings.SITE_NAME,
        "company": settings.SELLER_NAME,
        "address": settings.SELLER_ADDRESS,
        "email": settings.SUPPORT_EMAIL,
        "vat_id": settings.SELLER_VAT_ID,
    }


def _build_buyer(organisation: Organisation | None) -> dict[str, Any]:
    if organisation is None or organisation.deleted_at is not None:
        return {}
    of_organisation = {name: getattr(organisation, name) for name in ("company", "address", "vat_id")}
    order = {"purchase_order": organisation.purchase_order} if organisation.purchase_order else {}
    return {"name": organisation.contact.name, "email": organisation.invoice_email, **of_organisation, **order}
