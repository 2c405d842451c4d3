"""Calls about one's own API keys and what was called with them. They need a sign-in; keys are refused."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access.authentication import caller
from accounts.access.calling import calling_organisation
from accounts.access.permissions import MayCall, RecentlyConfirmed
from accounts.keys import request_log
from accounts.keys import services as keys
from accounts.keys.serializers import (
    KeyAnswerSerializer,
    KeyChangesSerializer,
    KeyListSerializer,
    MadeKeySerializer,
    NewKeySerializer,
    RequestPageSerializer,
    RequestQuerySerializer,
    RequestSerializer,
    present_made_key,
)
from accounts.organisations.roles import Right
from emailcheck.common.api.serializers import (
    MessageSerializer,
    refuse_unknown_members,
    validate_query,
    validate_shape,
    with_errors,
)


class ApiKeys(APIView):
    """The live keys of the account; a new one."""

    right = Right.DEVELOP
    permission_classes = (MayCall, RecentlyConfirmed)
    confirmed_only = ("POST",)

    @extend_schema(operation_id="user_api_keys", responses=with_errors(KeyListSerializer, 400, 401, 403))
    def get(self, request: Request) -> Response:
        return Response(KeyListSerializer({"keys": keys.list_keys(calling_organisation(request))}).data)

    @extend_schema(
        operation_id="user_api_keys_create",
        request=NewKeySerializer,
        responses=with_errors({201: MadeKeySerializer}, 400, 401, 403),
    )
    def post(self, request: Request) -> Response:
        refuse_unknown_members(NewKeySerializer, request.data)
        key, text = keys.create_key(
            organisation=calling_organisation(request),
            maker=caller(request),
            **validate_shape(NewKeySerializer, request.data),
        )
        return Response(present_made_key(key, text), status=201)


class ApiKeyDetail(APIView):
    """One key."""

    right = Right.DEVELOP
    permission_classes = (MayCall, RecentlyConfirmed)
    confirmed_only = ("PUT",)

    @extend_schema(
        operation_id="user_api_keys_update",
        request=KeyChangesSerializer,
        responses=with_errors(KeyAnswerSerializer, 400, 401, 403, 404),
    )
    def put(self, request: Request, key_id: int) -> Response:
        """What is not sent stays as it is."""
        changes = validate_shape(KeyChangesSerializer, request.data)
        key = keys.update_key(organisation=calling_organisation(request), key_id=key_id, **changes)
        return Response(KeyAnswerSerializer(key).data)

    @extend_schema(operation_id="user_api_keys_revoke", responses=with_errors(MessageSerializer, 400, 401, 403, 404))
    def delete(self, request: Request, key_id: int) -> Response:
        keys.revoke_key(organisation=calling_organisation(request), key_id=key_id)
        return Response({"message": "The API key was revoked."})


class Requests(APIView):
    """Calls of the last 30 days, newest first."""

    right = Right.DEVELOP

    @extend_schema(
        operation_id="user_requests",
        parameters=[RequestQuerySerializer],
        responses=with_errors(RequestPageSerializer, 400, 401, 403),
    )
    def get(self, request: Request) -> Response:
        query = validate_query(RequestQuerySerializer, request.query_params)
        lines, after = request_log.list_requests(calling_organisation(request), **query)
        return Response(RequestPageSerializer({"requests": lines, "next": after}).data)


class RequestDetail(APIView):
    """A call with its bodies, without what is personal in them."""

    right = Right.DEVELOP

    @extend_schema(operation_id="user_request_detail", responses=with_errors(RequestSerializer, 404, 401, 403))
    def get(self, request: Request, request_id: str) -> Response:
        return Response(RequestSerializer(request_log.load_request(calling_organisation(request), request_id)).data)
