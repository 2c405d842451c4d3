"""Shapes of the calls about messages and the newsletter."""

from typing import Any

from rest_framework import serializers

from crm.messages.models import MessageState, SubscriberState
from crm.serializers import MONEY
from emailcheck.common.api.serializers import Shape, build_shape


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
