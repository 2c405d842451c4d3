"""Shapes of the calls that change a subscription."""

from typing import Any

from rest_framework import serializers

from billing.models import Cycle, Plan
from billing.serializers_payments import SecondPaymentSerializer

Shape = serializers.Serializer[dict[str, Any]]
_SOLD = (Plan.STARTER, Plan.GROWTH, Plan.PRO)


class PlanChoiceSerializer(Shape):
    new_plan_id = serializers.ChoiceField(choices=[plan.value for plan in _SOLD])
    billing_cycle = serializers.ChoiceField(choices=Cycle.choices)


class PlanPaymentSerializer(SecondPaymentSerializer, PlanChoiceSerializer):
    pass


class PlanChangeSerializer(Shape):
    """A change in numbers; prices in USD."""

    current_plan = serializers.ChoiceField(choices=Plan.choices)
    new_plan = serializers.ChoiceField(choices=Plan.choices)
    days_remaining = serializers.IntegerField(help_text="Of the period that is paid for.")
    total_days = serializers.IntegerField()
    current_plan_price = serializers.FloatField()
    new_plan_price = serializers.FloatField()
    is_upgrade = serializers.BooleanField()
    immediate_charge = serializers.FloatField(help_text="0: the change holds from the next billing date.")
    next_billing_amount = serializers.FloatField()
    billing_cycle = serializers.ChoiceField(choices=Cycle.choices)
    credits_now = serializers.IntegerField(help_text="Those that come with the charge.")
    credits_a_month = serializers.IntegerField(help_text="Of the new plan.")


class MessageWithApprovalSerializer(Shape):
    message = serializers.CharField()
    approval_url = serializers.URLField(allow_null=True, help_text="Null: there is nothing to approve.")
