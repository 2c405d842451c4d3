"""The calls of staff about monitoring."""

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.auth import caller
from accounts.permissions import StaffView
from adminpanel.monitoring import egress, incidents, presentation, routes
from adminpanel.monitoring import serializers as shapes
from emailcheck.common.api import ErrorSerializer, checked

_ERRORS = {401: ErrorSerializer, 403: ErrorSerializer}


class ApiHealth(StaffView):
    """The API in the last day."""

    @extend_schema(operation_id="admin_api_health", responses={200: shapes.ApiHealthSerializer, **_ERRORS})
    def get(self, request: Request) -> Response:
        return Response(shapes.ApiHealthSerializer(presentation.api_health()).data)


class Alerts(StaffView):
    """What is wrong now."""

    @extend_schema(operation_id="monitoring_alerts", responses={200: shapes.AlertsSerializer, **_ERRORS})
    def get(self, request: Request) -> Response:
        return Response(shapes.AlertsSerializer(presentation.alerts()).data)


class Metrics(StaffView):
    """The last hour in figures."""

    @extend_schema(operation_id="monitoring_metrics", responses={200: shapes.MetricsSerializer, **_ERRORS})
    def get(self, request: Request) -> Response:
        return Response(shapes.MetricsSerializer(presentation.overview()).data)


class Routes(StaffView):
    """Whether mail operators answer us."""

    @extend_schema(operation_id="monitoring_routes", responses={200: shapes.RoutesSerializer, **_ERRORS})
    def get(self, request: Request) -> Response:
        return Response(shapes.RoutesSerializer({"routes": routes.listed(), "egress": egress.listed()}).data)


class EgressAction(StaffView):
    """Rest, drain, resume or remove one of our egress addresses. No list fails by it: rows wait or go by another."""

    @extend_schema(
        operation_id="monitoring_egress_action",
        parameters=[OpenApiParameter("action", str, OpenApiParameter.PATH, enum=tuple(egress.ACTIONS))],
        request=shapes.EgressReasonSerializer,
        responses={
            200: shapes.OneEgressSerializer,
            400: ErrorSerializer,
            404: ErrorSerializer,
            409: ErrorSerializer,
            **_ERRORS,
        },
    )
    def post(self, request: Request, egress_id: int, action: str) -> Response:
        reason = checked(shapes.EgressReasonSerializer, request.data)["reason"]
        changed = egress.act(address_id=egress_id, action=action, reason=reason, staff=caller(request))
        return Response(shapes.OneEgressSerializer({"egress": changed}).data)


class Incidents(StaffView):
    """Incidents and maintenance of the status page."""

    @extend_schema(operation_id="admin_incidents", responses={200: shapes.IncidentsSerializer, **_ERRORS})
    def get(self, request: Request) -> Response:
        return Response({"incidents": [presentation.incident(found) for found in incidents.listed()]})

    @extend_schema(
        operation_id="admin_incident_create",
        request=shapes.NewIncidentSerializer,
        responses={201: shapes.OneIncidentSerializer, 400: ErrorSerializer, **_ERRORS},
    )
    def post(self, request: Request) -> Response:
        shape = shapes.NewIncidentSerializer(data=request.data)
        shape.is_valid(raise_exception=True)
        made = incidents.create(staff=caller(request), **shape.validated_data)
        return Response(shapes.OneIncidentSerializer({"incident": presentation.incident(made)}).data, status=201)


class OneIncident(StaffView):
    """An incident or a maintenance window."""

    @extend_schema(
        operation_id="admin_incident_update",
        request=shapes.IncidentChangeSerializer(partial=True),
        responses={200: shapes.OneIncidentSerializer, 400: ErrorSerializer, 404: ErrorSerializer, **_ERRORS},
    )
    def put(self, request: Request, incident_id: int) -> Response:
        shape = shapes.IncidentChangeSerializer(data=request.data, partial=True)
        shape.is_valid(raise_exception=True)
        changed = incidents.change(incident_id=incident_id, staff=caller(request), **shape.validated_data)
        return Response(shapes.OneIncidentSerializer({"incident": presentation.incident(changed)}).data)
