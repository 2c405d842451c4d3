"""Who calls: the bearer credential of the API."""

from typing import Any

from django.utils import timezone
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework import exceptions
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework_simplejwt.exceptions import TokenBackendError
from rest_framework_simplejwt.state import token_backend

from accounts import keys, limits, viewing
from accounts.models import ApiKey, Scope, SignIn, User, Viewing
from emailcheck.common import calls, proxies
from emailcheck.common.errors import ProductError, Refused
from emailcheck.common.schema import VERSIONED


def caller(request: Request) -> User:
    """The account that calls."""
    assert isinstance(request.user, User)
    return request.user


def key_of(request: Request) -> ApiKey | None:
    """The API key that the call was made with, None for a sign-in."""
    return request.auth if isinstance(request.auth, ApiKey) else None


def is_viewed(request: Request) -> bool:
    """Whether staff look at the account: no address that its owner uploaded may be answered."""
    return isinstance(request.auth, Viewing)


class BearerAuthentication(BaseAuthentication):
    """`Authorization: Bearer {credential}`: a login token whose sign-in is still open, an API key, or the token of a
    look at the account of somebody else."""

    def authenticate(self, request: Request) -> tuple[User, SignIn | ApiKey | Viewing] | None:
        """Every call is counted here, before it does anything: by account, or by address where there is none."""
        try:
            found = _recognised(request)
        except (exceptions.AuthenticationFailed, ProductError):
            limits.count_stranger()
            raise
        if found is None:
            limits.count_stranger()
            return None
        if isinstance(found, ApiKey):
            limits.count_key(found.user)
        elif isinstance(found, Viewing):
            limits.count_site(found.sign_in.user_id)
            _check_only_looks(request)
        else:
            limits.count_site(found.user_id)
        return found.user, found

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


def _recognised(request: Request) -> SignIn | ApiKey | Viewing | None:
    """The sign-in, key or look of the call, None where it names no credential. Raises the refusal of any other."""
    scheme, _, credential = get_authorization_header(request).partition(b" ")
    token = credential.strip()
    if scheme.lower() != b"bearer" or not token:
        return None
    if _is_meant_as_key(request, token):
        return _key(request, token.decode("latin-1"))
    claims = _claims(token)
    return _viewing(claims) if viewing.CLAIM in claims else _sign_in(claims)


def _viewing(claims: dict[str, Any]) -> Viewing:
    found = viewing.find(claims[viewing.CLAIM])
    if found is None:
        raise exceptions.AuthenticationFailed("The view has ended.")
    return found


def _check_only_looks(request: Request) -> None:
    """Whoever looks changes nothing, and sees what calls say may be seen: `shown_in_views`."""
    if request.method not in SAFE_METHODS:
        raise Refused("You are viewing as a user: nothing can be changed.", code="VIEW_READ_ONLY")
    if not getattr((request.parser_context or {}).get("view"), "shown_in_views", False):
        raise Refused("This is not shown while you view as a user.", code="VIEW_HIDDEN")


def _key(request: Request, text: str) -> ApiKey:
    """The live key of that text. That the call was made with a key of ours is noted, refused or not."""
    key = keys.find(text)
    calls.made_with_key(calls.KeyCall(request, key.user_id, key.pk, keys.is_test(key)))
    return keys.let_in(key, ip=proxies.caller_address())


def _is_meant_as_key(request: Request, token: bytes) -> bool:
    """Keys say so by their beginning; the versioned calls, which are made for programs, take what is no JWT for one."""
    return token.startswith(b"ec_") or (request.path.startswith(VERSIONED) and token.count(b".") != 2)


class MayCall(BasePermission):
    """A sign-in may make every call; an API key those of views that are `open_to_keys` but for
    their `sign_in_only` methods, within its scopes."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """Raises `Refused` for a key that may not, `NotAuthenticated` for a versioned call without a credential."""
        if not isinstance(request.user, User):
            if request.path.startswith(VERSIONED):
                raise keys.not_a_key()
            return False
        key = key_of(request)
        if key is None:
            return True
        if not getattr(view, "open_to_keys", False) or request.method in getattr(view, "sign_in_only", ()):
            raise Refused("API keys may not make this call. Please sign in.")
        scope = Scope.READ if request.method in SAFE_METHODS else Scope.WRITE
        if scope not in key.scopes:
            raise Refused(f"This API key may not do this: it lacks the scope {scope}.")
        return True


def _sign_in(claims: dict[str, Any]) -> SignIn:
    """The open sign-in that a token names. Of a suspended account, whose sign-ins have ended, it says so."""
    sign_in = SignIn.objects.select_related("user").filter(pk=claims["sid"]).first()
    if sign_in is None or str(sign_in.user_id) != claims.get("user_id"):
        raise exceptions.AuthenticationFailed("Authentication required")
    if sign_in.user.is_suspended:
        raise Refused("Account suspended", code="ACCOUNT_SUSPENDED")
    if sign_in.ended_at is not None or sign_in.expires_at <= timezone.now():
        raise exceptions.AuthenticationFailed("Authentication required")
    return sign_in


def _claims(token: bytes) -> dict[str, Any]:
    try:
        claims: dict[str, Any] = token_backend.decode(token, verify=True)
    except TokenBackendError as error:
        raise exceptions.AuthenticationFailed("Authentication required") from error
    if not _is_complete(claims):
        raise exceptions.AuthenticationFailed("Authentication required")
    return claims


def _is_complete(claims: dict[str, Any]) -> bool:
    """Whether it is an access token that names what it opens and its end, which has been compared with the clock."""
    is_access = claims.get("token_type") == "access" and type(claims.get("exp")) is int
    return is_access and (type(claims.get("sid")) is int or viewing.CLAIM in claims)


class BearerScheme(OpenApiAuthenticationExtension):
    """Describes the credential in the API schema."""

    target_class = "accounts.auth.BearerAuthentication"
    name = "bearer"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "A login token or an API key: `ec_live_…`, `ec_test_…`.",
        }
