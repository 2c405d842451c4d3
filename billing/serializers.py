"""Shapes of the credit calls."""

from typing import Any

from rest_framework import serializers

from billing.models import CreditLot, LotKind


class CreditLotSerializer(serializers.ModelSerializer[CreditLot]):
    kind = serializers.ChoiceField(choices=LotKind.choices)

    class Meta:
        model = CreditLot
        fields = ("kind", "remaining", "expires_at")


class CreditsSerializer(serializers.Serializer[dict[str, Any]]):
    credits = serializers.IntegerField()
    held = serializers.IntegerField()
    monthly_usage = serializers.IntegerField()
    subscription_plan = serializers.CharField()
    lots = CreditLotSerializer(many=True)
