"""Calls about credits: what can be spent, the statement, alerts."""

from typing import ClassVar

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access.calling import calling_organisation, membership_of
from accounts.organisations.roles import Right, may
from billing.usage import quota, statement
from billing.usage import serializers as shapes
from billing.usage.presentation import present_credits
from emailcheck.common.api.serializers import validate_query, validate_shape, with_errors


class Credits(APIView):
    """What the account can spend."""

    right = Right.LOOK
    polled = True
    open_to_keys = True
    shown_in_views = True

    @extend_schema(operation_id="credits_get", responses=with_errors(shapes.CreditsSerializer, 401))
    def get(self, request: Request) -> Response:
        return Response(shapes.CreditsSerializer(present_credits(calling_organisation(request))).data)


class Statement(APIView):
    """Every movement of credits, oldest first, by month."""

    right = Right.PAY
    shown_in_views = True

    @extend_schema(
        operation_id="credits_statement",
        parameters=[shapes.StatementQuerySerializer],
        responses=with_errors(shapes.StatementSerializer, 400, 401, 403),
    )
    def get(self, request: Request) -> Response:
        query = validate_query(shapes.StatementQuerySerializer, request.query_params)
        found = statement.build_statement(calling_organisation(request), names_lists=_sees_lists(request), **query)
        return Response(shapes.StatementSerializer(found).data)


class StatementExport(APIView):
    """The statement as a CSV file: of a month, or all of it."""

    right = Right.PAY

    @extend_schema(
        operation_id="credits_statement_export",
        parameters=[shapes.StatementMonthSerializer],
        responses=with_errors({(200, "text/csv"): OpenApiResponse(OpenApiTypes.BINARY)}, 400, 401, 403),
    )
    def get(self, request: Request) -> StreamingHttpResponse:
        month = validate_query(shapes.StatementMonthSerializer, request.query_params)["month"]
        lines = statement.stream_csv(calling_organisation(request), names_lists=_sees_lists(request), month=month)
        answer = StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8")
        answer["Content-Disposition"] = f'attachment; filename="credits-{month or "all"}.csv"'
        answer["Cache-Control"] = "no-store"
        return answer


def _sees_lists(request: Request) -> bool:
    """Whether the member who calls may know what lists are called (ORG-004): of those who pay, not the role billing."""
    return may(membership_of(request).role, Right.READ)


class UsageAlerts(APIView):
    """Which alerts about credits are wanted."""

    right: ClassVar = {"GET": Right.LOOK, "PUT": Right.PAY}
    shown_in_views = True

    @extend_schema(operation_id="user_usage_alerts_get", responses=with_errors(shapes.UsageAlertsSerializer, 401, 403))
    def get(self, request: Request) -> Response:
        return Response(shapes.UsageAlertsSerializer(quota.load_alerts(calling_organisation(request))).data)

    @extend_schema(
        operation_id="user_usage_alerts_put",
        request=shapes.UsageAlertsSerializer,
        responses=with_errors(shapes.UsageAlertsSerializer, 400, 401, 403),
    )
    def put(self, request: Request) -> Response:
        """What is not sent stays as it is."""
        changes = validate_shape(shapes.UsageAlertsSerializer, request.data)
        return Response(
            shapes.UsageAlertsSerializer(
                quota.update_alerts(organisation=calling_organisation(request), **changes)
            ).data
        )
