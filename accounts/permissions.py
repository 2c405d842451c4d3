"""Who may open a page, and what takes a fresh proof of who it is."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.contrib.auth import logout
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts import limits
from accounts.models import SignIn, User
from accounts.services import check_confirmed
from accounts.viewing_pages import viewing_of
from emailcheck.common.errors import NotAuthenticated, Refused

P = ParamSpec("P")
STAFF_ONLY = "Admin access required."


class RecentlyConfirmed(BasePermission):
    """For calls that could empty the house (SEC-015): `permission_classes = (MayCall, RecentlyConfirmed)`.

    All methods of the view, or those it names `confirmed_only`. Only a session of a person can be confirmed, an API
    key never.
    """

    def has_permission(self, request: Request, view: Any) -> bool:
        if request.method not in getattr(view, "confirmed_only", (request.method,)):
            return True
        if not isinstance(request.auth, SignIn):
            return False
        check_confirmed(request.auth)
        return True


class Guarded(APIView):
    """A call without a sign-in that takes credentials or sends mail: so many a minute and client address."""

    authentication_classes: Any = ()
    permission_classes: Any = ()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self.count(request)

    def count(self, request: Request) -> None:
        limits.count_guarded()


class PublicView(Guarded):
    """A call that is open to everybody and only tells something: so many a minute from an address."""

    def count(self, request: Request) -> None:
        limits.count_public()


class StaffView(APIView):
    """A call for staff: whoever is not signed in gets 401, everybody else 403, in the same words (SEC-008).

    A key of staff, and staff who are suspended, are refused as everybody else.
    """

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        try:
            user = request.user
        except (AuthenticationFailed, NotAuthenticated) as error:
            raise NotAuthenticated(STAFF_ONLY) from error
        except Refused as error:
            raise Refused(STAFF_ONLY) from error
        if not isinstance(user, User):
            raise NotAuthenticated(STAFF_ONLY)
        if not user.is_staff or not isinstance(request.auth, SignIn):
            raise Refused(STAFF_ONLY)
        super().initial(request, *args, **kwargs)


def signed_in(
    view: Callable[Concatenate[HttpRequest, User, P], HttpResponseBase],
) -> Callable[Concatenate[HttpRequest, P], HttpResponseBase]:
    """Open the page, with the account as second argument, to an active account whose sign-in has not ended.

    Everybody else goes to `/`. The page is kept out of every cache, so that the back button shows nothing after
    signing out.
    """

    @wraps(view)
    def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if not isinstance(request.user, User):
            return redirect("landing")
        user = page_user(request)
        if user is None:
            logout(request)
            return redirect("/?ended=1")
        answer = view(request, user, *args, **kwargs)
        answer["Cache-Control"] = "no-store"
        return answer

    return guarded


def page_user(request: HttpRequest) -> User | None:
    """The active account whose sign-in has not ended, or that staff look at, or nobody."""
    user, looked_at = request.user, viewing_of(request)
    if looked_at is not None and looked_at.user == user:
        return looked_at.user
    return user if isinstance(user, User) and _is_open(request, user) else None


def _is_open(request: HttpRequest, user: User) -> bool:
    sign_ins = SignIn.objects.filter(
        pk=request.session.get("sign_in", 0), user=user, ended_at=None, expires_at__gt=timezone.now()
    )
    return user.is_active and sign_ins.exists()
