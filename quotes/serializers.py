"""Shapes that all lists of quotes share."""

from typing import Any

from rest_framework import serializers

from emailcheck.common.api.serializers import Shape

SEARCH: dict[str, Any] = {"required": False, "default": "", "allow_blank": True, "max_length": 254}
CURSOR: dict[str, Any] = {**SEARCH, "max_length": 200}


class PagedSerializer(Shape):
    """A page of a list; `next` is the `cursor` of the page behind it."""

    total = serializers.IntegerField(help_text="How many were found on all pages.")
    next = serializers.CharField(allow_null=True)


class SuccessSerializer(Shape):
    success = serializers.BooleanField()
    message = serializers.CharField()
