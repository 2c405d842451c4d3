"""Calls about a subscription: its state, the trial, and what changes it."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access.calling import calling_organisation
from accounts.organisations.models import Organisation
from accounts.organisations.roles import Right
from billing.catalogue.plans import Cycle, Plan
from billing.payments.agency_bill import require_own_bill
from billing.payments.serializers import ApprovalSerializer
from billing.subscriptions import entitlements, presentation
from billing.subscriptions import serializers as shapes
from billing.subscriptions.lifecycle import cancellations, pauses, plan_changes
from billing.subscriptions.lifecycle.trials import start_trial
from emailcheck.common.api.idempotency import idempotent
from emailcheck.common.api.serializers import MessageSerializer, validate_shape, with_errors


def _parse_plan_choice(data: Any) -> dict[str, Any]:
    values = validate_shape(shapes.PlanChoiceSerializer, data)
    return {"plan": Plan(values["new_plan_id"]), "cycle": Cycle(values["billing_cycle"])}


def _load_buyer(request: Request) -> Organisation:
    """Raises `Refused` for a client, whose agency buys."""
    return require_own_bill(calling_organisation(request))


def _build_message_response(message: str) -> Response:
    return Response(MessageSerializer({"message": message}).data)


class Preview(APIView):
    """What a change of plan would cost now."""

    right = Right.PAY

    @extend_schema(
        operation_id="subscriptions_plan_change_preview",
        parameters=[shapes.PlanChoiceSerializer],
        responses=with_errors(shapes.PlanChangeSerializer, 400, 401, 403),
    )
    def get(self, request: Request) -> Response:
        organisation = calling_organisation(request)
        change = plan_changes.preview_change(organisation=organisation, **_parse_plan_choice(request.query_params))
        return Response(shapes.PlanChangeSerializer(plan_changes.present_change(organisation, change)).data)


class CreatePayment(APIView):
    """Begin a change of plan that is approved at PayPal, with what is due now: the answer says where."""

    right = Right.PAY

    @extend_schema(
        operation_id="subscriptions_plan_change_create_payment",
        request=shapes.PlanPaymentSerializer,
        responses=with_errors(ApprovalSerializer, 409, 429, 502, 400, 401, 403),
    )
    @idempotent
    def post(self, request: Request) -> Response:
        is_second = validate_shape(shapes.PlanPaymentSerializer, request.data)["confirm_second"]
        begun = plan_changes.begin_paid_change(
            organisation=_load_buyer(request),
            **_parse_plan_choice(request.data),
            confirm_second=is_second,
        )
        return Response(ApprovalSerializer({"approval_url": begun.url}).data)


class PlanChange(APIView):
    """A change of plan that costs nothing now and holds from the next billing date."""

    right = Right.PAY

    @extend_schema(
        operation_id="subscriptions_plan_change",
        request=shapes.PlanChoiceSerializer,
        responses=with_errors(shapes.MessageWithApprovalSerializer, 429, 502, 400, 401, 403),
    )
    @idempotent
    def post(self, request: Request) -> Response:
        """With an `approval_url` the change is scheduled once it is approved there."""
        change = plan_changes.schedule_change(organisation=_load_buyer(request), **_parse_plan_choice(request.data))
        answer = {"message": change.message, "approval_url": change.approval_url}
        return Response(shapes.MessageWithApprovalSerializer(answer).data)

    @extend_schema(
        operation_id="subscriptions_plan_change_undo",
        request=None,
        responses=with_errors(MessageSerializer, 400, 401, 403),
    )
    def delete(self, request: Request) -> Response:
        """Stay with the plan."""
        return _build_message_response(plan_changes.undo_scheduled_change(organisation=_load_buyer(request)))


class Pause(APIView):
    """Pause the plan, two months in twelve."""

    right = Right.PAY

    @extend_schema(
        operation_id="subscriptions_pause", request=None, responses=with_errors(MessageSerializer, 400, 401, 403)
    )
    @idempotent
    def post(self, request: Request) -> Response:
        return _build_message_response(pauses.pause_plan(organisation=_load_buyer(request)))


class Resume(APIView):
    """Go on with a paused plan."""

    right = Right.PAY

    @extend_schema(
        operation_id="subscriptions_resume", request=None, responses=with_errors(MessageSerializer, 400, 401, 403)
    )
    @idempotent
    def post(self, request: Request) -> Response:
        return _build_message_response(pauses.resume_plan(organisation=_load_buyer(request)))


class Cancel(APIView):
    """Cancel the plan at the end of what is paid for."""

    right = Right.PAY

    @extend_schema(
        operation_id="subscriptions_cancel", request=None, responses=with_errors(MessageSerializer, 400, 401, 403)
    )
    @idempotent
    def post(self, request: Request) -> Response:
        return _build_message_response(cancellations.cancel_plan(organisation=_load_buyer(request)))


class Reactivate(APIView):
    """Keep a cancelled plan: a new agreement that starts when the paid period ends."""

    right = Right.PAY

    @extend_schema(
        operation_id="subscriptions_reactivate",
        request=None,
        responses=with_errors(shapes.MessageWithApprovalSerializer, 429, 502, 400, 401, 403),
    )
    @idempotent
    def post(self, request: Request) -> Response:
        reactivated = cancellations.reactivate_plan(organisation=_load_buyer(request))
        answer = {"message": reactivated.message, "approval_url": reactivated.approval_url}
        return Response(shapes.MessageWithApprovalSerializer(answer).data)


class SubscriptionStatus(APIView):
    """The plan of the account, what it has used, and what comes next."""

    right = Right.LOOK
    shown_in_views = True

    @extend_schema(
        operation_id="subscriptions_status", responses=with_errors(shapes.SubscriptionStatusSerializer, 401, 403)
    )
    def get(self, request: Request) -> Response:
        return Response(
            shapes.SubscriptionStatusSerializer(presentation.present_subscription(calling_organisation(request))).data
        )


class TrialStart(APIView):
    """Begin the Growth trial: 14 days with 100 credits and every check, once."""

    right = Right.PAY

    @extend_schema(
        operation_id="trial_start", request=None, responses=with_errors(shapes.TrialAnswerSerializer, 400, 401, 403)
    )
    @idempotent
    def post(self, request: Request) -> Response:
        organisation = _load_buyer(request)
        found = start_trial(organisation=organisation)
        answer = presentation.present_trial_start(
            found, credits=entitlements.build_account_summary(organisation)["credits"]
        )
        return Response(shapes.TrialAnswerSerializer(answer).data)
