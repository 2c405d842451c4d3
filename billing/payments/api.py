"""Calls about payment methods."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access.calling import calling_organisation
from accounts.organisations.roles import Right
from billing.payments import methods, models
from billing.payments.serializers import DefaultMethodSerializer, DoneSerializer, PaymentMethodsSerializer
from emailcheck.common.api.serializers import validate_shape, with_errors
from emailcheck.common.errors import NotFound


class PaymentMethods(APIView):
    """What the account has paid with."""

    right = Right.PAY
    shown_in_views = True

    @extend_schema(operation_id="payment_methods_list", responses=with_errors(PaymentMethodsSerializer, 401, 403))
    def get(self, request: Request) -> Response:
        found = methods.list_payment_methods(calling_organisation(request))
        return Response(PaymentMethodsSerializer({"payment_methods": found}).data)


class PaymentMethod(APIView):
    """One of them."""

    right = Right.PAY

    @extend_schema(
        operation_id="payment_methods_update",
        request=DefaultMethodSerializer,
        responses=with_errors(DoneSerializer, 400, 404, 401, 403),
    )
    def put(self, request: Request, method_id: int) -> Response:
        method = _load_payment_method(request, method_id)
        validate_shape(DefaultMethodSerializer, request.data)
        methods.set_default_method(method=method)
        return Response({"message": "Default payment method updated"})

    @extend_schema(operation_id="payment_methods_delete", responses=with_errors(DoneSerializer, 400, 404, 401, 403))
    def delete(self, request: Request, method_id: int) -> Response:
        methods.remove_method(method=_load_payment_method(request, method_id))
        return Response({"message": "Payment method removed"})


def _load_payment_method(request: Request, method_id: int) -> models.PaymentMethod:
    found = models.PaymentMethod.objects.for_org(calling_organisation(request)).filter(pk=method_id).first()
    if found is None:
        raise NotFound("Payment method not found")
    return found
