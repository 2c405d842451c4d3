"""The staff's calls about messages of visitors and the newsletter."""

from django.db.models import Count
from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.authentication import caller
from accounts.access.permissions import RecentlyConfirmed
from accounts.access.views import StaffView
from crm.deals import services as deals
from crm.deals.serializers import DealMadeSerializer, present_deal
from crm.messages import contact, newsletter
from crm.messages.contact import search_messages
from crm.messages.models import Message, MessageState, Subscriber, SubscriberState
from crm.messages.newsletter import search_subscribers
from crm.messages.serializers import (
    ContactChangedSerializer,
    ContactDealSerializer,
    ContactSerializer,
    ContactsSerializer,
    MessageQuerySerializer,
    MessageStateSerializer,
    SubscribersFilterSerializer,
    SubscribersQuerySerializer,
    SubscribersSerializer,
    present_message,
)
from emailcheck.common.api import pagination
from emailcheck.common.api.serializers import validate_query, validate_shape, with_errors
from emailcheck.common.errors import NotFound

PAGE_ROWS = 50


class Contacts(StaffView):
    """What visitors wrote, newest first."""

    @extend_schema(
        operation_id="admin_contacts",
        parameters=[MessageQuerySerializer],
        responses=with_errors(ContactsSerializer, 400, 401, 403),
    )
    def get(self, request: Request) -> Response:
        query = validate_query(MessageQuerySerializer, request.query_params)
        found = search_messages(search=query["search"], state=query["state"])
        rows, after = pagination.page_newest(found, size=PAGE_ROWS, cursor=query["cursor"])
        answer = {"contacts": map(present_message, rows), "total": found.count(), "next": after}
        return Response(ContactsSerializer(answer).data)


def _find_message(message_id: int) -> Message:
    message = Message.objects.filter(pk=message_id).first()
    if message is None:
        raise NotFound("Message not found")
    return message


class ContactDetail(StaffView):
    """One message: read it, or note that it was answered or is closed."""

    @extend_schema(operation_id="admin_contact", responses=with_errors(ContactSerializer, 404, 401, 403))
    def get(self, request: Request, message_id: int) -> Response:
        return Response(ContactSerializer(present_message(_find_message(message_id))).data)

    @extend_schema(
        operation_id="admin_contact_update",
        request=MessageStateSerializer,
        responses=with_errors(ContactChangedSerializer, 400, 404, 401, 403),
    )
    def put(self, request: Request, message_id: int) -> Response:
        state = MessageState(validate_shape(MessageStateSerializer, request.data)["state"])
        found = contact.set_message_state(staff=caller(request), message_id=message_id, state=state)
        return Response({"contact": {"id": found.pk, "state": found.state}})


class ContactDeal(StaffView):
    """Make a deal of a message."""

    @extend_schema(
        operation_id="admin_contact_to_deal",
        request=ContactDealSerializer,
        responses=with_errors({201: DealMadeSerializer}, 409, 400, 404, 401, 403),
    )
    def post(self, request: Request, message_id: int) -> Response:
        values = validate_shape(ContactDealSerializer, request.data)
        message = _find_message(message_id)
        terms = deals.DealTerms(
            company_name=values["companyName"],
            contact_name=message.name,
            contact_email=message.email,
            value=values["dealValue"],
            expected_close_date=values["expectedCloseDate"],
            notes=message.text,
        )
        made = contact.create_deal_from_message(staff=caller(request), message_id=message_id, terms=terms)
        answer = {"success": True, "message": "Deal created successfully!", "deal": present_deal(made)}
        return Response(DealMadeSerializer(answer).data, status=201)


class Newsletter(StaffView):
    """Who gets the newsletter, newest first."""

    @extend_schema(
        operation_id="admin_newsletter",
        parameters=[SubscribersQuerySerializer],
        responses=with_errors(SubscribersSerializer, 400, 401, 403),
    )
    def get(self, request: Request) -> Response:
        query = validate_query(SubscribersQuerySerializer, request.query_params)
        found = search_subscribers(search=query["search"], state=query["state"])
        rows, after = pagination.page_newest(found, size=PAGE_ROWS, cursor=query["cursor"])
        numbers = dict(Subscriber.objects.values_list("state").annotate(Count("pk")))
        counts = {state: numbers.get(state, 0) for state in SubscriberState.values}
        return Response(SubscribersSerializer({"subscribers": rows, "counts": counts, "next": after}).data)


class NewsletterExport(StaffView):
    """Who gets the newsletter, as a CSV file."""

    permission_classes = (RecentlyConfirmed,)

    @extend_schema(
        operation_id="admin_newsletter_export",
        parameters=[SubscribersFilterSerializer],
        responses=with_errors({(200, "text/csv"): OpenApiResponse(OpenApiTypes.BINARY)}, 400, 401, 403),
    )
    def get(self, request: Request) -> StreamingHttpResponse:
        found = search_subscribers(**validate_query(SubscribersFilterSerializer, request.query_params))
        lines = newsletter.export_subscribers(staff=caller(request), found=found)
        answer = StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8")
        answer["Content-Disposition"] = 'attachment; filename="newsletter-subscribers.csv"'
        answer["Cache-Control"] = "no-store"
        return answer
