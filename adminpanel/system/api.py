"""Staff calls that run the system: what goes on, what is logged, and what is done about it."""

from django.http import StreamingHttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.callers import caller
from accounts.access.permissions import RecentlyConfirmed
from accounts.access.views import StaffView
from accounts.activity import audit_log
from accounts.activity.models import ActivityKind
from adminpanel.system import actions, overview
from adminpanel.system import serializers as shapes
from emailcheck.common.api.serializers import validate_shape, with_errors
from emailcheck.common.logs import store
from emailcheck.common.queue import restarts

_AT_A_GLANCE = 20


class SystemStats(StaffView):
    """Figures of the system, and the newest of what happened."""

    @extend_schema(operation_id="admin_system_stats", responses=with_errors(shapes.SystemStatsSerializer, 401, 403))
    def get(self, request: Request) -> Response:
        lines, logs = audit_log.list_all_activity()[0][:_AT_A_GLANCE], store.list_records()[0][:_AT_A_GLANCE]
        found = {"stats": overview.load_stats(), "userLogs": shapes.present_user_logs(lines), "systemLogs": logs}
        return Response(shapes.SystemStatsSerializer(found).data)


class UserActivity(StaffView):
    """What happened on all accounts, newest first."""

    @extend_schema(
        operation_id="admin_system_activity",
        parameters=[shapes.ActivityQuerySerializer],
        responses=with_errors(shapes.UserLogsSerializer, 400, 401, 403),
    )
    def get(self, request: Request) -> Response:
        lines, after = audit_log.list_all_activity(
            **validate_shape(shapes.ActivityQuerySerializer, request.query_params)
        )
        return Response(shapes.UserLogsSerializer({"activity": shapes.present_user_logs(lines), "next": after}).data)


class Logs(StaffView):
    """The log records that this machine keeps, newest first."""

    @extend_schema(
        operation_id="admin_system_logs",
        parameters=[shapes.LogsQuerySerializer],
        responses=with_errors(shapes.LogsSerializer, 400, 401, 403),
    )
    def get(self, request: Request) -> Response:
        lines, after = store.list_records(**validate_shape(shapes.LogsQuerySerializer, request.query_params))
        return Response(shapes.LogsSerializer({"logs": lines, "next": after}).data)


class LogsDownload(StaffView):
    """All log records that this machine keeps, as text, oldest first."""

    @extend_schema(
        operation_id="admin_system_logs_download",
        responses=with_errors({(200, "text/plain"): OpenApiTypes.STR}, 401, 403),
    )
    def get(self, request: Request) -> StreamingHttpResponse:
        audit_log.record_activity(
            user=None, kind=ActivityKind.STAFF, action="Logs downloaded", staff=caller(request), target="system"
        )
        answer = StreamingHttpResponse(store.iterate_text(), content_type="text/plain; charset=utf-8")
        answer["Content-Disposition"] = f'attachment; filename="emailcheck-{timezone.now():%Y-%m-%d}.log"'
        return answer


class UsersExport(StaffView):
    """Every account as CSV, without secrets."""

    permission_classes = (RecentlyConfirmed,)

    @extend_schema(
        operation_id="admin_system_users_export", responses=with_errors({(200, "text/csv"): OpenApiTypes.STR}, 401, 403)
    )
    def get(self, request: Request) -> StreamingHttpResponse:
        lines = overview.export_users(staff=caller(request))
        answer = StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8")
        answer["Content-Disposition"] = f'attachment; filename="users-{timezone.now():%Y-%m-%d}.csv"'
        return answer


class Services(StaffView):
    """The workers, and the last optimisation of the database."""

    @extend_schema(operation_id="admin_system_services", responses=with_errors(shapes.ServicesSerializer, 401, 403))
    def get(self, request: Request) -> Response:
        found = {
            "workers": restarts.list_workers(),
            "restart_asked_at": restarts.find_restart_request(),
            "optimisation": shapes.present_optimisation(actions.find_last_optimisation()),
        }
        return Response(shapes.ServicesSerializer(found).data)


class Action(StaffView):
    """Optimise the database, clear the cache, restart the workers."""

    @extend_schema(
        operation_id="admin_system_action",
        request=None,
        parameters=[OpenApiParameter("action", str, OpenApiParameter.PATH, enum=actions.NAMES)],
        responses=with_errors(shapes.ActionDoneSerializer, 404, 409, 401, 403),
    )
    def post(self, request: Request, action: str) -> Response:
        return Response(actions.run_action(action, staff=caller(request))._asdict())
