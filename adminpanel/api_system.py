"""Staff calls that run the system: what goes on, what is logged, and what is done about it."""

from django.http import StreamingHttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import activity
from accounts.auth import caller
from accounts.models import ActivityKind
from accounts.permissions import RecentlyConfirmed, StaffView
from adminpanel import actions, system
from adminpanel import serializers_system as shapes
from emailcheck.common import log_store, restarts
from emailcheck.common.api import ErrorSerializer, checked

_ERRORS = {401: ErrorSerializer, 403: ErrorSerializer}
_AT_A_GLANCE = 20
_LISTED = {400: ErrorSerializer, **_ERRORS}


class SystemStats(StaffView):
    """Figures of the system, and the newest of what happened."""

    @extend_schema(operation_id="admin_system_stats", responses={200: shapes.SystemStatsSerializer, **_ERRORS})
    def get(self, request: Request) -> Response:
        lines, logs = activity.of_everybody()[0][:_AT_A_GLANCE], log_store.page()[0][:_AT_A_GLANCE]
        found = {"stats": system.stats(), "userLogs": shapes.user_logs(lines), "systemLogs": logs}
        return Response(shapes.SystemStatsSerializer(found).data)


class UserActivity(StaffView):
    """What happened on all accounts, newest first."""

    @extend_schema(
        operation_id="admin_system_activity",
        parameters=[shapes.ActivityQuerySerializer],
        responses={200: shapes.UserLogsSerializer, **_LISTED},
    )
    def get(self, request: Request) -> Response:
        lines, after = activity.of_everybody(**checked(shapes.ActivityQuerySerializer, request.query_params))
        return Response(shapes.UserLogsSerializer({"activity": shapes.user_logs(lines), "next": after}).data)


class Logs(StaffView):
    """The log records that this machine keeps, newest first."""

    @extend_schema(
        operation_id="admin_system_logs",
        parameters=[shapes.LogsQuerySerializer],
        responses={200: shapes.LogsSerializer, **_LISTED},
    )
    def get(self, request: Request) -> Response:
        lines, after = log_store.page(**checked(shapes.LogsQuerySerializer, request.query_params))
        return Response(shapes.LogsSerializer({"logs": lines, "next": after}).data)


class LogsDownload(StaffView):
    """All log records that this machine keeps, as text, oldest first."""

    @extend_schema(
        operation_id="admin_system_logs_download", responses={(200, "text/plain"): OpenApiTypes.STR, **_ERRORS}
    )
    def get(self, request: Request) -> StreamingHttpResponse:
        activity.record(
            user=None, kind=ActivityKind.STAFF, action="Logs downloaded", staff=caller(request), target="system"
        )
        answer = StreamingHttpResponse(log_store.text(), content_type="text/plain; charset=utf-8")
        answer["Content-Disposition"] = f'attachment; filename="emailcheck-{timezone.now():%Y-%m-%d}.log"'
        return answer


class UsersExport(StaffView):
    """Every account as CSV, without secrets."""

    permission_classes = (RecentlyConfirmed,)

    @extend_schema(operation_id="admin_system_users_export", responses={(200, "text/csv"): OpenApiTypes.STR, **_ERRORS})
    def get(self, request: Request) -> StreamingHttpResponse:
        lines = system.users_csv(staff=caller(request))
        answer = StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8")
        answer["Content-Disposition"] = f'attachment; filename="users-{timezone.now():%Y-%m-%d}.csv"'
        return answer


class Services(StaffView):
    """The workers, and the last optimisation of the database."""

    @extend_schema(operation_id="admin_system_services", responses={200: shapes.ServicesSerializer, **_ERRORS})
    def get(self, request: Request) -> Response:
        found = {
            "workers": restarts.workers(),
            "restart_asked_at": restarts.asked_at(),
            "optimisation": shapes.optimisation(actions.last_optimised()),
        }
        return Response(shapes.ServicesSerializer(found).data)


class Action(StaffView):
    """Optimise the database, clear the cache, restart the workers."""

    @extend_schema(
        operation_id="admin_system_action",
        request=None,
        parameters=[OpenApiParameter("action", str, OpenApiParameter.PATH, enum=actions.NAMES)],
        responses={200: shapes.ActionDoneSerializer, 404: ErrorSerializer, 409: ErrorSerializer, **_ERRORS},
    )
    def post(self, request: Request, action: str) -> Response:
        return Response(actions.act(action, staff=caller(request))._asdict())
