"""Shapes of the payment calls."""

from rest_framework import serializers

from billing.catalogue.plans import Cycle, Plan
from billing.payments.models import MethodKind, PaymentMethod, PurchaseKind, PurchaseState
from emailcheck.common.api.serializers import Shape

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


class PaymentMethodSerializer(serializers.ModelSerializer[PaymentMethod]):
    payment_method_type = serializers.ChoiceField(choices=MethodKind.choices, source="kind")
    card_brand = serializers.SerializerMethodField()
    card_last_four = serializers.SerializerMethodField()
    account = serializers.CharField(source="label", help_text="The payer's address at PayPal.")

    class Meta:
        model = PaymentMethod
        fields = ("id", "payment_method_type", "card_brand", "card_last_four", "is_default", "account")

    def get_card_brand(self, method: PaymentMethod) -> str | None:
        return method.card_brand or None

    def get_card_last_four(self, method: PaymentMethod) -> str | None:
        return method.card_last_four or None


class PaymentMethodsSerializer(Shape):
    payment_methods = PaymentMethodSerializer(many=True)


class DefaultMethodSerializer(Shape):
    is_default = serializers.BooleanField(help_text="true: another default takes its place, there is none without.")

    def validate_is_default(self, value: bool) -> bool:
        if not value:
            raise serializers.ValidationError("Choose another method as the default instead.")
        return value


class DoneSerializer(Shape):
    message = serializers.CharField()
