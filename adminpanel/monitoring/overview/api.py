"""The calls of staff about the figures of monitoring."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.views import StaffView
from adminpanel.monitoring.overview import presentation
from adminpanel.monitoring.overview import serializers as shapes
from emailcheck.common.api.serializers import with_errors


class ApiHealth(StaffView):
    """The API in the last day."""

    @extend_schema(operation_id="admin_api_health", responses=with_errors(shapes.ApiHealthSerializer, 401, 403))
    def get(self, request: Request) -> Response:
        return Response(shapes.ApiHealthSerializer(presentation.present_api_health()).data)


class Alerts(StaffView):
    """What is wrong now."""

    @extend_schema(operation_id="monitoring_alerts", responses=with_errors(shapes.AlertsSerializer, 401, 403))
    def get(self, request: Request) -> Response:
        return Response(shapes.AlertsSerializer(presentation.present_alerts()).data)


class Metrics(StaffView):
    """The last hour in figures."""

    @extend_schema(operation_id="monitoring_metrics", responses=with_errors(shapes.MetricsSerializer, 401, 403))
    def get(self, request: Request) -> Response:
        return Response(shapes.MetricsSerializer(presentation.present_overview()).data)
