"""The client's side of SOCKS5 (RFC 1928), with user name and password where the proxy wants them (RFC 1929).

After two round trips the connection belongs to the protocol it was made for. A general library takes ten times as long,
and opening connections is part of the hot path.
"""

import asyncio
import errno
import ipaddress
from collections.abc import Callable, Generator
from typing import Generic, TypeVar, cast

Speaker = TypeVar("Speaker", bound=asyncio.Protocol)

_VERSION, _NO_AUTHENTICATION, _PASSWORD, _CONNECT = 5, 0, 2, 1
_PASSWORD_VERSION = 1
_IPV4, _NAME, _IPV6 = 1, 3, 4
_ADDRESS_OCTETS = {_IPV4: 4, _IPV6: 16}
# The proxy's replies about the host, as the errors of a direct connection (RFC 1928 section 6).
_HOST_TROUBLE = {3: errno.ENETUNREACH, 4: errno.EHOSTUNREACH, 5: errno.ECONNREFUSED, 6: errno.ETIMEDOUT}


class ProxyError(OSError):
    """The proxy fails or refuses us. That says nothing about the host."""


def dialogue(ip: str, port: int, login: tuple[str, str] | None = None) -> Generator[tuple[bytes, int], bytes, None]:
    """Have a proxy connect. Yields (octets to write, number of octets to read) and is sent the octets read.

    It ends when the connection is made. Raises OSError where the host cannot be reached, ProxyError where the proxy
    fails.
    """
    packed = ipaddress.ip_address(ip).packed
    methods = (_NO_AUTHENTICATION, _PASSWORD) if login else (_NO_AUTHENTICATION,)
    answer = yield bytes((_VERSION, len(methods), *methods)), 2
    if answer == bytes((_VERSION, _PASSWORD)) and login:
        user, password = (text.encode()[:255] for text in login)
        request = bytes((_PASSWORD_VERSION, len(user))) + user + bytes((len(password),)) + password
        if (yield request, 2)[1]:
            raise ProxyError("the proxy refuses our password")
    elif answer != bytes((_VERSION, _NO_AUTHENTICATION)):
        raise ProxyError("the proxy does not let us in")
    kind = _IPV4 if len(packed) == 4 else _IPV6
    answer = yield bytes((_VERSION, _CONNECT, 0, kind)) + packed + port.to_bytes(2, "big"), 5
    version, status, _, kind, first = answer
    octets = 1 + first if kind == _NAME else _ADDRESS_OCTETS.get(kind, 0)
    if version != _VERSION or not octets:
        raise ProxyError("the proxy does not speak SOCKS5")
    if status:
        trouble = _HOST_TROUBLE.get(status)
        raise OSError(trouble, "") if trouble else ProxyError(f"the proxy refuses with status {status}")
    yield b"", octets + 1  # the rest of an address that nobody needs


class SocksClient(asyncio.Protocol, Generic[Speaker]):
    """Asks a proxy for a connection. `connected` gets the protocol made by `factory`, which owns the connection then.

    `connected` fails as `dialogue` does.
    """

    def __init__(self, factory: Callable[[], Speaker], ip: str, port: int, login: tuple[str, str] | None) -> None:
        self.connected: asyncio.Future[Speaker] = asyncio.get_running_loop().create_future()
        self._factory = factory
        self._dialogue = dialogue(ip, port, login)
        self._buffer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        request, self._awaited = next(self._dialogue)
        self._transport.write(request)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while not self.connected.done() and len(self._buffer) >= self._awaited:
            taken, self._buffer = self._buffer[: self._awaited], self._buffer[self._awaited :]
            try:
                request, self._awaited = self._dialogue.send(taken)
            except StopIteration:
                self._hand_over()
            except OSError as error:
                self._fail_connection(
                    error.with_traceback(None)
                )  # it holds this frame, which holds the client that is done with
            else:
                self._transport.write(request)

    def connection_lost(self, exc: Exception | None) -> None:
        self._fail_connection(ProxyError("the proxy closed the connection"))

    def _hand_over(self) -> None:
        speaker = self._factory()
        self._transport.set_protocol(speaker)
        speaker.connection_made(self._transport)
        self.connected.set_result(speaker)
        if self._buffer:
            speaker.data_received(self._buffer)

    def _fail_connection(self, error: OSError) -> None:
        if not self.connected.done():
            self.connected.set_exception(error)
