"""The outbound door, against servers on real sockets that misbehave."""

import re
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from emailcheck.common.outbound.http import (
    ConnectionBroken,
    NotSent,
    Origin,
    OutboundError,
    Redirected,
    TimedOut,
    TooLarge,
)
from tests.stack import free_port


class Server:
    """Takes one connection, reads a request, and sends `pieces` with `pause` seconds between them."""

    def __init__(self, pieces: list[bytes], pause: float = 0.0, hold: bool = False) -> None:
        self.pieces, self.pause, self.hold = pieces, pause, hold
        self.request = b""
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.ended = threading.Event()
        self.address = f"http://127.0.0.1:{self.listener.getsockname()[1]}"

    def _is_whole(self) -> bool:
        head, ended, body = self.request.partition(b"\r\n\r\n")
        length = re.search(rb"(?i)^content-length: (\d+)", head, re.MULTILINE)
        return bool(ended) and len(body) >= (int(length[1]) if length else 0)

    def run(self) -> None:
        try:
            connection, _ = self.listener.accept()
        except OSError:
            return
        with connection:
            while not self._is_whole():
                self.request += connection.recv(65_536)
            for piece in self.pieces:
                if self.ended.wait(self.pause) or not _sent(connection, piece):
                    return
            if self.hold:
                self.ended.wait()


def _sent(connection: socket.socket, piece: bytes) -> bool:
    try:
        connection.sendall(piece)
    except OSError:
        return False
    return True


@contextmanager
def serving(*pieces: bytes, pause: float = 0.0, hold: bool = False) -> Iterator[Server]:
    server = Server(list(pieces), pause, hold)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        yield server
    finally:
        server.ended.set()
        server.listener.shutdown(socket.SHUT_RDWR)
        server.listener.close()
        thread.join()


def test_an_answer_comes_whole_with_its_status_and_headers() -> None:
    with serving(b"HTTP/1.1 201 Created\r\nPaypal-Debug-Id: f00\r\nContent-Length: 2\r\n\r\nok") as server:
        answer = Origin(f"{server.address}/prefix/").send("POST", "/a?b=c", headers={"X-A": "1"}, content=b"{}")
    assert (answer.status, answer.headers["paypal-debug-id"], answer.body) == (201, "f00", b"ok")
    assert server.request.startswith(b"POST /prefix/a?b=c HTTP/1.1\r\n")
    assert b"X-A: 1\r\n" in server.request
    assert server.request.endswith(b"\r\n\r\n{}")


def test_a_redirect_is_handed_back_to_who_hands_it_on() -> None:
    with serving(b"HTTP/1.1 303 See Other\r\nLocation: http://10.0.0.1/\r\nContent-Length: 0\r\n\r\n") as server:
        answer = Origin(server.address, hands_back_redirects=True).send("GET", "/")
    assert (answer.status, answer.headers["location"]) == (303, "http://10.0.0.1/")


@pytest.mark.parametrize(
    ("pieces", "error"),
    [
        ([b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"], Redirected),
        ([b"HTTP/1.1 200 OK\r\nContent-Length: 3000\r\n\r\n" + b"x" * 3000], TooLarge),
        ([b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 3000], TooLarge),
        ([b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort"], ConnectionBroken),
        ([b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 1\r\n\r\nx"], ConnectionBroken),
        ([b"220 mail.render_example ESMTP\r\n"], ConnectionBroken),
        ([b"HTTP/1.1 200 OK\r\nX: " + b"x" * 300_000], ConnectionBroken),
        ([], ConnectionBroken),
    ],
)
def test_what_is_no_answer_has_a_name(pieces: list[bytes], error: type[OutboundError]) -> None:
    with serving(*pieces) as server, pytest.raises(error):
        Origin(server.address, max_bytes=2048).send("GET", "/")


@pytest.mark.parametrize("drip", [b"H", b"HTTP/1.1 200 OK\r\n\r\n"])
def test_the_time_covers_the_whole_exchange(drip: bytes) -> None:
    began = time.monotonic()
    with serving(drip, *[b"x"] * 1000, pause=0.05) as server, pytest.raises(TimedOut):
        Origin(server.address, seconds=0.4).send("GET", "/")
    assert time.monotonic() - began < 25


def test_a_silent_server_runs_out_of_time() -> None:
    with serving(hold=True) as server, pytest.raises(TimedOut):
        Origin(server.address).send("GET", "/", seconds=0.2)


def test_a_name_that_is_not_looked_up_in_time_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    may_end = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: may_end.wait(60) and [])
    with pytest.raises(NotSent, match="not looked up in time"):
        Origin("http://slow.example", seconds=0.05).send("GET", "/")
    may_end.set()


def test_the_addresses_of_a_name_are_tried_one_after_another(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 0)) for address in ("127.0.0.2", "127.0.0.1")]
    real = socket.getaddrinfo
    monkeypatch.setattr(
        socket, "getaddrinfo", lambda host, *_, **__: found if host == "two.example" else real(host, *_)
    )
    with serving(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok") as server:
        answer = Origin(f"http://two.example:{server.address.rpartition(':')[2]}").send("GET", "/")
    assert (answer.body, b"Host: two.example" in server.request) == (b"ok", True)


@pytest.mark.parametrize("name", ["nowhere.invalid", f"{'a' * 64}.com"])
def test_a_name_without_an_address_means_that_nothing_was_sent(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def look_up(host: str, *_: object, **__: object) -> None:
        host.encode("idna")  # as the real one does
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    with pytest.raises(NotSent):
        Origin(f"http://{name}").send("GET", "/")


def test_nobody_listening_means_that_nothing_was_sent() -> None:
    with pytest.raises(NotSent):
        Origin(f"http://127.0.0.1:{free_port()}").send("GET", "/")


def test_nothing_but_the_fixed_address_is_connected_to() -> None:
    with serving(b"HTTP/1.1 204 No Content\r\n\r\n") as server:
        assert Origin(server.address).send("GET", "//evil.example/@evil.example:80/").status == 204
    assert server.request.startswith(b"GET //evil.example/@evil.example:80/ HTTP/1.1\r\n")
    with pytest.raises(ValueError, match="begins with a slash"):
        Origin("http://paypal.example").send("GET", ".evil.example/")


@pytest.mark.parametrize("base", ["ftp://a.example", "a.example", "http://", "https://a.example?x=1"])
def test_what_is_no_address_is_refused_at_once(base: str) -> None:
    with pytest.raises(ValueError, match="not the address of an HTTP service"):
        Origin(base)


def test_proxies_of_the_environment_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    with serving(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") as server:
        assert Origin(server.address).send("GET", "/").status == 200
