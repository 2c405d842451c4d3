"""The WSGI side: the application is called in a thread, and what comes out becomes octets there."""

import contextvars
import io
import json
import logging
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Protocol

from django.conf import settings

from emailcheck.common.errors import ProductError
from emailcheck.common.server import answers, bounds, heads
from emailcheck.common.server.answers import Refusal
from emailcheck.common.server.bodies import Body
from emailcheck.common.web import metrics

log = logging.getLogger(__name__)
Application = Callable[..., Iterable[bytes]]
_WITHOUT_BODY = ("204", "304")


class Caller(Protocol):
    """Who is answered: a connection, as a call sees it."""

    @property
    def draining(self) -> bool:
        """Whether the process is about to end."""

    def send_whole(self, call: "Call", octets: bytes, *, closes: bool) -> None:
        """An answer that is there as a whole."""

    def send_stream(self, call: "Call", head: bytes, pieces: "Pieces") -> None:
        """An answer that comes piece by piece."""

    def send_refusal(self, refusal: Refusal, environ: dict[str, Any] | None) -> None:
        """An answer without the application."""


class FileWrapper:
    """A file of the application (PEP 3333, `wsgi.file_wrapper`)."""

    def __init__(self, file: Any, block_size: int = bounds.PIECE) -> None:
        self.file = file

    def __iter__(self) -> Iterable[bytes]:
        while piece := self.file.read(4 * bounds.PIECE):
            yield piece

    def close(self) -> None:
        self.file.close()


class Pieces:
    """The content of a long answer, and how it is framed. `context` is the call's, for its reader."""

    def __init__(self, content: Iterable[bytes], *, length: int | None, chunked: bool, closes: bool) -> None:
        self.content, self.length, self.chunked, self.closes = content, length, chunked, closes
        self.context = contextvars.copy_context()

    def close(self) -> None:
        _close_pieces(self.content)


class Call:
    """One request, and its answer."""

    def __init__(
        self, caller: Caller, application: Application, environ: dict[str, Any], body: Body | None, *, keep_alive: bool
    ) -> None:
        self.environ = environ
        self.last = environ["PATH_INFO"].startswith(settings.REFUSED_LAST)
        self.came = 0.0
        self._caller, self._application, self._body = caller, application, body
        self._keep_alive = keep_alive
        self._status, self._headers = "", list[tuple[str, str]]()
        self._to_close: Iterable[bytes] = ()

    def work(self) -> Callable[[], None]:
        try:
            self.environ["wsgi.input"] = self._body.opened() if self._body else io.BytesIO()
            return contextvars.Context().run(self._answer)
        except Refusal as refusal:
            return partial(self._refuse, refusal)
        except Exception:
            log.exception("a request could not be answered")
            return partial(self._refuse, Refusal(ProductError("Something went wrong on our side. Please try again.",
                                                              code="INTERNAL_ERROR")))  # fmt: skip

    def clean_up(self) -> None:
        """Close the answer: the application ends its use of the database then."""
        try:
            _close_pieces(self._to_close)
        except Exception:
            log.exception("an answer could not be closed")
        self._to_close = ()

    def answer_json(self, status: int, body: dict[str, Any]) -> None:
        """Answer without the application, on the loop."""
        content = json.dumps(body).encode()
        self._status, self._headers = answers.status_text(status), answers.build_json_headers(content)
        closes = not self._keep_alive or self._caller.draining
        bodiless = self.environ["REQUEST_METHOD"] == "HEAD"
        self._caller.send_whole(self, self._head(closes) + (b"" if bodiless else content), closes=closes)

    def refuse(self) -> None:
        metrics.count_unanswered(self.environ["PATH_INFO"])
        self._refuse(Refusal.overloaded(closes=not self._keep_alive))

    def drop_body(self) -> None:
        if self._body is not None:
            self._body.close()
            self._body = None

    def _refuse(self, refusal: Refusal) -> None:
        self._caller.send_refusal(refusal, self.environ)

    def _start_response(self, status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> None:
        self._status, self._headers = status, headers

    def _answer(self) -> Callable[[], None]:
        result = self._application(self.environ, self._start_response)
        closes = not self._keep_alive or self._caller.draining
        if self.environ["REQUEST_METHOD"] == "HEAD":
            self._to_close = result
            return partial(self._caller.send_whole, self, self._head(closes), closes=closes)
        content = _join_pieces(result, self._headers)
        if content is None:
            return self._stream(result, closes=closes)
        self._to_close = result
        if not self._status.startswith(_WITHOUT_BODY) and _announced_length(self._headers) is None:
            self._headers.append(("Content-Length", str(len(content))))
        return partial(self._caller.send_whole, self, self._head(closes) + content, closes=closes)

    def _stream(self, result: Iterable[bytes], *, closes: bool) -> Callable[[], None]:
        length = _announced_length(self._headers)
        chunked = length is None and self.environ["SERVER_PROTOCOL"] == "HTTP/1.1"
        closes = closes or (length is None and not chunked)
        pieces = Pieces(result, length=length, chunked=chunked, closes=closes)
        return partial(self._caller.send_stream, self, self._head(closes, chunked=chunked), pieces)

    def _head(self, closes: bool, *, chunked: bool = False) -> bytes:
        extra = "Transfer-Encoding: chunked\r\n" if chunked else ""
        if closes:
            extra += "Connection: close\r\n"
        elif self.environ["SERVER_PROTOCOL"] == "HTTP/1.0":
            extra += "Connection: keep-alive\r\n"
        return answers.build_head(self._status, self._headers, extra=extra)


def base_environment(*, host: str, port: int) -> dict[str, Any]:
    """What the environments of all requests have in common."""
    return {
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.errors": heads.error_stream(),
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
        "wsgi.file_wrapper": FileWrapper,
        "SCRIPT_NAME": "",
        "SERVER_NAME": host,
        "SERVER_PORT": str(port),
    }


def _join_pieces(result: Iterable[bytes], headers: list[tuple[str, str]]) -> bytes | None:
    """The content of an answer that is there or is small; None for one that is to be sent piece by piece."""
    if isinstance(result, FileWrapper):
        length = _announced_length(headers)
        return b"".join(result.__iter__()) if length is not None and length <= bounds.SMALL_FILE else None
    if getattr(result, "streaming", not isinstance(result, list | tuple)):
        return None
    return b"".join(result)


def _announced_length(headers: list[tuple[str, str]]) -> int | None:
    return next((int(value) for name, value in headers if name.lower() == "content-length"), None)


def _close_pieces(result: Iterable[bytes]) -> None:
    close = getattr(result, "close", None)
    if close is not None:
        close()
