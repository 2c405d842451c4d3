"""Calls that buy, and those of PayPal."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access.callers import caller
from billing.catalogue.plans import Cycle, Plan
from billing.checkout import payment_return
from billing.payments import pending, purchases
from billing.payments import serializers as shapes
from billing.provider_sync import webhooks
from billing.subscriptions.lifecycle.signup import buy_plan
from emailcheck.common.api.idempotency import idempotent
from emailcheck.common.api.serializers import ErrorSerializer, validate_shape

_ERRORS: dict[int, Any] = {401: ErrorSerializer, 403: ErrorSerializer}
_BEGINNING: dict[int, Any] = {400: ErrorSerializer, 429: ErrorSerializer, 502: ErrorSerializer, **_ERRORS}
_LATER: dict[int, Any] = {404: ErrorSerializer, 502: ErrorSerializer, **_ERRORS}


class CreateOrder(APIView):
    """Begin to buy a pack of credits: the answer says where to approve it."""

    @extend_schema(
        operation_id="payments_create_order",
        request=shapes.NewOrderSerializer,
        responses={200: shapes.OrderSerializer, 409: ErrorSerializer, **_BEGINNING},
    )
    @idempotent
    def post(self, request: Request) -> Response:
        wanted = validate_shape(shapes.NewOrderSerializer, request.data)
        begun = purchases.buy_pack(user=caller(request), **wanted)
        order_id = begun.purchase.provider_id
        links = [{"rel": "approve", "href": begun.url}]
        return Response(shapes.OrderSerializer({"links": links, "id": order_id, "order_id": order_id}).data)


class CreateAgreement(APIView):
    """Begin to subscribe to a plan: the answer says where to approve it."""

    @extend_schema(
        operation_id="payments_create_billing_agreement",
        request=shapes.NewAgreementSerializer,
        responses={200: shapes.ApprovalSerializer, 409: ErrorSerializer, **_BEGINNING},
    )
    @idempotent
    def post(self, request: Request) -> Response:
        wanted = validate_shape(shapes.NewAgreementSerializer, request.data)
        plan, cycle = Plan(wanted["plan_id"]), Cycle(wanted["billing_cycle"])
        begun = buy_plan(user=caller(request), plan=plan, cycle=cycle, confirm_second=wanted["confirm_second"])
        return Response(shapes.ApprovalSerializer({"approval_url": begun.url}).data)


class Pending(APIView):
    """The payments of the account that PayPal holds back, oldest first. They need nothing but time."""

    shown_in_views = True

    @extend_schema(operation_id="payments_pending", responses={200: shapes.PendingPaymentsSerializer, **_ERRORS})
    def get(self, request: Request) -> Response:
        found = map(pending.present_payment, pending.list_waiting_payments(caller(request)))
        return Response(shapes.PendingPaymentsSerializer({"payments": list(found)}).data)


class Complete(APIView):
    """Take the money of what was approved and give what it brings, once; as often as it is called."""

    @extend_schema(
        operation_id="payments_complete",
        request=None,
        responses={200: shapes.CompletionSerializer, 400: ErrorSerializer, 409: ErrorSerializer, **_LATER},
    )
    @idempotent
    def post(self, request: Request, token: str) -> Response:
        return Response(
            shapes.CompletionSerializer(payment_return.complete_payment(user=caller(request), token=token)).data
        )


class Status(APIView):
    """What became of a purchase; asked again and again while it is pending."""

    @extend_schema(operation_id="payments_status", responses={200: shapes.PaymentStateSerializer, **_LATER})
    def get(self, request: Request, token: str) -> Response:
        return Response(
            shapes.PaymentStateSerializer(payment_return.present_status(user=caller(request), token=token)).data
        )


class Webhook(APIView):
    """PayPal tells of an event. What is not signed by PayPal, and confirmed when asked, is refused."""

    authentication_classes = ()
    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="payments_webhook",
        request=OpenApiTypes.OBJECT,
        responses={200: OpenApiResponse(OpenApiTypes.OBJECT), 400: ErrorSerializer, 502: ErrorSerializer},
    )
    def post(self, request: Request) -> Response:
        webhooks.receive_event(request.headers, request.body)
        return Response({})
