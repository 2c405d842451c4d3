"""Slow and silent callers cost a socket each, and nobody else notices."""

import os
import re
import selectors
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing

import psutil
import pytest

from emailcheck.common.server import bounds
from tests.abuse.sockets import ABUSER, HOST, LANDING, OTHER, Caller, many, visit
from tests.stack import Stack, wait_until

pytestmark = pytest.mark.xdist_group("abuse")
ROWS, LONG = 12_000, f"{'x' * 60}.{'y' * 60}.{'z' * 60}.invalid"
"""An export of so many of such addresses is longer than what the system keeps of an answer that nobody reads: 4 MiB."""
SOON_S = 5.0
"""A page takes some milliseconds; the machine of the tests may be busy with others."""
UNREAD_MOST = 20_000_000
"""More than the buffers of the system hold."""
BODY = f"POST /api/auth/login HTTP/1.1\r\n{HOST}Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n" + "{"
HEAD = f"GET / HTTP/1.1\r\n{HOST}X-Unfinished: "


@pytest.mark.finding("C1")
@pytest.mark.parametrize("sent", [BODY, b"", HEAD], ids=["slow bodies", "silent", "unfinished heads"])
def test_a_visitor_gets_the_page_beside_200_slow_connections(stack: Stack, sent: str | bytes) -> None:
    with many(stack.port, 200, sent) as callers:
        page = visit(stack.port)
        assert (page.status, b"EmailCheck" in page.body) == (200, True)
        assert page.seconds < SOON_S
        assert not any(caller.is_ended() for caller in callers)


@pytest.mark.finding("C1")
def test_a_visitor_gets_the_page_beside_200_kept_connections(stack: Stack) -> None:
    with many(stack.port, 200) as callers:
        for caller in callers:
            assert caller.ask(f"GET /robots.txt HTTP/1.1\r\n{HOST}\r\n").status == 200
        page = visit(stack.port)
        assert page.status == 200
        assert page.seconds < SOON_S
        assert callers[0].ask(LANDING).status == 200


@pytest.mark.finding("C1")
def test_every_state_of_a_connection_has_its_deadline(stack: Stack) -> None:
    """Silent, an unfinished head, a body without an octet, and one with an octet a second."""
    with ExitStack() as opened, ThreadPoolExecutor() as pool:
        silent, head, body, drip = (
            opened.enter_context(many(stack.port, 1, one))[0] for one in (b"", HEAD, BODY, BODY)
        )
        begun = time.monotonic()
        dripping = pool.submit(drip_until_answered, drip)
        assert (head.read().status, body.read().status) == (408, 408)
        assert silent.is_ended(within=SOON_S)
        assert dripping.result() == 408
        assert bounds.BODY_GRACE_S - 1 < time.monotonic() - begun < bounds.BODY_GRACE_S + 2 * SOON_S


@pytest.mark.finding("C1")
@pytest.mark.skipif("EVERY" not in os.environ, reason="takes 20 seconds: make soak")
def test_a_kept_connection_has_its_deadline(stack: Stack) -> None:
    with many(stack.port, 1) as (kept,):
        assert kept.ask(f"GET /robots.txt HTTP/1.1\r\n{HOST}\r\n").status == 200
        begun = time.monotonic()
        assert kept.is_ended(within=bounds.IDLE_S + SOON_S)
        assert time.monotonic() - begun > bounds.IDLE_S - 1


def drip_until_answered(caller: Caller) -> int:
    """Send an octet a second; the status of the answer."""
    with selectors.DefaultSelector() as waiting:
        waiting.register(caller.connection, selectors.EVENT_READ)
        for _ in range(int(bounds.BODY_GRACE_S + 2 * SOON_S)):
            if waiting.select(1):
                break
            caller.send(b" ")
    caller.connection.settimeout(SOON_S)
    return caller.read().status


@pytest.fixture(scope="module")
def export(stack: Stack, bearer: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The request for the export of a list that is too long for the buffers on the way."""
    path = tmp_path_factory.mktemp("long") / "list.csv"
    path.write_text("".join(f"somebody-{number}@{LONG}\n" for number in range(ROWS)))
    batch_id = stack.upload(path)["batch_id"]
    wait_until(lambda: stack.status(batch_id)["status"] == "completed", 300)
    return f"GET /api/validate/batch/{batch_id}/export HTTP/1.1\r\n{HOST}{bearer}\r\n"


@pytest.mark.finding("C1")
def test_who_reads_an_export_slowly_keeps_nobody_from_theirs(stack: Stack, export: str) -> None:
    """More slow readers than there are threads, and than an address may have streams.

    Each comes when the one before it was answered: of many at once, a busy machine may refuse some for their waiting.
    """
    with ExitStack() as opened:
        begun = []
        for _ in range(bounds.STREAMS_OF_ADDRESS + 4):
            slow = opened.enter_context(closing(Caller(stack.port, ABUSER, receive_buffer=4096)))
            slow.send(export)
            begun.append(slow.connection.recv(12))
        assert begun == [b"HTTP/1.1 200"] * bounds.STREAMS_OF_ADDRESS + [b"HTTP/1.1 503"] * 4
        assert visit(stack.port).seconds < SOON_S
        quick = opened.enter_context(closing(Caller(stack.port, OTHER)))
        quick.send(export)
        assert read_to_end(quick).count(b"somebody-") == 2 * ROWS  # as it was sent, and as it was checked


@pytest.mark.finding("C1")
@pytest.mark.skipif("EVERY" not in os.environ, reason="takes a minute: make soak")
def test_who_reads_one_octet_a_second_is_cut_off(stack: Stack, export: str) -> None:
    reader = Caller(stack.port, ABUSER, receive_buffer=4096)
    reader.send(export)
    begun = time.monotonic()
    with selectors.DefaultSelector() as nothing:
        while reader.connection.recv(1) and is_held(stack, reader):
            nothing.select(1)
            assert time.monotonic() - begun < 3 * bounds.READING_S
    assert time.monotonic() - begun > bounds.READING_S - 1
    reader.close()


def is_held(stack: Stack, caller: Caller) -> bool:
    """Whether the product still has its end of a connection."""
    theirs = caller.connection.getsockname()
    held = (one for pid in stack.members("web") for one in psutil.Process(pid).net_connections("tcp"))
    return any(one.raddr == theirs for one in held)


def read_to_end(caller: Caller) -> bytes:
    """All of an answer in chunks."""
    got = b""
    while not got.endswith(b"\r\n0\r\n\r\n"):
        read = caller.connection.recv(1 << 20)
        assert read
        got += read
    return got


@pytest.mark.finding("C1")
def test_who_asks_and_asks_and_reads_nothing_is_not_answered_into_memory(stack: Stack) -> None:
    """What waits to be read stays small: the next request is not even read before."""
    found = re.search(rb'/static/[^"]+\.css', visit(stack.port).body)
    assert found
    asked = f"GET {found[0].decode()} HTTP/1.1\r\n{HOST}X-Long: {'x' * 24_000}\r\n\r\n".encode()
    caller = Caller(stack.port, ABUSER, receive_buffer=4096)
    caller.connection.setblocking(False)
    sent = 0
    with selectors.DefaultSelector() as waiting:
        waiting.register(caller.connection, selectors.EVENT_WRITE)
        while sent < UNREAD_MOST and waiting.select(3):
            at = sent % len(asked)
            sent += caller.connection.send(asked[at:])
    assert sent < UNREAD_MOST
    assert visit(stack.port).seconds < SOON_S
    caller.close()
