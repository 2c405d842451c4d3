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

from accounts.access import limits
from accounts.access.views import Guarded
from accounts.signin import mailbox_requests, one_time_tokens, second_factor
from accounts.signin import services as signin
from accounts.signin.google import accounts
from accounts.signin.google.accounts import (
    AddressNotVouchedFor,
    GoogleFailed,
    GooglePerson,
    OtherGoogleAccount,
    OtherGoogleAccountAlone,
    StaffDomainRequired,
    UnprovenIdentity,
)
from accounts.signin.models import Purpose
from accounts.signin.serializers import (
    SIGN_IN_ANSWERS,
    GoogleSessionSerializer,
    PasswordSerializer,
    SignInErrorSerializer,
)
from accounts.signin.session_cookies import build_sign_in_response
from emailcheck.common.api.serializers import MessageSerializer, validate_shape, with_errors
from emailcheck.common.outbound import mail

COOKIE = "google"
IDENTITY_COOKIE = "google_identity"
PATH = "/api/auth"
_AWAY = with_errors({302: OpenApiResponse(description="to the provider")}, 429)
UNPROVEN = "unproven"
# What replaces the code for those who get none, beside `unproven`.
_REFUSALS: Mapping[str, type[OtherGoogleAccount | StaffDomainRequired]] = MappingProxyType(
    {"linked-alone": OtherGoogleAccountAlone, "linked": OtherGoogleAccount, "staff": StaffDomainRequired}
)
_BACK = with_errors({302: OpenApiResponse(description="to `/#session_id={id}`")}, 429)


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
            address, handshake = accounts.start_handshake(referral_code=request.query_params.get("ref", "")[:40])
        except GoogleFailed:
            return _redirect_with_error("failed")
        answer = HttpResponseRedirect(address)
        # Lax: the way back from Google begins on another site.
        return _set_cookie(answer, COOKIE, handshake.to_cookie(), samesite="Lax")


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
        query = request.query_params
        try:
            handshake = accounts.load_handshake(request.COOKIES.get(COOKIE, ""))
            person = accounts.complete_handshake(
                handshake=handshake, state=query.get("state", ""), code=query.get("code", "")
            )
        except GoogleFailed:
            return _redirect_with_error("failed")
        try:
            user = accounts.find_or_create_account(person, referral_code=handshake.referral_code)
        except AddressNotVouchedFor:
            return _redirect_unproven(person, handshake.referral_code)
        except (OtherGoogleAccount, StaffDomainRequired) as error:
            return _redirect_with_error(next(name for name, kind in _REFUSALS.items() if isinstance(error, kind)))
        picture = person.picture if person.picture.startswith("https://") else ""
        return _redirect_with_error(
            one_time_tokens.create_token(user=user, purpose=Purpose.SESSION, sealed=picture, bound_to=handshake.nonce)
        )


class GoogleSession(Guarded):
    """Tokens for the one-time code in `X-Session-ID`: once, within a minute, for the browser that left."""

    @extend_schema(
        operation_id="auth_session",
        parameters=[OpenApiParameter("X-Session-ID", str, OpenApiParameter.HEADER, required=True)],
        responses=with_errors(
            {200: GoogleSessionSerializer, 401: SignInErrorSerializer, 403: SignInErrorSerializer}, 429
        ),
        auth=[],
    )
    def get(self, request: Request) -> Response:
        code = request.headers.get("X-Session-ID", "")
        if code in _REFUSALS:
            raise _REFUSALS[code]()
        if code == UNPROVEN:
            raise AddressNotVouchedFor(_read_identity(request).email)
        handshake = accounts.load_handshake(request.COOKIES.get(COOKIE, ""))
        token = one_time_tokens.consume_token(code, Purpose.SESSION, bound_to=handshake.nonce)
        if token is None:
            raise GoogleFailed
        signin.check_may_enter(token.user)
        second_factor.require_code(user=token.user, google_sub="")
        answer = build_sign_in_response(request, token.user)
        answer.data = _build_session(answer.data, picture=token.sealed)
        answer.delete_cookie(COOKIE, path=PATH, samesite="Lax")
        return answer


class GoogleLink(Guarded):
    """Link the Google account that just came back to the account with its address, by the password of that account."""

    def count(self, request: Request) -> None:
        """As a try at the account, as signing in is; without an identity there is none to try."""
        email = ""
        with suppress(GoogleFailed):
            email = _read_identity(request).email
        limits.count_sign_in(request._request, email=email)

    @extend_schema(operation_id="auth_google_link", request=PasswordSerializer, responses=SIGN_IN_ANSWERS, auth=[])
    def post(self, request: Request) -> Response:
        identity = _read_identity(request)
        # Also for people whose organisation requires Google: it is by Google that they sign in here.
        user = signin.check_password(email=identity.email, **validate_shape(PasswordSerializer, request.data))
        limits.reset_password_guesses(request._request, email=identity.email)
        second_factor.require_code(user=user, google_sub=identity.sub)
        accounts.link_account(user=user, sub=identity.sub)
        return _clear_identity_cookie(build_sign_in_response(request, user))


class GoogleMail(Guarded):
    """Have a link mailed that makes an account for the Google account that just came back.

    Known and unknown addresses get one answer; the owner of a taken one gets a mail that says how to sign in.
    """

    @extend_schema(
        operation_id="auth_google_mail", request=None, responses=with_errors(MessageSerializer, 401, 429), auth=[]
    )
    def post(self, request: Request) -> Response:
        identity = _read_identity(request)
        limits.count_mail_request(email=identity.email)
        mailbox_requests.request_google_registration(
            sub=identity.sub, email=identity.email, name=identity.name, referral_code=identity.referral_code
        )
        return _clear_identity_cookie(Response({"message": "Check your email to confirm your address."}))


def _read_identity(request: Request) -> UnprovenIdentity:
    """Who came back from Google to this browser without a proof of the address. Raises `GoogleFailed`."""
    return accounts.load_identity(request.COOKIES.get(IDENTITY_COOKIE, ""))


def _clear_identity_cookie(answer: Response) -> Response:
    answer.delete_cookie(IDENTITY_COOKIE, path=PATH, samesite="Strict")
    return answer


def _redirect_unproven(person: GooglePerson, referral_code: str) -> HttpResponseRedirect:
    identity = UnprovenIdentity(person.sub, person.email, person.name, referral_code)
    return _set_cookie(_redirect_with_error(UNPROVEN), IDENTITY_COOKIE, identity.to_cookie(), samesite="Strict")


def _set_cookie(
    answer: HttpResponseRedirect, name: str, value: str, *, samesite: Literal["Lax", "Strict"]
) -> HttpResponseRedirect:
    """What the browser keeps for these calls alone until it is back from Google and done."""
    answer.set_cookie(
        name, value, max_age=accounts.HANDSHAKE_S, path=PATH, secure=settings.SECURE, httponly=True, samesite=samesite
    )
    return answer


def _build_session(signed_in: dict[str, Any], *, picture: str) -> dict[str, Any]:
    user = signed_in["user"]
    values = {name: user[name] for name in ("id", "email", "name")}
    return {**values, "picture": picture or None, "session_token": signed_in["token"]}


def _redirect_with_error(code: str) -> HttpResponseRedirect:
    return HttpResponseRedirect(mail.build_link(f"/#session_id={code}"))
