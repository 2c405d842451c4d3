"""The staff's calls about messages of visitors and the newsletter."""

from typing import Any

from django.db.models import Count, Q
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.auth import caller
from accounts.permissions import StaffView
from crm import deals, messages, presentation
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
        found = Message.objects.all()
        if query["state"]:
            found = found.filter(state=query["state"])
        if query["search"]:
            fields = ("name", "email", "subject", "text")
            found = found.filter(*[_any_of(fields, word) for word in query["search"].split()])
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
        found = messages.set_state(message_id=message_id, state=state)
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
        found = Subscriber.objects.filter(email__icontains=query["search"].strip())
        rows, after = paging.newest(found, size=PAGE_ROWS, cursor=query["cursor"])
        numbers = dict(Subscriber.objects.values_list("state").annotate(Count("pk")))
        counts = {state: numbers.get(state, 0) for state in SubscriberState.values}
        return Response(shapes.SubscribersSerializer({"subscribers": rows, "counts": counts, "next": after}).data)


def _any_of(fields: tuple[str, ...], word: str) -> Q:
    found = Q()
    for name in fields:
        found |= Q(**{f"{name}__icontains": word})
    return found
