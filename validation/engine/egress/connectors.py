"""Connections to a mail host: direct, from a chosen source address, or through a SOCKS5 proxy.

`GuardedConnector` stands before each of them: only globally routable unicast addresses are ever dialled.
"""

import asyncio
import errno
import ipaddress
from collections.abc import Callable
from typing import Protocol, TypeVar
from urllib.parse import unquote, urlsplit

from validation.engine.egress.routable import is_routable
from validation.engine.egress.socks5 import ProxyError, SocksClient

Speaker = TypeVar("Speaker", bound=asyncio.Protocol)
_SOCKS_PORT = 1080


class Connector(Protocol):
    """Opens connections over one route.

    Customers read `name` in evidence, so it never names a proxy. `key` identifies the route on every machine.
    """

    @property
    def name(self) -> str:
        """The route's name in evidence."""

    @property
    def key(self) -> str:
        """The source address, or the proxy with its user and without its password."""

    async def connect(self, factory: Callable[[], Speaker], ip: str, port: int) -> Speaker:
        """Connect a protocol to `ip`:`port`. Raises OSError, and RouteDownError where the route itself is down."""


class RouteDownError(OSError):
    """The route is down for every host. The message may be shown in evidence."""


class DirectConnector:
    """A plain TCP connection, from a chosen local address where one is given."""

    def __init__(self, source: str | None = None) -> None:
        """Raises ValueError where `source` is no IP address."""
        if source is not None:
            ipaddress.ip_address(source)
        self._local = (source, 0) if source else None
        self.name = f"source address {source}" if source else "direct"
        self.key = source or "direct"

    async def connect(self, factory: Callable[[], Speaker], ip: str, port: int) -> Speaker:
        """Dial the host. Raises OSError."""
        try:
            _, protocol = await asyncio.get_running_loop().create_connection(factory, ip, port, local_addr=self._local)
        except OSError as error:
            if error.errno == errno.EADDRNOTAVAIL:
                raise RouteDownError("this machine does not have the source address") from error
            raise
        return protocol


class Socks5Connector:
    """A connection through a SOCKS5 proxy, which gets the IP address. `number` distinguishes proxies."""

    def __init__(self, url: str, number: int = 1) -> None:
        """Raises ValueError for an address without a host or with a port that is no number."""
        parts = urlsplit(url)
        if not parts.hostname:
            raise ValueError("a SOCKS5 route needs the host of the proxy")
        self._host = parts.hostname
        self._port = parts.port or _SOCKS_PORT
        self._login = (unquote(parts.username), unquote(parts.password or "")) if parts.username else None
        self.name = f"proxy {number}"
        user = f"{self._login[0]}@" if self._login else ""
        self.key = f"socks5:{user}{self._host}:{self._port}"

    async def connect(self, factory: Callable[[], Speaker], ip: str, port: int) -> Speaker:
        """Connect through the proxy. Raises OSError, also for what the proxy refuses."""
        transport, client = await self._reach(factory, ip, port)
        try:
            return await client.connected
        except ProxyError as error:
            transport.abort()
            raise RouteDownError(str(error)) from error
        except BaseException:
            transport.abort()
            raise
        finally:
            del client  # it holds the error, which holds this frame

    async def _reach(
        self, factory: Callable[[], Speaker], ip: str, port: int
    ) -> tuple[asyncio.Transport, SocksClient[Speaker]]:
        """Connect to the proxy and start the SOCKS dialogue. Raises RouteDownError."""
        loop = asyncio.get_running_loop()
        try:
            return await loop.create_connection(
                lambda: SocksClient(factory, ip, port, self._login), self._host, self._port
            )
        except OSError as error:
            raise RouteDownError("the proxy cannot be reached") from error


class UnroutableError(OSError):
    """The address is not one that a public mail host can have."""


class GuardedConnector:
    """A connector behind the guard: refuses every address that is not globally routable unicast."""

    def __init__(self, inner: Connector) -> None:
        self._inner = inner
        self.name = inner.name
        self.key = inner.key

    async def connect(self, factory: Callable[[], Speaker], ip: str, port: int) -> Speaker:
        """Connect, or raise UnroutableError before anything is sent anywhere."""
        if not is_routable(ip):
            raise UnroutableError(f"{ip} is not globally routable")
        return await self._inner.connect(factory, ip, port)


def build_connector(route: str, number: int = 1) -> Connector:
    """The connector of a configured route; `number` is its position in the configuration.

    Raises ValueError for a route of unknown form. The message contains no password.
    """
    if route == "direct":
        return DirectConnector()
    if route.startswith("direct:"):
        return DirectConnector(route.removeprefix("direct:"))
    if route.startswith("socks5://"):
        return Socks5Connector(route, number)
    raise ValueError(f"unknown route {route.partition(':')[0]!r}")
