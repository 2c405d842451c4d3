"""Ways out: directly, from a source address, through a SOCKS5 proxy."""

import asyncio

import pytest

from validation.engine.routes import Direct, Socks5, connector_for
from validation.engine.tests.world import Host
from validation.engine.wire import ReplyStream


class Proxy:
    """A SOCKS5 server (RFC 1928) that takes every address to one host, or refuses."""

    def __init__(self, host: Host, status: int = 0) -> None:
        self.host = host
        self.status = status
        self.asked: list[str] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readexactly(2)
        await reader.readexactly(1)
        writer.write(b"\x05\x00")
        head = await reader.readexactly(10)
        self.asked.append(".".join(str(part) for part in head[4:8]) + f":{int.from_bytes(head[8:10], 'big')}")
        writer.write(bytes([5, self.status, 0, 1, 0, 0, 0, 0, 0, 0]))
        if self.status:
            writer.close()
            return
        await self.host.serve(reader, writer)


async def test_through_a_proxy() -> None:
    proxy = Proxy(Host())
    server = await asyncio.start_server(proxy.serve, "127.0.0.1", 0)
    route = Socks5(f"socks5://127.0.0.1:{server.sockets[0].getsockname()[1]}")
    wire = await route.connect(ReplyStream, "11.0.0.1", 25)
    await wire.wait(1, 1.0)
    wire.close()
    server.close()
    assert str(wire.ready[0]) == "220 mx.test ESMTP"
    assert proxy.asked == ["11.0.0.1:25"]


async def test_what_a_proxy_refuses_is_a_failed_connection() -> None:
    proxy = Proxy(Host(), status=4)
    server = await asyncio.start_server(proxy.serve, "127.0.0.1", 0)
    route = Socks5(f"socks5://127.0.0.1:{server.sockets[0].getsockname()[1]}")
    with pytest.raises(ConnectionError):
        await route.connect(ReplyStream, "11.0.0.1", 25)
    server.close()


async def test_from_a_source_address() -> None:
    peers: list[str] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        peers.append(writer.get_extra_info("peername")[0])
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    wire = await Direct("127.0.0.2").connect(ReplyStream, "127.0.0.1", server.sockets[0].getsockname()[1])
    with pytest.raises(Exception, match="closed"):
        await wire.wait(1, 1.0)
    server.close()
    assert peers == ["127.0.0.2"]


@pytest.mark.parametrize(
    ("route", "name"),
    [
        ("direct", "direct"),
        ("direct:192.0.2.1", "direct:192.0.2.1"),
        ("socks5://user:secret@proxy.net:1080", "socks5://proxy.net:1080"),
    ],
)
def test_names_hold_no_password(route: str, name: str) -> None:
    assert connector_for(route).name == name


@pytest.mark.parametrize("route", ["http://proxy", "", "socks4://x:1"])
def test_unknown_routes(route: str) -> None:
    with pytest.raises(ValueError, match="unknown route"):
        connector_for(route)
