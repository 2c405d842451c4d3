"""Headers that every answer carries, beside those of Django and the content security policy of pages."""

from collections.abc import Callable
from typing import Any

from csp.middleware import CSPMiddleware
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.cache import patch_cache_control

from emailcheck.common.api import throttles

# Browser features that no page uses, denied so that nothing embedded or injected can use them.
PERMISSIONS = "camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()"
# API answers are no pages: opened as one, they show nothing but their text.
API_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"


class HeadersMiddleware:
    """Turns browser powers off, says how many more requests there may be, and keeps what the API answers out of every
    cache: it is one account's own."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        with throttles.showing_limit() as shown_headers:
            response = self.get_response(request)
            for name, value in shown_headers().items():
                response.setdefault(name, value)
        response.setdefault("Permissions-Policy", PERMISSIONS)
        response.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        if _is_call(request):
            response.setdefault("Cache-Control", "no-store")
            response.setdefault("Content-Security-Policy", API_POLICY)
        return response


class PagePolicyMiddleware(CSPMiddleware):
    """The content security policy of pages; for a call it would be put together twice, and not used.

    What carries a nonce is one visitor's: no shared cache may keep it.
    """

    def __call__(self, request: HttpRequest) -> Any:
        if _is_call(request):
            return self.get_response(request)
        response: Any = super().__call__(request)
        has_nonce = "'nonce-" in response.get("Content-Security-Policy", "")
        if has_nonce and "no-store" not in response.get("Cache-Control", ""):
            patch_cache_control(response, private=True)
        return response


def _is_call(request: HttpRequest) -> bool:
    return request.path.startswith("/api/")
