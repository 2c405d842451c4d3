"""Shapes of the calls that change a subscription."""

from rest_framework import serializers

from billing.catalogue.plans import Cycle, Plan
from billing.payments.serializers import SecondPaymentSerializer
from billing.subscriptions.models import Status, TrialStatus
from emailcheck.common.api.serializers import Shape

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


class LastPaymentSerializer(Shape):
    """The newest payment that was captured, whatever it was for; dated by PayPal."""

    date = serializers.DateTimeField()
    amount = serializers.FloatField()
    currency = serializers.CharField()
    description = serializers.CharField()
    is_pack = serializers.BooleanField(help_text="Credits that are paid once.")
    status = serializers.ChoiceField(choices=["captured", "refunded", "charged_back"])
    refunded_at = serializers.DateTimeField(allow_null=True)


class SubscriptionStatusSerializer(Shape):
    subscription_plan = serializers.ChoiceField(choices=Plan.choices)
    credits = serializers.IntegerField()
    subscription_status = serializers.ChoiceField(choices=Status.choices)
    payment_method = serializers.CharField(allow_null=True)
    last_payment_date = serializers.DateTimeField(allow_null=True, help_text="At PayPal; null: nothing was ever paid.")
    last_payment = LastPaymentSerializer(allow_null=True)
    next_billing_date = serializers.DateTimeField(allow_null=True)
    monthly_usage = serializers.IntegerField()
    trial_status = serializers.ChoiceField(choices=TrialStatus.choices, allow_null=True)
    can_pause = serializers.BooleanField()
    pause_ends_at = serializers.DateTimeField(
        allow_null=True, help_text="When the pause ends by itself, or one that begins now would."
    )
    billing_cycle = serializers.ChoiceField(choices=Cycle.choices, allow_null=True)
    trial_ends_at = serializers.DateTimeField(allow_null=True)
    cancel_at = serializers.DateTimeField(allow_null=True)
    monthly_limit = serializers.IntegerField()
    scheduled_plan = serializers.CharField(allow_null=True)
    scheduled_cycle = serializers.ChoiceField(choices=Cycle.choices, allow_null=True)
    scheduled_at = serializers.DateTimeField(allow_null=True)
    plan_credits = serializers.IntegerField(help_text="Those that expire; while it is paused, with the frozen ones.")
    pack_credits = serializers.IntegerField()
    unknown_costs = serializers.CharField(help_text="What checks cost, and what those do that stay unknown.")


class TrialAnswerSerializer(Shape):
    message = serializers.CharField()
    trial_ends_at = serializers.DateTimeField()
    credits = serializers.IntegerField()


class MemberCapSerializer(Shape):
    monthly_cap = serializers.IntegerField(
        allow_null=True, min_value=0, max_value=1_000_000_000, help_text="Credits in a credit month; null: any number."
    )
