"""Calls about the plan of an account, and the one that begins a trial."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access.callers import caller
from billing.subscriptions import entitlements, presentation
from billing.subscriptions.lifecycle.trials import start_trial
from billing.subscriptions.serializers import SubscriptionStatusSerializer, TrialAnswerSerializer
from emailcheck.common.api.idempotency import idempotent
from emailcheck.common.api.serializers import with_errors


class SubscriptionStatus(APIView):
    """The plan of the account, what it has used, and what comes next."""

    shown_in_views = True

    @extend_schema(operation_id="subscriptions_status", responses=with_errors(SubscriptionStatusSerializer, 401, 403))
    def get(self, request: Request) -> Response:
        return Response(SubscriptionStatusSerializer(presentation.present_subscription(caller(request))).data)


class TrialStart(APIView):
    """Begin the Growth trial: 14 days with 100 credits and every check, once."""

    @extend_schema(
        operation_id="trial_start",
        request=None,
        responses=with_errors(TrialAnswerSerializer, 400, 401, 403),
    )
    @idempotent
    def post(self, request: Request) -> Response:
        user = caller(request)
        found = start_trial(user=user)
        answer = presentation.present_trial_start(found, credits=entitlements.build_account_summary(user)["credits"])
        return Response(TrialAnswerSerializer(answer).data)
