"""The staff calls about the claims of the public pages."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.authentication import caller
from accounts.access.views import StaffView
from crm.claims import services as claims
from crm.claims.serializers import ClaimChangesSerializer, ClaimsSerializer
from emailcheck.common.api.serializers import validate_shape, with_errors


class Claims(StaffView):
    """What the public pages claim."""

    @extend_schema(operation_id="admin_claims", responses=with_errors(ClaimsSerializer, 401, 403))
    def get(self, request: Request) -> Response:
        return Response(ClaimsSerializer({"claims": claims.list_claims()}).data)

    @extend_schema(
        operation_id="admin_claims_update",
        request=ClaimChangesSerializer,
        responses=with_errors(ClaimsSerializer, 400, 401, 403),
    )
    def put(self, request: Request) -> Response:
        changes = validate_shape(ClaimChangesSerializer, request.data)["claims"]
        return Response(ClaimsSerializer({"claims": claims.change_claims(staff=caller(request), claims=changes)}).data)
