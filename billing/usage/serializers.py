"""Shapes of the credit and plan calls."""

from typing import Any

from rest_framework import serializers

from billing.ledger.models import CreditLot, LotKind
from billing.subscriptions.welcome_credits import Checks
from billing.usage.statement import LineState
from emailcheck.common.api.serializers import Shape


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
    plan_credits = serializers.IntegerField(help_text="Those that expire: plan, welcome, trial, bonus and transfer.")
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
