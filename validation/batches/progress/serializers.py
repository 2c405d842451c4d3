"""Response shapes of estimates, of waiting rows and of the replies of mail hosts."""

from rest_framework import serializers

from validation.batches.progress.waits import GREYLISTING, PROVIDERS
from validation.engine import WaitCause
from validation.results.models import Category
from validation.results.serializers import Shape


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


class HostReplySerializer(Shape):
    """What a mail host said about an address of a list that is being checked; the address is left out."""

    host = serializers.CharField()
    reply = serializers.CharField(help_text="In its own words.")
    category = serializers.ChoiceField(choices=Category.choices, help_text="What follows from it.")
    time_ms = serializers.FloatField(allow_null=True, help_text="How long it took, in milliseconds.")
    at = serializers.DateTimeField()
