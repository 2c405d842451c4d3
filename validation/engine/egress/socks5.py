"""The client's side of SOCKS5 (RFC 1928), with user name and password where the proxy asks for them (RFC 1929).

Two round trips, then the connection belongs to the protocol that it was made for. Made here because opening a
connection is part of the hot path: this takes a tenth of the time of a general library.
"""

import asyncio
import errno
import ipaddress
from collections.abc import Callable
from typing import Generic, TypeVar, cast

Speaker = TypeVar("Speaker", bound=asyncio.Protocol)

_VERSION, _NO_AUTHENTICATION, _PASSWORD, _CONNECT = 5, 0, 2, 1
_PASSWORD_VERSION = 1
_IPV4, _NAME, _IPV6 = 1, 3, 4
_ADDRESS_OCTETS = {_IPV4: 4, _IPV6: 16}
# What the proxy says of the host, as the error that a direct connection would have given (RFC 1928 section 6).
_HOST_TROUBLE = {3: errno.ENETUNREACH, 4: errno.EHOSTUNREACH, 5: errno.ECONNREFUSED, 6: errno.ETIMEDOUT}


class ProxyError(OSError):
    """The proxy itself fails, or does not serve us: that says nothing about the host."""


class SocksClient(asyncio.Protocol, Generic[Speaker]):
    """Asks a proxy for a connection; `connected` gets the protocol made by `factory`, which then owns the connection.

    `connected` fails with OSError where the host cannot be reached and with ProxyError where the proxy is to blame.
    """

    def __init__(self, factory: Callable[[], Speaker], ip: str, port: int, login: tuple[str, str] | None) -> None:
        self.connected: asyncio.Future[Speaker] = asyncio.get_running_loop().create_future()
        self._factory = factory
        packed = ipaddress.ip_address(ip).packed
        kind = _IPV4 if len(packed) == 4 else _IPV6
        self._request = bytes((_VERSION, _CONNECT, 0, kind)) + packed + port.to_bytes(2, "big")
        self._login = login
        self._buffer = b""
        self._step = SocksClient._method  # unbound, so that a client that is done with is gone at once

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        methods = (_NO_AUTHENTICATION, _PASSWORD) if self._login else (_NO_AUTHENTICATION,)
        self._transport.write(bytes((_VERSION, len(methods), *methods)))

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while not self.connected.done() and self._step(self):
            pass

    def connection_lost(self, exc: Exception | None) -> None:
        self._fail(ProxyError("the proxy closed the connection"))

    def _taken(self, count: int) -> bytes | None:
        """The next octets, when they have come."""
        if len(self._buffer) < count:
            return None
        taken, self._buffer = self._buffer[:count], self._buffer[count:]
        return taken

    def _method(self) -> bool:
        answer = self._taken(2)
        if answer is None:
            return False
        if answer == bytes((_VERSION, _NO_AUTHENTICATION)):
            self._ask()
        elif answer == bytes((_VERSION, _PASSWORD)) and self._login is not None:
            user, password = (text.encode()[:255] for text in self._login)
            self._transport.write(bytes((_PASSWORD_VERSION, len(user))) + user + bytes((len(password),)) + password)
            self._step = SocksClient._admission
        else:
            self._fail(ProxyError("the proxy does not let us in"))
        return True

    def _admission(self) -> bool:
        answer = self._taken(2)
        if answer is None:
            return False
        if answer[1]:
            self._fail(ProxyError("the proxy refuses our password"))
        else:
            self._ask()
        return True

    def _ask(self) -> None:
        self._transport.write(self._request)
        self._step = SocksClient._answer

    def _answer(self) -> bool:
        """The proxy's word on the connection, with an address that nobody needs behind it."""
        if len(self._buffer) < 5:
            return False
        version, status, _, kind, first = self._buffer[:5]
        octets = 1 + first if kind == _NAME else _ADDRESS_OCTETS.get(kind, 0)
        if version != _VERSION or not octets:
            self._fail(ProxyError("the proxy does not speak SOCKS5"))
        elif status:
            trouble = _HOST_TROUBLE.get(status)
            self._fail(OSError(trouble, "") if trouble else ProxyError(f"the proxy refuses with status {status}"))
        elif self._taken(4 + octets + 2) is None:
            return False
        else:
            self._hand_over()
        return True

    def _hand_over(self) -> None:
        speaker = self._factory()
        self._transport.set_protocol(speaker)
        speaker.connection_made(self._transport)
        self.connected.set_result(speaker)
        if self._buffer:
            speaker.data_received(self._buffer)

    def _fail(self, error: OSError) -> None:
        if not self.connected.done():
            self.connected.set_exception(error)
