"""Shapes of what is sold."""

from typing import Any

from rest_framework import serializers

from billing.catalogue.plans import Plan
from emailcheck.common.api.serializers import Shape

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
