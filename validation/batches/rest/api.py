"""The call that checks what was left out of a list."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.authentication import api_key_of
from accounts.organisations.roles import Right
from billing.usage.quota import SpendingView
from emailcheck.common.api.idempotency import idempotent
from emailcheck.common.api.serializers import ErrorSerializer, validate_shape
from validation.access.calling import calling_reader
from validation.batches.queries import load_batch
from validation.batches.rest.serializers import BatchRestSerializer, RestRequestSerializer
from validation.batches.rest.services import check_rest


class CheckRest(SpendingView):
    """Check the addresses of a finished batch that `max_credits` left out, as far as its file is kept.

    The same batch goes on; what was checked before is not charged again.
    """

    right = Right.CHECK
    open_to_keys = True

    @extend_schema(
        operation_id="validate_batch_check_rest",
        request=RestRequestSerializer,
        responses={
            200: BatchRestSerializer,
            **dict.fromkeys((400, 401, 403, 404, 409, 410), ErrorSerializer),
        },
    )
    @idempotent
    def post(self, request: Request, batch_id: str) -> Response:
        batch = load_batch(calling_reader(request), batch_id)
        max_credits = validate_shape(RestRequestSerializer, request.data)["max_credits"]
        started = check_rest(batch=batch, max_credits=max_credits, api_key=api_key_of(request))
        message = f"Checking {started.addresses} more addresses"
        return Response(
            {"status": batch.status, "checking": started.addresses, "held": started.held, "message": message}
        )
