"""Shapes of the staff calls about open invoices."""

from typing import Any

from rest_framework import serializers

from billing.invoices.models import Invoice
from billing.invoices.wording import InvoiceStatus, determine_status
from billing.reports.payment_list import DELETED_ACCOUNT
from emailcheck.common.api.serializers import Shape


class OpenInvoicesQuerySerializer(Shape):
    search = serializers.CharField(
        required=False, default="", allow_blank=True, max_length=254,
        help_text="A part of number, quote id, or the customer's name or address.",
    )  # fmt: skip
    cursor = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)


class OpenInvoiceSerializer(Shape):
    id = serializers.IntegerField()
    number = serializers.CharField()
    quote_id = serializers.CharField(allow_null=True)
    customer = serializers.CharField()
    customer_email = serializers.CharField()
    amount = serializers.FloatField()
    currency = serializers.CharField()
    date = serializers.DateTimeField()
    due_date = serializers.DateField()
    status = serializers.ChoiceField(choices=InvoiceStatus.choices)


class OpenInvoicesSerializer(Shape):
    invoices = OpenInvoiceSerializer(many=True)
    total = serializers.IntegerField(help_text="How many were found on all pages.")
    next = serializers.CharField(allow_null=True)


class PaidWithSerializer(Shape):
    paid_with = serializers.CharField(max_length=60, help_text="Such as: Bank transfer of 3 March.")


class BuyerReasonSerializer(Shape):
    reason = serializers.CharField(max_length=500, help_text="Why you need it: it goes into the audit.")


class BuyerSerializer(Shape):
    """As printed on the document."""

    name = serializers.CharField()
    company = serializers.CharField(allow_blank=True)
    address = serializers.CharField(allow_blank=True)
    email = serializers.CharField()
    vat_id = serializers.CharField(allow_blank=True)


def present_invoice(document: Invoice) -> dict[str, Any]:
    return {
        "id": document.pk,
        "number": document.number,
        "quote_id": document.reference,
        "customer": document.user.name if document.user else DELETED_ACCOUNT,
        "customer_email": document.user.email if document.user else "",
        "amount": document.total,
        "currency": document.currency,
        "date": document.issued_at,
        "due_date": document.due_on,
        "status": determine_status(document),
    }
