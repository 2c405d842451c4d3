"""Whether this process can be sent requests: what `GET /readyz` answers.

What it rests on is asked in threads of their own, one each, so that neither a full thread pool nor a party that does
not answer keeps anybody from the answer. Who asks within a second gets the same answer.
"""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import Error, connections

from emailcheck.common import files
from emailcheck.common.api import throttles
from emailcheck.common.server import bounds
from emailcheck.common.storage import schema_age

Check = Callable[[], Sequence[str]]
"""Answers the names of what is missing; whatever it raises, what it is about is away."""


@dataclass(frozen=True, slots=True)
class State:
    """What this process lacks to be sent requests, and what it does without meanwhile; names."""

    not_ready: tuple[str, ...] = ()
    degraded: tuple[str, ...] = ()


class Part:
    """Something that the product rests on. It is needed, or gone without for a while."""

    def __init__(self, name: str, check: Check, *, is_needed: bool) -> None:
        self.name, self.is_needed = name, is_needed
        self._check = check
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=f"readiness {name}")
        self.asked: asyncio.Future[Sequence[str]] | None = None

    def ask(self, loop: asyncio.AbstractEventLoop) -> "asyncio.Future[Sequence[str]]":
        """The question that is under way, or a new one."""
        if self.asked is None or self.asked.done():
            self.asked = loop.run_in_executor(self._thread, self._check)
        return self.asked

    def read_answer(self) -> Sequence[str]:
        """What is missing; the part itself while it does not answer."""
        asked = self.asked
        if asked is None or not asked.done() or asked.exception() is not None:
            return (self.name,)
        return asked.result()


class Readiness:
    """The state of this process, on its event loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop, parts: Sequence[Part]) -> None:
        self._loop, self._parts = loop, parts
        self._looking: asyncio.Task[State] | None = None
        self._looked_at = 0.0

    async def look(self) -> State:
        """The state within the last second."""
        looking = self._looking
        if looking is None or (looking.done() and self._loop.time() > self._looked_at + bounds.READY_FOR_S):
            self._looking = looking = self._loop.create_task(self._look_at_all())
        return await asyncio.shield(looking)

    async def _look_at_all(self) -> State:
        await asyncio.wait([part.ask(self._loop) for part in self._parts], timeout=bounds.READY_WITHIN_S)
        self._looked_at = self._loop.time()
        found = [(part.is_needed, part.read_answer()) for part in self._parts]
        not_ready, degraded = (
            tuple(name for is_needed, names in found if is_needed is wanted for name in names)
            for wanted in (True, False)
        )
        return State(not_ready, degraded)


def build_parts() -> list[Part]:
    """The parts of this installation."""
    parts = [Part("database", DatabaseCheck(), is_needed=True), Part("files", _check_files, is_needed=False)]
    return [*parts, Part("redis", _check_redis, is_needed=False)] if settings.REDIS_URL else parts


class DatabaseCheck:
    """Whether the database answers, and has had the migrations of this version, by a connection of its own."""

    def __init__(self) -> None:
        self._needed = schema_age.list_needed_migrations()
        self._connection: Any = None

    def __call__(self) -> Sequence[str]:
        """In one thread always. Raises what the database does; that an idle connection was cut is no news of it."""
        if self._connection is None:
            self._connection = _copy_connection()
        if self._connection.connection is not None:
            with suppress(Error):
                return self._find_missing()
        self._connection.close()
        return self._find_missing()

    def _find_missing(self) -> Sequence[str]:
        with self._connection.cursor() as cursor:
            cursor.execute("SELECT app, name FROM django_migrations")
            applied = set(cursor.fetchall())
        return () if self._needed <= applied else ("migrations",)


def _copy_connection() -> Any:
    """One that gives up soon (https://www.postgresql.org/docs/current/libpq-connect.html)."""
    copy: Any = connections["default"].copy()
    if copy.vendor == "postgresql":
        seconds = int(bounds.READY_WITHIN_S)
        copy.settings_dict["OPTIONS"] |= {"connect_timeout": seconds, "tcp_user_timeout": 1_000 * seconds}
    return copy


def _check_files() -> Sequence[str]:
    files.check_stores()
    return ()


def _check_redis() -> Sequence[str]:
    throttles.find_redis(settings.REDIS_URL).storage.ping()
    return ()
