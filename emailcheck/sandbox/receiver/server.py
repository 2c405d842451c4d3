"""The HTTPS side of the receiver: one request a connection, answered as its box says."""

import asyncio
import ssl
from typing import cast

import h11

from emailcheck.sandbox.receiver.inbox import Inbox, Mode

_MOST_BYTES = 1_000_000
_PIECE = b"x" * 65_536
_TEXT = "text/plain; charset=utf-8"
_PLAIN: dict[Mode, tuple[int, str, dict[str, str]]] = {
    Mode.OK: (200, "Thank you.", {}),
    Mode.ERROR: (500, "The receiver has a fault.", {}),
    Mode.GONE: (410, "Nobody lives here any more.", {}),
    Mode.LATER: (503, "Come back later.", {"Retry-After": "120"}),
    Mode.REDIRECT: (302, "Look elsewhere.", {"Location": "http://169.254.169.254/latest/meta-data/"}),
}


class Receiver(asyncio.Protocol):
    """One connection of a sender, TLS first."""

    def __init__(self, inbox: Inbox, secure: ssl.SSLContext) -> None:
        self._inbox = inbox
        self._secure = secure
        self._http = h11.Connection(h11.SERVER)
        self._request: h11.Request | None = None
        self._body = bytearray()
        self._held = b""
        self.transport: asyncio.Transport | None = None
        self._can_write = asyncio.Event()
        self._can_write.set()
        self._task: asyncio.Task[None] | None = None

    def take_over(self, transport: asyncio.Transport) -> None:
        """Secure a connection whose next bytes are a TLS handshake."""
        self._task = asyncio.get_running_loop().create_task(self._start_tls(transport))

    async def _start_tls(self, transport: asyncio.Transport) -> None:
        loop = asyncio.get_running_loop()
        try:
            secured = await loop.start_tls(transport, self, self._secure, server_side=True)
        except OSError:
            transport.abort()
            return
        if secured is not None:
            self.transport = secured
            self._receive_bytes(secured, self._held)

    def data_received(self, data: bytes) -> None:
        if self.transport is None:  # hands are still being shaken
            self._held += data
        else:
            self._receive_bytes(self.transport, data)

    def _receive_bytes(self, transport: asyncio.Transport, data: bytes) -> None:
        if not data:
            return
        try:
            self._http.receive_data(data)
            self._handle_events(transport)
        except h11.RemoteProtocolError:
            transport.close()

    def pause_writing(self) -> None:
        self._can_write.clear()

    def resume_writing(self) -> None:
        self._can_write.set()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._task is not None:
            self._task.cancel()

    def _handle_events(self, transport: asyncio.Transport) -> None:
        while True:
            event = self._http.next_event()
            if isinstance(event, h11.Request):
                self._request = event
            elif isinstance(event, h11.Data):
                self._body += event.data
                if len(self._body) > _MOST_BYTES:
                    transport.close()
                    return
            elif isinstance(event, h11.EndOfMessage):
                self._answer_request(transport)
                return
            else:
                return

    def _answer_request(self, transport: asyncio.Transport) -> None:
        request = cast(h11.Request, self._request)
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in request.headers}
        box = self._inbox.receive(
            method=request.method.decode(), path=request.target.decode("latin-1"), headers=headers,
            body=bytes(self._body),
        )  # fmt: skip
        if box.mode in _PLAIN:
            self._answer(transport, *_PLAIN[box.mode])
        elif box.mode is Mode.HUGE:
            self._task = asyncio.get_running_loop().create_task(self._send_endless_body(transport))
        elif box.mode is Mode.BROKEN:
            transport.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
            transport.close()

    def _answer(self, transport: asyncio.Transport, status: int, text: str, more: dict[str, str]) -> None:
        body = text.encode()
        headers = {"Content-Type": _TEXT, "Content-Length": str(len(body)), "Connection": "close"} | more
        self._send_event(transport, h11.Response(status_code=status, headers=list(headers.items())))
        self._send_event(transport, h11.Data(data=body))
        self._send_event(transport, h11.EndOfMessage())
        transport.close()

    async def _send_endless_body(self, transport: asyncio.Transport) -> None:
        self._send_event(
            transport, h11.Response(status_code=200, headers=[("Content-Type", _TEXT), ("Connection", "close")])
        )
        while not transport.is_closing():
            self._send_event(transport, h11.Data(data=_PIECE))
            await self._can_write.wait()
            await asyncio.sleep(0)

    def _send_event(self, transport: asyncio.Transport, event: h11.Response | h11.Data | h11.EndOfMessage) -> None:
        transport.write(self._http.send(event) or b"")
