"""Shapes of the calls about invoices and payment methods."""

from datetime import date, datetime

from rest_framework import serializers

from accounts.organisations.models import Organisation
from billing.invoices.listing import UninvoicedPayment
from billing.invoices.models import Invoice, InvoiceLine
from billing.invoices.wording import InvoiceStatus, determine_status
from emailcheck.common.api.serializers import Shape


class InvoiceItemSerializer(serializers.ModelSerializer[InvoiceLine]):
    """A line; the amounts of all lines and the tax add up to the total."""

    amount = serializers.FloatField(source="net", help_text="Without tax; negative for what is credited.")

    class Meta:
        model = InvoiceLine
        fields = ("description", "quantity", "amount")


class InvoiceSerializer(serializers.ModelSerializer[Invoice]):
    """An invoice, or a credit note, whose total is negative; in USD. A payment that waits has no number and no PDF."""

    id = serializers.IntegerField(allow_null=True, help_text="Null: there is no document (yet).")
    invoice_number = serializers.CharField(source="number", allow_null=True)
    invoice_date = serializers.SerializerMethodField()
    total_amount = serializers.FloatField(source="total")
    payment_status = serializers.SerializerMethodField()
    payment_method = serializers.CharField(source="paid_with")
    tax_amount = serializers.FloatField(source="tax")
    items = InvoiceItemSerializer(source="lines", many=True)
    paid_at = serializers.SerializerMethodField()
    due_date = serializers.DateField(
        source="due_on", allow_null=True, help_text="Of one that was written before it was paid."
    )
    message = serializers.SerializerMethodField(help_text="What became of a payment that has no document.")

    class Meta:
        model = Invoice
        fields = (
            "id", "invoice_number", "invoice_date", "total_amount", "tax_amount", "payment_status", "payment_method",
            "items", "due_date", "paid_at", "message",
        )  # fmt: skip

    def get_invoice_date(self, document: Invoice | UninvoicedPayment) -> date:
        return document.issued_at.date()

    def get_paid_at(self, document: Invoice | UninvoicedPayment) -> datetime | None:
        """By PayPal's clock, where it was paid there."""
        if not isinstance(document, Invoice):
            return None
        return document.payment.captured_at if document.payment else document.settled_at

    def get_payment_status(self, document: Invoice | UninvoicedPayment) -> InvoiceStatus:
        return determine_status(document) if isinstance(document, Invoice) else document.status

    def get_message(self, document: Invoice | UninvoicedPayment) -> str | None:
        return None if isinstance(document, Invoice) else document.message


class InvoicesSerializer(Shape):
    invoices = InvoiceSerializer(many=True)
    total = serializers.IntegerField()


class InvoicePaymentSerializer(Shape):
    approval_url = serializers.CharField(help_text="Where the browser goes to pay.")


class BillingDetailsSerializer(serializers.Serializer[Organisation]):
    company = serializers.CharField(max_length=255, required=False, allow_blank=True)
    address = serializers.CharField(max_length=500, required=False, allow_blank=True)
    vat_id = serializers.CharField(max_length=30, required=False, allow_blank=True)
    billing_email = serializers.EmailField(
        required=False, allow_blank=True, help_text="Gets the invoices; empty: whoever the organisation belongs to."
    )
    purchase_order = serializers.CharField(max_length=50, required=False, allow_blank=True)
