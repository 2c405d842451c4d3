"""The descriptions of the API: the contract for everybody, all calls for staff; and advice about refused calls."""

from typing import Any

from django.conf import settings
from django.http import HttpResponse, HttpResponseNotModified
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access.calling import calling_organisation
from accounts.access.models import SignIn
from accounts.access.views import PublicView
from accounts.keys import request_log
from accounts.organisations.roles import Right
from accounts.users.models import User
from emailcheck.common.api.serializers import with_errors
from emailcheck.common.errors import NotAuthenticated, Refused
from emailcheck.contract import description, mended_calls
from emailcheck.contract.serializers import AdviceSerializer

_ELSEWHERE = "The description for programs is at /api/v1/openapi.json."


class Contract(PublicView):
    """The description of the calls that programs may make."""

    @extend_schema(operation_id="openapi", auth=[], responses={200: OpenApiTypes.OBJECT})
    def get(self, request: Request) -> HttpResponseBase:
        return _respond(request, description.load_contract(), kept="public, max-age=300")


class MayReadSchema(BasePermission):
    """Staff, and those whose addresses are in `SCHEMA_READERS`, by a sign-in."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """Raises `NotAuthenticated` for visitors, `Refused` for everybody else."""
        if request.auth is None:
            raise NotAuthenticated(f"Authentication required. {_ELSEWHERE}")
        user = request.user
        if not isinstance(request.auth, SignIn) or not isinstance(user, User) or not _is_reader(user):
            raise Refused(f"This description is for staff. {_ELSEWHERE}")
        return True


def _is_reader(user: User) -> bool:
    return user.is_staff or user.email in settings.SCHEMA_READERS


class Schema(APIView):
    """The description of every call."""

    right = None
    permission_classes = (MayReadSchema,)

    @extend_schema(operation_id="schema", responses=with_errors({200: OpenApiTypes.OBJECT}, 401, 403))
    def get(self, request: Request) -> HttpResponseBase:
        return _respond(request, description.load_internal(), kept="private, no-cache")


class RequestAdvice(APIView):
    """Why a call with a key was refused, and a call in its place that would be answered."""

    right = Right.DEVELOP

    @extend_schema(operation_id="user_request_advice", responses=with_errors(AdviceSerializer, 401, 403, 404))
    def get(self, request: Request, request_id: str) -> Response:
        refusal = mended_calls.read_refusal(request_log.load_request(calling_organisation(request), request_id))
        advice = {
            "sentence": refusal.sentence,
            "explanation": mended_calls.explain(refusal),
            "mended_call": mended_calls.mend_call(refusal),
        }
        return Response(AdviceSerializer(advice).data)


def _respond(request: Request, document: tuple[bytes, str], *, kept: str) -> HttpResponseBase:
    text, etag = document
    headers = {"ETag": etag, "Cache-Control": kept}
    if request.headers.get("If-None-Match") == etag:
        return HttpResponseNotModified(headers=headers)
    return HttpResponse(text, content_type="application/json", headers=headers)
