"""Shapes of the payment calls."""

from typing import Any

from rest_framework import serializers

from billing.models import Cycle, Plan, PurchaseKind, PurchaseState

Shape = serializers.Serializer[dict[str, Any]]
LISTED_PLANS = (Plan.STARTER, Plan.GROWTH, Plan.PRO)


class SecondPaymentSerializer(Shape):
    confirm_second = serializers.BooleanField(
        required=False, default=False, help_text="Pay once more while a payment for the same thing waits."
    )


class NewOrderSerializer(SecondPaymentSerializer):
    package_id = serializers.ChoiceField(
        choices=("small", "medium", "large", "5k", "10k", "25k"), help_text="5k, 10k and 25k are other names for them."
    )


class OrderLinkSerializer(Shape):
    rel = serializers.CharField()
    href = serializers.URLField()


class OrderSerializer(Shape):
    links = OrderLinkSerializer(many=True, help_text="Send the browser to the one with rel `approve`.")
    id = serializers.CharField(help_text="The order at PayPal.")
    order_id = serializers.CharField(help_text="The same.")


class NewAgreementSerializer(SecondPaymentSerializer):
    plan_id = serializers.ChoiceField(choices=[(plan.value, plan.label) for plan in LISTED_PLANS])
    billing_cycle = serializers.ChoiceField(choices=Cycle.choices)


class ApprovalSerializer(Shape):
    approval_url = serializers.URLField(help_text="Send the browser there.")


class CompletionSerializer(Shape):
    kind = serializers.ChoiceField(choices=PurchaseKind.choices)
    message = serializers.CharField()


class PaymentStateSerializer(Shape):
    kind = serializers.ChoiceField(choices=PurchaseKind.choices)
    state = serializers.ChoiceField(choices=PurchaseState.choices)
    message = serializers.CharField()


class PendingPaymentSerializer(Shape):
    """A payment that PayPal holds back. Nothing is left to approve."""

    id = serializers.CharField(help_text="Ask by it at `/api/payments/paypal/status/{id}`.")
    what = serializers.CharField()
    amount = serializers.FloatField()
    currency = serializers.CharField()
    since = serializers.DateTimeField()
    approve_url = serializers.CharField(allow_null=True)


class PendingPaymentsSerializer(Shape):
    payments = PendingPaymentSerializer(many=True)
