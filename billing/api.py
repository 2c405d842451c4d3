"""Credit and plan calls."""

from typing import Any

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts import limits
from accounts.auth import caller
from billing import plans, presentation, quota, statement, subscriptions
from billing import serializers as shapes
from emailcheck.common.api import ErrorSerializer, checked
from emailcheck.common.idempotency import idempotent

_ERRORS: dict[int, Any] = {401: ErrorSerializer, 403: ErrorSerializer}


class Credits(APIView):
    """What the account can spend."""

    open_to_keys = True
    shown_in_views = True

    @extend_schema(operation_id="credits_get", responses={200: shapes.CreditsSerializer, 401: ErrorSerializer})
    def get(self, request: Request) -> Response:
        return Response(shapes.CreditsSerializer(presentation.credits(caller(request))).data)


class Statement(APIView):
    """Every movement of credits, oldest first, by month."""

    shown_in_views = True

    @extend_schema(
        operation_id="credits_statement",
        parameters=[shapes.StatementQuerySerializer],
        responses={200: shapes.StatementSerializer, 400: ErrorSerializer, **_ERRORS},
    )
    def get(self, request: Request) -> Response:
        query = checked(shapes.StatementQuerySerializer, request.query_params)
        return Response(shapes.StatementSerializer(statement.read(caller(request), **query)).data)


class StatementExport(APIView):
    """The statement as a CSV file: of a month, or all of it."""

    @extend_schema(
        operation_id="credits_statement_export",
        parameters=[shapes.StatementMonthSerializer],
        responses={(200, "text/csv"): OpenApiResponse(OpenApiTypes.BINARY), 400: ErrorSerializer, **_ERRORS},
    )
    def get(self, request: Request) -> StreamingHttpResponse:
        month = checked(shapes.StatementMonthSerializer, request.query_params)["month"]
        lines = statement.csv_file(caller(request), month=month)
        answer = StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8")
        answer["Content-Disposition"] = f'attachment; filename="credits-{month or "all"}.csv"'
        answer["Cache-Control"] = "no-store"
        return answer


class UsageAlerts(APIView):
    """Which alerts about credits are wanted."""

    shown_in_views = True

    @extend_schema(operation_id="user_usage_alerts_get", responses={200: shapes.UsageAlertsSerializer, **_ERRORS})
    def get(self, request: Request) -> Response:
        return Response(shapes.UsageAlertsSerializer(quota.alerts_of(caller(request))).data)

    @extend_schema(
        operation_id="user_usage_alerts_put",
        request=shapes.UsageAlertsSerializer,
        responses={200: shapes.UsageAlertsSerializer, 400: ErrorSerializer, **_ERRORS},
    )
    def put(self, request: Request) -> Response:
        """What is not sent stays as it is."""
        changes = checked(shapes.UsageAlertsSerializer, request.data)
        return Response(shapes.UsageAlertsSerializer(quota.set_alerts(user=caller(request), **changes)).data)


class Plans(APIView):
    """What is sold, with its prices in USD."""

    authentication_classes = ()
    permission_classes = (AllowAny,)

    def initial(self, request: Request, *args: object, **kwargs: object) -> None:
        super().initial(request, *args, **kwargs)
        limits.count_public()

    @extend_schema(operation_id="plans_list", responses={200: shapes.PlansSerializer})
    def get(self, request: Request) -> Response:
        return Response(shapes.PlansSerializer(presentation.catalogue()).data)


class SubscriptionStatus(APIView):
    """The plan of the account, what it has used, and what comes next."""

    shown_in_views = True

    @extend_schema(operation_id="subscriptions_status", responses={200: shapes.SubscriptionStatusSerializer, **_ERRORS})
    def get(self, request: Request) -> Response:
        return Response(shapes.SubscriptionStatusSerializer(presentation.subscription(caller(request))).data)


class TrialStart(APIView):
    """Begin the Growth trial: 14 days with 100 credits and every check, once."""

    @extend_schema(
        operation_id="trial_start",
        request=None,
        responses={200: shapes.TrialAnswerSerializer, 400: ErrorSerializer, **_ERRORS},
    )
    @idempotent
    def post(self, request: Request) -> Response:
        user = caller(request)
        found = subscriptions.start_trial(user=user)
        answer = presentation.trial_started(found, credits=plans.account_summary(user)["credits"])
        return Response(shapes.TrialAnswerSerializer(answer).data)
