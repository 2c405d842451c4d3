"""Calls about webhooks. They need a sign-in; keys are refused."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access.calling import calling_organisation
from accounts.organisations.roles import Right
from emailcheck.common.api.serializers import ErrorSerializer, MessageSerializer, validate_query, validate_shape
from validation.webhooks import serializers as shapes
from validation.webhooks import services as webhooks

_ERRORS: dict[int, Any] = {401: ErrorSerializer, 403: ErrorSerializer}
_ONE_ERRORS: dict[int, Any] = {**_ERRORS, 404: ErrorSerializer}
_CHANGE_ERRORS: dict[int, Any] = {400: ErrorSerializer, **_ONE_ERRORS}
_OFF_ERRORS: dict[int, Any] = {**_CHANGE_ERRORS, 409: ErrorSerializer}


class Webhooks(APIView):
    """The endpoints of the account; a new one."""

    right = Right.DEVELOP

    @extend_schema(operation_id="user_webhooks_list", responses={200: shapes.WebhookListSerializer, **_ERRORS})
    def get(self, request: Request) -> Response:
        return Response(
            shapes.WebhookListSerializer({"webhooks": webhooks.list_endpoints(calling_organisation(request))}).data
        )

    @extend_schema(
        operation_id="user_webhooks_create",
        request=shapes.NewWebhookSerializer,
        responses={201: shapes.MadeWebhookSerializer, 400: ErrorSerializer, **_ERRORS},
    )
    def post(self, request: Request) -> Response:
        """The secret is shown once."""
        hook, secret = webhooks.create_endpoint(
            organisation=calling_organisation(request), **validate_shape(shapes.NewWebhookSerializer, request.data)
        )
        return Response({"id": hook.pk, "secret": secret}, status=201)


class WebhookDetail(APIView):
    """One endpoint."""

    right = Right.DEVELOP

    @extend_schema(
        operation_id="user_webhooks_update",
        request=shapes.WebhookChangesSerializer,
        responses={200: shapes.WebhookIdSerializer, **_CHANGE_ERRORS},
    )
    def put(self, request: Request, webhook_id: int) -> Response:
        """What is not sent stays as it is."""
        changes = validate_shape(shapes.WebhookChangesSerializer, request.data)
        hook = webhooks.update_endpoint(organisation=calling_organisation(request), webhook_id=webhook_id, **changes)
        return Response({"id": hook.pk})

    @extend_schema(operation_id="user_webhooks_delete", responses={200: MessageSerializer, **_ONE_ERRORS})
    def delete(self, request: Request, webhook_id: int) -> Response:
        """Delete it with its log."""
        webhooks.delete_endpoint(organisation=calling_organisation(request), webhook_id=webhook_id)
        return Response({"message": "Webhook deleted"})


class Test(APIView):
    """Send an example now, and see what comes of it."""

    right = Right.DEVELOP

    @extend_schema(
        operation_id="user_webhooks_test",
        request=shapes.ExampleChoiceSerializer,
        responses={
            200: shapes.WebhookTestSerializer, **_CHANGE_ERRORS, 429: ErrorSerializer, 503: ErrorSerializer,
        },
    )  # fmt: skip
    def post(self, request: Request, webhook_id: int) -> Response:
        choice = validate_shape(shapes.ExampleChoiceSerializer, request.data)
        outcome = webhooks.send_test(organisation=calling_organisation(request), webhook_id=webhook_id, **choice)
        return Response(shapes.present_outcome(outcome))


class Rotate(APIView):
    """A new secret; the old one signs beside it for a day."""

    right = Right.DEVELOP

    @extend_schema(
        operation_id="user_webhook_rotate",
        request=None,
        responses={200: shapes.RotatedSerializer, **_ONE_ERRORS, 409: ErrorSerializer},
    )
    def post(self, request: Request, webhook_id: int) -> Response:
        secret, until = webhooks.rotate_secret(organisation=calling_organisation(request), webhook_id=webhook_id)
        return Response(shapes.RotatedSerializer({"secret": secret, "old_secret_valid_until": until}).data)


class Deliveries(APIView):
    """The log of an endpoint: 30 days, newest first."""

    right = Right.DEVELOP

    @extend_schema(
        operation_id="user_webhook_deliveries",
        parameters=[shapes.DeliveryQuerySerializer],
        responses={200: shapes.DeliveryPageSerializer, **_CHANGE_ERRORS},
    )
    def get(self, request: Request, webhook_id: int) -> Response:
        query = validate_query(shapes.DeliveryQuerySerializer, request.query_params)
        rows, following = webhooks.list_deliveries(
            organisation=calling_organisation(request), webhook_id=webhook_id, **query
        )
        return Response(shapes.DeliveryPageSerializer({"deliveries": rows, "next": following}).data)


class Delivery(APIView):
    """One delivery: what was sent, and what came back at each try."""

    right = Right.DEVELOP

    @extend_schema(
        operation_id="user_webhook_delivery", responses={200: shapes.DeliveryDetailSerializer, **_ONE_ERRORS}
    )
    def get(self, request: Request, webhook_id: int, delivery_id: str) -> Response:
        found = webhooks.load_delivery(
            organisation=calling_organisation(request), webhook_id=webhook_id, delivery_id=delivery_id
        )
        return Response(shapes.DeliveryDetailSerializer(found).data)


class Replay(APIView):
    """Send a delivery again, with the same `webhook-id`."""

    right = Right.DEVELOP

    @extend_schema(
        operation_id="user_webhook_replay",
        request=None,
        responses={200: shapes.ReplayedSerializer, **_ONE_ERRORS, 409: ErrorSerializer},
    )
    def post(self, request: Request, webhook_id: int, delivery_id: str) -> Response:
        webhooks.replay_delivery(
            organisation=calling_organisation(request), webhook_id=webhook_id, delivery_id=delivery_id
        )
        return Response({"delivery_id": delivery_id, "message": "Delivery queued again"})


class ReplayFailed(APIView):
    """Send all failed deliveries again, or those of a range of time, each with its own `webhook-id`."""

    right = Right.DEVELOP

    @extend_schema(
        operation_id="user_webhook_replay_failed",
        request=shapes.RangeOfTimeSerializer,
        responses={200: shapes.ReplayedManySerializer, **_OFF_ERRORS},
    )
    def post(self, request: Request, webhook_id: int) -> Response:
        limits = validate_shape(shapes.RangeOfTimeSerializer, request.data)
        count = webhooks.replay_failed(organisation=calling_organisation(request), webhook_id=webhook_id, **limits)
        return Response({"queued_count": count, "message": _format_queued(count)})


def _format_queued(count: int) -> str:
    return f"{count:,} {'delivery' if count == 1 else 'deliveries'} queued again"
