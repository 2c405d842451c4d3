"""The calls about the figures of monitoring: those of staff, and the public ones."""

import hmac
import ipaddress

from django.http import HttpRequest, HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.views import PublicView, StaffView
from adminpanel.monitoring.overview import presentation, prometheus
from adminpanel.monitoring.overview import serializers as shapes
from emailcheck.common import request_context
from emailcheck.common.api.serializers import with_errors
from emailcheck.env import Env

METRICS_TOKEN = Env().text("METRICS_TOKEN")
FORMAT = "text/plain; version=0.0.4; charset=utf-8"
_DENIED = "Permission denied\n"


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


class Health(PublicView):
    """Raw figures, a few seconds old at most."""

    @extend_schema(operation_id="monitoring_health", auth=[], responses=with_errors(shapes.HealthSerializer, 429))
    def get(self, request: Request) -> Response:
        return Response(shapes.HealthSerializer(presentation.present_health()).data)


def prometheus_metrics(request: HttpRequest) -> HttpResponse:
    """For Prometheus: with the token where one is set, else from this machine alone."""
    if not _may_read_metrics(request):
        return HttpResponse(_DENIED, status=403, content_type="text/plain")
    return HttpResponse(prometheus.render_metrics(), content_type=FORMAT, headers={"Cache-Control": "no-store"})


def _may_read_metrics(request: HttpRequest) -> bool:
    if METRICS_TOKEN:
        sent = request.headers.get("Authorization", "").removeprefix("Bearer ")
        return hmac.compare_digest(sent.encode(), METRICS_TOKEN.encode())
    address = request_context.caller_address()
    return address is not None and ipaddress.ip_address(address).is_loopback
