"""Response shapes for cancelling, resuming and re-checking a list."""

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from validation.batches.models import BatchStatus
from validation.results.serializers import Shape


@extend_schema_serializer(deprecate_fields=["processed_emails"])
class BatchCancelledSerializer(Shape):
    """A batch that was stopped; `released` credits are back."""

    status = serializers.ChoiceField(choices=BatchStatus.choices)
    processed = serializers.IntegerField(help_text="Addresses that have their verdict.")
    processed_emails = serializers.IntegerField(help_text="Equals `processed`.")
    released = serializers.IntegerField()
    message = serializers.CharField()


class BatchResumedSerializer(Shape):
    status = serializers.ChoiceField(choices=BatchStatus.choices)
    message = serializers.CharField()


class BatchRecheckSerializer(BatchResumedSerializer):
    rechecking = serializers.IntegerField(help_text="Addresses that are checked again.")


class BatchInFullSerializer(BatchResumedSerializer):
    checking = serializers.IntegerField(help_text="Addresses that are checked in full, and the most it costs.")
