"""Sign-in calls."""

from contextlib import suppress
from typing import Any

from django.contrib import auth
from django.core.exceptions import SuspiciousOperation
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import APIException, AuthenticationFailed
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import limits
from accounts.access.authentication import api_key_of, caller
from accounts.access.calling import find_caller_closure, read_membership
from accounts.access.models import SignIn
from accounts.access.views import Guarded
from accounts.keys.serializers import present_used_key
from accounts.rules.google_rule import check_password_signs_in
from accounts.signin import page_sessions, second_factor
from accounts.signin import services as signin
from accounts.signin.google import accounts
from accounts.signin.serializers import (
    SIGN_IN_ANSWERS,
    CallerSerializer,
    ConfirmedSerializer,
    LoginAnswerSerializer,
    LoginSerializer,
    MfaVerifySerializer,
    ReauthenticateSerializer,
    TokenSerializer,
)
from accounts.signin.session_cookies import (
    REFRESH_COOKIE,
    TOKEN_LIFETIME_S,
    build_sign_in_response,
    clear_refresh_cookie,
    read_refresh_secret,
    set_refresh_cookie,
)
from accounts.signin.sessions import (
    SESSION_ENDED,
    confirm_owner,
    end_sign_in,
    end_token_family,
    find_token_owner,
    rotate_tokens,
)
from accounts.users.serializers import present_key_holder, present_person
from emailcheck.common.api.serializers import MessageSerializer, validate_shape, with_errors
from emailcheck.common.errors import NotAuthenticated


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

    @extend_schema(operation_id="auth_login", request=LoginSerializer, responses=SIGN_IN_ANSWERS, auth=[])
    def post(self, request: Request) -> Response:
        pair = validate_shape(LoginSerializer, request.data)
        user = signin.check_password(**pair)
        limits.reset_password_guesses(request._request, email=pair["email"])
        check_password_signs_in(user)
        second_factor.require_code(user=user)
        return build_sign_in_response(request, user)


class MfaVerify(Guarded):
    """The second step of a sign-in: answers as the first does without a second factor."""

    @extend_schema(
        operation_id="auth_mfa_verify",
        request=MfaVerifySerializer,
        responses=with_errors(LoginAnswerSerializer, 400, 401, 403, 429),
        auth=[],
    )
    def post(self, request: Request) -> Response:
        given = validate_shape(MfaVerifySerializer, request.data)
        owner = second_factor.find_token_owner(given["mfa_token"])
        if owner:
            limits.count_code_guess(user_id=owner)
        user, google_sub = second_factor.verify_sign_in(**given)
        limits.reset_code_guesses(user_id=user.pk)
        signin.check_may_enter(user)
        if google_sub is None:
            check_password_signs_in(user)
        if google_sub:
            accounts.link_account(user=user, sub=google_sub)
        return build_sign_in_response(request, user)


class Refresh(APIView):
    """A new access token for the refresh cookie, which is rotated."""

    authentication_classes = ()
    permission_classes = ()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        owner = find_token_owner(refresh=str(request.COOKIES.get(REFRESH_COOKIE, "")))
        if owner is None:
            limits.count_stranger()
        else:
            limits.count_site(owner)

    @extend_schema(
        operation_id="auth_refresh", request=None, responses=with_errors(TokenSerializer, 401, 403, 429), auth=[]
    )
    def post(self, request: Request) -> Response:
        secret = read_refresh_secret(request)
        if not secret:
            raise NotAuthenticated(SESSION_ENDED, code="SESSION_ENDED")
        tokens = rotate_tokens(refresh=secret)
        return set_refresh_cookie(Response({"token": tokens.access, "expires_in": TOKEN_LIFETIME_S}), tokens.refresh)


class Logout(APIView):
    """Ends this sign-in everywhere: token, refresh cookie and page session. With an expired token the cookie tells
    which."""

    right = None
    permission_classes = ()

    def perform_authentication(self, request: Request) -> None:
        with suppress(AuthenticationFailed):
            super().perform_authentication(request)

    @extend_schema(operation_id="auth_logout", request=None, responses=with_errors(MessageSerializer, 401, 403))
    def post(self, request: Request) -> Response:
        if isinstance(request.auth, SignIn):
            end_sign_in(sign_in_id=request.auth.pk)
        elif not (page_sessions.has_ended(request._request) or end_token_family(refresh=read_refresh_secret(request))):
            raise NotAuthenticated("Authentication required")
        auth.logout(request._request)
        return clear_refresh_cookie(Response({"message": "You are signed out."}))


def _present_caller(request: Request) -> dict[str, Any]:
    key = api_key_of(request)
    if key is not None:
        return present_key_holder(key.organisation) | {"key": present_used_key(key)}
    return present_person(read_membership(request), closure=find_caller_closure(request))


class Me(APIView):
    """The account that calls; with an API key, what that key may do."""

    right = None
    polled = True
    open_to_keys = True
    shown_in_views = True

    @extend_schema(operation_id="auth_me", responses=with_errors(CallerSerializer, 401, 403, 429))
    def get(self, request: Request) -> Response:
        return Response(_present_caller(request))


class Reauthenticate(APIView):
    """Password or code once more, so that the next 15 minutes may do what asks for it (SEC-015)."""

    right = None

    @extend_schema(
        operation_id="auth_reauthenticate",
        request=ReauthenticateSerializer,
        responses=with_errors(ConfirmedSerializer, 400, 401, 403, 429),
    )
    def post(self, request: Request) -> Response:
        assert isinstance(request.auth, SignIn)
        user, given = caller(request), validate_shape(ReauthenticateSerializer, request.data)
        limits.count_code_guess(user_id=user.pk)
        until = confirm_owner(user=user, sign_in=request.auth, **given)
        limits.reset_code_guesses(user_id=user.pk)
        return Response({"valid_until": until})
