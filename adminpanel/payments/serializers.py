"""Shapes of the staff calls about payments."""

from rest_framework import serializers

from billing.payments.models import PurchaseKind
from billing.reports.payment_list import ReportRange, ShownState
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
