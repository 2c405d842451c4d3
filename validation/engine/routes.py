"""Ways out to a mail host: directly, from a chosen source address, or through a SOCKS5 proxy.

Whatever the way, only a globally routable unicast address is ever dialled: `Guarded` stands before each.
"""

import asyncio
from collections.abc import Callable
from typing import Protocol, TypeVar
from urllib.parse import urlsplit

from python_socks import ProxyError, ProxyTimeoutError
from python_socks.async_.asyncio import Proxy

from validation.engine.addresses import is_routable

Speaker = TypeVar("Speaker", bound=asyncio.Protocol)


class Connector(Protocol):
    """One way out. `name` tells it apart in evidence and never holds a password."""

    @property
    def name(self) -> str:
        """What evidence calls this way out."""

    async def connect(self, factory: Callable[[], Speaker], ip: str, port: int) -> Speaker:
        """Connect a protocol to `ip`:`port`. Raises OSError."""


class Direct:
    """A plain TCP connection, from a chosen local address where one is given."""

    def __init__(self, source: str | None = None) -> None:
        self._source = source
        self.name = f"direct:{source}" if source else "direct"

    async def connect(self, factory: Callable[[], Speaker], ip: str, port: int) -> Speaker:
        """Dial the host. Raises OSError."""
        local = (self._source, 0) if self._source else None
        _, protocol = await asyncio.get_running_loop().create_connection(factory, ip, port, local_addr=local)
        return protocol


class Socks5:
    """A connection made by a SOCKS5 proxy (RFC 1928), the address being handed over as it is."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._url = url
        self.name = f"socks5://{parts.hostname}:{parts.port}"

    async def connect(self, factory: Callable[[], Speaker], ip: str, port: int) -> Speaker:
        """Dial the host through the proxy. Raises OSError, also for what the proxy refuses."""
        try:
            sock = await Proxy.from_url(self._url).connect(dest_host=ip, dest_port=port)
        except ProxyTimeoutError as error:
            raise TimeoutError(str(error)) from error
        except ProxyError as error:
            raise ConnectionError(str(error)) from error
        try:
            _, protocol = await asyncio.get_running_loop().create_connection(factory, sock=sock)
        except OSError:
            sock.close()
            raise
        return protocol


class UnroutableError(OSError):
    """The address is none that a mail host on the public internet can have."""


class Guarded:
    """A connector behind the guard: refuses every address that is not globally routable unicast."""

    def __init__(self, inner: Connector) -> None:
        self._inner = inner
        self.name = inner.name

    async def connect(self, factory: Callable[[], Speaker], ip: str, port: int) -> Speaker:
        """Connect, or raise UnroutableError before anything is sent anywhere."""
        if not is_routable(ip):
            raise UnroutableError(f"{ip} is not globally routable")
        return await self._inner.connect(factory, ip, port)


def connector_for(route: str) -> Connector:
    """The connector that a configured route names. Raises ValueError for a route of unknown form."""
    if route == "direct":
        return Direct()
    if route.startswith("direct:"):
        return Direct(route.removeprefix("direct:"))
    if route.startswith("socks5://"):
        return Socks5(route)
    raise ValueError(f"unknown route {route.partition('@')[0]!r}")
