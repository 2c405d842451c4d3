"""Requests through our own proxy, which ends TLS and knows the caller's address."""

import ipaddress
from collections.abc import Callable
from contextvars import ContextVar

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

_caller: ContextVar[str | None] = ContextVar("caller", default=None)


def caller_address() -> str | None:
    """The address that the request being answered came from; None outside of one."""
    return _caller.get()


class TrustedProxyMiddleware:
    """Takes scheme and address of the caller from the headers of proxies in `TRUSTED_PROXIES`, and of no one else.

    Of a chain in `X-Forwarded-For` the last address that is not itself a trusted proxy counts: what stands before it
    was sent by the caller.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if _is_trusted(request.META.get("REMOTE_ADDR", "")):
            chain = [hop.strip() for hop in request.headers.get("X-Forwarded-For", "").split(",")]
            callers = [hop for hop in chain if _is_address(hop) and not _is_trusted(hop)]
            if callers:
                request.META["REMOTE_ADDR"] = callers[-1]
        else:
            request.META.pop("HTTP_X_FORWARDED_PROTO", None)
        address = request.META.get("REMOTE_ADDR", "")
        token = _caller.set(address if _is_address(address) else None)
        try:
            return self.get_response(request)
        finally:
            _caller.reset(token)


def _is_trusted(address: str) -> bool:
    return _is_address(address) and any(
        ipaddress.ip_address(address) in network for network in settings.TRUSTED_PROXIES
    )


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
