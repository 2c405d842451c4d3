"""Shapes of the credit and plan calls."""

from typing import Any

from rest_framework import serializers

from billing.models import CreditLot, Cycle, LotKind, Plan, ReferralState, Status, TrialStatus
from billing.statement import LineState
from billing.welcome import Checks

Shape = serializers.Serializer[dict[str, Any]]


class CreditLotSerializer(serializers.ModelSerializer[CreditLot]):
    kind = serializers.ChoiceField(choices=LotKind.choices)
    origin = serializers.CharField(help_text="Where they came from, as the statement says it.")

    class Meta:
        model = CreditLot
        fields = ("kind", "origin", "remaining", "expires_at")


class FrozenLotSerializer(CreditLotSerializer):
    frozen = serializers.IntegerField()

    class Meta:
        model = CreditLot
        fields = ("kind", "origin", "frozen")


class CreditsSerializer(Shape):
    credits = serializers.IntegerField()
    plan_credits = serializers.IntegerField(help_text="Those that expire: plan, welcome, trial and bonus.")
    pack_credits = serializers.IntegerField(help_text="Those that never expire.")
    held = serializers.IntegerField(help_text="Set aside for lists that run.")
    monthly_usage = serializers.IntegerField()
    monthly_limit = serializers.IntegerField()
    subscription_plan = serializers.CharField()
    resets_at = serializers.DateTimeField(allow_null=True, help_text="When the plan's credits come again.")
    welcome_credits = serializers.IntegerField(help_text="Of these, full checks of a new account.")
    welcome_ends_at = serializers.DateTimeField(
        allow_null=True, help_text="When those end, or ended; null where there never were any."
    )
    checks = serializers.ChoiceField(
        choices=[checks.value for checks in Checks],
        help_text="Which the next single check would run; `basic`: neither mailbox, catch-all nor disposable.",
    )
    lots = CreditLotSerializer(many=True)
    frozen_lots = FrozenLotSerializer(many=True, help_text="Of a paused plan: they cannot be spent until it goes on.")


_PLAN: dict[str, Any] = {
    "id": serializers.ChoiceField(choices=Plan.choices),
    "name": serializers.CharField(),
    "monthlyPrice": serializers.FloatField(),
    "yearlyPrice": serializers.FloatField(help_text="Billed at once for a year; 0 where there is none."),
    "limit": serializers.IntegerField(help_text="Credits a month."),
    "color": serializers.CharField(),
    "__doc__": "A plan with its prices in USD.",
}
PlanSerializer = type("PlanSerializer", (Shape,), _PLAN)  # names in camel case are no names of our own


class PackSerializer(Shape):
    """Credits that never expire, with their price in USD."""

    id = serializers.CharField()
    credits = serializers.IntegerField()
    price = serializers.FloatField()


class PlansSerializer(Shape):
    plans = PlanSerializer(many=True)
    packs = PackSerializer(many=True)


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


class UsageAlertsSerializer(serializers.Serializer[Any]):
    """Which alerts are sent by mail: at 80 % and 100 % of the month, and below a number of credits (null: never)."""

    warn_80 = serializers.BooleanField(required=False)
    warn_100 = serializers.BooleanField(required=False)
    low_balance = serializers.IntegerField(required=False, allow_null=True, min_value=1, max_value=100_000_000)


class StatementQuerySerializer(Shape):
    month = serializers.CharField(required=False, default="", allow_blank=True, max_length=7, help_text="YYYY-MM")
    cursor = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)


class StatementMonthSerializer(Shape):
    month = serializers.CharField(
        required=False, default="", allow_blank=True, max_length=7, help_text="YYYY-MM; everything without it."
    )


class StatementLineSerializer(Shape):
    """A movement of credits and the balance after it; or a payment that has brought none."""

    state = serializers.ChoiceField(
        choices=LineState.choices, help_text="`pending`: PayPal holds the payment back; `not_made`: it came to nothing."
    )
    time = serializers.DateTimeField()
    reason = serializers.CharField()
    reference = serializers.CharField(allow_null=True, help_text="The batch or the payment.")
    paid_at = serializers.DateTimeField(
        allow_null=True, help_text="When PayPal took the payment that brought the credits; they came at `time`."
    )
    lot = serializers.ChoiceField(choices=LotKind.choices)
    lot_expires_at = serializers.DateTimeField(allow_null=True)
    amount = serializers.IntegerField()
    balance = serializers.IntegerField()


class StatementSerializer(serializers.Serializer[Any]):
    entries = StatementLineSerializer(many=True)
    opening_balance = serializers.IntegerField()
    closing_balance = serializers.IntegerField()
    next = serializers.CharField(allow_null=True, help_text="Cursor of the next page.")


class TrialAnswerSerializer(Shape):
    message = serializers.CharField()
    trial_ends_at = serializers.DateTimeField()
    credits = serializers.IntegerField()


class ReferralStatsSerializer(serializers.Serializer[Any]):
    """What the account's referral code has brought."""

    referral_code = serializers.CharField()
    total_referrals = serializers.IntegerField(help_text="Friends who have confirmed their address.")
    credits_earned = serializers.IntegerField()
    pending_credits = serializers.IntegerField()
    successful_referrals = serializers.IntegerField()
    conversion_rate = serializers.FloatField(help_text="Percent.")


class CursorSerializer(Shape):
    cursor = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)


class ReferralActivitySerializer(Shape):
    """A friend who came by the link; name and address are not told in full."""

    id = serializers.IntegerField()
    referee_name = serializers.CharField(allow_null=True, help_text="The first name.")
    referee_email = serializers.CharField(help_text="Masked, as in j***@example.com.")
    status = serializers.ChoiceField(choices=ReferralState.choices)
    credits_awarded = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    converted_at = serializers.DateTimeField(allow_null=True)


class ReferralActivitiesSerializer(Shape):
    activities = ReferralActivitySerializer(many=True)
    next = serializers.CharField(allow_null=True, help_text="Cursor of the next page.")
