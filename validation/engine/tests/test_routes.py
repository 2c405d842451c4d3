"""Ways out: directly, from a source address, through a SOCKS5 proxy."""

import asyncio
import errno
import ipaddress
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from validation.engine import Category, Reason
from validation.engine.egress.connectors import (
    DirectConnector,
    RouteDownError,
    Socks5Connector,
    build_connector,
)
from validation.engine.smtp.reply_stream import ReplyStream
from validation.engine.tests.world import FakeConnector, Host, World


class Proxy:
    """A SOCKS5 server (RFC 1928) that takes every address to one host, or refuses."""

    def __init__(self, host: Host, status: int = 0, login: bytes = b"", greeting: bytes = b"") -> None:
        self.host = host
        self.status = status
        self.login = login
        self.greeting = greeting
        self.asked: list[str] = []
        self.ended = asyncio.Event()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await self._talk(reader, writer)
        except asyncio.IncompleteReadError:
            pass  # the client has left
        finally:
            writer.close()
            self.ended.set()

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        count = (await reader.readexactly(2))[1]
        methods = await reader.readexactly(count)
        if self.greeting:
            writer.write(self.greeting)
            return
        writer.write(b"\x05\x02" if self.login else b"\x05\x00")
        if self.login:
            assert 2 in methods
            given = await reader.readexactly(len(self.login))
            writer.write(b"\x01\x00" if given == self.login else b"\x01\x01")
        kind = (await reader.readexactly(4))[3]
        address = ipaddress.ip_address(await reader.readexactly(4 if kind == 1 else 16))
        self.asked.append(f"{address} {int.from_bytes(await reader.readexactly(2), 'big')}")
        answer = bytes([5, self.status, 0, 1, 0, 0, 0, 0, 0, 0])
        writer.write(answer[:3])
        await writer.drain()
        writer.write(answer[3:])
        if self.status:
            return
        await self.host.serve(reader, writer)


@asynccontextmanager
async def proxied(proxy: Proxy, login: str = "") -> AsyncIterator[Socks5Connector]:
    server = await asyncio.start_server(proxy.serve, "127.0.0.1", 0)
    yield Socks5Connector(f"socks5://{login}127.0.0.1:{server.sockets[0].getsockname()[1]}")
    await proxy.ended.wait()
    server.close()


@pytest.mark.parametrize("ip", ["11.0.0.1", "2a00::1"])
async def test_through_a_proxy(ip: str) -> None:
    proxy = Proxy(Host())
    async with proxied(proxy) as route:
        wire = await route.connect(ReplyStream, ip, 25)
        await wire.wait(1, 1.0)
        wire.close()
    assert str(wire.ready[0]) == "220 mx.test ESMTP"
    assert proxy.asked == [f"{ip} 25"]


async def test_with_user_name_and_password() -> None:
    proxy = Proxy(Host(), login=b"\x01\x04user\x06p@ss:w")
    async with proxied(proxy, "user:p%40ss%3Aw@") as route:
        wire = await route.connect(ReplyStream, "11.0.0.1", 25)
        wire.close()
    assert proxy.asked == ["11.0.0.1 25"]


async def test_a_host_that_a_proxy_cannot_reach_is_a_failed_connection() -> None:
    async with proxied(Proxy(Host(), status=4)) as route:
        with pytest.raises(OSError, match=f"Errno {errno.EHOSTUNREACH}"):
            await route.connect(ReplyStream, "11.0.0.1", 25)


@pytest.mark.parametrize(
    "proxy",
    [
        Proxy(Host(), status=1),
        Proxy(Host(), login=b"\x01\x04user\x05other"),
        Proxy(Host(), greeting=b"\x05\xff"),
        Proxy(Host(), greeting=b"HTTP/1.1 400 Bad Request\r\n\r\n"),
    ],
)
async def test_a_proxy_that_fails_is_a_way_that_is_closed(proxy: Proxy) -> None:
    async with proxied(proxy, "user:wrong@") as route:
        with pytest.raises(RouteDownError):
            await route.connect(ReplyStream, "11.0.0.1", 25)


async def test_a_proxy_that_is_away_is_a_way_that_is_closed_and_names_nobody() -> None:
    with pytest.raises(RouteDownError, match=r"^the proxy cannot be reached$"):
        await Socks5Connector("socks5://user:secret@127.0.0.1:1").connect(ReplyStream, "11.0.0.1", 25)


async def test_a_source_address_that_is_not_ours_is_a_way_that_is_closed() -> None:
    with pytest.raises(RouteDownError):
        await DirectConnector("192.0.2.1").connect(ReplyStream, "127.0.0.1", 1)


async def test_a_way_that_is_closed_is_left_for_another_by_everybody(world: World) -> None:
    hosts = [await world.domain(f"shop{number}.com", ip=f"11.0.0.{number}") for number in (1, 2)]
    closed, healthy = Socks5Connector("socks5://user:secret@127.0.0.1:1"), FakeConnector(world, "proxy 2")
    verifier = world.verifier(closed, healthy)
    verdicts = [await verifier.verify(f"alice@shop{number}.com") for number in (1, 2)]
    assert [verdict.category for verdict in verdicts] == [Category.VALID, Category.VALID]
    assert [host.connections for host in hosts] == [1, 1]


async def test_evidence_names_no_proxy_where_all_ways_are_closed(world: World) -> None:
    await world.domain("shop.com")
    verdict = await world.verifier(Socks5Connector("socks5://user:secret@127.0.0.1:1")).verify("alice@shop.com")
    assert (verdict.category, verdict.reason) == (Category.UNKNOWN, Reason.CONNECT_FAILED)
    said = " ".join([*verdict.transcript, *(f"{check.detail} {check.source}" for check in verdict.checks)])
    assert "mx.shop.com [11.0.0.1], proxy 1: the proxy cannot be reached" in said
    assert not any(secret in said for secret in ("user", "secret", "127.0.0.1"))


async def test_from_a_source_address() -> None:
    peers: list[str] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        peers.append(writer.get_extra_info("peername")[0])
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    wire = await DirectConnector("127.0.0.2").connect(ReplyStream, "127.0.0.1", server.sockets[0].getsockname()[1])
    with pytest.raises(Exception, match="closed"):
        await wire.wait(1, 1.0)
    server.close()
    assert peers == ["127.0.0.2"]


@pytest.mark.parametrize(
    ("route", "name"),
    [
        ("direct", "direct"),
        ("direct:192.0.2.1", "source address 192.0.2.1"),
        ("socks5://user:secret@proxy.net:1080", "proxy 3"),
    ],
)
def test_names_tell_customers_nothing_of_our_proxies(route: str, name: str) -> None:
    assert build_connector(route, 3).name == name


@pytest.mark.parametrize(
    ("route", "scheme"), [("http://proxy", "http"), ("", ""), ("socks4://user:secret@x:1", "socks4")]
)
def test_unknown_routes_are_refused_without_naming_a_password(route: str, scheme: str) -> None:
    with pytest.raises(ValueError, match=f"^unknown route '{scheme}'$"):
        build_connector(route)


@pytest.mark.parametrize("route", ["direct:", "direct:mail.example.com", "socks5://", "socks5://user:secret@:1080"])
def test_routes_that_lead_nowhere_are_refused_when_they_are_configured(route: str) -> None:
    with pytest.raises(ValueError, match=r"IP|needs the host") as refused:
        build_connector(route)
    assert "secret" not in str(refused.value)
