"""Calls with which programs look after the endpoints of their own mode. A sign-in does so for live ones."""

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access.authentication import api_key_of
from accounts.access.calling import calling_organisation
from accounts.access.models import Scope
from accounts.organisations.roles import Right
from emailcheck.common import secrecy
from emailcheck.common.api.idempotency import idempotent
from emailcheck.common.api.serializers import MessageSerializer, validate_query, validate_shape, with_errors
from emailcheck.common.errors import NotFound
from emailcheck.common.opaque_ids import decode_id
from validation.webhooks import serializers as shapes
from validation.webhooks import services as webhooks
from validation.webhooks.models import Webhook


class EndpointView(APIView):
    """A call about endpoints of the caller's mode."""

    right = Right.DEVELOP
    open_to_keys = True
    scope = Scope.WEBHOOKS


class Endpoints(EndpointView):
    """The endpoints of the mode; a new one."""

    query: ClassVar = {"GET": shapes.EndpointQuerySerializer}

    @extend_schema(
        operation_id="webhooks_list",
        responses=with_errors(shapes.EndpointPageSerializer, 400, 401, 403),
    )
    def get(self, request: Request) -> Response:
        query = validate_query(shapes.EndpointQuerySerializer, request.query_params)
        found, following = webhooks.page_endpoints(calling_organisation(request), **query)
        return Response(shapes.EndpointPageSerializer({"webhooks": found, "next_cursor": following}).data)

    @extend_schema(
        operation_id="webhooks_create",
        request=shapes.NewEndpointSerializer,
        responses=with_errors({201: shapes.MadeEndpointSerializer}, 400, 401, 403, 409, 422),
    )
    @idempotent
    def post(self, request: Request) -> Response:
        """It gets the mode of the key. The secret is in this answer alone."""
        hook, secret = webhooks.create_endpoint(
            organisation=calling_organisation(request),
            test=calling_organisation(request).in_test_mode,
            api_key=api_key_of(request),
            **validate_shape(shapes.NewEndpointSerializer, request.data),
        )
        made = shapes.EndpointSerializer(hook).data
        return Response({**made, "secret": secrecy.seal_text(secret)}, status=201)

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        """The answer is stored for repetitions with its secret sealed, and opened on its way out."""
        answer = super().finalize_response(request, response, *args, **kwargs)
        if "secret" in answer.data:
            answer.data["secret"] = secrecy.unseal_text(answer.data["secret"])
        return answer


class EndpointDetail(EndpointView):
    """One endpoint."""

    @extend_schema(
        operation_id="webhooks_update",
        request=shapes.WebhookChangesSerializer,
        responses=with_errors(shapes.EndpointSerializer, 400, 401, 403, 404),
    )
    def patch(self, request: Request, webhook_id: str) -> Response:
        """What is not sent stays as it is."""
        hook = _load_endpoint(request, webhook_id)
        changes = validate_shape(shapes.WebhookChangesSerializer, request.data)
        webhooks.update_endpoint(organisation=calling_organisation(request), webhook_id=hook.pk, **changes)
        return Response(shapes.EndpointSerializer(_load_endpoint(request, webhook_id)).data)

    @extend_schema(operation_id="webhooks_delete", responses=with_errors(MessageSerializer, 401, 403, 404))
    def delete(self, request: Request, webhook_id: str) -> Response:
        """Delete it with its log."""
        hook = _load_endpoint(request, webhook_id)
        webhooks.delete_endpoint(organisation=calling_organisation(request), webhook_id=hook.pk)
        return Response({"message": "Webhook deleted"})


class EndpointTest(EndpointView):
    """Send an example now, and see what comes of it."""

    @extend_schema(
        operation_id="webhooks_test",
        request=shapes.ExampleChoiceSerializer,
        responses=with_errors(shapes.WebhookTestSerializer, 400, 401, 403, 404, 429, 503),
    )
    def post(self, request: Request, webhook_id: str) -> Response:
        hook = _load_endpoint(request, webhook_id)
        choice = validate_shape(shapes.ExampleChoiceSerializer, request.data)
        outcome = webhooks.send_test(organisation=calling_organisation(request), webhook_id=hook.pk, **choice)
        return Response(shapes.present_outcome(outcome))


def _load_endpoint(request: Request, webhook_id: str) -> Webhook:
    """The endpoint that an id names, if it is of the caller's mode. Raises `NotFound` for any other text."""
    number = decode_id(shapes.ENDPOINT_ID, webhook_id)
    if number is None:
        raise NotFound(webhooks.NOT_FOUND)
    return webhooks.load_endpoint_of_mode(calling_organisation(request), number)
