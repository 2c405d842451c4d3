"""Shapes of the history."""

from typing import Any

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from emailcheck.common.api import pagination
from validation.batches.serializers import BatchSerializer
from validation.results.models import Category
from validation.results.serializers import LEAST_HELP, ResultRowSerializer, Shape


@extend_schema_serializer(deprecate_fields=["page", "page_size"])
class HistoryQuerySerializer(Shape):
    limit = pagination.LimitField(rows=50)
    page = serializers.IntegerField(min_value=1, max_value=1_000_000, required=False)
    page_size = serializers.IntegerField(min_value=1, max_value=200, required=False)
    search = serializers.CharField(
        required=False,
        default="",
        allow_blank=True,
        max_length=200,
        help_text="Part of a file name; how an address begins; its domain.",
    )
    category = serializers.ChoiceField(choices=Category.choices, required=False, help_text="Lists that hold it, too.")
    to = serializers.DateField(required=False, default=None, help_text="The last day, in UTC.")
    active = serializers.BooleanField(default=False, help_text="Lists that have not ended alone.")
    sort = serializers.ChoiceField(choices=["-created", "created", "name", "-name"], default="-created")
    cursor = serializers.CharField(
        required=False, default="", allow_blank=True, max_length=2_000,
        help_text="`next_cursor` of the page before; with `batches_next` or `individual_next` the answer goes on with "
        "that part alone.",
    )  # fmt: skip

    def get_fields(self) -> dict[str, Any]:
        """`from` is a word of Python."""
        begin = serializers.DateField(
            required=False, default=None, source="since", help_text="The first day, in UTC; lists that ran then, too."
        )
        return {**super().get_fields(), "from": begin}


class FlatValidationSerializer(Shape):
    id = serializers.CharField(help_text="Such as `res_…`.")
    email = serializers.CharField()
    valid = serializers.BooleanField()
    validated_at = serializers.DateTimeField()


@extend_schema_serializer(deprecate_fields=["page", "total"])
class HistorySerializer(Shape):
    """The dashboard's view of the history, and the flat one of the public documentation."""

    batches = BatchSerializer(many=True)
    batches_total = serializers.IntegerField()
    batches_next = serializers.CharField(allow_null=True)
    individual_validations = ResultRowSerializer(many=True)
    individual_total = serializers.IntegerField()
    individual_total_is_least = serializers.BooleanField(help_text=LEAST_HELP)
    individual_next = serializers.CharField(allow_null=True)
    validations = FlatValidationSerializer(many=True)
    total = serializers.IntegerField()
    total_is_least = serializers.BooleanField(help_text=LEAST_HELP)
    page = serializers.IntegerField()
    next_cursor = serializers.CharField(
        allow_null=True, help_text="`cursor` of the next page of all parts; null where each is at its end."
    )


class ClearedSerializer(serializers.Serializer[dict[str, Any]]):
    message = serializers.CharField()
    deleted_count = serializers.IntegerField(help_text="Batches and single checks.")
