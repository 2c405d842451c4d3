"""Credit calls."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.auth import caller
from billing import services
from billing.serializers import CreditsSerializer
from emailcheck.common.api import ErrorSerializer


class Credits(APIView):
    """What the account can spend."""

    open_to_keys = True

    @extend_schema(operation_id="credits_get", responses={200: CreditsSerializer, 401: ErrorSerializer})
    def get(self, request: Request) -> Response:
        user = caller(request)
        summary = services.account_summary(user)
        lots = services.spendable_lots(user_id=user.pk)
        return Response(CreditsSerializer(summary | {"lots": lots}).data)
