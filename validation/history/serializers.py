"""Shapes of the history."""

from typing import Any

from rest_framework import serializers

from validation.batches.serializers import BatchSerializer
from validation.results.models import Category
from validation.results.serializers import LEAST_HELP, ResultRowSerializer, Shape


class HistoryQuerySerializer(Shape):
    page = serializers.IntegerField(min_value=1, max_value=1_000_000, default=1)
    page_size = serializers.IntegerField(min_value=1, max_value=200, default=50)
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
        help_text="`batches_next` or `individual_next` of a page: the answer goes on with that part alone.",
    )  # fmt: skip

    def get_fields(self) -> dict[str, Any]:
        """`from` is a word of Python."""
        begin = serializers.DateField(
            required=False, default=None, source="since", help_text="The first day, in UTC; lists that ran then, too."
        )
        return {**super().get_fields(), "from": begin}


class FlatValidationSerializer(Shape):
    id = serializers.IntegerField()
    email = serializers.CharField()
    valid = serializers.BooleanField()
    validated_at = serializers.DateTimeField()


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


class ClearedSerializer(serializers.Serializer[dict[str, Any]]):
    message = serializers.CharField()
    deleted_count = serializers.IntegerField(help_text="Batches and single checks.")
