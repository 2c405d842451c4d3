"""One connection: reads requests, has them answered one after another, and keeps to the deadline of what it is at."""

import asyncio
import time
from collections import deque
from enum import Enum, auto
from ipaddress import ip_address
from math import inf
from typing import TYPE_CHECKING, Any, cast

import httptools
from django.conf import settings

from emailcheck.common.server import addresses, answers, bounds, heads
from emailcheck.common.server.answers import Refusal
from emailcheck.common.server.bodies import Body
from emailcheck.common.server.calls import Call, Pieces
from emailcheck.common.server.streams import Stream

if TYPE_CHECKING:
    from emailcheck.common.server.process import Process


class Stage(Enum):
    """What a connection reads."""

    NOTHING = auto()
    HEAD = auto()
    BODY = auto()
    LEFTOVERS = auto()
    """What is sent after a refusal; thrown away."""


class Connection(asyncio.Protocol):
    """One for each connection, made by the event loop. The process checks `deadline` a few times a second."""

    transport: asyncio.Transport

    def __init__(self, process: "Process") -> None:
        self._process = process
        self._parser: Any = httptools.HttpRequestParser(self)
        self._stage, self.deadline = Stage.NOTHING, inf
        self._url, self._headers = b"", list[tuple[bytes, bytes]]()
        self._read, self._chunks, self._begun, self._since = 0, 0, False, 0.0
        self._environ: dict[str, Any] = {}
        self._body: Body | None = None
        self._refusal: Refusal | None = None
        self._ready: deque[Call] = deque()
        self._call: Call | None = None
        self._stream: Stream | None = None
        self._held = b""
        self._unsent, self._is_full = 0, False
        self._ending = False

    @property
    def draining(self) -> bool:
        """Whether the process is about to end."""
        return self._process.draining

    @property
    def idle_since(self) -> float | None:
        """Since when no request is open; None while one is."""
        is_idle = self._call is None and not self._ready and self._stage is Stage.NOTHING
        return self._since if is_idle else None

    # --- the event loop's side

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        peer = transport.get_extra_info("peername")
        self.address = str(peer[0]) if peer else ""
        self.client = addresses.identify_client(self.address)
        self.is_proxy = bool(peer) and any(ip_address(self.address) in one for one in settings.TRUSTED_PROXIES)
        self._enter(Stage.NOTHING, bounds.HEAD_S)
        refusal = self._process.admit(self)
        if self._process.is_flooded(self):
            self.transport.abort()
        elif refusal is not None:
            self._end_with(refusal)

    def connection_lost(self, exc: Exception | None) -> None:
        self._ending, self._parser, self.deadline = True, None, inf
        self._process.forget(self)
        if self._stream is not None:
            self._stream.give_up()
        if self._call is not None and self._process.threads.withdraw(self._call):
            self._call.drop_body()
        for call in self._ready:
            call.drop_body()
        if self._body is not None:
            self._body.close()

    def eof_received(self) -> bool:
        """A caller may stop sending and still wait for its answer."""
        self._parser = None
        return not self._ending and (self._call is not None or bool(self._ready))

    def data_received(self, data: bytes) -> None:
        if self._stage is Stage.LEFTOVERS:
            self._read += len(data)
            if self._read > bounds.LINGER_MOST:
                self.transport.abort()
        elif self._parser is not None and not self._ending:
            if self._call is not None or self._is_full:
                self._held += data
                self.transport.pause_reading()
            else:
                self._feed(data)

    def pause_writing(self) -> None:
        """More waits to be read by the caller than may; nothing else is answered before."""
        self._is_full = True
        self._unsent = self.transport.get_write_buffer_size()
        self.deadline = time.monotonic() + bounds.READING_S

    def resume_writing(self) -> None:
        self._is_full = False
        if self._stream is not None:
            self.deadline = inf
            self._stream.resume()
        else:
            self._resume()

    def expire(self, now: float) -> None:
        """The deadline has passed."""
        unsent = self.transport.get_write_buffer_size()
        if unsent and self._unsent - unsent >= bounds.READING_LEAST:
            self._unsent, self.deadline = unsent, now + bounds.READING_S
        elif unsent or self._ending or self._stage in (Stage.NOTHING, Stage.LEFTOVERS):
            self.transport.abort()
        elif self._stage is Stage.BODY and now < (due := self._body_due()):
            self.deadline = due
        else:
            self._end_with(Refusal.late())

    def end_if_idle(self) -> None:
        """End it now when nothing is under way."""
        if self.idle_since is not None:
            self.transport.close()

    # --- reading

    def _feed(self, data: bytes) -> None:
        try:
            self._parser.feed_data(data)
            self._check_extent(len(data))
        except httptools.HttpParserUpgrade:
            self._parser = None  # no other protocol is spoken; earlier requests are answered
        except (httptools.HttpParserError, Refusal):
            self._refusal = self._refusal or Refusal.malformed()
            self._parser = None
        self._resume()

    def _check_extent(self, size: int) -> None:
        """Heads and trailers that do not end, and chunks that are more frame than content."""
        if self._begun:
            self._begun = False
            return
        self._read += size
        if self._stage is Stage.HEAD and self._read > bounds.READ_MOST:
            raise self._refused(Refusal.head_too_large())
        if self._stage is Stage.BODY and self._body is not None:
            frames = self._read - self._body.size - self._chunks * bounds.CHUNK_EXTRA
            if frames > bounds.FRAMES_MOST:
                raise self._refused(Refusal.malformed())

    def _refused(self, refusal: Refusal) -> Refusal:
        self._refusal = refusal
        return refusal

    def on_message_begin(self) -> None:
        if len(self._ready) >= bounds.PIPELINED_MOST:
            raise self._refused(Refusal.overloaded())
        self._url, self._headers, self._read, self._chunks, self._begun = b"", [], 0, 0, True
        self._environ = {}
        self._enter(Stage.HEAD, bounds.HEAD_S)

    def on_url(self, url: bytes) -> None:
        self._url += url

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._stage is Stage.HEAD:  # else it is a trailer
            self._headers.append((name, value))

    def on_headers_complete(self) -> None:
        parser, base = self._parser, self._process.environment
        try:
            if sum(len(name) + len(value) for name, value in self._headers) > bounds.HEAD_MOST:
                raise Refusal.head_too_large()
            self._environ = heads.build_environment(
                parser.get_method(), self._url, parser.get_http_version(), self._headers, base
            )
            self._environ["REMOTE_ADDR"] = self.address
            self._body = self._body_of(self._environ)
        except Refusal as refusal:
            raise self._refused(refusal) from None
        self._enter(Stage.BODY, bounds.BODY_GRACE_S)
        if self._body and "HTTP_EXPECT" in self._environ and not self._ready:
            self.transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")

    def _body_of(self, environ: dict[str, Any]) -> Body | None:
        size = heads.announced_size(environ)
        if size == 0:
            return None
        if heads.is_form(environ):
            most, too_large = settings.MAX_UPLOAD_BYTES + bounds.FORM_EXTRA, Refusal.file_too_large()
        else:
            most, too_large = settings.MAX_REQUEST_BYTES, Refusal.too_large()
        if size is not None and size > most:
            raise too_large
        return Body(most, too_large, self._process.disk)

    def on_chunk_header(self) -> None:
        self._chunks += 1

    def on_body(self, piece: bytes) -> None:
        assert self._body is not None
        try:
            self._body.add(piece)
        except Refusal as refusal:
            raise self._refused(refusal) from None

    def on_message_complete(self) -> None:
        environ, body, self._body = self._environ, self._body, None
        if body is not None:
            environ["CONTENT_LENGTH"] = str(body.size)
            environ.pop("HTTP_TRANSFER_ENCODING", None)
        keep_alive = self._parser.should_keep_alive() and not self._parser.should_upgrade()
        self._ready.append(Call(self, self._process.application, environ, body, keep_alive=keep_alive))
        self._enter(Stage.NOTHING, self._idle_s)

    def _enter(self, stage: Stage, seconds: float) -> None:
        self._stage, self._since = stage, time.monotonic()
        self.deadline = self._since + seconds

    @property
    def _idle_s(self) -> float:
        return bounds.IDLE_PROXY_S if self.is_proxy else bounds.IDLE_S

    def _body_due(self) -> float:
        size = self._body.size if self._body else 0
        return self._since + min(bounds.BODY_GRACE_S + size / bounds.BODY_RATE, bounds.BODY_S)

    # --- answering

    def _resume(self) -> None:
        """Have the next request answered; without one, read on."""
        if self._call is not None or self._ending or self._is_full:
            return
        if self._ready:
            self._call, self.deadline = self._ready.popleft(), inf
            if not self._process.health.try_to_answer(self._call):
                self._process.threads.submit(self._call)
        elif self._refusal is not None:
            self._end_with(self._refusal)
        elif self._parser is None:
            self._end()
        elif self._held:
            data, self._held = self._held, b""
            self.transport.resume_reading()
            self._feed(data)

    def _answered(self, *, closes: bool) -> None:
        self._call = self._stream = None
        if closes:
            self._end()
            return
        if not self.transport.get_write_buffer_size():
            self._unsent = 0
        if self._stage is Stage.NOTHING:
            self._enter(Stage.NOTHING, self._idle_s)
        else:
            self._enter(self._stage, bounds.HEAD_S)
        self._resume()

    def send_whole(self, call: Call, octets: bytes, *, closes: bool) -> None:
        call.drop_body()
        if not self._ending:
            self.transport.write(octets)
            self._answered(closes=closes)

    def send_stream(self, call: Call, head: bytes, pieces: Pieces) -> None:
        call.drop_body()
        ended = self._process.enter_stream(self)
        if ended is None and not self._ending:
            self.send_refusal(Refusal.overloaded(closes=pieces.closes), call.environ)
        if ended is None or self._ending:
            # Its end belongs to a thread: what it closes may wait for the database.
            self._stream = Stream(self._process.loop, self, pieces, ended or (lambda: None))
            self._stream.give_up()
        else:
            self._stream = Stream(self._process.loop, self, pieces, ended)
            self.transport.write(head)
        self._stream.start()

    def write_piece(self, octets: bytes) -> None:
        if self._ending or self._stream is None:
            return
        self.transport.write(octets)
        if not self._is_full:
            self._stream.resume()

    def end_stream(self, *, closes: bool) -> None:
        if not self._ending:
            self._answered(closes=closes)

    def break_off(self) -> None:
        if not self._ending:
            self.transport.abort()

    def send_refusal(self, refusal: Refusal, environ: dict[str, Any] | None) -> None:
        if self._ending:
            return
        closes = refusal.closes or self.draining
        bodiless = environ is not None and environ["REQUEST_METHOD"] == "HEAD"
        as_page = environ is not None and heads.wants_page(environ)
        status, headers, body = refusal.answer(as_page=as_page, bodiless=bodiless)
        self.transport.write(
            answers.build_head(status, headers, extra="Connection: close\r\n" if closes else "") + body
        )
        if self._call is not None:
            self._call.drop_body()
        self._answered(closes=closes)

    def _end(self) -> None:
        """Close when what was written is sent; who does not read it is cut off."""
        self._ending, self._parser = True, None
        self._unsent = self.transport.get_write_buffer_size()
        self.deadline = time.monotonic() + bounds.READING_S
        self.transport.close()

    def _end_with(self, refusal: Refusal) -> None:
        """Refuse, and read on for a moment: a caller that is still sending would otherwise not get to see why."""
        environ = self._environ or None
        as_page = environ is not None and heads.wants_page(environ)
        status, headers, body = refusal.answer(as_page=as_page, bodiless=False)
        self.transport.write(answers.build_head(status, headers, extra="Connection: close\r\n") + body)
        self.transport.write_eof()
        self._parser, self._ending = None, True
        self._read = 0
        self._enter(Stage.LEFTOVERS, bounds.LINGER_S)
        self.transport.resume_reading()
