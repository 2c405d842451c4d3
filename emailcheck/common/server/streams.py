"""Long answers, piece by piece, no faster than they are read.

Each has a thread of its own while it runs, because what makes the pieces may keep a cursor of the thread's database
connection. How many there are is bounded, and so is how long a piece may wait to be read (`connection`).
"""

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Iterator
from typing import Protocol

from django.db import connections

from emailcheck.common.server import bounds
from emailcheck.common.server.calls import Pieces

log = logging.getLogger(__name__)


class Reader(Protocol):
    """Who reads: a connection, as a stream sees it. All on the event loop."""

    def write_piece(self, octets: bytes) -> None:
        """Send a piece, and call `resume` of its stream when there is room for another."""

    def end_stream(self, *, closes: bool) -> None:
        """All was sent."""

    def break_off(self) -> None:
        """The rest will not come."""


class Stream:
    """One long answer. `ended` is called on the loop when its thread has released what it used."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, reader: Reader, pieces: Pieces, ended: Callable[[], None]
    ) -> None:
        self._loop, self._reader, self._pieces, self._ended = loop, reader, pieces, ended
        self._may_go = threading.Event()
        self._given_up = False

    def start(self) -> None:
        threading.Thread(target=self._pieces.context.run, args=(self._run,), name="stream", daemon=True).start()

    def resume(self) -> None:
        """There is room for another piece."""
        self._may_go.set()

    def give_up(self) -> None:
        """The reader is gone."""
        self._given_up = True
        self._may_go.set()

    def _run(self) -> None:
        try:
            self._send_all()
        except Exception:
            log.exception("an answer broke off")
            self._loop.call_soon_threadsafe(self._reader.break_off)
        finally:
            self._pieces.close()
            connections.close_all()
            self._loop.call_soon_threadsafe(self._ended)

    def _send_all(self) -> None:
        left = self._pieces.length
        for piece in self._joined():
            if left is not None:
                left -= len(piece)
            self._may_go.clear()
            if not self._given_up:
                self._loop.call_soon_threadsafe(self._reader.write_piece, self._framed(piece))
                self._may_go.wait()
            if self._given_up:
                return
        if left:
            raise RuntimeError(f"an answer was {left} octets shorter than announced")
        if self._pieces.chunked:
            self._loop.call_soon_threadsafe(self._reader.write_piece, b"0\r\n\r\n")
        self._loop.call_soon_threadsafe(lambda: self._reader.end_stream(closes=self._pieces.closes))

    def _joined(self) -> Iterator[bytes]:
        """The first piece at once, later ones joined while they are small and come quickly."""
        held, size, since = list[bytes](), 0, 0.0
        for piece in self._pieces.content:
            held.append(piece)
            size += len(piece)
            if size and (size >= bounds.PIECE or time.monotonic() - since > bounds.PIECE_S):
                yield b"".join(held)
                held, size, since = [], 0, time.monotonic()
        if size:
            yield b"".join(held)

    def _framed(self, piece: bytes) -> bytes:
        return b"%x\r\n%b\r\n" % (len(piece), piece) if self._pieces.chunked else piece
