"""The staff's calls about quotes."""

from collections.abc import Callable
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.auth import caller
from accounts.permissions import StaffView
from accounts.serializers import MessageSerializer
from emailcheck.common.api import ErrorSerializer, checked
from quotes import activation, lists, presentation, reminders, services
from quotes import serializers as shapes
from quotes.models import RequestStatus

_ERRORS: dict[int, Any] = {401: ErrorSerializer, 403: ErrorSerializer}
_OF_ONE: dict[int, Any] = {400: ErrorSerializer, 404: ErrorSerializer, **_ERRORS}


def _listed(
    shape: type[shapes.Shape], name: str, shown: Callable[[Any], Any], page: lists.Page[Any], **more: Any
) -> Response:
    """A page of a list, its rows under `name`."""
    answer = {name: map(shown, page.rows), "total": page.total, "next": page.next, **more}
    return Response(shape(answer).data)


class Requests(StaffView):
    """What customers ask for, newest first."""

    @extend_schema(
        operation_id="admin_custom_quote_requests",
        parameters=[shapes.QuoteRequestsQuerySerializer],
        responses={200: shapes.QuoteRequestsSerializer, 400: ErrorSerializer, **_ERRORS},
    )
    def get(self, request: Request) -> Response:
        page = lists.requests(**checked(shapes.QuoteRequestsQuerySerializer, request.query_params))
        return _listed(
            shapes.QuoteRequestsSerializer, "requests", presentation.request, page, answered=lists.answered()
        )


class RequestDetail(StaffView):
    """Dismiss a request, or take it up again."""

    @extend_schema(
        operation_id="admin_quote_request_update",
        request=shapes.RequestStatusSerializer,
        responses={200: shapes.RequestAnsweredSerializer, **_OF_ONE},
    )
    def put(self, request: Request, request_id: int) -> Response:
        status = RequestStatus(checked(shapes.RequestStatusSerializer, request.data)["status"])
        found = services.answer_request(staff=caller(request), request_id=request_id, status=status)
        return Response({"request": {"id": found.pk, "status": found.status}})


class Preview(StaffView):
    """What a quote would cost; nothing is made."""

    @extend_schema(
        operation_id="admin_quote_preview",
        request=shapes.PreviewQuerySerializer,
        responses={200: shapes.PreviewSerializer, 400: ErrorSerializer, **_ERRORS},
    )
    def post(self, request: Request) -> Response:
        told = services.price(checked(shapes.PreviewQuerySerializer, request.data)["credits_needed"])
        return Response(shapes.PreviewSerializer(presentation.preview(told)).data)


class Generate(StaffView):
    """Make a quote."""

    @extend_schema(
        operation_id="admin_quote_generate",
        request=shapes.NewQuoteSerializer,
        responses={201: shapes.StaffQuoteSerializer, **_OF_ONE},
    )
    def post(self, request: Request) -> Response:
        wanted = checked(shapes.NewQuoteSerializer, request.data)
        made = services.generate(staff=caller(request), credits=wanted.pop("credits_needed"), **wanted)
        return Response(shapes.StaffQuoteSerializer(presentation.staff_quote(made)).data, status=201)


class Quotes(StaffView):
    """The quotes that are not archived, newest first or as asked for."""

    @extend_schema(
        operation_id="admin_quotes",
        parameters=[shapes.StaffQuotesQuerySerializer],
        responses={200: shapes.StaffQuotesSerializer, 400: ErrorSerializer, **_ERRORS},
    )
    def get(self, request: Request) -> Response:
        page = lists.quotes(**checked(shapes.StaffQuotesQuerySerializer, request.query_params))
        return _listed(shapes.StaffQuotesSerializer, "quotes", presentation.staff_quote, page)


class QuoteDetail(StaffView):
    """A quote as it is now."""

    @extend_schema(
        operation_id="admin_quote_detail", responses={200: shapes.StaffQuoteSerializer, 404: ErrorSerializer, **_ERRORS}
    )
    def get(self, request: Request, quote_id: str) -> Response:
        found = services.load(quote_id=quote_id)
        return Response(shapes.StaffQuoteSerializer(presentation.staff_quote(found)).data)


class Delete(StaffView):
    """Delete a quote that was never paid, and its plan request."""

    @extend_schema(
        operation_id="admin_quote_delete", request=None, responses={200: shapes.SuccessSerializer, **_OF_ONE}
    )
    def post(self, request: Request, quote_id: str) -> Response:
        services.delete(staff=caller(request), quote_id=quote_id)
        return Response({"success": True, "message": "Quote deleted successfully!"})


class Archive(StaffView):
    """Take a paid quote out of the list."""

    @extend_schema(
        operation_id="admin_quote_archive", request=None, responses={200: shapes.SuccessSerializer, **_OF_ONE}
    )
    def post(self, request: Request, quote_id: str) -> Response:
        services.archive(staff=caller(request), quote_id=quote_id)
        return Response({"success": True, "message": "Quote archived"})


class Cleanup(StaffView):
    """Send the reminders that are due and delete what expired unpaid."""

    @extend_schema(
        operation_id="admin_quote_cleanup", request=None, responses={200: shapes.CleanedSerializer, **_ERRORS}
    )
    def post(self, request: Request) -> Response:
        return Response(shapes.CleanedSerializer(reminders.clean_up()).data)


class SendEmail(StaffView):
    """Mail a quote, as it is stored."""

    @extend_schema(
        operation_id="admin_quote_send_email",
        request=shapes.SendQuoteSerializer,
        responses={200: shapes.SuccessSerializer, 502: ErrorSerializer, **_OF_ONE},
    )
    def post(self, request: Request) -> Response:
        wanted = checked(shapes.SendQuoteSerializer, request.data)
        recipient = wanted["recipient_email"].strip()
        services.mail_to(
            staff=caller(request),
            quote_id=wanted["quote_data"]["quote_id"],
            recipient=recipient,
            message=wanted["message"],
        )
        return Response({"success": True, "message": f"Quote sent successfully to {recipient}"})


class PlanRequests(StaffView):
    """What customers chose and nobody has approved yet, the paid ones first."""

    @extend_schema(
        operation_id="admin_plan_requests",
        parameters=[shapes.PlanRequestsQuerySerializer],
        responses={200: shapes.PlanRequestsSerializer, 400: ErrorSerializer, **_ERRORS},
    )
    def get(self, request: Request) -> Response:
        page = lists.waiting(**checked(shapes.PlanRequestsQuerySerializer, request.query_params))
        return _listed(shapes.PlanRequestsSerializer, "requests", presentation.plan_request, page)


class ApprovePlanRequest(StaffView):
    """Make a plan of a request; an unpaid one needs a reason."""

    @extend_schema(
        operation_id="admin_plan_request_approve",
        request=shapes.ApproveSerializer,
        responses={200: MessageSerializer, **_OF_ONE},
    )
    def post(self, request: Request, request_id: int) -> Response:
        reason = checked(shapes.ApproveSerializer, request.data)["reason"]
        activation.approve(request_id=request_id, staff=caller(request), reason=reason)
        return Response({"message": "Plan request approved successfully!"})
