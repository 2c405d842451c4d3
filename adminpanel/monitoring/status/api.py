"""The public calls of the status page."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.views import PublicView
from adminpanel.monitoring.status import services as status
from adminpanel.monitoring.status.serializers import HistoryQuerySerializer, StatusHistorySerializer, StatusSerializer
from emailcheck.common.api.serializers import validate_query, with_errors


class Status(PublicView):
    """Whether the services work, as measured."""

    open_to_programs = True

    @extend_schema(operation_id="status", auth=[], responses=with_errors(StatusSerializer, 429))
    def get(self, request: Request) -> Response:
        return Response(StatusSerializer(status.measure_status()).data)


class StatusHistory(PublicView):
    """The days before, incidents and maintenance."""

    @extend_schema(
        operation_id="status_history",
        auth=[],
        parameters=[HistoryQuerySerializer],
        responses=with_errors(StatusHistorySerializer, 400, 429),
    )
    def get(self, request: Request) -> Response:
        query = validate_query(HistoryQuerySerializer, request.query_params)
        return Response(StatusHistorySerializer(status.build_history(query["days"])).data)
