"""SMTP replies off the wire: parsed in bulk, bounded in size, lines and number (RFC 5321 section 4.2)."""

import asyncio
import re
from collections import deque
from dataclasses import dataclass
from typing import cast

MAX_LINE = 4096  # RFC 5321 allows 512; servers exceed it
MAX_LINES = 128  # of one reply
MAX_WAITING = 2048  # replies nobody has read

_ENHANCED = re.compile(r"([245]\.\d{1,3}\.\d{1,3})(?=[\s,;:)\]-]|$)")


class WireError(Exception):
    """The connection cannot be read on. The message says why."""


class ClosedError(WireError):
    """The peer closed the connection."""


class GarbledError(WireError):
    """What came is no SMTP reply, or more than a server may say."""


@dataclass(slots=True)
class Reply:
    """One reply: its code and the text of its lines without code and separator."""

    code: int
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        """All lines as one text; the enhanced code, which every line repeats (RFC 2034), stands once."""
        if len(self.lines) == 1:
            return self.lines[0]
        code = self.enhanced
        if not code:
            return " ".join(self.lines)
        return " ".join([self.lines[0], *(line.removeprefix(f"{code} ").lstrip() for line in self.lines[1:])])

    @property
    def enhanced(self) -> str:
        """The enhanced status code (RFC 3463) at the start of the text, or nothing."""
        match = _ENHANCED.match(self.lines[0].lstrip("# ")) if self.lines else None
        return match[1] if match else ""

    @property
    def is_positive(self) -> bool:
        """Whether the command was accepted."""
        return 200 <= self.code < 300

    def __str__(self) -> str:
        return f"{self.code} {self.text}".rstrip()


class ReplyStream(asyncio.Protocol):
    """One connection: commands go out by `write`, replies gather in `ready`."""

    def __init__(self) -> None:
        self.ready: deque[Reply] = deque()
        self.transport: asyncio.Transport | None = None
        self._rest = b""
        self._lines: list[str] = []
        self._trouble: WireError | None = None
        self._waiter: asyncio.Future[None] | None = None
        self._wanted = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)  # uvloop's transports are no subclass of asyncio's

    def data_received(self, data: bytes) -> None:
        if self._trouble is not None:
            return
        *lines, self._rest = (self._rest + data).split(b"\n")
        try:
            for line in lines:
                self._take_line(line)
            if len(self._rest) > MAX_LINE or len(self.ready) > MAX_WAITING:
                raise GarbledError("the server sends more than a reply may hold")
        except GarbledError as error:
            self._fail(error)
        if len(self.ready) >= self._wanted:
            self._wake()

    def eof_received(self) -> bool:
        self._fail(ClosedError("the server closed the connection"))
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        self._fail(ClosedError("the connection was reset" if exc else "the server closed the connection"))

    def write(self, data: bytes) -> None:
        """Send whole command lines. Raises ClosedError when the connection is gone."""
        if self.transport is None or self.transport.is_closing():
            raise self._trouble or ClosedError("the connection is closed")
        self.transport.write(data)

    async def wait(self, count: int, stall_s: float) -> None:
        """Wait until `count` replies are ready.

        Raises TimeoutError when none arrives for `stall_s` seconds and WireError when none will; what came before
        stays in `ready`.
        """
        while len(self.ready) < count:
            if self._trouble is not None:
                raise self._trouble
            self._wanted = len(self.ready) + 1
            self._waiter = asyncio.get_running_loop().create_future()
            async with asyncio.timeout(stall_s):
                await self._waiter

    def forget_input(self) -> None:
        """Drop what came in clear before a TLS handshake (RFC 3207 section 4.2)."""
        self.ready.clear()
        self._lines.clear()
        self._rest = b""

    def close(self) -> None:
        """Close the connection once everything is written."""
        if self.transport is not None:
            self.transport.close()

    def _take_line(self, line: bytes) -> None:
        line = line.removesuffix(b"\r")
        code, separator = line[:3], line[3:4]
        if len(line) > MAX_LINE or not code.isdigit() or not b"200" <= code <= b"599" or separator not in b" -":
            raise GarbledError("the server sent a line that is no SMTP reply")
        self._lines.append(line[4:].decode("utf-8", "replace"))
        if len(self._lines) > MAX_LINES:
            raise GarbledError("the server sent a reply with too many lines")
        if separator != b"-":
            self.ready.append(Reply(int(code), tuple(self._lines)))
            self._lines.clear()

    def _fail(self, error: WireError) -> None:
        if self._trouble is None:
            self._trouble = error
        self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)
