"""What a sign-in answers, and its cookies: the refresh secret and the session of pages."""

from typing import Any

from django.conf import settings
from django.contrib import auth
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import known_devices
from accounts.access.calling import find_membership_closure, working_membership
from accounts.signin.models import Purpose
from accounts.signin.one_time_tokens import LIFETIME
from accounts.signin.sessions import start_sign_in
from accounts.users.models import User
from accounts.users.serializers import present_person
from emailcheck.common.errors import Refused
from emailcheck.common.secrecy import generate_secret, hash_secret

REFRESH_COOKIE = "refresh"
REFRESH_PATH = "/api/auth"
REGISTERING_COOKIE = "registering"
REGISTERING_PATH = "/api/auth/verify-email"
TOKEN_LIFETIME_S = int(settings.ACCESS_TOKEN_LIFETIME.total_seconds())


def build_sign_in_response(request: Request, user: User) -> Response:
    """Sign the account in on this device, for the API and for pages."""
    tokens = start_sign_in(user=user, device=request.headers.get("User-Agent", ""))
    auth.login(request._request, user, backend="django.contrib.auth.backends.ModelBackend")
    request._request.session["sign_in"] = tokens.sign_in_id
    membership = working_membership(user)
    account = present_person(membership, closure=find_membership_closure(membership))
    answer: dict[str, Any] = {"user": account, "token": tokens.access, "expires_in": TOKEN_LIFETIME_S}
    made = set_refresh_cookie(Response(answer), tokens.refresh)
    known_devices.remember_device(made, request._request, user)
    return made


def clear_refresh_cookie(answer: Response) -> Response:
    """The answer, that takes the refresh cookie away."""
    answer.delete_cookie(REFRESH_COOKIE, path=REFRESH_PATH, samesite="Strict")
    return answer


def set_refresh_cookie(answer: Response, secret: str) -> Response:
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


def set_registering_cookie(answer: Response) -> str:
    """Marks the browser that an address was registered in; the hash of the secret that it keeps."""
    secret = generate_secret()
    answer.set_cookie(
        REGISTERING_COOKIE,
        secret,
        max_age=int(LIFETIME[Purpose.VERIFY].total_seconds()),
        path=REGISTERING_PATH,
        secure=settings.SECURE,
        httponly=True,
        samesite="Strict",
    )
    return hash_secret(secret)


def read_refresh_secret(request: Request) -> str:
    """The refresh cookie. Browsers name the origin of every POST; programs that hold the cookie name none."""
    origin = request.headers.get("Origin")
    if origin and origin.partition("://")[2] != request.get_host():
        raise Refused("Permission denied", code="ORIGIN_REFUSED")
    return str(request.COOKIES.get(REFRESH_COOKIE, ""))
