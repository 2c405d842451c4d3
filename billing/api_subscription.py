"""Calls that change a subscription."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.auth import caller
from accounts.serializers import MessageSerializer
from billing import endings, pauses, plan_changes
from billing import serializers_subscription as shapes
from billing.models import Cycle, Plan
from billing.serializers_payments import ApprovalSerializer
from emailcheck.common.api import ErrorSerializer, checked
from emailcheck.common.idempotency import idempotent

_ERRORS: dict[int, Any] = {400: ErrorSerializer, 401: ErrorSerializer, 403: ErrorSerializer}
_BEGINNING: dict[int, Any] = {429: ErrorSerializer, 502: ErrorSerializer, **_ERRORS}


def _choice(data: Any) -> dict[str, Any]:
    wanted = checked(shapes.PlanChoiceSerializer, data)
    return {"plan": Plan(wanted["new_plan_id"]), "cycle": Cycle(wanted["billing_cycle"])}


def _said(message: str) -> Response:
    return Response(MessageSerializer({"message": message}).data)


class Preview(APIView):
    """What a change of plan would cost now."""

    @extend_schema(
        operation_id="subscriptions_plan_change_preview",
        parameters=[shapes.PlanChoiceSerializer],
        responses={200: shapes.PlanChangeSerializer, **_ERRORS},
    )
    def get(self, request: Request) -> Response:
        user = caller(request)
        change = plan_changes.preview(user=user, **_choice(request.query_params))
        return Response(shapes.PlanChangeSerializer(plan_changes.as_json(user, change)).data)


class CreatePayment(APIView):
    """Begin a change of plan that is approved at PayPal, with what is due now: the answer says where."""

    @extend_schema(
        operation_id="subscriptions_plan_change_create_payment",
        request=shapes.PlanPaymentSerializer,
        responses={200: ApprovalSerializer, 409: ErrorSerializer, **_BEGINNING},
    )
    @idempotent
    def post(self, request: Request) -> Response:
        is_second = checked(shapes.PlanPaymentSerializer, request.data)["confirm_second"]
        begun = plan_changes.pay(user=caller(request), **_choice(request.data), confirm_second=is_second)
        return Response(ApprovalSerializer({"approval_url": begun.url}).data)


class PlanChange(APIView):
    """A change of plan that costs nothing now and holds from the next billing date."""

    @extend_schema(
        operation_id="subscriptions_plan_change",
        request=shapes.PlanChoiceSerializer,
        responses={200: shapes.MessageWithApprovalSerializer, **_BEGINNING},
    )
    @idempotent
    def post(self, request: Request) -> Response:
        """With an `approval_url` the change is scheduled once it is approved there."""
        change = plan_changes.schedule(user=caller(request), **_choice(request.data))
        answer = {"message": change.message, "approval_url": change.approval_url}
        return Response(shapes.MessageWithApprovalSerializer(answer).data)

    @extend_schema(
        operation_id="subscriptions_plan_change_undo",
        request=None,
        responses={200: MessageSerializer, **_ERRORS},
    )
    def delete(self, request: Request) -> Response:
        """Stay with the plan."""
        return _said(plan_changes.undo(user=caller(request)))


class CompleteChange(APIView):
    """Complete a change of plan with what PayPal says now; as often as it is called."""

    @extend_schema(
        operation_id="subscriptions_plan_change_complete",
        request=None,
        responses={200: MessageSerializer, **_ERRORS},
    )
    @idempotent
    def post(self, request: Request, token: str) -> Response:
        return _said(plan_changes.complete(user=caller(request), token=token))


class Pause(APIView):
    """Pause the plan, two months in twelve."""

    @extend_schema(operation_id="subscriptions_pause", request=None, responses={200: MessageSerializer, **_ERRORS})
    @idempotent
    def post(self, request: Request) -> Response:
        return _said(pauses.pause(user=caller(request)))


class Resume(APIView):
    """Go on with a paused plan."""

    @extend_schema(operation_id="subscriptions_resume", request=None, responses={200: MessageSerializer, **_ERRORS})
    @idempotent
    def post(self, request: Request) -> Response:
        return _said(pauses.resume(user=caller(request)))


class Cancel(APIView):
    """Cancel the plan at the end of what is paid for."""

    @extend_schema(operation_id="subscriptions_cancel", request=None, responses={200: MessageSerializer, **_ERRORS})
    @idempotent
    def post(self, request: Request) -> Response:
        return _said(endings.cancel(user=caller(request)))


class Reactivate(APIView):
    """Keep a cancelled plan: a new agreement that starts when the paid period ends."""

    @extend_schema(
        operation_id="subscriptions_reactivate",
        request=None,
        responses={200: shapes.MessageWithApprovalSerializer, **_BEGINNING},
    )
    @idempotent
    def post(self, request: Request) -> Response:
        kept = endings.keep(user=caller(request))
        answer = {"message": kept.message, "approval_url": kept.approval_url}
        return Response(shapes.MessageWithApprovalSerializer(answer).data)
