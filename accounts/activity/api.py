"""The call about what happened on one's own account."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access.authentication import caller
from accounts.activity import audit_log
from accounts.activity.serializers import ActivityPageSerializer, ActivityQuerySerializer
from emailcheck.common.api.serializers import validate_shape, with_errors


class ActivityLog(APIView):
    """What happened on the account, newest first."""

    right = None
    shown_in_views = True

    @extend_schema(
        operation_id="user_activity",
        parameters=[ActivityQuerySerializer],
        responses=with_errors(ActivityPageSerializer, 400, 401, 403),
    )
    def get(self, request: Request) -> Response:
        query = validate_shape(ActivityQuerySerializer, request.query_params)
        lines, after = audit_log.list_account_activity(caller(request), **query)
        return Response(ActivityPageSerializer({"activity": lines, "next": after}).data)
