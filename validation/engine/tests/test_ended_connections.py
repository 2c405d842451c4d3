"""A connection that has ended is freed at once: nothing of it waits for a look for cycles, which are few in long lists.

One with TLS holds 100 KB and more outside Python, where those who count objects do not see it.
"""

import asyncio
import gc
import ssl
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from validation.engine import Reason
from validation.engine.egress.connectors import Connector, Speaker
from validation.engine.egress.socks5 import SocksClient
from validation.engine.tests.test_routes import Proxy, proxied
from validation.engine.tests.test_tls import TlsHost
from validation.engine.tests.world import IMPATIENT, FakeConnector, Host, World

ALICE = "alice@shop.com"


class Watched:
    """A way out that knows which of its connections are still in memory."""

    def __init__(self, inner: Connector) -> None:
        self._inner = inner
        self.name = self.key = inner.name
        self.made: list[weakref.ref[asyncio.Protocol]] = []

    async def connect(self, factory: Callable[[], Speaker], ip: str, port: int) -> Speaker:
        speaker = await self._inner.connect(factory, ip, port)
        self.made.append(weakref.ref(speaker))
        return speaker

    @property
    def left(self) -> int:
        return sum(one() is not None for one in self.made)


@contextmanager
def no_collector() -> Iterator[None]:
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def socks_clients() -> list[SocksClient[Any]]:
    return [one for one in gc.get_objects() if type(one) is SocksClient]


def _garbled() -> Host:
    return Host(raw=b"this is no mail host\r\n")


def _gone() -> Host:
    return Host(raw=b"", greeting="")


def _turned_away() -> Host:
    return Host(greeting="554 5.7.1 no")


def _hangs_up() -> Host:
    return Host(special={"alice": "421 4.3.2 closing"})


def _out_of_step() -> Host:
    return Host(mail="503 5.5.1 bad sequence, no pipelining")


@pytest.mark.parametrize(
    ("host", "reason"),
    [
        (Host, Reason.MAILBOX_EXISTS),
        (_turned_away, Reason.BLOCKED),
        (_garbled, Reason.PROTOCOL_ERROR),
        (_gone, Reason.TIMEOUT),
        (lambda: Host(silent_after="RCPT"), Reason.MAILBOX_EXISTS),
        (lambda: Host(silent_after="MAIL"), Reason.TIMEOUT),
        (lambda: Host(extensions=(), silent_after="RCPT"), Reason.MAILBOX_EXISTS),
        (_hangs_up, Reason.TEMPORARY),
        (_out_of_step, Reason.BLOCKED),
    ],
)
async def test_whatever_a_host_does(world: World, host: Callable[[], Host], reason: Reason) -> None:
    await world.domain("shop.com", host())
    way = Watched(FakeConnector(world))
    with no_collector():
        verifier = world.verifier(way, config=IMPATIENT)
        verdict = await verifier.verify(ALICE)
        await verifier.aclose()
        left = way.left
    assert (verdict.reason, left) == (reason, 0)
    assert way.made


@pytest.mark.parametrize("has_certificate", [True, False])
async def test_with_tls_and_where_its_handshake_fails(
    world: World, expired_certificate: ssl.SSLContext, has_certificate: bool
) -> None:
    host = TlsHost()
    host.context = expired_certificate if has_certificate else None
    await world.domain("shop.com", host)
    way = Watched(FakeConnector(world))
    with no_collector():
        verifier = world.verifier(way)
        verdict = await verifier.verify(ALICE)
        await verifier.aclose()
        left = way.left
    assert (verdict.reason, len(way.made), left) == (Reason.MAILBOX_EXISTS, 1 if has_certificate else 2, 0)


@pytest.mark.parametrize("status", [0, 5])
async def test_through_a_proxy_that_serves_or_refuses(world: World, status: int) -> None:
    world.dns.mx("shop.com", "mx.shop.com")
    world.dns.address("mx.shop.com", "11.0.0.1")
    async with proxied(Proxy(Host(), status=status)) as route:
        with no_collector():
            before = socks_clients()
            way = Watched(route)
            verifier = world.verifier(way)
            verdict = await verifier.verify(ALICE)
            await verifier.aclose()
            left = way.left + len(socks_clients()) - len(before)
    assert (verdict.reason, left) == (Reason.CONNECT_FAILED if status else Reason.MAILBOX_EXISTS, 0)
