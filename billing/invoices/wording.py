"""Invoices in words: sums, days, states."""

from decimal import Decimal

from django.db import models
from django.utils import timezone

from billing.invoices.models import DocumentKind, Invoice

_SIGNS = {"USD": "$"}


class InvoiceStatus(models.TextChoices):
    PAID = "paid", "Paid"
    PENDING = "pending", "Payment pending"
    OVERDUE = "overdue", "Overdue"
    REFUNDED = "refunded", "Refunded"
    CREDIT_NOTE = "credit_note", "Credit note"
    NOT_MADE = "not_made", "Not made"


def determine_status(document: Invoice) -> InvoiceStatus:
    """The current status of a document."""
    if document.kind == DocumentKind.CREDIT_NOTE:
        return InvoiceStatus.CREDIT_NOTE
    if hasattr(document, "cancelled_by"):
        return InvoiceStatus.REFUNDED
    if document.is_paid:
        return InvoiceStatus.PAID
    is_late = document.due_on is not None and document.due_on < timezone.now().date()
    return InvoiceStatus.OVERDUE if is_late else InvoiceStatus.PENDING


def format_money(amount: Decimal, currency: str = "USD") -> str:
    """Such as `$1,234.50`, `−$59.00`, or `CHF 10.00` for a currency without a sign of its own."""
    sign = _SIGNS.get(currency, f"{currency}\N{NO-BREAK SPACE}")
    minus = "\N{MINUS SIGN}" if amount < 0 else ""
    return f"{minus}{sign}{abs(amount):,.2f}"
