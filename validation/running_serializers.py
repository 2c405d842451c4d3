"""Shapes of what is said of a list before its start, while it runs, and when it is stopped or goes on."""

from typing import Any

from rest_framework import serializers

from validation.engine import WaitCause
from validation.models import BatchStatus
from validation.progress import GREYLISTING, PROVIDERS

Shape = serializers.Serializer[dict[str, Any]]


class OperatorShareSerializer(Shape):
    operator = serializers.CharField()
    name = serializers.CharField(help_text="As people call it.")
    rows = serializers.IntegerField(help_text="Addresses of the list that are known to be theirs.")
    per_minute = serializers.IntegerField(help_text="How many we ask it about in a minute, at most.")
    seconds = serializers.IntegerField()


class EstimateSerializer(Shape):
    """How long a list takes at least, because of our own limits at mail operators."""

    seconds = serializers.IntegerField()
    over_a_day = serializers.BooleanField()
    operators = OperatorShareSerializer(many=True, help_text="Those that take over ten seconds, the slowest first.")


class WaitingForSerializer(Shape):
    operator = serializers.CharField(help_text="Empty for hosts of nobody in particular, greylisting and providers.")
    name = serializers.CharField(help_text="As people call it; empty for greylisting and providers.")
    reason = serializers.ChoiceField(
        choices=[*(cause.value for cause in WaitCause), GREYLISTING, PROVIDERS],
        help_text="Which limit of ours they wait for, or who asked us to come back.",
    )
    rows = serializers.IntegerField()
    until = serializers.DateTimeField(help_text="When the last of them is due.")


class BatchCancelledSerializer(Shape):
    """A batch that was stopped; `released` credits are back."""

    status = serializers.ChoiceField(choices=BatchStatus.choices)
    processed_emails = serializers.IntegerField()
    released = serializers.IntegerField()
    message = serializers.CharField()


class BatchResumedSerializer(Shape):
    status = serializers.ChoiceField(choices=BatchStatus.choices)
    message = serializers.CharField()


class BatchRecheckSerializer(BatchResumedSerializer):
    rechecking = serializers.IntegerField(help_text="Addresses that are checked again.")


class BatchInFullSerializer(BatchResumedSerializer):
    checking = serializers.IntegerField(help_text="Addresses that are checked in full, and the most it costs.")
