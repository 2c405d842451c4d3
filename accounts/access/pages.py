"""Pages that need a sign-in."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.contrib.auth import logout
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone

from accounts.access.calling import NOT_A_MEMBER, find_membership, find_membership_closure
from accounts.access.models import SignIn
from accounts.access.viewing_tokens import current_viewing
from accounts.organisations.admission import build_suspension
from accounts.organisations.models import Membership
from accounts.users.models import User
from emailcheck.common.errors import NotFound, Refused

P = ParamSpec("P")


def require_sign_in(
    view: Callable[Concatenate[HttpRequest, User, P], HttpResponseBase],
) -> Callable[Concatenate[HttpRequest, P], HttpResponseBase]:
    """Open the page, with the account as second argument, to an active account whose sign-in has not ended.

    Everybody else is redirected to `/`. The page is never cached, so that the back button shows nothing after
    signing out.
    """

    @wraps(view)
    def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if not isinstance(request.user, User):
            return redirect("landing")
        user = find_page_user(request)
        if user is None:
            logout(request)
            return redirect("/?ended=1")
        set_page_membership(request, user)
        answer = view(request, user, *args, **kwargs)
        answer["Cache-Control"] = "no-store"
        return answer

    return guarded


def set_page_membership(request: HttpRequest, user: User) -> None:
    """Note whose page it is and in which organisation they work, for the view and for what every such page says."""
    page: Any = request
    page.person = user
    page.membership = find_membership(user)


def find_page_membership(request: HttpRequest) -> Membership | None:
    """How the person of the page belongs to the organisation in which they work; None on pages for everybody."""
    found: Membership | None = getattr(request, "membership", None)
    return found


def page_membership(request: HttpRequest) -> Membership:
    """As `find_page_membership`. Raises `NotFound` for somebody who belongs to no organisation."""
    found = find_page_membership(request)
    if found is None:
        raise NotFound(NOT_A_MEMBER)
    return found


def find_page_user(request: HttpRequest) -> User | None:
    """The active account whose sign-in has not ended, or that staff view, or None."""
    user, looked_at = request.user, current_viewing(request)
    if looked_at is not None and looked_at.user == user:
        return looked_at.user
    return user if isinstance(user, User) and _is_session_open(request, user) else None


def find_page_closure(request: HttpRequest) -> Refused | None:
    """Why the organisation of the page is closed to its person now (`find_closure`), or None; pages for everybody are
    of none. Staff who look at an account are refused for a suspended organisation alone."""
    membership = find_page_membership(request)
    if membership is None:
        return None
    if current_viewing(request) is not None:
        return None if membership.organisation.is_active else build_suspension()
    return find_membership_closure(membership)


def _is_session_open(request: HttpRequest, user: User) -> bool:
    sign_ins = SignIn.objects.filter(
        pk=request.session.get("sign_in", 0), user=user, ended_at=None, expires_at__gt=timezone.now()
    )
    return user.is_active and sign_ins.exists()
