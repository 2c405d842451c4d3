"""The calls that check one address."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import limits
from accounts.access.authentication import api_key_of
from accounts.access.calling import calling_organisation
from accounts.access.views import Guarded
from accounts.organisations.roles import Right
from billing.usage.quota import SpendingView
from emailcheck.common import request_context
from emailcheck.common.api.idempotency import idempotent
from emailcheck.common.api.serializers import ErrorSerializer, refuse_unknown_members, validate_shape
from emailcheck.common.errors import BadInput
from validation.results.presentation import present_result_in_full
from validation.results.serializers import ERRORS, ResultSerializer
from validation.single import public_try
from validation.single.serializers import ACCOUNT_FIELDS, AddressSerializer, SingleSerializer, TriedSerializer
from validation.single.services import NO_ADDRESS, validate_single


class Single(SpendingView):
    """Check one address now."""

    right = Right.CHECK
    open_to_keys = True

    @extend_schema(
        operation_id="validate_single", request=SingleSerializer, responses={200: ResultSerializer, **ERRORS}
    )
    @idempotent
    def post(self, request: Request) -> Response:
        sent = _parse_address_body(request, SingleSerializer)
        result = validate_single(
            organisation=calling_organisation(request),
            address=sent["email"],
            api_key=api_key_of(request),
            use_providers=sent["use_providers"],
            repair=sent["repair"],
        )
        return Response(present_result_in_full(result))


class Try(Guarded):
    """Check one address without an account, three an hour; nothing of it is kept."""

    def count(self, request: Request) -> None:
        limits.count_public()

    @extend_schema(
        operation_id="try",
        request=AddressSerializer,
        responses={200: TriedSerializer, 400: ErrorSerializer, 429: ErrorSerializer},
        auth=[],
    )
    def post(self, request: Request) -> Response:
        result, remaining = public_try.try_address(address=_parse_address_body(request, AddressSerializer)["email"])
        full = present_result_in_full(result)
        return Response({name: full[name] for name in full if name not in ACCOUNT_FIELDS} | {"remaining": remaining})


def _parse_address_body(request: Request, shape: type[AddressSerializer]) -> dict[str, Any]:
    """A body with one address. Raises `BadInput` (`INVALID_EMAIL`) where `email` is no text."""
    if request_context.is_contract_call() and isinstance(request.data, dict) and "email" not in request.data:
        refuse_unknown_members(shape, request.data)
    if not isinstance(request.data, dict) or not isinstance(request.data.get("email"), str):
        raise BadInput(NO_ADDRESS, code="INVALID_EMAIL", field="email")
    return validate_shape(shape, request.data)
