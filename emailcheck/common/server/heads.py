"""The head of a request: what is refused in it, and what of it becomes WSGI's environment (PEP 3333)."""

import sys
from collections.abc import Sequence
from typing import Any
from urllib.parse import unquote_to_bytes

from emailcheck.common.server import bounds
from emailcheck.common.server.answers import Refusal

Headers = Sequence[tuple[bytes, bytes]]
_ONCE = frozenset({"HTTP_HOST", "CONTENT_LENGTH", "CONTENT_TYPE", "HTTP_TRANSFER_ENCODING", "HTTP_AUTHORIZATION"})
_BODY = {"CONTENT_LENGTH", "CONTENT_TYPE"}


def build_environment(
    method: bytes, url: bytes, version: str, headers: Headers, base: dict[str, Any]
) -> dict[str, Any]:
    """The environment of a request on top of `base`. Raises `Refusal` for what two readers could read in two ways
    (RFC 9112 sections 3.2 and 6.3), and for what is too much."""
    if len(url) > bounds.URL_MOST or len(headers) > bounds.HEADERS_MOST:
        raise Refusal.head_too_large()
    path, query = _parse_target(url)
    environ = base.copy()
    environ["REQUEST_METHOD"] = method.decode("ascii")
    environ["PATH_INFO"] = unquote_to_bytes(path).decode("latin-1") if b"%" in path else path.decode("latin-1")
    environ["QUERY_STRING"] = query.decode("latin-1")
    environ["SERVER_PROTOCOL"] = f"HTTP/{version}"
    _add_headers(environ, headers)
    _check_framing(environ, version)
    return environ


def wants_page(environ: dict[str, Any]) -> bool:
    """Whether a browser requests a page."""
    return "text/html" in environ.get("HTTP_ACCEPT", "") and not environ["PATH_INFO"].startswith("/api/")


def announced_size(environ: dict[str, Any]) -> int | None:
    """The announced size of the body; None when only its end shows it."""
    if "HTTP_TRANSFER_ENCODING" in environ:
        return None
    return int(environ.get("CONTENT_LENGTH") or 0)


def is_form(environ: dict[str, Any]) -> bool:
    """Whether the body is a form that may hold a file."""
    return str(environ.get("CONTENT_TYPE", "")).lower().startswith("multipart/")


def error_stream() -> Any:
    return sys.stderr


def _parse_target(url: bytes) -> tuple[bytes, bytes]:
    if not url.startswith(b"/"):  # the absolute form, which proxies send
        scheme, mark, rest = url.partition(b"://")
        if not mark or scheme.lower() not in (b"http", b"https"):
            raise Refusal.malformed()
        url = b"/" + rest.partition(b"/")[2]
    path, _, query = url.partition(b"#")[0].partition(b"?")
    return path, query


def _add_headers(environ: dict[str, Any], headers: Headers) -> None:
    for name, value in headers:
        if b"_" in name:  # would pass for the header with a hyphen, which a proxy has checked
            continue
        key = name.decode("ascii").upper().replace("-", "_")
        if key not in _BODY:
            key = f"HTTP_{key}"
        text = value.decode("latin-1")
        if key not in environ:
            environ[key] = text
        elif key in _ONCE:
            raise Refusal.malformed()
        else:
            environ[key] += f"{'; ' if key == 'HTTP_COOKIE' else ','}{text}"


def _check_framing(environ: dict[str, Any], version: str) -> None:
    coding = environ.get("HTTP_TRANSFER_ENCODING")
    if coding is not None and (coding.strip().lower() != "chunked" or version != "1.1" or "CONTENT_LENGTH" in environ):
        raise Refusal.malformed()
    if not environ.get("CONTENT_LENGTH", "0").isdecimal():
        raise Refusal.malformed()
    if version == "1.1" and "HTTP_HOST" not in environ:
        raise Refusal.malformed()
    if environ.get("HTTP_EXPECT", "100-continue").lower() != "100-continue":
        raise Refusal.malformed()
