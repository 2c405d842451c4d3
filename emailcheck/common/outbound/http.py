"""The one door through which the product calls out over HTTP.

OutboundError        nothing usable came back
├── NotSent          no connection: no request was sent
├── TimedOut         no whole answer in time; the request may have been carried out
├── BrokenOff        the connection ended early, or the answer was not HTTP; it may have happened
├── Redirected       the answer points elsewhere, and we do not follow
└── TooLarge         the answer is larger than allowed
"""

import ipaddress
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from queue import Empty, Queue
from typing import Any
from urllib.parse import urlsplit

import httpcore2

_SECONDS = 15.0
_MAX_BYTES = 1024 * 1024

Stream = httpcore2.NetworkStream
Dial = Callable[[str, int], Stream]
"""Connects to an address and port, in time."""
Route = Callable[[str, int, Dial], Stream]
"""How a host and port are reached, by means of a `Dial`. Raises `NotSent` where they are not to be reached."""


class OutboundError(Exception):
    """A call to the outside world gave nothing usable."""


class NotSent(OutboundError):
    """No connection could be made, so no request was sent."""


class TimedOut(OutboundError):
    """No whole answer came in time."""


class ConnectionBroken(OutboundError):
    """The connection ended early, or what came is not HTTP."""


class Redirected(OutboundError):
    """The answer points elsewhere."""


class TooLarge(OutboundError):
    """The answer is larger than allowed."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back. Names of headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Origin:
    """One outside party at a fixed address from the settings, `scheme://host[:port][/prefix]`.

    Whatever the path, it connects only to that scheme, host and port. The time covers the whole
    exchange, from the look-up of the name to the last byte. Proxies of the environment are not used, and no connection
    is reused: it may have ended unnoticed, which leaves open whether a request arrived. A redirect is an error,
    or an ordinary answer with `hands_back_redirects`; it is never followed. With `takes_any_body` the caller gets
    the first `max_bytes` of any body. A `route` decides how the host is reached,
    and `tls` whose certificates count, by default the public ones.
    """

    def __init__(
        self,
        base: str,
        *,
        seconds: float = _SECONDS,
        max_bytes: int = _MAX_BYTES,
        hands_back_redirects: bool = False,
        takes_any_body: bool = False,
        route: Route | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        parts = urlsplit(base)
        if parts.scheme not in {"http", "https"} or not parts.hostname or parts.query or parts.fragment:
            raise ValueError(f"not the address of an HTTP service: {base!r}")
        self.base = base.rstrip("/")
        self._seconds, self._max_bytes = seconds, max_bytes
        self._hands_back_redirects, self._takes_any_body = hands_back_redirects, takes_any_body
        self._route, self._tls = route, tls or (_public_tls() if parts.scheme == "https" else None)

    def send(
        self,
        method: str,
        path: str,
        *,
        headers: Mapping[str, str] | None = None,
        content: bytes = b"",
        seconds: float | None = None,
    ) -> Answer:
        """Ask for `path` (with its query) below the address, within `seconds`. Raises `OutboundError`."""
        if not path.startswith("/"):
            raise ValueError(f"a path begins with a slash: {path!r}")
        ends = time.monotonic() + (self._seconds if seconds is None else seconds)
        sent = [*(headers or {}).items(), ("Accept-Encoding", "identity"), ("Connection", "close")]
        backend = _DeadlineBackend(ends, self._route)
        with (
            _translate_errors(backend),
            httpcore2.ConnectionPool(ssl_context=self._tls, network_backend=backend) as pool,
            pool.stream(method, f"{self.base}{path}", headers=sent, content=content) as response,
        ):
            return self._read(response)

    def _read(self, response: httpcore2.Response) -> Answer:
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in response.headers}
        if 300 <= response.status < 400 and not self._hands_back_redirects:
            raise Redirected(f"redirected with {response.status}")
        if headers.get("content-encoding", "identity") != "identity" and not self._takes_any_body:
            raise ConnectionBroken("the answer is compressed, which was not asked for")
        body = bytearray()
        for chunk in response.iter_stream():
            body += chunk
            if len(body) > self._max_bytes:
                if self._takes_any_body:
                    break
                raise TooLarge(f"more than {self._max_bytes} bytes")
        return Answer(response.status, headers, bytes(body[: self._max_bytes]))


@cache
def _public_tls() -> ssl.SSLContext:
    """The certificates that this machine trusts, read on first use, which takes some 30 ms."""
    return ssl.create_default_context()


class _DeadlineBackend(httpcore2.SyncBackend):
    """Opens connections whose every step ends at one moment, however slowly the bytes come."""

    def __init__(self, ends: float, route: Route | None) -> None:
        self._ends, self._route = ends, route
        self.connected = False

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> Stream:
        stream = self._route(host, port, self._dial) if self._route else self._dial(host, port)
        self.connected = True
        return stream

    def _dial(self, host: str, port: int) -> Stream:
        """Connect to one of the addresses of a host, each in its share of what is left of the time."""
        *others, last = _resolve_addresses(host, port, self._ends)
        for number, address in enumerate(others):
            with suppress(httpcore2.ConnectError, httpcore2.ConnectTimeout):
                return self._connect(address, port, shares=len(others) + 1 - number)
        return self._connect(last, port, shares=1)

    def _connect(self, address: str, port: int, *, shares: int) -> Stream:
        return _DeadlineStream(super().connect_tcp(address, port, _remaining_seconds(self._ends) / shares), self._ends)


class _DeadlineStream(Stream):
    def __init__(self, stream: Stream, ends: float) -> None:
        self._stream, self._ends = stream, ends

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, _remaining_seconds(self._ends))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, _remaining_seconds(self._ends))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> Stream:
        return _DeadlineStream(
            self._stream.start_tls(ssl_context, server_hostname, _remaining_seconds(self._ends)), self._ends
        )

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


def _resolve_addresses(host: str, port: int, ends: float) -> list[str]:
    """Resolve a host, which may be an address.

    getaddrinfo(3) takes no timeout. So it runs in a thread, which is left behind when the time is
    up: the resolver's own timeout (resolv.conf(5)) ends it later.
    """
    with suppress(ValueError):
        return [str(ipaddress.ip_address(host))]
    results: Queue[list[str] | Exception] = Queue(1)
    threading.Thread(target=lambda: results.put(_resolve_host(host, port)), daemon=True).start()
    try:
        found = results.get(timeout=_remaining_seconds(ends))
    except Empty:
        raise httpcore2.ConnectTimeout("the name was not looked up in time") from None
    if isinstance(found, Exception):
        raise httpcore2.ConnectError(str(found)) from found
    return found


def _resolve_host(host: str, port: int) -> list[str] | Exception:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:  # UnicodeError: a label of more than 63 octets
        return error
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


def _remaining_seconds(ends: float) -> float:
    left = ends - time.monotonic()
    if left <= 0:
        raise httpcore2.ReadTimeout("the time is up")
    return left


@contextmanager
def _translate_errors(backend: _DeadlineBackend) -> Iterator[None]:
    try:
        yield
    except (httpcore2.NetworkError, httpcore2.ProtocolError, httpcore2.TimeoutException, OSError) as error:
        reason = f"{type(error).__name__}: {error}"
        if isinstance(error, httpcore2.ConnectError) or not backend.connected:
            raise NotSent(reason) from error
        if isinstance(error, httpcore2.TimeoutException):
            raise TimedOut(reason) from error
        raise ConnectionBroken(reason) from error
