"""Staff calls about work that hangs."""

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.callers import caller
from accounts.access.views import StaffView
from adminpanel.system import stuck_work
from adminpanel.system import stuck_work_serializers as shapes
from emailcheck.common.api.serializers import ErrorSerializer, validate_shape, with_errors

_OF_ONE = with_errors(shapes.WorkDoneSerializer, 401, 403, 404)
_KIND = OpenApiParameter("kind", str, OpenApiParameter.PATH, enum=stuck_work.KINDS)


class StuckWork(StaffView):
    """Lists, chunks, tasks and webhooks past their deadline, the oldest first."""

    @extend_schema(
        operation_id="admin_work",
        parameters=[shapes.WorkQuerySerializer],
        responses=with_errors(shapes.StuckWorkSerializer, 400, 401, 403),
    )
    def get(self, request: Request) -> Response:
        kind = validate_shape(shapes.WorkQuerySerializer, request.query_params)["kind"]
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
