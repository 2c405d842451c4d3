"""The staff calls about plan requests."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.authentication import caller
from accounts.access.views import StaffView
from emailcheck.common.api.serializers import MessageSerializer, validate_query, validate_shape, with_errors
from quotes.listing import build_page_response
from quotes.plan_requests import activation
from quotes.plan_requests.search import search_waiting
from quotes.plan_requests.serializers import (
    ApproveSerializer,
    PlanRequestsQuerySerializer,
    PlanRequestsSerializer,
    present_plan_request,
)


class PlanRequests(StaffView):
    """What customers chose and nobody has approved yet, the paid ones first."""

    @extend_schema(
        operation_id="admin_plan_requests",
        parameters=[PlanRequestsQuerySerializer],
        responses=with_errors(PlanRequestsSerializer, 400, 401, 403),
    )
    def get(self, request: Request) -> Response:
        page = search_waiting(**validate_query(PlanRequestsQuerySerializer, request.query_params))
        return build_page_response(PlanRequestsSerializer, "requests", present_plan_request, page)


class ApprovePlanRequest(StaffView):
    """Make a plan of a request; an unpaid one needs a reason."""

    @extend_schema(
        operation_id="admin_plan_request_approve",
        request=ApproveSerializer,
        responses=with_errors(MessageSerializer, 400, 404, 401, 403),
    )
    def post(self, request: Request, request_id: int) -> Response:
        reason = validate_shape(ApproveSerializer, request.data)["reason"]
        activation.approve_request(request_id=request_id, staff=caller(request), reason=reason)
        return Response({"message": "Plan request approved successfully!"})
