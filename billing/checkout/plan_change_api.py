"""The call that completes a change of plan."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access.callers import caller
from billing.checkout import plan_change_return
from emailcheck.common.api.idempotency import idempotent
from emailcheck.common.api.serializers import MessageSerializer, with_errors


class CompleteChange(APIView):
    """Complete a change of plan with what PayPal says now; as often as it is called."""

    @extend_schema(
        operation_id="subscriptions_plan_change_complete",
        request=None,
        responses=with_errors(MessageSerializer, 400, 401, 403),
    )
    @idempotent
    def post(self, request: Request, token: str) -> Response:
        message = plan_change_return.complete_plan_change(user=caller(request), token=token)
        return Response(MessageSerializer({"message": message}).data)
