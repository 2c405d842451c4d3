"""Django's admin: entered by the sign-in of the site alone."""

from typing import Any

from django.contrib import auth
from django.contrib.admin import AdminSite
from django.http import HttpRequest
from django.http.response import HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, URLResolver, path
from django.views.decorators.http import require_POST, require_safe

from accounts.access.pages import find_page_user
from accounts.signin.sessions import end_sign_in


class StaffSite(AdminSite):
    """For staff whose sign-in has not ended.

    Its own pages for signing in and changing a password are closed: they know neither the second factor, nor the limits
    on guesses, nor sessions to end.
    """

    site_header = site_title = "EmailCheck tables"

    def has_permission(self, request: HttpRequest) -> bool:
        user = find_page_user(request)
        return user is not None and user.is_staff

    def login(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        return redirect("admin")

    def get_urls(self) -> list[URLPattern | URLResolver]:
        own = [
            path("password_change/", self.admin_view(redirect_to_settings)),
            path("logout/", self.admin_view(sign_out)),
        ]
        return own + super().get_urls()


@require_safe
def redirect_to_settings(request: HttpRequest) -> HttpResponse:
    """Passwords change by a mailed link."""
    return redirect("/account-settings?tab=password")


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """End the sign-in, as the site does."""
    end_sign_in(sign_in_id=request.session["sign_in"])
    auth.logout(request)
    return redirect("landing")
