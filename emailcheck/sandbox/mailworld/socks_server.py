"""A SOCKS5 server (RFC 1928) behind which the simulated mail hosts live.

A user name (RFC 1929) chooses the source address that the hosts see, by the key of a visitor of the world or by its
address; the password may be anything. Without one it is the first visitor's.

CONNECT to a simulated address on port 25 turns that very connection into the SMTP server of the host; to an address
of the receiver on port 443, into its HTTPS server.
"""

import asyncio
import ipaddress
import ssl
from collections import deque
from collections.abc import Callable
from typing import cast

from emailcheck.sandbox.mailworld.scenario.world import HostState
from emailcheck.sandbox.mailworld.smtp.conversation import Conversation, NextStep, ServerTurn
from emailcheck.sandbox.mailworld.smtp.mail_hosts import MailHosts
from emailcheck.sandbox.mailworld.smtp.stats import HostVisit
from emailcheck.sandbox.receiver.host_names import ADDRESSES
from emailcheck.sandbox.receiver.server import Receiver

_SMTP_PORT, _HTTPS_PORT = 25, 443
_VERSION, _CONNECT, _NO_AUTHENTICATION, _PASSWORD, _NO_METHOD = 5, 1, 0, 2, 0xFF
_PASSWORD_VERSION, _WELCOME, _UNKNOWN_USER = 1, 0, 1
_ADDRESS_LENGTH = {1: 4, 4: 16}
_SUCCEEDED, _HOST_UNREACHABLE, _REFUSED, _NOT_A_COMMAND, _NOT_AN_ADDRESS = 0, 4, 5, 7, 8
_NO_LATENCY = 0.0


class SocksConnection(asyncio.Protocol):
    """One client connection: the SOCKS5 handshake, then SMTP."""

    transport: asyncio.Transport
    _conversation: Conversation

    def __init__(self, hosts: MailHosts, tls: ssl.SSLContext, receiver: Callable[[], Receiver]) -> None:
        self._hosts = hosts
        self._tls = tls
        self._receiver = receiver
        self._loop = asyncio.get_running_loop()
        self._stage: Callable[[bytes], None] = self._choose_method
        self._buffer = b""
        self._turns: deque[ServerTurn] = deque()
        self._ready_at = 0.0
        self._source = hosts.visitor.address
        self._visit: HostVisit | None = None
        self._handshake: asyncio.Task[None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self._stage(data)

    def eof_received(self) -> None:
        self._end_visit()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stage = self._ignore
        self._end_visit()

    def _end_visit(self) -> None:
        """End the visit when the host's last reply is out or the client is gone, without waiting for TLS."""
        if self._visit is not None:
            self._visit.end()
            self._visit = None

    def _choose_method(self, data: bytes) -> None:
        self._buffer += data
        if len(self._buffer) < 2 or len(self._buffer) < 2 + self._buffer[1]:
            return
        end = 2 + self._buffer[1]
        methods, version = self._buffer[2:end], self._buffer[0]
        if version != _VERSION or not {_NO_AUTHENTICATION, _PASSWORD} & set(methods):
            self._close_with(bytes((_VERSION, _NO_METHOD)))
            return
        method = _PASSWORD if _PASSWORD in methods else _NO_AUTHENTICATION
        self._advance(bytes((_VERSION, method)), self._log_in if method == _PASSWORD else self._connect, end)

    def _log_in(self, data: bytes) -> None:
        self._buffer += data
        if len(self._buffer) < 2 or len(self._buffer) < 3 + self._buffer[1]:
            return
        name_end = 2 + self._buffer[1]
        end = name_end + 1 + self._buffer[name_end]
        if len(self._buffer) < end:
            return
        visitor = self._hosts.visitor_called(self._buffer[2:name_end].decode("utf-8", "replace"))
        if visitor is None or self._buffer[0] != _PASSWORD_VERSION:
            self._close_with(bytes((_PASSWORD_VERSION, _UNKNOWN_USER)))
            return
        self._source = visitor.address
        self._advance(bytes((_PASSWORD_VERSION, _WELCOME)), self._connect, end)

    def _advance(self, answer: bytes, stage: Callable[[bytes], None], end: int) -> None:
        """Respond, and pass the octets after `end` to the next stage."""
        self.transport.write(answer)
        rest, self._buffer = self._buffer[end:], b""
        self._stage = stage
        stage(rest)

    def _connect(self, data: bytes) -> None:
        self._buffer += data
        if len(self._buffer) < 4:
            return
        length = _ADDRESS_LENGTH.get(self._buffer[3])
        if self._buffer[1] != _CONNECT or length is None:
            self._refuse(_NOT_A_COMMAND if length else _NOT_AN_ADDRESS)
            return
        end = 4 + length + 2
        if len(self._buffer) < end:
            return
        address = str(ipaddress.ip_address(self._buffer[4 : 4 + length]))
        port = int.from_bytes(self._buffer[end - 2 : end])
        rest, self._buffer = self._buffer[end:], b""
        self._open_target(address, port, rest)

    def _open_target(self, address: str, port: int, rest: bytes) -> None:
        state = self._hosts.state(address)
        if address in ADDRESSES and port == _HTTPS_PORT:
            self._stage = self._ignore
            self.transport.write(_encode_socks_reply(_SUCCEEDED))
            self._receiver().take_over(self.transport)
        elif state is None or state is HostState.UNREACHABLE:
            self._refuse(_HOST_UNREACHABLE)
        elif state is HostState.REFUSED or port != _SMTP_PORT:
            self._refuse(_REFUSED)
        elif state is HostState.SILENT:
            self._stage = self._ignore
        else:
            self._conversation, self._visit = self._hosts.open(address, self._source)
            self.transport.write(_encode_socks_reply(_SUCCEEDED))
            self._stage = self._smtp
            self._schedule_turn(self._conversation.greet())
            if rest:
                self.data_received(rest)

    def _smtp(self, data: bytes) -> None:
        self._schedule_turn(self._conversation.receive(data, waiting=bool(self._turns)))

    def _buffer_data(self, data: bytes) -> None:
        self._buffer += data

    def _ignore(self, data: bytes) -> None:
        pass

    def _schedule_turn(self, turn: ServerTurn) -> None:
        """Send it now, or after the operator's delay and the latency, never before an earlier turn."""
        if turn.then is not NextStep.KEEP:
            self._stage = self._ignore
        elif not turn.data:
            return
        delay = turn.delay + self._hosts.switches.latency_ms / 1000
        if delay == _NO_LATENCY and not self._turns:
            self._perform(turn)
            return
        self._ready_at = max(self._ready_at, self._loop.time() + delay)
        self._turns.append(turn)
        self._loop.call_at(self._ready_at, self._perform_next)

    def _perform_next(self) -> None:
        self._perform(self._turns.popleft())

    def _perform(self, turn: ServerTurn) -> None:
        if self.transport.is_closing():
            return
        if turn.then is NextStep.ABORT:
            self._end_visit()
            self.transport.abort()
            return
        self.transport.write(turn.data)
        if turn.then is NextStep.CLOSE:
            self._end_visit()
            self.transport.close()
        elif turn.then is NextStep.START_TLS:
            self._buffer = b""
            self._stage = self._buffer_data
            self._handshake = self._loop.create_task(self._start_tls())

    async def _start_tls(self) -> None:
        try:
            secured = await self._loop.start_tls(self.transport, self, self._tls, server_side=True)
        except OSError:
            self._end_visit()  # nobody calls `connection_lost` while hands are shaken
            self.transport.abort()
            return
        if secured is None:
            self._end_visit()
            return
        self.transport = secured
        self._conversation.secured()
        self._stage = self._smtp
        buffered, self._buffer = self._buffer, b""
        if buffered:
            self._smtp(buffered)

    def _refuse(self, code: int) -> None:
        self._close_with(_encode_socks_reply(code))

    def _close_with(self, last_words: bytes) -> None:
        self._stage = self._ignore
        self.transport.write(last_words)
        self.transport.close()


def _encode_socks_reply(code: int) -> bytes:
    return bytes((_VERSION, code, 0, 1, 0, 0, 0, 0, 0, 0))
