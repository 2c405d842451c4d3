"""The staff call about what staff did."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.views import StaffView
from accounts.activity import actors, audit_log
from adminpanel.system import audit_serializers as shapes
from emailcheck.common.api.serializers import validate_shape, with_errors


class Audit(StaffView):
    """What staff did, newest first."""

    @extend_schema(
        operation_id="admin_audit",
        parameters=[shapes.AuditQuerySerializer],
        responses=with_errors(shapes.AuditSerializer, 400, 401, 403),
    )
    def get(self, request: Request) -> Response:
        query = validate_shape(shapes.AuditQuerySerializer, request.query_params)
        lines, after = audit_log.list_staff_activity(**query)
        entries = list(map(shapes.present_entry, lines, actors.format_actors(lines)))
        return Response({"entries": entries, "next": after})
