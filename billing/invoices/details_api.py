"""Calls about what invoices of an organisation name."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access.calling import calling_organisation
from accounts.organisations.roles import Right
from billing.invoices import details
from billing.invoices.serializers import BillingDetailsSerializer
from emailcheck.common.api.serializers import validate_shape, with_errors


class BillingDetails(APIView):
    """Company, address, VAT id, purchase order number, and the address to which invoices go."""

    right = Right.PAY
    shown_in_views = True

    @extend_schema(
        operation_id="organisation_billing_get", responses=with_errors(BillingDetailsSerializer, 401, 403, 404)
    )
    def get(self, request: Request) -> Response:
        return Response(BillingDetailsSerializer(calling_organisation(request)).data)

    @extend_schema(
        operation_id="organisation_billing_put",
        request=BillingDetailsSerializer,
        responses=with_errors(BillingDetailsSerializer, 400, 401, 403, 404),
    )
    def put(self, request: Request) -> Response:
        """What is not sent stays as it is."""
        values = validate_shape(BillingDetailsSerializer, request.data)
        found = details.save_details(organisation=calling_organisation(request), **values)
        return Response(BillingDetailsSerializer(found).data)
