"""Shapes of the calls about requests for a price."""

from rest_framework import serializers

from emailcheck.common.api.serializers import Json, Shape
from quotes.requests.models import QuoteRequest, RequestStatus
from quotes.requests.services import RequestState
from quotes.serializers import CURSOR, SEARCH, PagedSerializer


class RequestCustomSerializer(Shape):
    credits_needed = serializers.JSONField(
        help_text="A whole number, at least 1.", required=False, allow_null=True, default=None
    )
    company_name = serializers.CharField(required=False, allow_blank=True, default="", max_length=255)
    notes = serializers.CharField(required=False, allow_blank=True, default="", max_length=2_000)


class RequestIdSerializer(Shape):
    id = serializers.IntegerField()


class RequestedSerializer(Shape):
    success = serializers.BooleanField()
    message = serializers.CharField()
    request = RequestIdSerializer()


class QuoteRequestSerializer(Shape):
    id = serializers.IntegerField()
    user_name = serializers.CharField()
    user_email = serializers.CharField()
    company_name = serializers.CharField(allow_null=True)
    credits_requested = serializers.IntegerField()
    credits_needed = serializers.IntegerField(help_text="The same as credits_requested.")
    notes = serializers.CharField()
    status = serializers.ChoiceField(choices=RequestStatus.choices)
    created_at = serializers.DateTimeField()


class QuoteRequestsQuerySerializer(Shape):
    search = serializers.CharField(**SEARCH, help_text="A part of name, e-mail or company.")
    state = serializers.ChoiceField(choices=RequestState.choices, required=False, default="", allow_blank=True)
    cursor = serializers.CharField(**CURSOR)


class QuoteRequestsSerializer(PagedSerializer):
    requests = QuoteRequestSerializer(many=True)
    answered = serializers.IntegerField(help_text="How many of all requests have an answer.")


class RequestStatusSerializer(Shape):
    status = serializers.ChoiceField(choices=(RequestStatus.PENDING, RequestStatus.DECLINED))


class AnsweredRequestSerializer(Shape):
    id = serializers.IntegerField()
    status = serializers.ChoiceField(choices=RequestStatus.choices)


class RequestAnsweredSerializer(Shape):
    request = AnsweredRequestSerializer()


class MyRequestSerializer(Shape):
    """What the account asked a price for; declined: there will be no quote."""

    id = serializers.IntegerField()
    credits_needed = serializers.IntegerField()
    company_name = serializers.CharField(allow_null=True)
    notes = serializers.CharField()
    status = serializers.ChoiceField(choices=RequestStatus.choices)
    created_at = serializers.DateTimeField()


def present_request(found: QuoteRequest) -> Json:
    """A request for a price, as staff see it; the amount under both of its names (QUO-008)."""
    return {
        "id": found.pk,
        "user_name": found.organisation.contact.name,
        "user_email": found.organisation.contact.email,
        "company_name": found.company_name or None,
        "credits_requested": found.credits_requested,
        "credits_needed": found.credits_requested,
        "notes": found.notes,
        "status": found.status,
        "created_at": found.created_at,
    }


def present_own_request(found: QuoteRequest) -> Json:
    """A request for a price, as the customer sees it."""
    return {
        "id": found.pk,
        "credits_needed": found.credits_requested,
        "company_name": found.company_name or None,
        "notes": found.notes,
        "status": found.status,
        "created_at": found.created_at,
    }
