"""The staff calls about requests for a price."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.authentication import caller
from accounts.access.views import StaffView
from emailcheck.common.api.serializers import validate_query, validate_shape, with_errors
from quotes.listing import build_page_response
from quotes.requests.models import RequestStatus
from quotes.requests.serializers import (
    QuoteRequestsQuerySerializer,
    QuoteRequestsSerializer,
    RequestAnsweredSerializer,
    RequestStatusSerializer,
    present_request,
)
from quotes.requests.services import answer_request, count_answered, search_requests


class Requests(StaffView):
    """What customers ask for, newest first."""

    @extend_schema(
        operation_id="admin_custom_quote_requests",
        parameters=[QuoteRequestsQuerySerializer],
        responses=with_errors(QuoteRequestsSerializer, 400, 401, 403),
    )
    def get(self, request: Request) -> Response:
        page = search_requests(**validate_query(QuoteRequestsQuerySerializer, request.query_params))
        return build_page_response(
            QuoteRequestsSerializer, "requests", present_request, page, answered=count_answered()
        )


class RequestDetail(StaffView):
    """Dismiss a request, or take it up again."""

    @extend_schema(
        operation_id="admin_quote_request_update",
        request=RequestStatusSerializer,
        responses=with_errors(RequestAnsweredSerializer, 400, 404, 401, 403),
    )
    def put(self, request: Request, request_id: int) -> Response:
        status = RequestStatus(validate_shape(RequestStatusSerializer, request.data)["status"])
        found = answer_request(staff=caller(request), request_id=request_id, status=status)
        return Response({"request": {"id": found.pk, "status": found.status}})
