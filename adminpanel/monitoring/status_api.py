"""The public calls: the status page, the raw health, and what Prometheus reads."""

import hmac
import ipaddress

from django.http import HttpRequest, HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.permissions import PublicView
from adminpanel.monitoring import presentation, prometheus, status
from adminpanel.monitoring import serializers as shapes
from emailcheck.common import proxies
from emailcheck.common.api import ErrorSerializer, checked
from emailcheck.env import Env

METRICS_TOKEN = Env().text("METRICS_TOKEN")
FORMAT = "text/plain; version=0.0.4; charset=utf-8"
_DENIED = "Permission denied\n"


class Health(PublicView):
    """Raw figures, a few seconds old at most."""

    @extend_schema(
        operation_id="monitoring_health", auth=[], responses={200: shapes.HealthSerializer, 429: ErrorSerializer}
    )
    def get(self, request: Request) -> Response:
        return Response(shapes.HealthSerializer(presentation.health()).data)


class Status(PublicView):
    """Whether the services work, as measured."""

    @extend_schema(operation_id="status", auth=[], responses={200: shapes.StatusSerializer, 429: ErrorSerializer})
    def get(self, request: Request) -> Response:
        return Response(shapes.StatusSerializer(status.current()).data)


class StatusHistory(PublicView):
    """The days before, incidents and maintenance."""

    @extend_schema(
        operation_id="status_history",
        auth=[],
        parameters=[shapes.HistoryQuerySerializer],
        responses={200: shapes.StatusHistorySerializer, 400: ErrorSerializer, 429: ErrorSerializer},
    )
    def get(self, request: Request) -> Response:
        query = checked(shapes.HistoryQuerySerializer, request.query_params)
        return Response(shapes.StatusHistorySerializer(status.history(query["days"])).data)


def metrics(request: HttpRequest) -> HttpResponse:
    """For Prometheus: with the token where one is set, else from this machine alone."""
    if not _may_read(request):
        return HttpResponse(_DENIED, status=403, content_type="text/plain")
    return HttpResponse(prometheus.text(), content_type=FORMAT, headers={"Cache-Control": "no-store"})


def _may_read(request: HttpRequest) -> bool:
    if METRICS_TOKEN:
        sent = request.headers.get("Authorization", "").removeprefix("Bearer ")
        return hmac.compare_digest(sent.encode(), METRICS_TOKEN.encode())
    address = proxies.caller_address()
    return address is not None and ipaddress.ip_address(address).is_loopback
