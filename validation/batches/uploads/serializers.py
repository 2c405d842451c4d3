"""Shapes of the calls about uploads."""

from typing import Any

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from accounts.organisations.models import RetentionDays
from emailcheck.common.api import pagination
from emailcheck.common.api.serializers import StrictBooleanField, build_shape
from validation.batches.intake.addresses import MOST_COLUMNS
from validation.batches.intake.choices import MOST_ROWS_NAMED
from validation.batches.models import BatchStatus
from validation.batches.progress.serializers import EstimateSerializer
from validation.batches.samples.serializers import SampleSerializer
from validation.batches.serializers import (
    OPTIONAL,
    MaxCreditsSerializer,
    OverfullSerializer,
    PrivateSerializer,
    ProvidersSerializer,
    RepairSerializer,
    ReuseSerializer,
)
from validation.listfiles import DELIMITERS, Kind
from validation.results.serializers import REPAIR_KINDS, ChecksField, Shape


class RowsField(serializers.ListField):
    """Numbers of rows, each once."""

    def __init__(self, **options: Any) -> None:
        number = serializers.IntegerField(min_value=1, max_value=1_000_000)
        super().__init__(child=number, max_length=MOST_ROWS_NAMED, required=False, default=list, **options)


class ReviewSerializer(RepairSerializer):
    """What the customer made of the repairs and suggestions."""

    undo_repairs = RowsField(help_text="Rows whose cells are judged as they stand, without repair or suggestion.")
    undo_kinds = serializers.MultipleChoiceField(
        choices=REPAIR_KINDS,
        required=False,
        default=set,
        help_text="Kinds of repair that are undone.",
    )
    suggestion_rows = RowsField(help_text="Rows whose typing suggestions are used; all with `use_suggestions`.")
    undo_suggestions = RowsField(help_text="Rows whose typing suggestions are not used, whatever is said of all.")


class ChoicesSerializer(ProvidersSerializer, MaxCreditsSerializer, ReuseSerializer, ReviewSerializer):
    """How a file is to be read and kept; what is left out is guessed, or as the account says."""

    sheet = serializers.CharField(max_length=200, help_text="Name or number of a worksheet.", **OPTIONAL)
    email_column = serializers.CharField(max_length=200, help_text="Header or number, from 1.", **OPTIONAL)
    email_columns = serializers.ListField(
        child=serializers.CharField(max_length=200),
        min_length=1,
        max_length=MOST_COLUMNS,
        help_text="Headers or numbers of several columns, in place of `email_column`.",
        **OPTIONAL,
    )
    has_header = serializers.BooleanField(**OPTIONAL)
    header_row = serializers.IntegerField(
        min_value=0, max_value=100, help_text="Row of the header, from 1; 0: there is none.", **OPTIONAL
    )
    encoding = serializers.CharField(max_length=40, help_text="A name such as utf-8 or cp1252.", **OPTIONAL)
    delimiter = serializers.ChoiceField([*DELIMITERS, ""], help_text="Empty: one address a line.", **OPTIONAL)
    retention_days = serializers.ChoiceField(RetentionDays.choices, **OPTIONAL)


class FileSerializer(Shape):
    file = serializers.FileField(allow_empty_file=True)


class InspectSerializer(ChoicesSerializer, FileSerializer):
    """A file to be reviewed, with choices."""

    pasted = StrictBooleanField(help_text="It is a typed list, and has no name.")


class UploadSerializer(ChoicesSerializer, PrivateSerializer, FileSerializer):
    """A file with choices."""


class ColumnSerializer(Shape):
    name = serializers.CharField()
    letter = serializers.CharField(help_text="As spreadsheets name it.")
    likely = serializers.BooleanField(help_text="Whether it is probably one of e-mail addresses.")
    samples = serializers.ListField(child=serializers.CharField(), help_text="Up to five values that are not blank.")
    looks_like_email = serializers.FloatField(min_value=0, max_value=1)


class SheetSerializer(Shape):
    name = serializers.CharField(help_text="Empty for a text file.")
    rows = serializers.IntegerField(allow_null=True, help_text="Data rows; null where nobody looked.")
    columns = ColumnSerializer(many=True)


class ColumnFoundSerializer(Shape):
    """A column that is checked."""

    column = serializers.CharField(help_text="Its number, from 1.")
    name = serializers.CharField()
    letter = serializers.CharField(help_text="As spreadsheets name it.")
    addresses = serializers.IntegerField(help_text="Duplicates included.")


class RepairKindSerializer(Shape):
    """A kind of repair in the file."""

    kind = serializers.ChoiceField(REPAIR_KINDS)
    count = serializers.IntegerField(help_text="Cells.")
    undone = serializers.IntegerField(help_text="Cells that are judged as they stand.")


@extend_schema_serializer(deprecate_fields=["page_size"])
class RepairsQuerySerializer(Shape):
    kind = serializers.ChoiceField(REPAIR_KINDS, required=False, default=None)
    cursor = pagination.CursorField()
    limit = pagination.LimitField()
    page_size = serializers.IntegerField(
        min_value=1, max_value=1_000, required=False, help_text="The former name of `limit`."
    )


FindingSerializer = build_shape(
    "FindingSerializer",
    "A repaired cell, or an address with a typing suggestion.",
    row=serializers.IntegerField(),
    column=serializers.CharField(allow_null=True, help_text="Number of its column; null of a suggestion."),
    source=serializers.CharField(help_text="As it was handed in."),
    addresses=serializers.ListField(child=serializers.CharField(), help_text="What is taken out of it."),
    kinds=serializers.ListField(child=serializers.ChoiceField(REPAIR_KINDS)),
    applied=serializers.BooleanField(help_text="Whether `addresses` are checked, and not the source."),
)


class RepairsPageSerializer(Shape):
    repairs = FindingSerializer(many=True)
    next_cursor = serializers.CharField(allow_null=True, help_text="`cursor` of the next page.")


class SameListSerializer(Shape):
    """An earlier list with the same addresses."""

    name = serializers.CharField(allow_blank=True, help_text="Empty for a typed list.")
    date = serializers.DateField()


class KnownSerializer(Shape):
    """Earlier verdicts of the organisation on addresses of the file."""

    count = serializers.IntegerField()
    first = serializers.DateField(help_text="When the oldest was made.")
    last = serializers.DateField(help_text="When the newest was made.")
    same_as = SameListSerializer(allow_null=True, help_text="Where all are known, the list that had the same ones.")


class DraftSerializer(Shape):
    """A file before its start: how it is understood, what it holds, and the most it can cost."""

    upload_id = serializers.CharField()
    filename = serializers.CharField(allow_blank=True, help_text="Empty for a typed list.")
    pasted = serializers.BooleanField()
    expires_at = serializers.DateTimeField()
    type = serializers.ChoiceField(choices=[kind.value for kind in Kind])
    sheets = SheetSerializer(many=True)
    sheet = serializers.CharField(help_text="Empty for a text file.")
    email_column = serializers.CharField(help_text="Number of the first e-mail column, from 1.")
    email_columns = serializers.ListField(child=serializers.CharField(), help_text="Numbers of the e-mail columns.")
    has_header = serializers.BooleanField()
    header_row = serializers.IntegerField(help_text="Row of the header, from 1; 0: there is none.")
    encoding = serializers.CharField(allow_null=True)
    delimiter = serializers.CharField(allow_null=True, allow_blank=True)
    chosen = serializers.ListField(child=serializers.CharField(), help_text="Which of these were chosen, not guessed.")
    rows = serializers.IntegerField(help_text="Data rows, blank ones included.")
    unique = serializers.IntegerField(help_text="Addresses that will be checked.")
    duplicates = serializers.IntegerField()
    blank = serializers.IntegerField()
    bad_syntax = serializers.IntegerField(help_text="Unique ones whose syntax is impossible; they cost nothing.")
    columns_found = ColumnFoundSerializer(many=True)
    repair = serializers.BooleanField()
    undo_repairs = serializers.ListField(child=serializers.IntegerField())
    undo_kinds = serializers.ListField(child=serializers.CharField())
    use_suggestions = serializers.BooleanField()
    suggestion_rows = serializers.ListField(child=serializers.IntegerField())
    undo_suggestions = serializers.ListField(child=serializers.IntegerField())
    repaired_count = serializers.IntegerField(help_text="Addresses that are taken out of other texts.")
    repair_kinds = RepairKindSerializer(many=True)
    suggestions_count = serializers.IntegerField(help_text="Likely typing errors that are checked as they stand.")
    suggestions_used = serializers.IntegerField(help_text="Cells in which what was probably meant is checked.")
    overfull = OverfullSerializer(many=True, help_text="The first cells that hold too many addresses.")
    overfull_count = serializers.IntegerField()
    cost = serializers.IntegerField(
        help_text="The most credits it can cost without what is reused; these are held from start to end."
    )
    credits = serializers.IntegerField(help_text="Spendable credits of the account now.")
    unknown_costs = serializers.CharField(help_text="What its checks cost, and what those do that stay unknown.")
    checks = ChecksField("Which checks a start would run now.")
    welcome_credits = serializers.IntegerField(help_text="Of these, full checks of a new account.")
    max_credits = serializers.IntegerField(allow_null=True, help_text="What the list was cut to.")
    left_out = serializers.IntegerField(help_text="Addresses that were cut off.")
    reuse_days = serializers.IntegerField(help_text="How old verdicts may be that are reused; 0: none are.")
    known = KnownSerializer(allow_null=True, help_text="Earlier verdicts that are reused, free; null: there are none.")
    sample = SampleSerializer()
    retention_days = serializers.IntegerField(allow_null=True)
    use_providers = serializers.BooleanField(allow_null=True)
    providers = serializers.ListField(
        child=serializers.CharField(), help_text="Outside providers that could see addresses."
    )
    estimate = EstimateSerializer(allow_null=True, help_text="Null where nothing can be said.")


class StartedSerializer(Shape):
    batch_id = serializers.CharField()
    status = serializers.ChoiceField(choices=BatchStatus.choices)
    held = serializers.IntegerField(help_text="Credits that were held at the start.")
    reused_count = serializers.IntegerField(help_text="Addresses with an earlier verdict, free of charge.")
    checks = ChecksField()
    estimate = EstimateSerializer(allow_null=True, help_text="Null where nothing can be said.")
