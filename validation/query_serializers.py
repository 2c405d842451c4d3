"""What may be asked of history, results and downloads, by the query of the address."""

from typing import Any

from rest_framework import serializers

from validation.models import Category

Shape = serializers.Serializer[dict[str, Any]]


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
    active = serializers.BooleanField(default=False, help_text="Lists that have not ended alone.")
    sort = serializers.ChoiceField(choices=["-created", "created", "name", "-name"], default="-created")
    cursor = serializers.CharField(
        required=False, default="", allow_blank=True, max_length=2_000,
        help_text="`batches_next` or `individual_next` of a page: the answer goes on with that part alone.",
    )  # fmt: skip


class PageQuerySerializer(Shape):
    page = serializers.IntegerField(min_value=1, max_value=1_000_000, default=1)
    page_size = serializers.IntegerField(min_value=1, max_value=10_000, default=10_000)


SORTS = ("row", "email", "category", "confidence")


class ResultsQuerySerializer(Shape):
    cursor = serializers.CharField(
        required=False, default="", allow_blank=True, max_length=2_000, help_text="`next` of the page before."
    )
    category = serializers.ChoiceField(choices=Category.choices, required=False)
    search = serializers.CharField(
        required=False, default="", allow_blank=True, max_length=200, help_text="How an address begins, or its domain."
    )
    sort = serializers.ChoiceField(choices=[*SORTS, *(f"-{name}" for name in SORTS)], default="row")
    page_size = serializers.IntegerField(min_value=1, max_value=1_000, default=100)


SEGMENTS = ("all", "safe", "risky", "invalid", "catch_all", "disposable", "unknown", "unique")


class ExportQuerySerializer(Shape):
    format = serializers.ChoiceField(
        choices=["csv", "xlsx", "original"],
        default="csv",
        help_text="`original`: the file as it was uploaded, and more.",
    )
    segment = serializers.ChoiceField(choices=SEGMENTS, default="all", help_text="Which of the addresses.")
