"""Pages that need a sign-in."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.contrib.auth import logout
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone

from accounts.access.models import SignIn
from accounts.access.viewing_tokens import current_viewing
from accounts.organisations.admission import check_admission
from accounts.organisations.models import Organisation
from accounts.users.models import User
from emailcheck.common import request_context
from emailcheck.common.errors import Refused

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
        answer = view(request, user, *args, **kwargs)
        answer["Cache-Control"] = "no-store"
        return answer

    return guarded


def find_page_user(request: HttpRequest) -> User | None:
    """The active account whose sign-in has not ended, or that staff view, or None."""
    user, looked_at = request.user, current_viewing(request)
    if looked_at is not None and looked_at.user == user:
        return looked_at.user
    return user if isinstance(user, User) and _is_session_open(request, user) else None


def is_admitted(request: HttpRequest, user: User, organisation: Organisation) -> bool:
    """Whether the organisation shows the person its data now (`check_admission`); staff views are not asked."""
    if current_viewing(request) is not None:
        return True
    try:
        check_admission(user=user, organisation=organisation, address=request_context.caller_address())
    except Refused:
        return False
    return True


def _is_session_open(request: HttpRequest, user: User) -> bool:
    sign_ins = SignIn.objects.filter(
        pk=request.session.get("sign_in", 0), user=user, ended_at=None, expires_at__gt=timezone.now()
    )
    return user.is_active and sign_ins.exists()
