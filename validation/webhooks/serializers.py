"""Shapes of the calls about webhooks."""

from typing import Any

from rest_framework import serializers

from emailcheck.common.api import pagination
from emailcheck.common.opaque_ids import encode_id
from validation.webhooks.models import DeliveryStatus, Webhook, WebhookAttempt, WebhookDelivery, WebhookEvent
from validation.webhooks.posting import Outcome
from validation.webhooks.services import describe_off

ENDPOINT_ID = "whk"
_LONGEST_URL, _MOST_EVENTS = 1_000, len(WebhookEvent)
_WHY_OFF = "Why we switched it off, or that the plan does not include it; empty otherwise."
_WHAT_EVENTS_CARRY = (
    "`quota.exceeded` carries `used`, `limit`, `resets_at`, `cause` (`refused`: a request needed more credits than "
    "were left; `empty`: none are left), `needed` (by that request; 0 with `empty`) and `balance`; `quota.warning` the "
    "first three. `credits.low` carries `balance` and `low_balance`, which was set; `payment.pending` carries `id`, "
    "`what` is paid for, `amount`, `currency` and `since`."
)


class EventField(serializers.ChoiceField):
    """The name of an event."""

    def __init__(self, **options: Any) -> None:
        super().__init__(choices=WebhookEvent.choices, **options)


class WebhookChangesSerializer(serializers.Serializer[dict[str, Any]]):
    url = serializers.CharField(max_length=_LONGEST_URL, required=False)
    events = serializers.ListField(child=EventField(), required=False, allow_empty=False, max_length=_MOST_EVENTS)
    is_active = serializers.BooleanField(required=False)


class NewWebhookSerializer(WebhookChangesSerializer):
    url = serializers.CharField(max_length=_LONGEST_URL)
    events = serializers.ListField(
        child=EventField(), allow_empty=False, max_length=_MOST_EVENTS, help_text=_WHAT_EVENTS_CARRY
    )
    test = serializers.BooleanField(
        default=False, help_text="True for an endpoint that hears of what test keys do, and of nothing else."
    )


class WebhookSerializer(serializers.Serializer[Webhook]):
    id = serializers.IntegerField()
    url = serializers.CharField()
    events = serializers.ListField(child=EventField())
    is_active = serializers.BooleanField(source="is_on")
    test = serializers.BooleanField(help_text="Whether it hears of what test keys do, and of nothing else.")
    disabled_reason = serializers.SerializerMethodField(help_text=_WHY_OFF)
    made_by_key = serializers.CharField(
        source="made_by_key.name", default=None, allow_null=True, help_text="The name of the key that added it."
    )
    maker = serializers.CharField(
        source="maker.name", default=None, allow_null=True, help_text="The name of who added it, while they are known."
    )

    def get_disabled_reason(self, hook: Webhook) -> str:
        return describe_off(hook)


class WebhookListSerializer(serializers.Serializer[dict[str, Any]]):
    webhooks = WebhookSerializer(many=True)


class EndpointQuerySerializer(serializers.Serializer[dict[str, Any]]):
    cursor = pagination.CursorField()
    limit = pagination.LimitField()


class NewEndpointSerializer(WebhookChangesSerializer):
    """An endpoint of the mode of the key."""

    url = serializers.CharField(max_length=_LONGEST_URL)
    events = serializers.ListField(child=EventField(), allow_empty=False, max_length=_MOST_EVENTS)


class EndpointSerializer(serializers.Serializer[Webhook]):
    """An endpoint as programs see it."""

    id = serializers.SerializerMethodField()
    url = serializers.CharField()
    events = serializers.ListField(child=EventField())
    is_active = serializers.BooleanField(source="is_on")
    disabled_reason = serializers.SerializerMethodField(help_text=_WHY_OFF)
    created_at = serializers.DateTimeField()

    def get_id(self, hook: Webhook) -> str:
        return encode_id(ENDPOINT_ID, hook.pk)

    def get_disabled_reason(self, hook: Webhook) -> str:
        return describe_off(hook)


class EndpointPageSerializer(serializers.Serializer[dict[str, Any]]):
    webhooks = EndpointSerializer(many=True)
    next_cursor = serializers.CharField(allow_null=True)


class MadeEndpointSerializer(EndpointSerializer):
    secret = serializers.CharField(help_text="It signs the messages. Shown in this answer alone.")


class MadeWebhookSerializer(serializers.Serializer[dict[str, Any]]):
    id = serializers.IntegerField()
    secret = serializers.CharField(help_text="Shown once.")


class WebhookIdSerializer(serializers.Serializer[dict[str, Any]]):
    id = serializers.IntegerField()


class ExampleChoiceSerializer(serializers.Serializer[dict[str, Any]]):
    """Which example."""

    event = EventField(required=False, help_text="One that the endpoint hears of; its first where none is named.")


class WebhookTestSerializer(serializers.Serializer[dict[str, Any]]):
    delivered = serializers.BooleanField()
    status_code = serializers.IntegerField(allow_null=True)
    message = serializers.CharField()


def present_outcome(outcome: Outcome) -> dict[str, Any]:
    """What became of an example."""
    message = outcome.error or f"The endpoint answered {outcome.status}."
    return {"delivered": outcome.delivered, "status_code": outcome.status, "message": message}


class RotatedSerializer(serializers.Serializer[dict[str, Any]]):
    secret = serializers.CharField(help_text="Shown once.")
    old_secret_valid_until = serializers.DateTimeField()


class DeliveryQuerySerializer(serializers.Serializer[dict[str, Any]]):
    status = serializers.ChoiceField(choices=DeliveryStatus.choices, required=False)
    cursor = serializers.CharField(required=False, max_length=200)


class DeliverySerializer(serializers.Serializer[WebhookDelivery]):
    id = serializers.CharField(source="public_id")
    event = EventField()
    webhook_id = serializers.CharField(source="message_id", help_text="The header `webhook-id` it is sent with.")
    status = serializers.ChoiceField(choices=DeliveryStatus.choices)
    attempts = serializers.IntegerField()
    response_status = serializers.IntegerField(allow_null=True)
    created_at = serializers.DateTimeField()
    next_attempt_at = serializers.DateTimeField(allow_null=True)


class DeliveryPageSerializer(serializers.Serializer[dict[str, Any]]):
    deliveries = DeliverySerializer(many=True)
    next = serializers.CharField(allow_null=True)


class AttemptSerializer(serializers.Serializer[WebhookAttempt]):
    time = serializers.DateTimeField(source="at")
    status = serializers.IntegerField(allow_null=True)
    response_body = serializers.CharField(help_text="Its beginning.")
    error = serializers.CharField(help_text="What went wrong; empty otherwise.")
    duration_ms = serializers.IntegerField()


class DeliveryDetailSerializer(DeliverySerializer):
    request_headers = serializers.DictField(child=serializers.CharField(), help_text="Of the last try.")
    request_body = serializers.CharField(source="body")
    attempts_log = AttemptSerializer(source="log", many=True)


class RangeOfTimeSerializer(serializers.Serializer[dict[str, Any]]):
    since = serializers.DateTimeField(required=False)
    until = serializers.DateTimeField(required=False)


class ReplayedSerializer(serializers.Serializer[dict[str, Any]]):
    delivery_id = serializers.CharField()
    message = serializers.CharField()


class ReplayedManySerializer(serializers.Serializer[dict[str, Any]]):
    queued_count = serializers.IntegerField()
    message = serializers.CharField()
