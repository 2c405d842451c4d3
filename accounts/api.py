"""Sign-in calls."""

from contextlib import suppress
from typing import Any

from django.conf import settings
from django.contrib import auth
from django.core.exceptions import SuspiciousOperation
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import APIException, AuthenticationFailed
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts import google, known_devices, limits, mfa, services, signed_out
from accounts.auth import caller
from accounts.models import SignIn, User
from accounts.permissions import Guarded
from accounts.serializers import (
    AccountSerializer,
    ConfirmedSerializer,
    LoginAnswerSerializer,
    LoginSerializer,
    MessageSerializer,
    MfaVerifySerializer,
    ReauthenticateSerializer,
    SignInErrorSerializer,
    TokenSerializer,
    account,
)
from emailcheck.common.api import ErrorSerializer, checked
from emailcheck.common.errors import NotAuthenticated, Refused

REFRESH_COOKIE = "refresh"
REFRESH_PATH = "/api/auth"
_ERRORS = {401: ErrorSerializer, 403: ErrorSerializer}
_LIFETIME = int(settings.ACCESS_TOKEN_LIFETIME.total_seconds())


class Login(Guarded):
    """E-mail and password for tokens and the page session."""

    def count(self, request: Request) -> None:
        """Also as a try at the account that it names, in the same step."""
        try:
            given = request.data
        except (APIException, SuspiciousOperation):
            limits.count_guarded()
            raise
        named = given.get("email") if isinstance(given, dict) else None
        email = named if isinstance(named, str) else ""
        limits.count_sign_in(request._request, email=email)

    @extend_schema(
        operation_id="auth_login",
        request=LoginSerializer,
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
        pair = checked(LoginSerializer, request.data)
        user = services.check_password(**pair)
        limits.knew_password(request._request, email=pair["email"])
        mfa.demand(user=user)
        return signed_in_answer(request, user)


class MfaVerify(Guarded):
    """The second step of a sign-in: answers as the first does without a second factor."""

    @extend_schema(
        operation_id="auth_mfa_verify",
        request=MfaVerifySerializer,
        responses={200: LoginAnswerSerializer, 400: ErrorSerializer, **_ERRORS, 429: ErrorSerializer},
        auth=[],
    )
    def post(self, request: Request) -> Response:
        given = checked(MfaVerifySerializer, request.data)
        owner = mfa.owner_of(given["mfa_token"])
        if owner:
            limits.guess_code(user_id=owner)
        user, google_sub = mfa.finish(**given)
        limits.knew_code(user_id=user.pk)
        services.check_may_enter(user)
        if google_sub:
            google.link(user=user, sub=google_sub)
        return signed_in_answer(request, user)


class Refresh(APIView):
    """A new access token for the refresh cookie, which is rotated."""

    authentication_classes = ()
    permission_classes = ()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        owner = services.owner_of(refresh=str(request.COOKIES.get(REFRESH_COOKIE, "")))
        if owner is None:
            limits.count_stranger()
        else:
            limits.count_site(owner)

    @extend_schema(
        operation_id="auth_refresh",
        request=None,
        responses={200: TokenSerializer, **_ERRORS, 429: ErrorSerializer},
        auth=[],
    )
    def post(self, request: Request) -> Response:
        secret = _refresh_secret(request)
        if not secret:
            raise NotAuthenticated(services.SESSION_ENDED, code="SESSION_ENDED")
        tokens = services.rotate(refresh=secret)
        return _with_refresh(Response({"token": tokens.access, "expires_in": _LIFETIME}), tokens.refresh)


class Logout(APIView):
    """Ends this sign-in everywhere: token, refresh cookie and page session. With an expired token the cookie tells
    which."""

    permission_classes = ()

    def perform_authentication(self, request: Request) -> None:
        with suppress(AuthenticationFailed):
            super().perform_authentication(request)

    @extend_schema(operation_id="auth_logout", request=None, responses={200: MessageSerializer, **_ERRORS})
    def post(self, request: Request) -> Response:
        if isinstance(request.auth, SignIn):
            services.end_sign_in(sign_in_id=request.auth.pk)
        elif not (signed_out.has_ended(request._request) or services.end_family(refresh=_refresh_secret(request))):
            raise NotAuthenticated("Authentication required")
        auth.logout(request._request)
        return without_refresh(Response({"message": "You are signed out."}))


class Me(APIView):
    """The signed-in account."""

    open_to_keys = True
    shown_in_views = True

    @extend_schema(operation_id="auth_me", responses={200: AccountSerializer, **_ERRORS, 429: ErrorSerializer})
    def get(self, request: Request) -> Response:
        return Response(account(caller(request)))


class Reauthenticate(APIView):
    """Password or code once more, so that the next 15 minutes may do what asks for it (SEC-015)."""

    @extend_schema(
        operation_id="auth_reauthenticate",
        request=ReauthenticateSerializer,
        responses={200: ConfirmedSerializer, 400: ErrorSerializer, **_ERRORS, 429: ErrorSerializer},
    )
    def post(self, request: Request) -> Response:
        assert isinstance(request.auth, SignIn)
        user, given = caller(request), checked(ReauthenticateSerializer, request.data)
        limits.guess_code(user_id=user.pk)
        until = services.confirm_owner(user=user, sign_in=request.auth, **given)
        limits.knew_code(user_id=user.pk)
        return Response({"valid_until": until})


def signed_in_answer(request: Request, user: User) -> Response:
    """Sign the account in on this device, for the API and for pages."""
    tokens = services.start_sign_in(user=user, device=request.headers.get("User-Agent", ""))
    auth.login(request._request, user, backend="django.contrib.auth.backends.ModelBackend")
    request._request.session["sign_in"] = tokens.sign_in_id
    answer: dict[str, Any] = {"user": account(user), "token": tokens.access, "expires_in": _LIFETIME}
    made = _with_refresh(Response(answer), tokens.refresh)
    known_devices.remember(made, request._request, user)
    return made


def without_refresh(answer: Response) -> Response:
    """The answer, that takes the refresh cookie away."""
    answer.delete_cookie(REFRESH_COOKIE, path=REFRESH_PATH, samesite="Strict")
    return answer


def _with_refresh(answer: Response, secret: str) -> Response:
    answer.set_cookie(
        REFRESH_COOKIE,
        secret,
        max_age=int(settings.REFRESH_LIFETIME.total_seconds()),
        path=REFRESH_PATH,
        secure=settings.SECURE,
        httponly=True,
        samesite="Strict",
    )
    return answer


def _refresh_secret(request: Request) -> str:
    """The refresh cookie. Browsers name the origin of every POST; whoever names none holds the cookie without one."""
    origin = request.headers.get("Origin")
    if origin and origin.partition("://")[2] != request.get_host():
        raise Refused("Permission denied", code="ORIGIN_REFUSED")
    return str(request.COOKIES.get(REFRESH_COOKIE, ""))
