"""Shapes of the call about the rest of a list."""

from rest_framework import serializers

from validation.batches.control.serializers import BatchResumedSerializer
from validation.batches.serializers import MaxCreditsSerializer


class RestRequestSerializer(MaxCreditsSerializer):
    """How much of the rest is checked."""


class BatchRestSerializer(BatchResumedSerializer):
    checking = serializers.IntegerField(help_text="Addresses that are checked.")
    held = serializers.IntegerField(help_text="Credits that were held for them.")
