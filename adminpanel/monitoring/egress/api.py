"""The calls of staff about egress addresses and mail operators."""

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.authentication import caller
from accounts.access.views import StaffView
from adminpanel.monitoring.egress import addresses, routes
from adminpanel.monitoring.egress.serializers import EgressReasonSerializer, OneEgressSerializer, RoutesSerializer
from emailcheck.common.api.serializers import validate_shape, with_errors


class Routes(StaffView):
    """Whether mail operators answer us."""

    @extend_schema(operation_id="monitoring_routes", responses=with_errors(RoutesSerializer, 401, 403))
    def get(self, request: Request) -> Response:
        return Response(RoutesSerializer({"routes": routes.list_routes(), "egress": addresses.list_addresses()}).data)


class EgressAction(StaffView):
    """Rest, drain, resume or remove one of our egress addresses. No list fails by it: rows wait or go by another."""

    @extend_schema(
        operation_id="monitoring_egress_action",
        parameters=[OpenApiParameter("action", str, OpenApiParameter.PATH, enum=tuple(addresses.ACTIONS))],
        request=EgressReasonSerializer,
        responses=with_errors(OneEgressSerializer, 400, 404, 409, 401, 403),
    )
    def post(self, request: Request, egress_id: int, action: str) -> Response:
        reason = validate_shape(EgressReasonSerializer, request.data)["reason"]
        changed = addresses.change_address(address_id=egress_id, action=action, reason=reason, staff=caller(request))
        return Response(OneEgressSerializer({"egress": changed}).data)
