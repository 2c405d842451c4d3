"""Whose a page is: nobody's where its session was ended out of reach, another's while staff view an account.

Scripts that sign out while the server is out of reach leave a mark, and the next request obeys it: a script can take
neither the page session nor the refresh secret away. The mark is a cookie that names the sign-in to end, or `current`
where the script no longer knew which. It ends a session only for whoever also brings that session.
"""

from collections.abc import Callable
from typing import Any

from django.contrib import auth
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from accounts.access.viewing_tokens import find_viewing
from accounts.signin.sessions import end_sign_in

COOKIE = "signed_out"
CURRENT = "current"
VIEWING = "viewing"
"""The key of a session in which staff view an account."""
_OBEYED = "accounts.signed_out"
_CALLS = ("/api/", "/static/", "/sandbox")
_OF_STAFF = ("/admin", "/django-admin")


class SignedOutMiddleware:
    """Obeys the mark before anything is shown, and removes it with the answer."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        mark = request.COOKIES.get(COOKIE)
        if mark is None:
            return self.get_response(request)
        sign_in_id = request.session.get("sign_in")
        if sign_in_id is not None and mark in {str(sign_in_id), CURRENT}:
            end_sign_in(sign_in_id=sign_in_id)
            auth.logout(request)
            request.META[_OBEYED] = True
        answer = self.get_response(request)
        answer.delete_cookie(COOKIE, samesite="Lax")
        # A shared cache would take other people's marks away.
        answer["Cache-Control"] = "no-store"
        return answer


def has_ended(request: HttpRequest) -> bool:
    """Whether the mark that came with this request ended its session."""
    return _OBEYED in request.META


class PageMiddleware(AuthenticationMiddleware):
    """Sets `request.user`, and `request.viewing` where staff view an account."""

    def process_request(self, request: HttpRequest) -> None:
        super().process_request(request)
        if not request.path.startswith(_CALLS) and VIEWING in request.session:
            _apply_viewing(request)


def _apply_viewing(request: HttpRequest) -> None:
    found = find_viewing(request.session[VIEWING])
    if found is None or found.sign_in_id != request.session.get("sign_in"):
        del request.session[VIEWING]
        return
    page: Any = request
    page.viewing = found
    if not request.path.startswith(_OF_STAFF):
        request.user = found.user
