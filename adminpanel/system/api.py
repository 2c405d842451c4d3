"""Staff calls that run the system: overview, logs, actions, audit log, stuck work and previews of mails."""

from django.conf import settings
from django.http import StreamingHttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.authentication import caller
from accounts.access.permissions import RecentlyConfirmed
from accounts.access.views import StaffView
from accounts.activity import actors, audit_log
from accounts.activity.models import ActivityKind
from adminpanel.system import actions, overview, stuck_work
from adminpanel.system import serializers as shapes
from emailcheck.common.api.serializers import ErrorSerializer, validate_query, with_errors
from emailcheck.common.errors import NotFound
from emailcheck.common.logs import store
from emailcheck.common.outbound import mail
from emailcheck.common.queue import restarts

_AT_A_GLANCE = 20
_OF_ONE = with_errors(shapes.WorkDoneSerializer, 401, 403, 404)
_KIND = OpenApiParameter("kind", str, OpenApiParameter.PATH, enum=stuck_work.KINDS)


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
            **validate_query(shapes.ActivityQuerySerializer, request.query_params)
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
        lines, after = store.list_records(**validate_query(shapes.LogsQuerySerializer, request.query_params))
        page = {"logs": lines, "next": after, "stored_from": settings.LOG_STORE_LEVEL}
        return Response(shapes.LogsSerializer(page).data)


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


class Audit(StaffView):
    """What staff did, newest first."""

    @extend_schema(
        operation_id="admin_audit",
        parameters=[shapes.AuditQuerySerializer],
        responses=with_errors(shapes.AuditSerializer, 400, 401, 403),
    )
    def get(self, request: Request) -> Response:
        query = validate_query(shapes.AuditQuerySerializer, request.query_params)
        lines, after = audit_log.list_staff_activity(**query)
        entries = list(map(shapes.present_entry, lines, actors.format_actors(lines)))
        return Response({"entries": entries, "next": after})


class Emails(StaffView):
    """Every mail that the product sends."""

    @extend_schema(operation_id="admin_emails", responses=with_errors(shapes.EmailsSerializer, 401, 403))
    def get(self, request: Request) -> Response:
        return Response({"emails": [shapes.present_email(kind) for kind in mail.list_kinds()]})


class EmailPreview(StaffView):
    """A mail with sample values."""

    @extend_schema(
        operation_id="admin_email_preview",
        parameters=[OpenApiParameter("format", str, enum=["html", "text"])],
        responses=with_errors(shapes.EmailPreviewSerializer, 404, 401, 403),
    )
    def get(self, request: Request, name: str) -> Response:
        written = mail.render_example(name)
        if written is None:
            raise NotFound("E-mail not found")
        return Response({"subject": written.subject, "html": written.html, "text": written.text})


class StuckWork(StaffView):
    """Lists, chunks, tasks and webhooks past their deadline, the oldest first."""

    @extend_schema(
        operation_id="admin_work",
        parameters=[shapes.WorkQuerySerializer],
        responses=with_errors(shapes.StuckWorkSerializer, 400, 401, 403),
    )
    def get(self, request: Request) -> Response:
        kind = validate_query(shapes.WorkQuerySerializer, request.query_params)["kind"]
        return Response({"work": [shapes.present_work(one) for one in stuck_work.list_work(kind)]})


class RetryWork(StaffView):
    """Have a piece of work done again."""

    @extend_schema(
        operation_id="admin_work_retry", request=None, parameters=[_KIND], responses={502: ErrorSerializer, **_OF_ONE}
    )
    def post(self, request: Request, kind: str, work_id: str) -> Response:
        stuck_work.retry_work(kind, work_id, staff=caller(request))
        return Response({"message": "Queued again"})


class CancelWork(StaffView):
    """Give a piece of work up; credits that it held are released once."""

    @extend_schema(
        operation_id="admin_work_cancel", request=None, parameters=[_KIND], responses={409: ErrorSerializer, **_OF_ONE}
    )
    def post(self, request: Request, kind: str, work_id: str) -> Response:
        stuck_work.cancel_work(kind, work_id, staff=caller(request))
        return Response({"message": "Cancelled"})
