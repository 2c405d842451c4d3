"""The analytics calls."""

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.auth import caller, is_viewed
from emailcheck.common.api import ErrorSerializer, checked
from validation import analytics, figures, presentation
from validation import analytics_serializers as shapes

_ERRORS = {400: ErrorSerializer, 401: ErrorSerializer, 403: ErrorSerializer}
_UNCACHED = OpenApiParameter("_t", str, description="Any value: keeps caches away.")


class Dashboard(APIView):
    """The figures of the dashboard."""

    open_to_keys = True
    shown_in_views = True

    @extend_schema(operation_id="analytics_dashboard", responses={200: shapes.OverviewSerializer, 401: ErrorSerializer})
    def get(self, request: Request) -> Response:
        answer = figures.overview(analytics.overview(caller(request)))
        return Response(presentation.hidden(answer) if is_viewed(request) else answer)


class Usage(APIView):
    """Checks by day: the last 30 days for everybody, other ranges from Growth."""

    shown_in_views = True

    @extend_schema(
        operation_id="analytics_usage",
        parameters=[shapes.RangeSerializer],
        responses={200: shapes.UsageSerializer, **_ERRORS},
    )
    def get(self, request: Request) -> Response:
        query = checked(shapes.RangeSerializer, request.query_params)
        return Response(figures.usage(analytics.usage(caller(request), name=query["range"])))


class Advanced(APIView):
    """Checks by day with costs, from Growth; of everybody for staff."""

    shown_in_views = True

    @extend_schema(
        operation_id="analytics_advanced",
        parameters=[shapes.AdvancedQuerySerializer, _UNCACHED],
        responses={200: shapes.AdvancedSerializer, **_ERRORS},
    )
    def get(self, request: Request) -> Response:
        query = checked(shapes.AdvancedQuerySerializer, request.query_params)
        found = analytics.advanced(caller(request), name=query["range"], scope=query["scope"])
        return Response(figures.advanced(found), headers={"Cache-Control": "no-store"})
