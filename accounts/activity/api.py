"""The calls about what happened on one's own account, and in one's organisation."""

from django.http import StreamingHttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access.authentication import caller
from accounts.access.calling import calling_organisation, list_open_organisations
from accounts.activity import audit_log, organisation_audit
from accounts.activity.serializers import (
    ActivityPageSerializer,
    ActivityQuerySerializer,
    OrganisationAuditFilterSerializer,
    OrganisationAuditPageSerializer,
    OrganisationAuditQuerySerializer,
)
from accounts.organisations.roles import Right
from emailcheck.common.api.serializers import validate_query, with_errors


class ActivityLog(APIView):
    """What happened on the account, newest first; what the person did in organisations, of those that they belong to
    and that admit them now."""

    right = None
    shown_in_views = True

    @extend_schema(
        operation_id="user_activity",
        parameters=[ActivityQuerySerializer],
        responses=with_errors(ActivityPageSerializer, 400, 401, 403),
    )
    def get(self, request: Request) -> Response:
        query = validate_query(ActivityQuerySerializer, request.query_params)
        mine = list_open_organisations(request)
        lines, after = audit_log.list_account_activity(caller(request), organisations=mine, **query)
        return Response(ActivityPageSerializer({"activity": lines, "next": after}).data)


class OrganisationAudit(APIView):
    """What happened in the organisation in the last 12 months, newest first."""

    right = Right.MANAGE

    @extend_schema(
        operation_id="organisation_audit",
        parameters=[OrganisationAuditQuerySerializer],
        responses=with_errors(OrganisationAuditPageSerializer, 400, 401, 403, 404),
    )
    def get(self, request: Request) -> Response:
        query = validate_query(OrganisationAuditQuerySerializer, request.query_params)
        lines, after = organisation_audit.list_audit(calling_organisation(request), **query)
        return Response(OrganisationAuditPageSerializer({"lines": lines, "next_cursor": after}).data)


class OrganisationAuditExport(APIView):
    """The same lines as a CSV file."""

    right = Right.MANAGE

    @extend_schema(
        operation_id="organisation_audit_export",
        parameters=[OrganisationAuditFilterSerializer],
        responses=with_errors({(200, "text/csv"): OpenApiResponse(OpenApiTypes.BINARY)}, 400, 401, 403, 404),
    )
    def get(self, request: Request) -> StreamingHttpResponse:
        query = validate_query(OrganisationAuditFilterSerializer, request.query_params)
        lines = organisation_audit.export_audit(calling_organisation(request), **query)
        answer = StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8")
        answer["Content-Disposition"] = f'attachment; filename="audit-{timezone.now():%Y-%m-%d}.csv"'
        answer["Cache-Control"] = "no-store"
        return answer
