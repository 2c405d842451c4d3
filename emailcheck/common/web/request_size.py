"""Bounds on what a request may carry."""

from collections.abc import Callable

from django.conf import settings
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase

from emailcheck.common.api.error_responses import REQUEST_TOO_LARGE, build_json_error
from emailcheck.common.errors import TooLarge


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
