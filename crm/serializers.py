"""Shapes that the calls about deals, contracts and messages share."""

from typing import Any

from rest_framework import serializers

from emailcheck.common.api.serializers import Shape

MONEY: dict[str, Any] = {"max_digits": 14, "decimal_places": 2, "min_value": 0}


class DeletedSerializer(Shape):
    success = serializers.BooleanField()
    message = serializers.CharField()
