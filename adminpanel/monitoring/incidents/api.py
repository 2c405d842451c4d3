"""The calls of staff about incidents and maintenance."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.authentication import caller
from accounts.access.views import StaffView
from adminpanel.monitoring.incidents import services as incidents
from adminpanel.monitoring.incidents.serializers import (
    IncidentChangeSerializer,
    IncidentsSerializer,
    NewIncidentSerializer,
    OneIncidentSerializer,
    present_incident,
)
from emailcheck.common.api.serializers import validate_shape, with_errors


class Incidents(StaffView):
    """Incidents and maintenance of the status page."""

    @extend_schema(operation_id="admin_incidents", responses=with_errors(IncidentsSerializer, 401, 403))
    def get(self, request: Request) -> Response:
        return Response({"incidents": [present_incident(found) for found in incidents.list_incidents()]})

    @extend_schema(
        operation_id="admin_incident_create",
        request=NewIncidentSerializer,
        responses=with_errors({201: OneIncidentSerializer}, 400, 401, 403),
    )
    def post(self, request: Request) -> Response:
        values = validate_shape(NewIncidentSerializer, request.data)
        made = incidents.create_incident(staff=caller(request), **values)
        return Response(OneIncidentSerializer({"incident": present_incident(made)}).data, status=201)


class OneIncident(StaffView):
    """An incident or a maintenance window."""

    @extend_schema(
        operation_id="admin_incident_update",
        request=IncidentChangeSerializer(partial=True),
        responses=with_errors(OneIncidentSerializer, 400, 404, 401, 403),
    )
    def put(self, request: Request, incident_id: int) -> Response:
        shape = IncidentChangeSerializer(data=request.data, partial=True)
        shape.is_valid(raise_exception=True)
        changed = incidents.change_incident(incident_id=incident_id, staff=caller(request), **shape.validated_data)
        return Response(OneIncidentSerializer({"incident": present_incident(changed)}).data)
