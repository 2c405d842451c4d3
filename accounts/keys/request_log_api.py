"""The log of one's own calls with API keys. Keys do not read it."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access.callers import caller
from accounts.keys import request_log
from accounts.keys import request_log_serializers as shapes
from emailcheck.common.api.serializers import validate_shape, with_errors


class Requests(APIView):
    """Calls of the last 30 days, newest first."""

    @extend_schema(
        operation_id="user_requests",
        parameters=[shapes.RequestQuerySerializer],
        responses=with_errors(shapes.RequestPageSerializer, 400, 401, 403),
    )
    def get(self, request: Request) -> Response:
        query = validate_shape(shapes.RequestQuerySerializer, request.query_params)
        lines, after = request_log.list_requests(caller(request), **query)
        return Response(shapes.RequestPageSerializer({"requests": lines, "next": after}).data)


class RequestDetail(APIView):
    """A call with its bodies, without what is personal in them."""

    @extend_schema(operation_id="user_request_detail", responses=with_errors(shapes.RequestSerializer, 404, 401, 403))
    def get(self, request: Request, request_id: str) -> Response:
        return Response(shapes.RequestSerializer(request_log.load_request(caller(request), request_id)).data)
