"""The call that says what is sold."""

from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import limits
from billing.catalogue.price_tables import present_catalogue
from billing.catalogue.serializers import PlansSerializer


class Plans(APIView):
    """What is sold, with its prices in USD."""

    authentication_classes = ()
    permission_classes = (AllowAny,)

    def initial(self, request: Request, *args: object, **kwargs: object) -> None:
        super().initial(request, *args, **kwargs)
        limits.count_public()

    @extend_schema(operation_id="plans_list", responses={200: PlansSerializer})
    def get(self, request: Request) -> Response:
        return Response(PlansSerializer(present_catalogue()).data)
