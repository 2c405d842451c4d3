"""The staff calls about requests for a price."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.callers import caller
from accounts.access.views import StaffView
from emailcheck.common.api.serializers import ErrorSerializer, validate_shape
from quotes.listing import build_page_response
from quotes.requests.models import RequestStatus
from quotes.requests.presentation import present_request
from quotes.requests.search import count_answered, search_requests
from quotes.requests.serializers import (
    QuoteRequestsQuerySerializer,
    QuoteRequestsSerializer,
    RequestAnsweredSerializer,
    RequestStatusSerializer,
)
from quotes.requests.services import answer_request

_ERRORS: dict[int, Any] = {401: ErrorSerializer, 403: ErrorSerializer}
_OF_ONE: dict[int, Any] = {400: ErrorSerializer, 404: ErrorSerializer, **_ERRORS}


class Requests(StaffView):
    """What customers ask for, newest first."""

    @extend_schema(
        operation_id="admin_custom_quote_requests",
        parameters=[QuoteRequestsQuerySerializer],
        responses={200: QuoteRequestsSerializer, 400: ErrorSerializer, **_ERRORS},
    )
    def get(self, request: Request) -> Response:
        page = search_requests(**validate_shape(QuoteRequestsQuerySerializer, request.query_params))
        return build_page_response(
            QuoteRequestsSerializer, "requests", present_request, page, answered=count_answered()
        )


class RequestDetail(StaffView):
    """Dismiss a request, or take it up again."""

    @extend_schema(
        operation_id="admin_quote_request_update",
        request=RequestStatusSerializer,
        responses={200: RequestAnsweredSerializer, **_OF_ONE},
    )
    def put(self, request: Request, request_id: int) -> Response:
        status = RequestStatus(validate_shape(RequestStatusSerializer, request.data)["status"])
        found = answer_request(staff=caller(request), request_id=request_id, status=status)
        return Response({"request": {"id": found.pk, "status": found.status}})
