"""How a request is read and what it may carry, and what every answer waits for and carries, beside Django's own."""

import re
from collections.abc import Callable
from typing import Any

from csp.middleware import CSPMiddleware
from django.conf import settings
from django.core.handlers.wsgi import WSGIRequest
from django.db import connection
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.utils.cache import patch_cache_control

from emailcheck.common.api import throttles
from emailcheck.common.api.error_responses import REQUEST_TOO_LARGE, build_json_error
from emailcheck.common.errors import TooLarge

# Browser features that no page uses, denied so that nothing embedded or injected can use them.
PERMISSIONS = "camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()"
# API answers are no pages: opened as one, they show nothing but their text.
API_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"


_CHARSET = re.compile(r";\s*charset\s*=[^;]*", re.IGNORECASE)
_ONLY_READ = ("GET", "HEAD", "OPTIONS", "TRACE")


class Utf8Request(WSGIRequest):
    """A request without a `charset`: everything is read as UTF-8.

    Python knows "charsets" such as zlib, which are none; over one of those Django fails before any middleware answers.
    """

    def __init__(self, environ: dict[str, Any]) -> None:
        environ["CONTENT_TYPE"] = _CHARSET.sub("", environ.get("CONTENT_TYPE", ""))
        super().__init__(environ)


class RequestSizeMiddleware:
    """Refuses a body beyond `MAX_REQUEST_BYTES` by its announced length; a body without a length is not read at all.

    Everything is read as UTF-8, whatever `charset` says: Python knows "charsets" such as zlib, which are none. An
    address with a NUL is not found: it names no page, and PostgreSQL refuses such a query.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        request.encoding = settings.DEFAULT_CHARSET
        if "\0" in request.path_info:
            raise Http404
        announced = request.META.get("CONTENT_LENGTH") or "0"
        is_file = (request.content_type or "").startswith("multipart/")
        if not is_file and announced.isdecimal() and int(announced) > settings.MAX_REQUEST_BYTES:
            return build_json_error(TooLarge(REQUEST_TOO_LARGE, code="REQUEST_TOO_LARGE"))
        return self.get_response(request)


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


class DurableAnswersMiddleware:
    """The answer to a change is sent when all that it may contain is on the disk.

    What a call commits itself is there before its transaction ends. What it has only read may be the commit of somebody
    else whose sync is still under way: SQLite shows it before (PostgreSQL after). An answer that repeats an earlier
    one, or says that something was done already, would promise what a power cut could take.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if request.method not in _ONLY_READ:
            wait = getattr(connection, "await_durable", None)
            if wait is not None:
                wait()
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
