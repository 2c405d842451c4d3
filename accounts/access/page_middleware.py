"""Pages while staff view an account: they are those of its owner, and say so."""

from typing import Any

from django.contrib.auth.middleware import AuthenticationMiddleware
from django.http import HttpRequest

from accounts.access.models import Viewing
from accounts.access.viewing_tokens import find_viewing

SESSION_KEY = "viewing"
_CALLS = ("/api/", "/static/", "/sandbox")
_OF_STAFF = ("/admin", "/django-admin")


def current_viewing(request: HttpRequest) -> Viewing | None:
    """The viewing that the page is shown in, if any; pages of staff are never part of one."""
    found: Viewing | None = getattr(request, "viewing", None)
    return found


class PageMiddleware(AuthenticationMiddleware):
    """Sets `request.user`, and `request.viewing` where staff view an account."""

    def process_request(self, request: HttpRequest) -> None:
        super().process_request(request)
        if not request.path.startswith(_CALLS) and SESSION_KEY in request.session:
            _apply_viewing(request)


def _apply_viewing(request: HttpRequest) -> None:
    found = find_viewing(request.session[SESSION_KEY])
    if found is None or found.sign_in_id != request.session.get("sign_in"):
        del request.session[SESSION_KEY]
        return
    page: Any = request
    page.viewing = found
    if not request.path.startswith(_OF_STAFF):
        request.user = found.user
