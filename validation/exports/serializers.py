"""Shapes of the calls for the results of a list: pages and files."""

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from emailcheck.common.api import pagination
from validation.exports.choices import ALL_IN_ONE, FORMATS, ORIGINAL, PROGRAMS
from validation.exports.found_rows import SEGMENT_FILTERS
from validation.exports.row_verdicts import COLUMNS
from validation.results.decisions import DECISIONS
from validation.results.models import Category
from validation.results.serializers import LEAST_HELP, ResultRowSerializer, Shape

SORTS = ("row", "email", "category", "confidence")


@extend_schema_serializer(deprecate_fields=["page_size"])
class ResultsQuerySerializer(Shape):
    cursor = pagination.CursorField()
    limit = pagination.LimitField()
    category = serializers.ChoiceField(choices=Category.choices, required=False)
    decision = serializers.ChoiceField(
        choices=list(DECISIONS), required=False, help_text="Only those with this recommendation."
    )
    search = serializers.CharField(
        required=False, default="", allow_blank=True, max_length=200, help_text="How an address begins, or its domain."
    )
    sort = serializers.ChoiceField(choices=[*SORTS, *(f"-{name}" for name in SORTS)], default="row")
    page_size = serializers.IntegerField(
        min_value=1, max_value=1_000, required=False, help_text="The former name of `limit`."
    )
    after_row = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=100_000_000,
        help_text="Of a stream of lines alone: begin behind this row, to go on where one broke off.",
    )


class SegmentField(serializers.ChoiceField):
    """Which of the addresses. A refusal names those there are."""

    default_error_messages: ClassVar[dict[str, Any]] = {
        "invalid_choice": f"There is no such segment. Allowed: {', '.join(SEGMENT_FILTERS)}."
    }

    def __init__(self, **options: Any) -> None:
        super().__init__(choices=list(SEGMENT_FILTERS), **options)


class ColumnsField(serializers.CharField):
    """Names with commas between them. A refusal names those there are."""

    default_error_messages: ClassVar[dict[str, Any]] = {
        "invalid_choice": f"There is no such column. Allowed: {', '.join(COLUMNS)}."
    }

    def to_internal_value(self, data: Any) -> Any:
        """The names in the order of `COLUMNS`."""
        wanted = {name.strip() for name in super().to_internal_value(data).split(",")}
        if not wanted <= set(COLUMNS):
            self.fail("invalid_choice")
        return tuple(name for name in COLUMNS if name in wanted)


class ExportQuerySerializer(Shape):
    format = serializers.ChoiceField(
        choices=FORMATS,
        default="csv",
        help_text="`original`: the file as it was uploaded, and more. `zip`: three CSV files, to send, to review and "
        "to suppress. The others are CSV files that these programs import.",
    )
    segment = SegmentField(
        required=False, help_text="Which of the addresses; left out: `safe` for programs that send, else `all`."
    )
    risky_from = serializers.FloatField(
        required=False,
        min_value=0,
        max_value=1,
        help_text="With the segment `safe`: also the risky ones that have at least this confidence.",
    )
    formulas = serializers.ChoiceField(
        choices=["safe", "raw"],
        default="safe",
        help_text="`raw` leaves cells as they are that programs may run as formulas.",
    )
    columns = ColumnsField(
        required=False,
        max_length=500,
        help_text=f"Those that `original` is to gain, with commas between them; left out: {', '.join(COLUMNS)}.",
    )
    segment_column = serializers.CharField(
        required=False,
        max_length=200,
        help_text="The e-mail column that decides whether a row of `original` is in the segment: its header, or its "
        "number from 1; left out: the first.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        file_format, segment = attrs["format"], attrs.get("segment")
        if file_format == ALL_IN_ONE and segment not in (None, "all"):
            raise serializers.ValidationError({"segment": ["A zip holds all addresses, in three files."]})
        takes_in = segment == "safe" or (segment is None and file_format in PROGRAMS)
        if "risky_from" in attrs and (not takes_in or file_format == ORIGINAL):
            raise serializers.ValidationError(
                {"risky_from": ["Only with the segment safe, and not for the original file."]}
            )
        return attrs


@extend_schema_serializer(deprecate_fields=["next"])
class ResultsPageSerializer(Shape):
    results = ResultRowSerializer(many=True)
    total = serializers.IntegerField(help_text="Results that match.")
    total_is_least = serializers.BooleanField(help_text=LEAST_HELP)
    next_cursor = serializers.CharField(allow_null=True, help_text="`cursor` of the next page; null at the end.")
    next = serializers.CharField(allow_null=True, help_text="Equals `next_cursor`.")


class ReachChoiceSerializer(Shape):
    risky_from = serializers.FloatField(
        allow_null=True, help_text="The least confidence of the risky ones; null: only safe ones."
    )
    addresses = serializers.IntegerField()
    expected_bounces = serializers.FloatField(help_text="The sum of 1 - confidence over them.")


class ReachSerializer(Shape):
    choices = ReachChoiceSerializer(many=True, help_text="From the safe ones alone to all but `do_not_send`.")
