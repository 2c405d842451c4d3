"""Shapes of the calls about uploads."""

from rest_framework import serializers

from accounts.organisations.models import RetentionDays
from validation.batches.models import BatchStatus
from validation.batches.progress.serializers import EstimateSerializer
from validation.batches.serializers import OPTIONAL, MaxCreditsSerializer, PrivateSerializer, ProvidersSerializer
from validation.listfiles import DELIMITERS, Kind
from validation.results.serializers import ChecksField, Shape


class ChoicesSerializer(ProvidersSerializer, MaxCreditsSerializer):
    """How a file is to be read and kept; what is left out is guessed, or as the account says."""

    sheet = serializers.CharField(max_length=200, help_text="Name or number of a worksheet.", **OPTIONAL)
    email_column = serializers.CharField(max_length=200, help_text="Header or number, from 1.", **OPTIONAL)
    has_header = serializers.BooleanField(**OPTIONAL)
    encoding = serializers.CharField(max_length=40, help_text="A name such as utf-8 or cp1252.", **OPTIONAL)
    delimiter = serializers.ChoiceField([*DELIMITERS, ""], help_text="Empty: one address a line.", **OPTIONAL)
    retention_days = serializers.ChoiceField(RetentionDays.choices, **OPTIONAL)


class InspectSerializer(Shape):
    file = serializers.FileField(allow_empty_file=True)


class UploadSerializer(ChoicesSerializer, PrivateSerializer, InspectSerializer):
    """A file with choices."""


class ColumnSerializer(Shape):
    name = serializers.CharField()
    samples = serializers.ListField(child=serializers.CharField(), help_text="Up to five values that are not blank.")
    looks_like_email = serializers.FloatField(min_value=0, max_value=1)


class SheetSerializer(Shape):
    name = serializers.CharField(help_text="Empty for a text file.")
    rows = serializers.IntegerField(allow_null=True, help_text="Data rows; null where nobody looked.")
    columns = ColumnSerializer(many=True)


class DraftSerializer(Shape):
    """A file before its start: how it is understood, what it holds, and the most it can cost."""

    upload_id = serializers.CharField()
    filename = serializers.CharField()
    expires_at = serializers.DateTimeField()
    type = serializers.ChoiceField(choices=[kind.value for kind in Kind])
    sheets = SheetSerializer(many=True)
    sheet = serializers.CharField(help_text="Empty for a text file.")
    email_column = serializers.CharField(help_text="Number of the column, from 1.")
    has_header = serializers.BooleanField()
    encoding = serializers.CharField(allow_null=True)
    delimiter = serializers.CharField(allow_null=True, allow_blank=True)
    chosen = serializers.ListField(child=serializers.CharField(), help_text="Which of these were chosen, not guessed.")
    rows = serializers.IntegerField(help_text="Data rows, blank ones included.")
    unique = serializers.IntegerField(help_text="Addresses that will be checked.")
    duplicates = serializers.IntegerField()
    blank = serializers.IntegerField()
    bad_syntax = serializers.IntegerField(help_text="Unique ones whose syntax is impossible; they cost nothing.")
    cost = serializers.IntegerField(help_text="The most credits it can cost; these are held from start to end.")
    credits = serializers.IntegerField(help_text="Spendable credits of the account now.")
    unknown_costs = serializers.CharField(help_text="What its checks cost, and what those do that stay unknown.")
    checks = ChecksField("Which checks a start would run now.")
    welcome_credits = serializers.IntegerField(help_text="Of these, full checks of a new account.")
    max_credits = serializers.IntegerField(allow_null=True, help_text="What the list was cut to.")
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
    checks = ChecksField()
    estimate = EstimateSerializer(allow_null=True, help_text="Null where nothing can be said.")
