"""Signing in with Google: away, back, and the one-time code for tokens."""

from typing import Any

from django.conf import settings
from django.http import HttpResponseRedirect
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import google, mfa, services, tokens
from accounts.api import signed_in_answer
from accounts.google import GoogleFailed
from accounts.models import Purpose
from accounts.permissions import Guarded
from accounts.serializers import GoogleSessionSerializer, SignInErrorSerializer
from emailcheck.common import mail
from emailcheck.common.api import ErrorSerializer

COOKIE = "google"
PATH = "/api/auth"
_AWAY = {302: OpenApiResponse(description="to the provider"), 429: ErrorSerializer}
_BACK = {302: OpenApiResponse(description="to `/#session_id={id}`"), 429: ErrorSerializer}


class GoogleStart(Guarded):
    """Leave for Google. Where it is not set up the way leads back at once, with a code that no session answers to."""

    @extend_schema(
        operation_id="auth_google_start",
        parameters=[
            OpenApiParameter("return", str, description="our own origin; any other is ignored"),
            OpenApiParameter("ref", str, description="the referral code that the visitor came with"),
        ],
        responses=_AWAY,
        auth=[],
    )
    def get(self, request: Request) -> HttpResponseRedirect:
        try:
            address, handshake = google.leave(referral_code=request.query_params.get("ref", "")[:40])
        except GoogleFailed:
            return _back_with("failed")
        answer = HttpResponseRedirect(address)
        answer.set_cookie(
            COOKIE,
            handshake.sealed(),
            max_age=google.HANDSHAKE_S,
            path=PATH,
            secure=settings.SECURE,
            httponly=True,
            # Lax: the way back from Google begins on another site.
            samesite="Lax",
        )
        return answer


class GoogleCallback(Guarded):
    """Back from Google, with a code or without."""

    @extend_schema(
        operation_id="auth_google_callback",
        parameters=[
            OpenApiParameter("state", str, required=True),
            OpenApiParameter("code", str),
            OpenApiParameter("error", str),
        ],
        responses=_BACK,
        auth=[],
    )
    def get(self, request: Request) -> HttpResponseRedirect:
        asked = request.query_params
        try:
            handshake = google.handshake_of(request.COOKIES.get(COOKIE, ""))
            person = google.come_back(handshake=handshake, state=asked.get("state", ""), code=asked.get("code", ""))
        except GoogleFailed:
            return _back_with("failed")
        user = google.account_of(person, referral_code=handshake.referral_code)
        picture = person.picture if person.picture.startswith("https://") else ""
        return _back_with(tokens.make(user=user, purpose=Purpose.SESSION, sealed=picture, bound_to=handshake.nonce))


class GoogleSession(Guarded):
    """Tokens for the one-time code in `X-Session-ID`: once, within a minute, for the browser that left."""

    @extend_schema(
        operation_id="auth_session",
        parameters=[OpenApiParameter("X-Session-ID", str, OpenApiParameter.HEADER, required=True)],
        responses={
            200: GoogleSessionSerializer,
            401: SignInErrorSerializer,
            403: ErrorSerializer,
            429: ErrorSerializer,
        },
        auth=[],
    )
    def get(self, request: Request) -> Response:
        handshake = google.handshake_of(request.COOKIES.get(COOKIE, ""))
        code = request.headers.get("X-Session-ID", "")
        token = tokens.use(code, Purpose.SESSION, bound_to=handshake.nonce)
        if token is None:
            raise GoogleFailed
        services.check_may_enter(token.user)
        mfa.demand(user=token.user)
        answer = signed_in_answer(request, token.user)
        answer.data = _session(answer.data, picture=token.sealed)
        answer.delete_cookie(COOKIE, path=PATH, samesite="Lax")
        return answer


def _session(signed_in: dict[str, Any], *, picture: str) -> dict[str, Any]:
    user = signed_in["user"]
    values = {name: user[name] for name in ("id", "email", "name")}
    return {**values, "picture": picture or None, "session_token": signed_in["token"]}


def _back_with(code: str) -> HttpResponseRedirect:
    return HttpResponseRedirect(mail.link(f"/#session_id={code}"))
