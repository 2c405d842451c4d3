"""Every request has an id: on the answer, in every error and in every log line of the request."""

import logging
import re
from collections.abc import Callable
from contextvars import ContextVar

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from emailcheck.common import ids

_current: ContextVar[str] = ContextVar("request_id", default="-")
_ACCEPTED = re.compile(r"[A-Za-z0-9_.-]{8,64}")


def current_request_id() -> str:
    """The id of the request being answered, `-` outside of one."""
    return _current.get()


class RequestIdMiddleware:
    """Takes a well-formed `X-Request-Id` from the caller, or makes one, and returns it on the answer.

    The id stays set until the next request of the thread, because refusals are logged after the last middleware.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        offered = request.headers.get("X-Request-Id", "")
        _current.set(offered if _ACCEPTED.fullmatch(offered) else ids.generate_id("req"))
        response = self.get_response(request)
        response["X-Request-Id"] = current_request_id()
        return response


class RequestIdFilter(logging.Filter):
    """Puts the request id on log records."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = current_request_id()
        return True
