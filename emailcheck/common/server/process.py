"""One process that answers: an event loop with its connections, the threads, and what they share."""

import asyncio
import logging
import signal
import socket
import time
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from operator import itemgetter
from typing import Any

import uvloop
from django.conf import settings

from emailcheck.common.queue import ending
from emailcheck.common.server import bounds
from emailcheck.common.server.addresses import AddressCounts
from emailcheck.common.server.answers import Refusal
from emailcheck.common.server.bodies import Disk
from emailcheck.common.server.calls import Application, base_environment
from emailcheck.common.server.connection import Connection
from emailcheck.common.server.health import Health
from emailcheck.common.server.readiness import Part, Readiness
from emailcheck.common.server.threads import Threads

log = logging.getLogger(__name__)
_SAY_EVERY_S = 60


class Process:
    """Answers on a socket until SIGTERM, and then until what is under way has ended.

        SIGTERM ── not ready any more, every answer ends its connection
                   `WEB_GRACE_SECONDS` later ── the port is closed, idle connections end
                   all has ended, or `bounds.drain_within_s` is over ── the end

    `show` shows whoever watches the process that its loop goes round; `parts` are what it rests on.
    """

    def __init__(
        self,
        number: int,
        listener: socket.socket,
        application: Application,
        counts: AddressCounts,
        show: Callable[[], None],
        parts: Sequence[Part],
    ) -> None:
        self.application = application
        self.environment: dict[str, Any] = base_environment(host=settings.HOST, port=settings.PORT)
        self.disk = Disk(settings.VAR_DIR)
        self.draining = False
        self.loop: asyncio.AbstractEventLoop = uvloop.new_event_loop()
        self.threads = Threads(self.loop, settings.WEB_THREADS)
        self.health = Health(self.loop, Readiness(self.loop, parts).look, lambda: self.draining)
        self._number, self._listener, self._counts, self._show = number, listener, counts, show
        self._connections: set[Connection] = set()
        self._streams: Counter[str] = Counter()
        self._said_at, self._said_refused = 0.0, 0

    def run(self) -> None:
        """Until all is done."""
        asyncio.set_event_loop(self.loop)
        self.loop.run_until_complete(self._serve())

    async def _serve(self) -> None:
        stopping = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            self.loop.add_signal_handler(number, stopping.set)
        server = await self.loop.create_server(partial(Connection, self), sock=self._listener, backlog=bounds.BACKLOG)
        looking = self.loop.create_task(self._watch_periodically())
        await stopping.wait()
        until = time.monotonic() + bounds.drain_within_s(settings.WEB_GRACE_SECONDS)
        self.draining = True
        ending.note_end()
        await asyncio.sleep(settings.WEB_GRACE_SECONDS)
        server.close()
        while (self._connections or not self.threads.idle) and time.monotonic() < until:
            for connection in [*self._connections]:
                connection.end_if_idle()
            await asyncio.sleep(bounds.LOOK_EVERY_S / 2)
        looking.cancel()

    async def _watch_periodically(self) -> None:
        while True:
            await asyncio.sleep(bounds.LOOK_EVERY_S)
            self._show()
            now = time.monotonic()
            self.threads.refuse_late(now)
            for connection in [one for one in self._connections if now >= one.deadline]:
                connection.expire(now)
            self._log_refusals(now)

    def _log_refusals(self, now: float) -> None:
        refused = self.threads.refused - self._said_refused
        if refused and now - self._said_at > _SAY_EVERY_S:
            log.warning("%d requests were refused because nobody could answer them in time", refused)
            self._said_at, self._said_refused = now, self.threads.refused

    def admit(self, connection: Connection) -> Refusal | None:
        """Count a new connection; a refusal when there are too many."""
        self._connections.add(connection)
        self._counts.add(self._number, connection.client, 1)
        if self._count_beyond(connection) > 0:
            return Refusal.too_many()
        if len(self._connections) > bounds.CONNECTIONS and not self._end_idlest(connection):
            return Refusal.overloaded()
        return None

    def is_flooded(self, connection: Connection) -> bool:
        """Whether so many connections are being refused that another one is closed without an answer."""
        beyond = len(self._connections) - bounds.CONNECTIONS
        return max(beyond, self._count_beyond(connection)) > bounds.REFUSED_MOST

    def _count_beyond(self, connection: Connection) -> int:
        """How many connections its client has beyond what an address may have."""
        return 0 if connection.is_proxy else self._counts.count(connection.client) - settings.WEB_ADDRESS_CONNECTIONS

    def forget(self, connection: Connection) -> None:
        """It has ended."""
        self._connections.discard(connection)
        self._counts.add(self._number, connection.client, -1)

    def _end_idlest(self, newest: Connection) -> bool:
        """Make room by the connection that has been idle for longest; whether there was one."""
        idle = [(one.idle_since, one) for one in self._connections if one is not newest and one.idle_since is not None]
        if idle:
            min(idle, key=itemgetter(0))[1].transport.abort()
        return bool(idle)

    def enter_stream(self, connection: Connection) -> Callable[[], None] | None:
        """A place among the long answers: what gives it back; None when there is none."""
        client = connection.client
        of_client = 0 if connection.is_proxy else self._streams[client]
        if self._streams.total() >= bounds.STREAMS or of_client >= bounds.STREAMS_OF_ADDRESS:
            return None
        self._streams[client] += 1
        return partial(self._leave_stream, client)

    def _leave_stream(self, client: str) -> None:
        self._streams[client] -= 1
        if not self._streams[client]:
            del self._streams[client]
