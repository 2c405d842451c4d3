"""Heads of answers, and refusals: what the server itself answers, in the product's one error body."""

import json
import secrets
import time
from email.utils import formatdate
from functools import lru_cache
from http import HTTPStatus

from django.conf import settings
from django.template.loader import render_to_string

from emailcheck.common import secrecy
from emailcheck.common.api import error_responses
from emailcheck.common.errors import BadInput, HeadTooLarge, Overloaded, ProductError, TimedOut, TooLarge, TooMany
from emailcheck.common.server import bounds
from emailcheck.common.storage import faults
from emailcheck.common.web.middleware import API_POLICY, PERMISSIONS
from emailcheck.common.web.smtp_replies import quote_reply

FILE_TOO_LARGE = "File is too large. Maximum size is 10MB."
_REASONS = {status.value: status.phrase for status in HTTPStatus}
_JSON = "application/json"
_NONCE, _REFERENCE = "put-the-nonce-here", "put-the-reference-here"
_PAGE_POLICY = (
    "default-src 'none'; style-src 'nonce-{nonce}'; img-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)


class Refusal(Exception):
    """A request that is answered without the application; the connection ends with it when `closes`."""

    def __init__(self, error: ProductError, *, closes: bool = True) -> None:
        super().__init__(error.detail)
        self.error = error
        self.closes = closes

    @classmethod
    def malformed(cls) -> "Refusal":
        return cls(BadInput("The request could not be read."))

    @classmethod
    def late(cls) -> "Refusal":
        return cls(TimedOut("The request did not arrive in time. Please try again."))

    @classmethod
    def overloaded(cls, *, closes: bool = True) -> "Refusal":
        return cls(Overloaded(retry_after=bounds.RETRY_AFTER_S), closes=closes)

    @classmethod
    def body_not_stored(cls, error: OSError) -> "Refusal":
        """The disk does not take the body of a request: it is full, or cannot be used."""
        full = faults.find_refusal(error)
        return cls(full) if full else cls.overloaded()

    @classmethod
    def too_many(cls) -> "Refusal":
        return cls(TooMany("Too many connections from your address.", retry_after=bounds.RETRY_AFTER_S))

    @classmethod
    def file_too_large(cls) -> "Refusal":
        return cls(TooLarge(FILE_TOO_LARGE))

    @classmethod
    def too_large(cls) -> "Refusal":
        return cls(TooLarge(error_responses.REQUEST_TOO_LARGE, code="REQUEST_TOO_LARGE"))

    @classmethod
    def head_too_large(cls) -> "Refusal":
        return cls(HeadTooLarge("The address or the headers of the request are too long."))

    def answer(self, *, as_page: bool, bodiless: bool) -> tuple[str, list[tuple[str, str]], bytes]:
        """Status line, headers and body: a page for browsers, the one error body for other clients."""
        reference = secrecy.generate_id("req")
        kind, policy, body = self._page(reference) if as_page else self._json(reference)
        headers = [*_build_headers(kind, policy, body), ("X-Request-Id", reference), *self.error.headers.items()]
        return status_text(self.error.status), headers, b"" if bodiless else body

    def _json(self, reference: str) -> tuple[str, str, bytes]:
        body = error_responses.build_error_body(self.error.detail, self.error.code) | {"request_id": reference}
        return _JSON, API_POLICY, json.dumps(body).encode()

    def _page(self, reference: str) -> tuple[str, str, bytes]:
        nonce = secrets.token_urlsafe(16)
        page = _error_page(self.error.status, self.error.detail).replace(_NONCE, nonce).replace(_REFERENCE, reference)
        return "text/html; charset=utf-8", _PAGE_POLICY.format(nonce=nonce), page.encode()


@lru_cache(maxsize=32)
def _error_page(status: int, text: str) -> str:
    titles = {503: "Very busy right now", 507: "There is no room left", 413: "This is too large"}
    context = {
        "title": titles.get(status, "This request could not be answered"),
        "text": text,
        "reply": quote_reply(status),
        "status": status,
        "nonce": _NONCE,
        "theme": "",
        "request_id": _REFERENCE,
        "site_name": settings.SITE_NAME,
        "support_email": settings.SUPPORT_EMAIL,
    }
    return render_to_string("plain_error.html", context)


def build_json_headers(body: bytes) -> list[tuple[str, str]]:
    """The headers of an answer of the server's own that is no refusal."""
    return _build_headers(_JSON, API_POLICY, body)


def _build_headers(kind: str, policy: str, body: bytes) -> list[tuple[str, str]]:
    headers = [
        ("Content-Type", kind),
        ("Content-Length", str(len(body))),
        ("Content-Security-Policy", policy),
        ("Cache-Control", "no-store"),
        ("X-Content-Type-Options", "nosniff"),
        ("X-Frame-Options", "DENY"),
        ("Referrer-Policy", settings.SECURE_REFERRER_POLICY),
        ("Permissions-Policy", PERMISSIONS),
        ("Cross-Origin-Resource-Policy", "same-origin"),
    ]
    if settings.SECURE:
        headers.append(("Strict-Transport-Security", f"max-age={settings.SECURE_HSTS_SECONDS}; includeSubDomains"))
    return headers


def status_text(status: int) -> str:
    return f"{status} {_REASONS.get(status, 'Unknown')}"


def build_head(status: str, headers: list[tuple[str, str]], *, extra: str) -> bytes:
    """The head of an answer as octets; `extra` are whole header lines that the server adds."""
    lines = "".join([f"{name}: {value}\r\n" for name, value in headers])
    return f"HTTP/1.1 {status}\r\n{lines}{extra}Date: {_http_date(int(time.time()))}\r\n\r\n".encode("latin-1")


@lru_cache(maxsize=1)
def _http_date(second: int) -> str:
    return formatdate(second, usegmt=True)
