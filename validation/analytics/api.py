"""The analytics calls."""

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access.authentication import caller, is_staff_view
from accounts.access.calling import calling_organisation
from accounts.organisations.roles import Right
from emailcheck.common.api.serializers import ErrorSerializer, validate_query
from validation.access.calling import calling_reader
from validation.analytics import presentation as figures
from validation.analytics import serializers as shapes
from validation.analytics import services as analytics
from validation.results.presentation import hide_addresses
from validation.results.serializers import ERRORS

_UNCACHED = OpenApiParameter("_t", str, description="Any value: keeps caches away.")


class Dashboard(APIView):
    """The figures of the dashboard."""

    right = Right.READ
    open_to_keys = True
    shown_in_views = True

    @extend_schema(operation_id="analytics_dashboard", responses={200: shapes.OverviewSerializer, 401: ErrorSerializer})
    def get(self, request: Request) -> Response:
        answer = figures.present_overview(analytics.load_overview(calling_reader(request)))
        return Response(hide_addresses(answer) if is_staff_view(request) else answer)


class Usage(APIView):
    """Checks by day: the last 30 days for everybody, other ranges from Growth."""

    right = Right.READ
    shown_in_views = True

    @extend_schema(
        operation_id="analytics_usage",
        parameters=[shapes.RangeSerializer],
        responses={200: shapes.UsageSerializer, **ERRORS},
    )
    def get(self, request: Request) -> Response:
        query = validate_query(shapes.RangeSerializer, request.query_params)
        return Response(
            figures.present_usage(
                analytics.load_usage(
                    calling_organisation(request), name=query["range"], is_staff=caller(request).is_staff
                )
            )
        )


class Advanced(APIView):
    """Checks by day with costs, from Growth; of everybody for staff."""

    right = Right.READ
    shown_in_views = True

    @extend_schema(
        operation_id="analytics_advanced",
        parameters=[shapes.AdvancedQuerySerializer, _UNCACHED],
        responses={200: shapes.AdvancedSerializer, **ERRORS},
    )
    def get(self, request: Request) -> Response:
        query = validate_query(shapes.AdvancedQuerySerializer, request.query_params)
        found = analytics.load_advanced(
            calling_organisation(request), name=query["range"], scope=query["scope"], is_staff=caller(request).is_staff
        )
        return Response(figures.present_advanced(found), headers={"Cache-Control": "no-store"})
