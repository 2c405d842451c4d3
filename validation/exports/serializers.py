"""Shapes of the calls for the results of a list: pages and files."""

from rest_framework import serializers

from validation.exports.found_rows import SEGMENT_FILTERS
from validation.results.decisions import DECISIONS
from validation.results.models import Category
from validation.results.serializers import ResultRowSerializer, Shape

SORTS = ("row", "email", "category", "confidence")


class ResultsQuerySerializer(Shape):
    cursor = serializers.CharField(
        required=False, default="", allow_blank=True, max_length=2_000, help_text="`next` of the page before."
    )
    category = serializers.ChoiceField(choices=Category.choices, required=False)
    decision = serializers.ChoiceField(
        choices=list(DECISIONS), required=False, help_text="Only those with this recommendation."
    )
    search = serializers.CharField(
        required=False, default="", allow_blank=True, max_length=200, help_text="How an address begins, or its domain."
    )
    sort = serializers.ChoiceField(choices=[*SORTS, *(f"-{name}" for name in SORTS)], default="row")
    page_size = serializers.IntegerField(min_value=1, max_value=1_000, default=100)


class ExportQuerySerializer(Shape):
    format = serializers.ChoiceField(
        choices=["csv", "xlsx", "original"],
        default="csv",
        help_text="`original`: the file as it was uploaded, and more.",
    )
    segment = serializers.ChoiceField(choices=list(SEGMENT_FILTERS), default="all", help_text="Which of the addresses.")


class ResultsPageSerializer(Shape):
    results = ResultRowSerializer(many=True)
    total = serializers.IntegerField(help_text="Results that match.")
    next = serializers.CharField(allow_null=True, help_text="Cursor of the next page.")
