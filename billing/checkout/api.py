"""Calls that buy, and those of PayPal."""

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access.calling import calling_organisation
from accounts.organisations.models import Organisation
from accounts.organisations.roles import Right
from billing.catalogue.plans import Cycle, Plan
from billing.checkout import payment_return
from billing.checkout.payment_return import complete_plan_change
from billing.payments import pending, purchases
from billing.payments import serializers as shapes
from billing.payments.agency_bill import require_own_bill
from billing.provider_sync import webhooks
from billing.subscriptions.lifecycle.signup import buy_plan
from emailcheck.common.api.idempotency import idempotent
from emailcheck.common.api.serializers import MessageSerializer, validate_shape, with_errors


def _load_buyer(request: Request) -> Organisation:
    """Raises `Refused` for a client, whose agency buys."""
    return require_own_bill(calling_organisation(request))


class CreateOrder(APIView):
    """Begin to buy a pack of credits: the answer says where to approve it."""

    right = Right.PAY

    @extend_schema(
        operation_id="payments_create_order",
        request=shapes.NewOrderSerializer,
        responses=with_errors(shapes.OrderSerializer, 409, 400, 429, 502, 401, 403),
    )
    @idempotent
    def post(self, request: Request) -> Response:
        values = validate_shape(shapes.NewOrderSerializer, request.data)
        begun = purchases.buy_pack(organisation=_load_buyer(request), **values)
        order_id = begun.purchase.provider_id
        links = [{"rel": "approve", "href": begun.url}]
        return Response(shapes.OrderSerializer({"links": links, "id": order_id, "order_id": order_id}).data)


class CreateAgreement(APIView):
    """Begin to subscribe to a plan: the answer says where to approve it."""

    right = Right.PAY

    @extend_schema(
        operation_id="payments_create_billing_agreement",
        request=shapes.NewAgreementSerializer,
        responses=with_errors(shapes.ApprovalSerializer, 409, 400, 429, 502, 401, 403),
    )
    @idempotent
    def post(self, request: Request) -> Response:
        values = validate_shape(shapes.NewAgreementSerializer, request.data)
        plan, cycle = Plan(values["plan_id"]), Cycle(values["billing_cycle"])
        begun = buy_plan(
            organisation=_load_buyer(request),
            plan=plan,
            cycle=cycle,
            confirm_second=values["confirm_second"],
        )
        return Response(shapes.ApprovalSerializer({"approval_url": begun.url}).data)


class Pending(APIView):
    """The payments of the account that PayPal holds back, oldest first. They need nothing but time."""

    right = Right.PAY
    shown_in_views = True

    @extend_schema(operation_id="payments_pending", responses=with_errors(shapes.PendingPaymentsSerializer, 401, 403))
    def get(self, request: Request) -> Response:
        found = map(pending.present_payment, pending.list_waiting_payments(calling_organisation(request)))
        return Response(shapes.PendingPaymentsSerializer({"payments": list(found)}).data)


class Complete(APIView):
    """Take the money of what was approved and give what it brings, once; as often as it is called."""

    right = Right.PAY

    @extend_schema(
        operation_id="payments_complete",
        request=None,
        responses=with_errors(shapes.CompletionSerializer, 400, 409, 404, 502, 401, 403),
    )
    @idempotent
    def post(self, request: Request, token: str) -> Response:
        return Response(
            shapes.CompletionSerializer(
                payment_return.complete_payment(organisation=calling_organisation(request), token=token)
            ).data
        )


class Status(APIView):
    """What became of a purchase; asked again and again while it is pending."""

    right = Right.PAY

    @extend_schema(
        operation_id="payments_status", responses=with_errors(shapes.PaymentStateSerializer, 404, 502, 401, 403)
    )
    def get(self, request: Request, token: str) -> Response:
        return Response(
            shapes.PaymentStateSerializer(
                payment_return.present_status(organisation=calling_organisation(request), token=token)
            ).data
        )


class Webhook(APIView):
    """PayPal tells of an event. What is not signed by PayPal, and confirmed when asked, is refused."""

    authentication_classes = ()
    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="payments_webhook",
        request=OpenApiTypes.OBJECT,
        responses=with_errors(OpenApiResponse(OpenApiTypes.OBJECT), 400, 502),
    )
    def post(self, request: Request) -> Response:
        webhooks.receive_event(request.headers, request.body)
        return Response({})


class CompleteChange(APIView):
    """Complete a change of plan with what PayPal says now; as often as it is called."""

    right = Right.PAY

    @extend_schema(
        operation_id="subscriptions_plan_change_complete",
        request=None,
        responses=with_errors(MessageSerializer, 400, 401, 403),
    )
    @idempotent
    def post(self, request: Request, token: str) -> Response:
        message = complete_plan_change(organisation=calling_organisation(request), token=token)
        return Response(MessageSerializer({"message": message}).data)
