"""The invoices of an account as a list, and among them the payments that have none: they wait, or came to nothing."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.conf import settings

from accounts.organisations.models import Organisation
from billing.invoices import services as invoices
from billing.invoices.models import Invoice
from billing.invoices.wording import InvoiceStatus
from billing.payments import pending, wording
from billing.payments.models import Payment, PaymentState


@dataclass(frozen=True, slots=True)
class UninvoicedLine:
    """What is being paid, without tax. Named as an `InvoiceLine`."""

    description: str
    net: Decimal
    quantity: int = 1


@dataclass(frozen=True, slots=True)
class UninvoicedPayment:
    """A payment among the invoices, before it has one, or because it never came to one. Named as an `Invoice`."""

    issued_at: datetime
    total: Decimal
    tax: Decimal
    status: InvoiceStatus
    lines: tuple[UninvoicedLine, ...]
    message: str | None = None
    paid_with: str = "PayPal"
    id: None = None
    number: None = None
    due_on: None = None


def list_invoices_and_payments(organisation: Organisation) -> list[Invoice | UninvoicedPayment]:
    """Invoices, credit notes, and the payments that wait for theirs or came to nothing; newest first."""
    found: list[Invoice | UninvoicedPayment] = [
        _build_uninvoiced_payment(one) for one in pending.list_held_payments(organisation)
    ]
    found += invoices.list_invoices(organisation)
    return sorted(found, key=lambda one: one.issued_at, reverse=True)


def _build_uninvoiced_payment(payment: Payment) -> UninvoicedPayment:
    waits = payment.state == PaymentState.PENDING
    sums = invoices.split_tax(payment.amount, settings.INVOICE_TAX_RATE)
    return UninvoicedPayment(
        issued_at=payment.created_at,
        total=sums.total,
        tax=sums.tax,
        status=InvoiceStatus.PENDING if waits else InvoiceStatus.NOT_MADE,
        lines=(UninvoicedLine(payment.description, sums.net),),
        message=None if waits else wording.NOT_MADE,
    )
