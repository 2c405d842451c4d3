"""Who calls: the bearer credential of the API."""

from typing import Any

from django.utils import timezone
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework import exceptions
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.request import Request
from rest_framework_simplejwt.exceptions import TokenBackendError
from rest_framework_simplejwt.state import token_backend

from accounts.models import SignIn, User
from emailcheck.common.errors import Refused


class BearerAuthentication(BaseAuthentication):
    """`Authorization: Bearer {token}`, a login token whose sign-in is still open."""

    def authenticate(self, request: Request) -> tuple[User, SignIn] | None:
        scheme, _, token = get_authorization_header(request).partition(b" ")
        if scheme.lower() != b"bearer" or not token:
            return None
        claims = _claims(token.strip())
        sign_in = (
            SignIn.objects.select_related("user")
            .filter(pk=claims["sid"], ended_at=None, expires_at__gt=timezone.now())
            .first()
        )
        if sign_in is None or str(sign_in.user_id) != claims.get("user_id"):
            raise exceptions.AuthenticationFailed("Authentication required")
        if not sign_in.user.is_active:
            raise Refused("Account suspended", code="ACCOUNT_SUSPENDED")
        return sign_in.user, sign_in

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


def _claims(token: bytes) -> dict[str, Any]:
    try:
        claims: dict[str, Any] = token_backend.decode(token, verify=True)
    except TokenBackendError as error:
        raise exceptions.AuthenticationFailed("Authentication required") from error
    if claims.get("token_type") != "access" or type(claims.get("sid")) is not int:
        raise exceptions.AuthenticationFailed("Authentication required")
    return claims


class BearerScheme(OpenApiAuthenticationExtension):
    """Describes the credential in the API schema."""

    target_class = "accounts.auth.BearerAuthentication"
    name = "bearer"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}
