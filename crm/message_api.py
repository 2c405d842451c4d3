"""The staff's calls about messages of visitors and the newsletter."""

from typing import Any

from django.db.models import Count
from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.auth import caller
from accounts.permissions import RecentlyConfirmed, StaffView
from crm import deals, lookups, messages, newsletter, presentation
from crm import serializers as shapes
from crm.models import Message, MessageState, Subscriber, SubscriberState
from emailcheck.common import paging
from emailcheck.common.api import ErrorSerializer, checked
from emailcheck.common.errors import NotFound

PAGE_ROWS = 50
_ERRORS: dict[int, Any] = {401: ErrorSerializer, 403: ErrorSerializer}
_OF_ONE: dict[int, Any] = {400: ErrorSerializer, 404: ErrorSerializer, **_ERRORS}


class Contacts(StaffView):
    """What visitors wrote, newest first."""

    @extend_schema(
        operation_id="admin_contacts",
        parameters=[shapes.MessageQuerySerializer],
        responses={200: shapes.ContactsSerializer, 400: ErrorSerializer, **_ERRORS},
    )
    def get(self, request: Request) -> Response:
        query = checked(shapes.MessageQuerySerializer, request.query_params)
        found = lookups.messages(search=query["search"], state=query["state"])
        rows, after = paging.newest(found, size=PAGE_ROWS, cursor=query["cursor"])
        answer = {"contacts": map(presentation.message, rows), "total": found.count(), "next": after}
        return Response(shapes.ContactsSerializer(answer).data)


class ContactDetail(StaffView):
    """Note that a message was answered, or is closed."""

    @extend_schema(
        operation_id="admin_contact_update",
        request=shapes.MessageStateSerializer,
        responses={200: shapes.ContactChangedSerializer, **_OF_ONE},
    )
    def put(self, request: Request, message_id: int) -> Response:
        state = MessageState(checked(shapes.MessageStateSerializer, request.data)["state"])
        found = messages.set_state(staff=caller(request), message_id=message_id, state=state)
        return Response({"contact": {"id": found.pk, "state": found.state}})


class ContactDeal(StaffView):
    """Make a deal of a message."""

    @extend_schema(
        operation_id="admin_contact_to_deal",
        request=shapes.ContactDealSerializer,
        responses={201: shapes.DealMadeSerializer, 409: ErrorSerializer, **_OF_ONE},
    )
    def post(self, request: Request, message_id: int) -> Response:
        wanted = checked(shapes.ContactDealSerializer, request.data)
        message = Message.objects.filter(pk=message_id).first()
        if message is None:
            raise NotFound("Message not found")
        terms = deals.Terms(
            company_name=wanted["companyName"],
            contact_name=message.name,
            contact_email=message.email,
            value=wanted["dealValue"],
            expected_close_date=wanted["expectedCloseDate"],
            notes=message.text,
        )
        made = deals.create(staff=caller(request), terms=terms, message_id=message_id)
        answer = {"success": True, "message": "Deal created successfully!", "deal": presentation.deal(made)}
        return Response(shapes.DealMadeSerializer(answer).data, status=201)


class Newsletter(StaffView):
    """Who gets the newsletter, newest first."""

    @extend_schema(
        operation_id="admin_newsletter",
        parameters=[shapes.SubscribersQuerySerializer],
        responses={200: shapes.SubscribersSerializer, 400: ErrorSerializer, **_ERRORS},
    )
    def get(self, request: Request) -> Response:
        query = checked(shapes.SubscribersQuerySerializer, request.query_params)
        found = lookups.subscribers(search=query["search"], state=query["state"])
        rows, after = paging.newest(found, size=PAGE_ROWS, cursor=query["cursor"])
        numbers = dict(Subscriber.objects.values_list("state").annotate(Count("pk")))
        counts = {state: numbers.get(state, 0) for state in SubscriberState.values}
        return Response(shapes.SubscribersSerializer({"subscribers": rows, "counts": counts, "next": after}).data)


class NewsletterExport(StaffView):
    """Who gets the newsletter, as a CSV file."""

    permission_classes = (RecentlyConfirmed,)

    @extend_schema(
        operation_id="admin_newsletter_export",
        parameters=[shapes.SubscribersFilterSerializer],
        responses={(200, "text/csv"): OpenApiResponse(OpenApiTypes.BINARY), 400: ErrorSerializer, **_ERRORS},
    )
    def get(self, request: Request) -> StreamingHttpResponse:
        found = lookups.subscribers(**checked(shapes.SubscribersFilterSerializer, request.query_params))
        lines = newsletter.csv_file(staff=caller(request), found=found)
        answer = StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8")
        answer["Content-Disposition"] = 'attachment; filename="newsletter-subscribers.csv"'
        answer["Cache-Control"] = "no-store"
        return answer
