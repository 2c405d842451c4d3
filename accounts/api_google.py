"""Signing in with Google: away, back, the one-time code for tokens, and what proves an address otherwise."""

from collections.abc import Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Any, Literal

from django.conf import settings
from django.http import HttpResponseRedirect
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import google, limits, mailbox, mfa, services, tokens
from accounts.api import signed_in_answer
from accounts.google import GoogleFailed, Identity, NotOfStaff, OtherGoogleAccount, Person, Unproven
from accounts.models import Purpose
from accounts.permissions import Guarded
from accounts.serializers import (
    GoogleSessionSerializer,
    LoginAnswerSerializer,
    MessageSerializer,
    PasswordSerializer,
    SignInErrorSerializer,
)
from emailcheck.common import mail
from emailcheck.common.api import ErrorSerializer, checked

COOKIE = "google"
IDENTITY_COOKIE = "google_identity"
PATH = "/api/auth"
_AWAY = {302: OpenApiResponse(description="to the provider"), 429: ErrorSerializer}
UNPROVEN = "unproven"
# What stands in the place of a code for those who get none, beside `unproven`.
_REFUSALS: Mapping[str, type[OtherGoogleAccount | NotOfStaff]] = MappingProxyType(
    {"linked": OtherGoogleAccount, "staff": NotOfStaff}
)
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
        # Lax: the way back from Google begins on another site.
        return _with_cookie(answer, COOKIE, handshake.sealed(), samesite="Lax")


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
        try:
            user = google.account_of(person, referral_code=handshake.referral_code)
        except Unproven:
            return _back_unproven(person, handshake.referral_code)
        except (OtherGoogleAccount, NotOfStaff) as error:
            return _back_with(next(name for name, kind in _REFUSALS.items() if isinstance(error, kind)))
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
            403: SignInErrorSerializer,
            429: ErrorSerializer,
        },
        auth=[],
    )
    def get(self, request: Request) -> Response:
        code = request.headers.get("X-Session-ID", "")
        if code in _REFUSALS:
            raise _REFUSALS[code]()
        if code == UNPROVEN:
            raise Unproven(_identity(request).email)
        handshake = google.handshake_of(request.COOKIES.get(COOKIE, ""))
        token = tokens.use(code, Purpose.SESSION, bound_to=handshake.nonce)
        if token is None:
            raise GoogleFailed
        services.check_may_enter(token.user)
        mfa.demand(user=token.user)
        answer = signed_in_answer(request, token.user)
        answer.data = _session(answer.data, picture=token.sealed)
        answer.delete_cookie(COOKIE, path=PATH, samesite="Lax")
        return answer


class GoogleLink(Guarded):
    """Link the Google account that just came back to the account with its address, by the password of that account."""

    def count(self, request: Request) -> None:
        """As a try at the account, as signing in is; without an identity there is none to try."""
        email = ""
        with suppress(GoogleFailed):
            email = _identity(request).email
        limits.count_sign_in(request._request, email=email)

    @extend_schema(
        operation_id="auth_google_link",
        request=PasswordSerializer,
        responses={
            200: LoginAnswerSerializer,
            400: ErrorSerializer,
            401: SignInErrorSerializer,
            403: SignInErrorSerializer,
            429: SignInErrorSerializer,
        },
        auth=[],
    )
    def post(self, request: Request) -> Response:
        identity = _identity(request)
        user = services.check_password(email=identity.email, **checked(PasswordSerializer, request.data))
        limits.knew_password(request._request, email=identity.email)
        mfa.demand(user=user, google_sub=identity.sub)
        google.link(user=user, sub=identity.sub)
        return _without_identity(signed_in_answer(request, user))


class GoogleMail(Guarded):
    """Have a link mailed that makes an account for the Google account that just came back.

    Known and unknown addresses get one answer; the owner of a taken one gets a mail that says how to sign in.
    """

    @extend_schema(
        operation_id="auth_google_mail",
        request=None,
        responses={200: MessageSerializer, 401: ErrorSerializer, 429: ErrorSerializer},
        auth=[],
    )
    def post(self, request: Request) -> Response:
        identity = _identity(request)
        limits.ask_for_mail(email=identity.email)
        mailbox.ask_to_register_by_google(
            sub=identity.sub, email=identity.email, name=identity.name, referral_code=identity.referral_code
        )
        return _without_identity(Response({"message": "Check your email to confirm your address."}))


def _identity(request: Request) -> Identity:
    """Who came back from Google to this browser without a proof of the address. Raises `GoogleFailed`."""
    return google.identity_of(request.COOKIES.get(IDENTITY_COOKIE, ""))


def _without_identity(answer: Response) -> Response:
    answer.delete_cookie(IDENTITY_COOKIE, path=PATH, samesite="Strict")
    return answer


def _back_unproven(person: Person, referral_code: str) -> HttpResponseRedirect:
    identity = Identity(person.sub, person.email, person.name, referral_code)
    return _with_cookie(_back_with(UNPROVEN), IDENTITY_COOKIE, identity.sealed(), samesite="Strict")


def _with_cookie(
    answer: HttpResponseRedirect, name: str, value: str, *, samesite: Literal["Lax", "Strict"]
) -> HttpResponseRedirect:
    """What the browser keeps for these calls alone until it is back from Google and done."""
    answer.set_cookie(
        name,
        value,
        max_age=google.HANDSHAKE_S,
        path=PATH,
        secure=settings.SECURE,
        httponly=True,
        samesite=samesite,
    )
    return answer


def _session(signed_in: dict[str, Any], *, picture: str) -> dict[str, Any]:
    user = signed_in["user"]
    values = {name: user[name] for name in ("id", "email", "name")}
    return {**values, "picture": picture or None, "session_token": signed_in["token"]}


def _back_with(code: str) -> HttpResponseRedirect:
    return HttpResponseRedirect(mail.link(f"/#session_id={code}"))
