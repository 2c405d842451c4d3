"""Parses SMTP replies from a connection in bulk, bounded in size, lines and number (RFC 5321 section 4.2)."""

import asyncio
import re
from functools import lru_cache
from typing import cast

MAX_LINE = 4096  # RFC 5321 allows 512; servers exceed it
REPEATED_LINE = 100  # octets of a line that is worth remembering
MAX_LINES = 128  # of one reply
MAX_WAITING = 2048  # replies nobody has read

_ENHANCED = re.compile(r"[# ]*([245]\.\d{1,3}\.\d{1,3})(?=[\s,;:)\]-]|$)")


class WireError(Exception):
    """The connection cannot be read on. The message says why."""


class ClosedError(WireError):
    """The peer closed the connection."""


class GarbledError(WireError):
    """The octets are not an SMTP reply, or more than a server may send."""


class Reply:
    """One reply: its code, and its lines without code and separator.

    Replies are shared (`_parse_line_cached`) and never changed. Derived values are computed once.
    """

    __slots__ = ("code", "enhanced", "is_positive", "lines", "text")

    def __init__(self, code: int, lines: tuple[str, ...]) -> None:
        self.code = code
        self.lines = lines
        self.is_positive = 200 <= code < 300
        """Whether the command was accepted."""
        first = lines[0] if lines else ""
        match = _ENHANCED.match(first)
        self.enhanced = match[1] if match is not None else ""
        """The enhanced status code (RFC 3463) at the start of the text, or nothing."""
        self.text = first if len(lines) < 2 else _join_lines(self.enhanced, lines)
        """All lines as one text; the enhanced code, which every line repeats (RFC 2034), stands once."""

    def __str__(self) -> str:
        return f"{self.code} {self.text}".rstrip()

    def __repr__(self) -> str:
        return f"Reply({self.code}, {self.lines})"


def clip_text(text: str, most: int = 200) -> str:
    """The text, cut to `most` characters with an ellipsis where it is longer."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _join_lines(enhanced: str, lines: tuple[str, ...]) -> str:
    if not enhanced:
        return " ".join(lines)
    return " ".join([lines[0], *(line.removeprefix(f"{enhanced} ").lstrip() for line in lines[1:])])


def _parse_line(line: bytes) -> tuple[bool, Reply]:
    """Parse a line: whether it ends the reply, and the reply that it is alone. Raises GarbledError."""
    line = line.removesuffix(b"\r")
    code, separator = line[:3], line[3:4]
    if len(line) > MAX_LINE or not code.isdigit() or not b"200" <= code <= b"599" or separator not in b" -":
        raise GarbledError("the server sent a line that is no SMTP reply")
    return separator != b"-", Reply(int(code), (line[4:].decode("utf-8", "replace"),))


# Most lines of a server are repetitions of a few short ones: 0.1 microseconds each instead of 2.
_parse_line_cached = lru_cache(maxsize=4096)(_parse_line)


class ReplyStream(asyncio.Protocol):
    """One connection: `write` sends commands, replies gather in `ready`.

    A failure is stored as its class and message and raised anew each time. A raised error would hold its frames, and
    with them the connection's TLS memory, until the next garbage collection.
    """

    def __init__(self) -> None:
        self.ready: list[Reply] = []
        self.transport: asyncio.Transport | None = None
        self._rest = b""
        self._lines: list[str] = []
        self._trouble: tuple[type[WireError], str] | None = None
        self._waiter: asyncio.Future[None] | None = None
        self._wanted = 0
        self._loop = asyncio.get_running_loop()
        self._lost = self._loop.create_future()
        self.received = 0  # replies since the connection was made
        self.first_at = 0.0  # when the first reply after the last writing came
        self.moved_at = 0.0  # when the last reply came
        self._stall_s = 0.0
        self._timer: asyncio.TimerHandle

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)  # uvloop's transports are no subclass of asyncio's

    def data_received(self, data: bytes) -> None:
        if self._trouble is not None:
            return
        before = len(self.ready)
        lines = (self._rest + data if self._rest else data).split(b"\n")
        self._rest = lines.pop()
        try:
            for line in lines:
                self._add_line(line)
            if len(self._rest) > MAX_LINE or len(self.ready) > MAX_WAITING:
                raise GarbledError("the server sends more than a reply may hold")
        except GarbledError as error:
            self._fail(GarbledError, str(error))
        if len(self.ready) > before:
            self.received += len(self.ready) - before
            self.moved_at = self._loop.time()
            self.first_at = self.first_at or self.moved_at
            if len(self.ready) >= self._wanted:
                self._wake_waiter()

    def eof_received(self) -> bool:
        self._fail(ClosedError, "the server closed the connection")
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        self.transport = None
        if not self._lost.done():
            self._lost.set_result(None)
        self._fail(ClosedError, "the connection was reset" if exc else "the server closed the connection")

    def write(self, data: bytes) -> None:
        """Send whole command lines. Raises ClosedError when the connection is gone."""
        if self.transport is None or self.transport.is_closing():
            self._raise_trouble()
            raise ClosedError("the connection is closed")
        self.first_at = 0.0
        self.transport.write(data)

    async def wait(self, count: int, stall_s: float) -> None:
        """Wait until `count` replies are ready.

        Raises TimeoutError when none arrives for `stall_s` seconds and WireError when none will; what came before
        stays in `ready`.
        """
        if len(self.ready) >= count:
            return
        self._raise_trouble()
        self._wanted, self._stall_s, self.moved_at = count, stall_s, self._loop.time()
        self._waiter = self._loop.create_future()
        self._timer = self._loop.call_later(stall_s, self._check_stall)
        try:
            await self._waiter
        finally:
            self._timer.cancel()
            self._waiter = None
        if len(self.ready) < count:
            self._raise_trouble()

    def _check_stall(self) -> None:
        """End the waiting when no reply has come for long enough, else look again when that would be."""
        left = self.moved_at + self._stall_s - self._loop.time()
        if left > 0:
            self._timer = self._loop.call_later(left, self._check_stall)
        elif self._waiter is not None and not self._waiter.done():
            self._waiter.set_exception(TimeoutError())

    def forget_input(self) -> None:
        """Drop the octets received before a TLS handshake (RFC 3207 section 4.2)."""
        self.ready.clear()
        self._lines.clear()
        self._rest = b""

    def close(self) -> None:
        """Close the connection once everything is written."""
        if self.transport is not None:
            self.transport.close()

    def cut(self) -> None:
        """End the connection at once, whatever is still to be written."""
        if self.transport is not None:
            self.transport.abort()

    async def gone(self, wait_s: float) -> None:
        """Wait until the socket is closed; cut a connection that takes longer, such as one whose TLS will not end."""
        if self.transport is None:
            return
        await asyncio.wait([self._lost], timeout=wait_s)
        if not self._lost.done():
            self.cut()
            await asyncio.wait([self._lost], timeout=wait_s)

    def _add_line(self, line: bytes) -> None:
        ends, reply = _parse_line_cached(line) if len(line) <= REPEATED_LINE else _parse_line(line)
        if ends and not self._lines:
            self.ready.append(reply)
            return
        self._lines.append(reply.lines[0])
        if len(self._lines) > MAX_LINES:
            raise GarbledError("the server sent a reply with too many lines")
        if ends:
            self.ready.append(Reply(reply.code, tuple(self._lines)))
            self._lines.clear()

    def _fail(self, kind: type[WireError], why: str) -> None:
        if self._trouble is None:
            self._trouble = (kind, why)
        self._wake_waiter()

    def _raise_trouble(self) -> None:
        if self._trouble is not None:
            kind, why = self._trouble
            raise kind(why)

    def _wake_waiter(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)
