"""Shapes of the calls about messages, the newsletter and feedback."""

from typing import Any

from rest_framework import serializers

from crm.messages.feedback import DOWN, UP
from crm.messages.models import Message, MessageState, SubscriberState
from crm.serializers import MONEY
from emailcheck.common.api.serializers import Json, Shape, build_shape


class WrittenMessageSerializer(Shape):
    """What a visitor writes to us."""

    name = serializers.CharField(max_length=150)
    email = serializers.EmailField()
    subject = serializers.CharField(max_length=200)
    message = serializers.CharField(max_length=5_000, source="text")
    website = serializers.CharField(
        required=False,
        default="",
        allow_blank=True,
        max_length=200,
        source="trap",
        help_text="Leave it empty: only robots fill it in.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            field.error_messages |= dict.fromkeys(("required", "blank", "null"), f"{name}: this field is required")


class MessageQuerySerializer(Shape):
    state = serializers.ChoiceField(choices=MessageState.choices, required=False, default="", allow_blank=True)
    search = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)
    cursor = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)


class ContactSerializer(Shape):
    """A message of a visitor."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    email = serializers.CharField()
    subject = serializers.CharField()
    message = serializers.CharField()
    state = serializers.ChoiceField(choices=MessageState.choices)
    created_at = serializers.DateTimeField()
    deal_id = serializers.IntegerField(allow_null=True)


class ContactsSerializer(Shape):
    contacts = ContactSerializer(many=True)
    total = serializers.IntegerField()
    next = serializers.CharField(allow_null=True)


class MessageStateSerializer(Shape):
    state = serializers.ChoiceField(choices=MessageState.choices)


class ChangedContactSerializer(Shape):
    id = serializers.IntegerField()
    state = serializers.ChoiceField(choices=MessageState.choices)


class ContactChangedSerializer(Shape):
    contact = ChangedContactSerializer()


ContactDealSerializer = build_shape(
    "ContactDealSerializer",
    "What a message does not tell of the deal that is made of it.",
    companyName=serializers.CharField(max_length=255),
    dealValue=serializers.DecimalField(help_text="USD.", **MONEY),
    expectedCloseDate=serializers.DateField(),
)


class NewsletterSerializer(Shape):
    email = serializers.CharField(max_length=320, allow_blank=True, required=False, default="")


class NewsletterTokenSerializer(Shape):
    token = serializers.CharField(max_length=1_000, allow_blank=True, required=False, default="")


class SubscribersFilterSerializer(Shape):
    search = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)
    state = serializers.ChoiceField(choices=SubscriberState.choices, required=False, default="", allow_blank=True)


class SubscribersQuerySerializer(SubscribersFilterSerializer):
    cursor = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)


class SubscriberSerializer(Shape):
    email = serializers.CharField()
    state = serializers.ChoiceField(choices=SubscriberState.choices)
    created_at = serializers.DateTimeField()


class SubscribersSerializer(Shape):
    subscribers = SubscriberSerializer(many=True)
    counts = serializers.DictField(child=serializers.IntegerField(), help_text="How many there are in each state.")
    next = serializers.CharField(allow_null=True)


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


def present_message(found: Message) -> Json:
    return {
        "id": found.pk,
        "name": found.name,
        "email": found.email,
        "subject": found.subject,
        "message": found.text,
        "state": found.state,
        "created_at": found.created_at,
        "deal_id": found.deal_id,
    }
