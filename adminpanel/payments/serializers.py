"""Shapes of the staff calls about payments and open invoices."""

from typing import Any

from rest_framework import serializers

from billing.invoices.models import Invoice
from billing.invoices.wording import InvoiceStatus, determine_status
from billing.payments.models import PurchaseKind
from billing.reports.payment_list import DELETED_ACCOUNT, ReportRange, ShownState
from emailcheck.common.api.serializers import Shape


class PaymentsQuerySerializer(Shape):
    search = serializers.CharField(
        required=False, default="", allow_blank=True, max_length=254, help_text="Customer, invoice number or PayPal id."
    )
    status = serializers.ChoiceField(choices=ShownState.choices, required=False, default="", allow_blank=True)
    range = serializers.ChoiceField(choices=ReportRange.choices, required=False, default=ReportRange.ALL)
    cursor = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)


class PaymentSerializer(Shape):
    id = serializers.IntegerField()
    paypal_id = serializers.CharField()
    customer = serializers.CharField()
    customer_email = serializers.CharField(allow_blank=True, help_text="Empty when the account was deleted.")
    organisation = serializers.CharField(allow_blank=True, help_text="Which paid, and gets what goes back.")
    kind = serializers.ChoiceField(choices=PurchaseKind.choices)
    amount = serializers.FloatField()
    currency = serializers.CharField()
    status = serializers.ChoiceField(choices=ShownState.choices)
    date = serializers.DateTimeField(help_text="At PayPal.")
    invoice_number = serializers.CharField(allow_null=True)


class PaymentsSerializer(Shape):
    payments = PaymentSerializer(many=True)
    refunded_total = serializers.FloatField(help_text="What went back in the range.")
    total = serializers.IntegerField()
    next = serializers.CharField(allow_null=True)


class RefundSerializer(Shape):
    amount = serializers.FloatField()
    date = serializers.DateTimeField(allow_null=True, help_text="null: asked for, and not confirmed by PayPal.")
    reason = serializers.CharField()


class PaymentDetailSerializer(PaymentSerializer):
    invoice_id = serializers.IntegerField(allow_null=True)
    names_buyer = serializers.BooleanField(help_text="Whether the invoice (still) says who bought.")
    learnt_at = serializers.DateTimeField(allow_null=True, help_text="When we learnt that it was captured.")
    description = serializers.CharField()
    guarantee_applies = serializers.BooleanField()
    guarantee_reason = serializers.CharField()
    credits_unspent = serializers.IntegerField()
    ends_plan = serializers.BooleanField(help_text="Whether a refund ends the customer's plan.")
    refund = RefundSerializer(allow_null=True)


class RefundReasonSerializer(Shape):
    reason = serializers.CharField(max_length=500, help_text="The customer sees it on the credit note.")


class RefundAnswerSerializer(Shape):
    refund_id = serializers.CharField(allow_null=True)
    credit_note_number = serializers.CharField(allow_null=True)
    message = serializers.CharField()


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
    organisation = serializers.CharField(allow_blank=True, help_text="Which owes it.")
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
        "customer": document.organisation.contact.name if document.organisation else DELETED_ACCOUNT,
        "customer_email": document.organisation.contact.email if document.organisation else "",
        "organisation": document.organisation.title if document.organisation else "",
        "amount": document.total,
        "currency": document.currency,
        "date": document.issued_at,
        "due_date": document.due_on,
        "status": determine_status(document),
    }
