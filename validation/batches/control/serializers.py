"""Response shapes for cancelling, resuming and re-checking a list."""

from rest_framework import serializers

from validation.batches.models import BatchStatus
from validation.results.serializers import Shape


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
