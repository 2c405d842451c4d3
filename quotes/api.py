"""The customer's calls about quotes."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.auth import caller
from accounts.serializers import MessageSerializer
from emailcheck.common.api import ErrorSerializer, checked
from emailcheck.common.idempotency import idempotent
from quotes import activation, lists, presentation, services
from quotes import serializers as shapes
from quotes.models import Period

_ERRORS: dict[int, Any] = {401: ErrorSerializer, 403: ErrorSerializer}
REQUESTED = "Custom quote request submitted! We'll get back to you soon."


class RequestCustom(APIView):
    """Ask for a price for an amount of credits."""

    @extend_schema(
        operation_id="quotes_request_custom",
        request=shapes.RequestCustomSerializer,
        responses={201: shapes.RequestedSerializer, 400: ErrorSerializer, 429: ErrorSerializer, **_ERRORS},
    )
    @idempotent
    def post(self, request: Request) -> Response:
        wanted = checked(shapes.RequestCustomSerializer, request.data)
        made = services.ask(
            user=caller(request),
            credits=wanted["credits_needed"],
            company_name=wanted["company_name"],
            notes=wanted["notes"],
        )
        return Response({"success": True, "message": REQUESTED, "request": {"id": made.pk}}, status=201)


class MyQuotes(APIView):
    """The quotes for the account's address, newest first."""

    shown_in_views = True

    @extend_schema(operation_id="quotes_my", responses={200: shapes.QuotesSerializer, **_ERRORS})
    def get(self, request: Request) -> Response:
        found = lists.offered_to(caller(request))
        return Response(shapes.QuotesSerializer({"quotes": map(presentation.quote, found)}).data)


class MyRequests(APIView):
    """What the account asked for or chose, and is not a quote or an active plan yet; the newest 50 of each."""

    @extend_schema(operation_id="quotes_my_requests", responses={200: shapes.MyRequestsSerializer, **_ERRORS})
    def get(self, request: Request) -> Response:
        user = caller(request)
        answer = {
            "requests": map(presentation.my_request, lists.asked_by(user)),
            "plan_requests": map(presentation.my_plan_request, lists.chosen_by(user)),
        }
        return Response(shapes.MyRequestsSerializer(answer).data)


class QuoteDetail(APIView):
    """A quote of the account."""

    @extend_schema(
        operation_id="quotes_detail", responses={200: shapes.QuoteSerializer, 404: ErrorSerializer, **_ERRORS}
    )
    def get(self, request: Request, quote_id: str) -> Response:
        found = services.load(user=caller(request), quote_id=quote_id)
        return Response(shapes.QuoteSerializer(presentation.quote(found)).data)


class Decline(APIView):
    """The customer does not want it."""

    @extend_schema(
        operation_id="quotes_decline",
        request=None,
        responses={200: MessageSerializer, 400: ErrorSerializer, 404: ErrorSerializer, **_ERRORS},
    )
    def post(self, request: Request, quote_id: str) -> Response:
        services.decline(user=caller(request), quote_id=quote_id)
        return Response({"message": "Quote declined"})


class CreatePaymentOrder(APIView):
    """Choose a plan of a quote and begin to pay it: the answer says where."""

    @extend_schema(
        operation_id="quotes_create_payment_order",
        request=shapes.SelectSerializer,
        responses={
            200: shapes.SelectedSerializer,
            400: ErrorSerializer,
            404: ErrorSerializer,
            409: ErrorSerializer,
            429: ErrorSerializer,
            502: ErrorSerializer,
            **_ERRORS,
        },
    )
    @idempotent
    def post(self, request: Request, quote_id: str) -> Response:
        wanted = checked(shapes.SelectSerializer, request.data)
        begun = activation.select(
            user=caller(request),
            quote_id=quote_id,
            period=Period(wanted["plan"]),
            confirm_second=wanted["confirm_second"],
        )
        told = {"order_id": begun.purchase.provider_id, "approval_url": begun.url}
        return Response(shapes.SelectedSerializer(told).data)
