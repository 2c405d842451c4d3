"""The customer's call that asks for a price."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access.calling import calling_organisation
from accounts.organisations.roles import Right
from emailcheck.common.api.idempotency import idempotent
from emailcheck.common.api.serializers import validate_shape, with_errors
from quotes.requests.serializers import RequestCustomSerializer, RequestedSerializer
from quotes.requests.services import create_request

REQUESTED = "Custom quote request submitted! We'll get back to you soon."


class RequestCustom(APIView):
    """Ask for a price for an amount of credits."""

    right = Right.PAY

    @extend_schema(
        operation_id="quotes_request_custom",
        request=RequestCustomSerializer,
        responses=with_errors({201: RequestedSerializer}, 400, 429, 401, 403),
    )
    @idempotent
    def post(self, request: Request) -> Response:
        values = validate_shape(RequestCustomSerializer, request.data)
        made = create_request(
            organisation=calling_organisation(request),
            credits=values["credits_needed"],
            company_name=values["company_name"],
            notes=values["notes"],
        )
        return Response({"success": True, "message": REQUESTED, "request": {"id": made.pk}}, status=201)
