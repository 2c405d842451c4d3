"""Shapes of the calls about feedback."""

from typing import Any

from rest_framework import serializers

from crm.messages.feedback import DOWN, UP
from emailcheck.common.api.serializers import Shape, build_shape


class FeedbackSendSerializer(Shape):
    rating = serializers.IntegerField(min_value=1, max_value=5, required=False, help_text="This or a thumb.")
    thumb = serializers.ChoiceField(choices=["up", "down"], required=False, help_text="Counts 5 or 1.")
    text = serializers.CharField(max_length=2_000, required=False, default="", allow_blank=True)

    def get_fields(self) -> dict[str, Any]:
        """`context` is a member of every serializer."""
        context = serializers.CharField(max_length=100, help_text="Id of a list, or a page.")
        return {**super().get_fields(), "context": context}

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Gives one rating, whichever was sent."""
        if ("rating" in attrs) == ("thumb" in attrs):
            raise serializers.ValidationError("Send either a rating or a thumb.")
        thumb = attrs.pop("thumb", None)
        return attrs if thumb is None else attrs | {"rating": UP if thumb == "up" else DOWN}


class DocsFeedbackSerializer(Shape):
    section = serializers.CharField(max_length=90)
    helpful = serializers.BooleanField()


FeedbackQuerySerializer = build_shape(
    "FeedbackQuerySerializer",
    "What to look for.",
    context=serializers.CharField(required=False, default="", allow_blank=True, max_length=100),
    cursor=serializers.CharField(required=False, default="", allow_blank=True, max_length=200),
)


FeedbackRowSerializer = build_shape(
    "FeedbackRowSerializer",
    "What somebody thought.",
    time=serializers.DateTimeField(source="created_at"),
    rating=serializers.IntegerField(help_text="1 to 5; a thumb counts 5 or 1."),
    context=serializers.CharField(),
    text=serializers.CharField(),
)


class FeedbackListSerializer(Shape):
    feedback = FeedbackRowSerializer(many=True)
    mean = serializers.FloatField(allow_null=True, help_text="Of all that the filter finds; null when there is none.")
    count = serializers.IntegerField()
    next = serializers.CharField(allow_null=True)
