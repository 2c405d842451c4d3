"""The call about how many credits a member may use in a credit month."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access.calling import calling_organisation, membership_of
from accounts.organisations.roles import Right
from billing.subscriptions import members
from billing.subscriptions.serializers import MemberCapSerializer
from emailcheck.common.api.serializers import validate_shape, with_errors


class MemberCap(APIView):
    """How many credits a member may use in a credit month; null for any number."""

    right = Right.MANAGE

    @extend_schema(
        operation_id="organisation_members_cap",
        request=MemberCapSerializer,
        responses=with_errors(MemberCapSerializer, 400, 401, 403, 404),
    )
    def put(self, request: Request, member_id: int) -> Response:
        cap = validate_shape(MemberCapSerializer, request.data)["monthly_cap"]
        found = members.set_member_cap(
            organisation=calling_organisation(request), by=membership_of(request), member_id=member_id, monthly_cap=cap
        )
        return Response(MemberCapSerializer({"monthly_cap": found.monthly_cap}).data)
