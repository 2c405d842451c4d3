"""Shapes of samples."""

from rest_framework import serializers

from validation.results.serializers import Shape


class CreditsEstimateSerializer(Shape):
    """Credits, and between which numbers they lie with a probability of 95 %."""

    estimate = serializers.IntegerField()
    low = serializers.IntegerField()
    high = serializers.IntegerField()


class ShareEstimateSerializer(Shape):
    """A share from 0 to 1, and between which shares it lies with a probability of 95 % (Wilson interval)."""

    estimate = serializers.FloatField()
    low = serializers.FloatField()
    high = serializers.FloatField()


class SampleCountsSerializer(Shape):
    valid_count = serializers.IntegerField()
    invalid_count = serializers.IntegerField()
    catch_all_count = serializers.IntegerField()
    disposable_count = serializers.IntegerField()
    spam_trap_count = serializers.IntegerField()
    unknown_count = serializers.IntegerField(help_text="What was undecided in time, too.")


class SampleResultSerializer(Shape):
    """What full checks of random addresses say of the whole list: estimates."""

    size = serializers.IntegerField(help_text="Addresses that were drawn.")
    counts = SampleCountsSerializer()
    cost = CreditsEstimateSerializer(help_text="What a start would cost, in credits.")
    bounce_rate = ShareEstimateSerializer(
        allow_null=True, help_text="Invalid ones among the decided; null where none was decided."
    )
    unknown_share = ShareEstimateSerializer()
    ended_at = serializers.DateTimeField()


class SampleSerializer(Shape):
    """The free sample of a list."""

    offered = serializers.BooleanField(help_text="Whether it can be asked for now.")
    reason = serializers.CharField(allow_blank=True, help_text="Why not; empty where it can.")
    running = serializers.BooleanField()
    result = SampleResultSerializer(allow_null=True, help_text="Null until it has ended.")
