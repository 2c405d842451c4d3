"""A proxy in front of the product that cuts answers, refuses calls, and resets connections, before the server has acted
or after it. One call for each connection; a fault for each call, in order, and none when they are used up."""

import socket
import socketserver
import struct
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit

_RESET = struct.pack("ii", 1, 0)
_PIECE = 65_536


@dataclass(frozen=True)
class Fault:
    """What becomes of a call. `acts`: whether the server gets it.

    `answer` stands in place of the server's; `keeps` is how many bytes of the answer arrive, None all; then the
    connection ends, by a reset with `resets`.
    """

    acts: bool = True
    answer: bytes | None = None
    keeps: int | None = None
    resets: bool = False


def answer(status: int, body: str = "", **headers: object) -> bytes:
    """An answer as bytes. Underlines in the names of headers are hyphens."""
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    head = "\r\n".join([f"HTTP/1.1 {status} Any", f"Content-Length: {len(body.encode())}", "Connection: close", *lines])
    return f"{head}\r\n\r\n{body}".encode()


@dataclass(frozen=True)
class Seen:
    """A call that came."""

    line: str
    headers: dict[str, str]


@dataclass
class CuttingProxy:
    """`faults` are taken one by one; `always` stands for all calls whose path ends so. `seen` are the calls."""

    address: str
    faults: deque[Fault] = field(default_factory=deque)
    always: dict[str, Fault] = field(default_factory=dict)
    seen: list[Seen] = field(default_factory=list)
    sent: int = 0
    """Bytes of the last answer of the server."""

    def choose(self, call: Seen) -> Fault:
        """The fault of a call."""
        self.seen.append(call)
        path = call.line.split()[1].partition("?")[0]
        lasting = [fault for ending, fault in self.always.items() if path.endswith(ending)]
        return self.faults.popleft() if self.faults else lasting[0] if lasting else Fault()


@contextmanager
def running_proxy(upstream: str) -> Iterator[CuttingProxy]:
    """A proxy in front of an address, on a port of its own."""
    target = urlsplit(upstream)

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            request, call = _receive_request(self.request)
            if call is None:
                return
            fault = proxy.choose(call)
            found = _ask(str(target.hostname), int(target.port or 80), request) if fault.acts else b""
            proxy.sent = len(found)
            content = found if fault.answer is None else fault.answer
            _send(self.request, content[: fault.keeps], resets=fault.resets)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        proxy = CuttingProxy(f"http://127.0.0.1:{server.server_address[1]}")
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield proxy
        finally:
            server.shutdown()
            thread.join()


def _receive_request(connection: socket.socket) -> tuple[bytes, Seen | None]:
    """A request with its body, asking that the connection ends behind the answer."""
    received = b""
    while b"\r\n\r\n" not in received:
        piece = connection.recv(_PIECE)
        if not piece:
            return b"", None
        received += piece
    head, _, body = received.partition(b"\r\n\r\n")
    line, *rest = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value for name, _, value in (one.partition(": ") for one in rest)}
    pieces, missing = [body], int(headers.get("content-length", 0)) - len(body)
    while missing > 0:
        pieces.append(connection.recv(_PIECE))
        missing -= len(pieces[-1])
    kept = "\r\n".join([line, *(one for one in rest if not one.lower().startswith("connection:")), "Connection: close"])
    return kept.encode("latin-1") + b"\r\n\r\n" + b"".join(pieces), Seen(line, headers)


def _ask(host: str, port: int, request: bytes) -> bytes:
    pieces = []
    with socket.create_connection((host, port), timeout=60) as upstream:
        upstream.sendall(request)
        while piece := upstream.recv(_PIECE):
            pieces.append(piece)
    return b"".join(pieces)


def _send(connection: socket.socket, content: bytes, *, resets: bool) -> None:
    try:
        connection.sendall(content)
        if resets:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
    except OSError:
        return  # the caller did not wait
