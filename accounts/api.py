"""Sign-in calls."""

from django.conf import settings
from django.contrib import auth
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts import services
from accounts.auth import caller
from accounts.models import SignIn
from accounts.serializers import (
    AccountSerializer,
    LoginAnswerSerializer,
    LoginSerializer,
    MessageSerializer,
    TokenSerializer,
    account,
)
from emailcheck.common.api import ErrorSerializer
from emailcheck.common.errors import NotAuthenticated, Refused

REFRESH_COOKIE = "refresh"
REFRESH_PATH = "/api/auth/refresh"
_ERRORS = {401: ErrorSerializer, 403: ErrorSerializer}
_LIFETIME = int(settings.ACCESS_TOKEN_LIFETIME.total_seconds())


class Login(APIView):
    """E-mail and password for tokens and the page session."""

    authentication_classes = ()
    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="auth_login",
        request=LoginSerializer,
        responses={200: LoginAnswerSerializer, 400: ErrorSerializer, **_ERRORS},
        auth=[],
    )
    def post(self, request: Request) -> Response:
        shape = LoginSerializer(data=request.data)
        shape.is_valid(raise_exception=True)
        user = services.check_password(**shape.validated_data)
        tokens = services.start_sign_in(user=user, device=request.headers.get("User-Agent", ""))
        auth.login(request._request, user, backend="django.contrib.auth.backends.ModelBackend")
        request._request.session["sign_in"] = tokens.sign_in_id
        answer = Response({"user": account(user), "token": tokens.access, "expires_in": _LIFETIME})
        return _with_refresh(answer, tokens.refresh)


class Refresh(APIView):
    """A new access token for the refresh cookie, which is rotated."""

    authentication_classes = ()
    permission_classes = (AllowAny,)

    @extend_schema(operation_id="auth_refresh", request=None, responses={200: TokenSerializer, **_ERRORS}, auth=[])
    def post(self, request: Request) -> Response:
        _check_origin(request)
        secret = request.COOKIES.get(REFRESH_COOKIE)
        if not secret:
            raise NotAuthenticated(services.SESSION_ENDED, code="SESSION_ENDED")
        tokens = services.rotate(refresh=secret)
        return _with_refresh(Response({"token": tokens.access, "expires_in": _LIFETIME}), tokens.refresh)


class Logout(APIView):
    """Ends this sign-in everywhere: token, refresh cookie and page session."""

    @extend_schema(operation_id="auth_logout", request=None, responses={200: MessageSerializer, 401: ErrorSerializer})
    def post(self, request: Request) -> Response:
        assert isinstance(request.auth, SignIn)
        services.end_sign_in(sign_in_id=request.auth.pk)
        auth.logout(request._request)
        answer = Response({"message": "You are signed out."})
        answer.delete_cookie(REFRESH_COOKIE, path=REFRESH_PATH, samesite="Strict")
        return answer


class Me(APIView):
    """The signed-in account."""

    open_to_keys = True

    @extend_schema(operation_id="auth_me", responses={200: AccountSerializer, **_ERRORS})
    def get(self, request: Request) -> Response:
        return Response(account(caller(request)))


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


def _check_origin(request: Request) -> None:
    """Browsers name the origin of every POST; whoever names none holds the cookie without a browser."""
    origin = request.headers.get("Origin")
    if origin and origin.partition("://")[2] != request.get_host():
        raise Refused("Permission denied", code="ORIGIN_REFUSED")
