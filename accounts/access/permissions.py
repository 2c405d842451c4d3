"""What a credential may do, and what takes a fresh proof of the owner. DRF imports these before it has views."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.utils import timezone
from rest_framework.exceptions import MethodNotAllowed
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from accounts.access.authentication import api_key_of, build_invalid_key_error
from accounts.access.calling import require_right
from accounts.access.models import Scope, SignIn
from accounts.organisations.roles import Right
from emailcheck.common.api.queries import require_known_parameters
from emailcheck.common.api.schema import FOR_PROGRAMS
from emailcheck.common.errors import Refused


class RecentlyConfirmed(BasePermission):
    """For calls that could empty the house (SEC-015): `permission_classes = (MayCall, RecentlyConfirmed)`.

    All methods of the view, or those it names `confirmed_only`. Only a session of a person can be confirmed, an API
    key never.
    """

    def has_permission(self, request: Request, view: Any) -> bool:
        method = name_method(request)
        if method not in getattr(view, "confirmed_only", (method,)):
            return True
        if not isinstance(request.auth, SignIn):
            return False
        require_confirmed(request.auth)
        return True


class MayCall(BasePermission):
    """A person may make every call for which their role has the right that the view names (`find_right`); an API key
    those of views that are `open_to_keys` but for their `sign_in_only` methods, within its scopes (`find_scope`).

    A view that `is_way_out` is open from wherever and without the second factor that the organisation asks for."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """Raises `Refused` for a key that may not, `NotAuthenticated` for a call that is for programs without a
        credential, `BadInput` for parameters that a call for keys does not take."""
        if request.auth is None:
            if request.path.startswith(FOR_PROGRAMS):
                raise build_invalid_key_error()
            return False
        key = api_key_of(request)
        if key is None:
            right = find_right(view, name_method(request))
            if right is not None:
                require_right(request, right, is_way_out=getattr(view, "is_way_out", False))
            if takes_keys(view, name_method(request)):
                require_known_parameters(request, view)
            return True
        if not takes_keys(view, name_method(request)):
            raise Refused("API keys may not make this call. Please sign in.")
        scope = find_scope(view, name_method(request))
        if scope not in key.scopes:
            raise Refused(f"This API key may not do this: it lacks the scope {scope}.")
        require_known_parameters(request, view)
        return True


def takes_keys(view: Any, method: str) -> bool:
    """Whether a method of a view can be called with an API key."""
    return getattr(view, "open_to_keys", False) and method not in getattr(view, "sign_in_only", ())


def find_scope(view: Any, method: str) -> Scope:
    """What a key needs for a method of a view: to read, `read`; to change something, the `scope` of the view, `write`
    where it names none."""
    return Scope.READ if method in SAFE_METHODS else getattr(view, "scope", Scope.WRITE)


def name_method(request: Request) -> str:
    """The method of a call, GET for HEAD, which is answered by the same function."""
    method = request.method or ""
    return "GET" if method == "HEAD" else method


def find_right(view: Any, method: str) -> Right | None:
    """What a method of a view needs in an organisation: `right` of the view, one for all or by method; None where it
    concerns the person alone. Raises `MethodNotAllowed` for a method that a view with several does not name."""
    right: Right | Mapping[str, Right] | None = view.right
    if right is None or isinstance(right, Right):
        return right
    if method not in right:
        raise MethodNotAllowed(method)
    return right[method]


def is_recently_confirmed(sign_in: SignIn) -> bool:
    """Whether the owner of the session proved to be there not too long ago."""
    return sign_in.confirmed_at + settings.CONFIRMED_FOR > timezone.now()


def require_confirmed(sign_in: SignIn) -> None:
    """Raises `Refused` (`REAUTH_REQUIRED`) when the owner of the session last proved to be there too long ago."""
    if not is_recently_confirmed(sign_in):
        raise Refused("Please confirm your password or code to continue.", code="REAUTH_REQUIRED")
