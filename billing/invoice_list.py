"""The invoices of an account as a list, and among them the payments that have none: they wait, or came to nothing."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.conf import settings

from accounts.models import User
from billing import invoices, open_payments, payment_words
from billing.invoice_words import InvoiceStatus
from billing.models import Invoice, Payment, PaymentState


@dataclass(frozen=True, slots=True)
class LineToBe:
    """What is being paid, without tax. Named as an `InvoiceLine`."""

    description: str
    net: Decimal
    quantity: int = 1


@dataclass(frozen=True, slots=True)
class WithoutDocument:
    """A payment among the invoices, before it has one, or because it never came to one. Named as an `Invoice`."""

    issued_at: datetime
    total: Decimal
    tax: Decimal
    status: InvoiceStatus
    lines: tuple[LineToBe, ...]
    message: str | None = None
    paid_with: str = "PayPal"
    id: None = None
    number: None = None
    due_on: None = None


def with_documents(user: User) -> list[Invoice | WithoutDocument]:
    """Invoices, credit notes, and the payments that wait for theirs or came to nothing; newest first."""
    found: list[Invoice | WithoutDocument] = [_without_document(one) for one in open_payments.told_of(user)]
    found += invoices.of_account(user)
    return sorted(found, key=lambda one: one.issued_at, reverse=True)


def _without_document(payment: Payment) -> WithoutDocument:
    waits = payment.state == PaymentState.PENDING
    sums = invoices.sums_of(payment.amount, settings.INVOICE_TAX_RATE)
    return WithoutDocument(
        issued_at=payment.created_at,
        total=sums.total,
        tax=sums.tax,
        status=InvoiceStatus.PENDING if waits else InvoiceStatus.NOT_MADE,
        lines=(LineToBe(payment.description, sums.net),),
        message=None if waits else payment_words.NOT_MADE,
    )
