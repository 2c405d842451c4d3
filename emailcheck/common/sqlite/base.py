"""A database engine for Django: its SQLite, with a queue for writers, whose commits are on the disk before they return
(`ENGINE = "emailcheck.common.sqlite"`)."""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from django.db.backends.sqlite3 import base
from django.db.utils import OperationalError

from emailcheck.common.sqlite.queue import Busy, LogSync, WriterQueue, find_log_sync, find_queue

_BEGIN, _WRITES = "BEGIN", ("INSERT", "UPDATE", "DELETE", "REPLACE")
_SHORT = 6_000  # characters of a text that is worth keeping; the look-up of a key has some 4,200
# The driver looks for an adapter of every value but plain int, float and str; finding none takes twice as long.
sqlite3.register_adapter(bool, int)


class _Turn:
    """The place of one connection in the queue, and what it has committed."""

    def __init__(self, queue: WriterQueue, log_sync: LogSync, seconds: float) -> None:
        self._queue, self._log_sync, self._seconds = queue, log_sync, seconds
        self._changes = 0
        self.is_ours = False

    def begin(self, connection: sqlite3.Connection) -> None:
        if self.is_ours:
            return
        try:
            self._queue.enter(seconds=self._seconds)
        except Busy as error:
            raise OperationalError("database is locked") from error
        self.is_ours, self._changes = True, connection.total_changes

    def end(self) -> None:
        """Let the next one write."""
        if self.is_ours:
            self.is_ours = False
            self._queue.leave()

    @contextmanager
    def committing(self, connection: sqlite3.Connection) -> Iterator[None]:
        """What is done in this block commits the turn's transaction: let the next one write then, and leave the block
        when the commit is on the disk."""
        if not self.is_ours or connection.total_changes == self._changes:
            yield
            self.end()
            return
        number = self._queue.begin_commit()
        yield
        self.end()
        self._log_sync.wait_for(number)

    @contextmanager
    def during(self, query: str, connection: sqlite3.Connection) -> Iterator[None]:
        """For one statement, when it is a write by itself; from one that begins a transaction to that one's end."""
        if self.is_ours or not query.startswith((_BEGIN, *_WRITES)):
            yield
            return
        self.begin(connection)
        number = 0 if query.startswith(_BEGIN) else self._queue.begin_commit()
        try:
            yield
        finally:
            if not connection.in_transaction:
                self.end()
        if connection.total_changes != self._changes:
            self._log_sync.wait_for(number)


class _Cursor(base.SQLiteCursorWrapper):
    """Waits for its turn before it writes, and translates each statement for SQLite once."""

    def __init__(self, connection: sqlite3.Connection, turn: _Turn) -> None:
        super().__init__(connection)
        self._turn = turn

    def execute(self, query: str, params: Any = None) -> "_Cursor":
        if self._turn.is_ours:
            super().execute(query, params)
            return self
        with self._turn.during(query, self.connection):
            super().execute(query, params)
        return self

    def executemany(self, query: str, param_list: Iterable[Any]) -> "_Cursor":
        with self._turn.during(query, self.connection):
            super().executemany(query, param_list)
        return self

    def convert_query(self, query: str, *, param_names: Any = None) -> str:
        if param_names is None and len(query) <= _SHORT:
            return _to_positional(query)
        converted: str = super().convert_query(query, param_names=param_names)
        return converted


@lru_cache(maxsize=512)
def _to_positional(query: str) -> str:
    """A text with `?` for `%s`: the same few hundred are run again and again."""
    return base.FORMAT_QMARK_REGEX.sub("?", query).replace("%%", "%")


class DatabaseWrapper(base.DatabaseWrapper):
    """A transaction has its turn from its beginning to its end."""

    _turn: _Turn | None = None

    def get_new_connection(self, conn_params: dict[str, Any]) -> sqlite3.Connection:
        self._end_turn()
        file = str(conn_params["database"])
        self._turn = _Turn(find_queue(file), find_log_sync(file), float(conn_params.get("timeout", 5)))
        made: sqlite3.Connection = super().get_new_connection(conn_params)
        return made

    def create_cursor(self, name: Any = None) -> _Cursor:
        assert self._turn is not None
        return _Cursor(self.connection, self._turn)

    def commit(self) -> None:
        if self._turn is None or self.connection is None:
            super().commit()
            return
        with self._turn.committing(self.connection):
            super().commit()

    def await_durable(self) -> None:
        """Return when all that this connection may have read is on the disk."""
        if self.connection is not None:
            find_log_sync(str(self.settings_dict["NAME"])).await_all()

    def rollback(self) -> None:
        try:
            super().rollback()
        finally:
            self._end_turn()

    def close(self) -> None:
        try:
            super().close()
        finally:
            self._end_turn()

    def _end_turn(self) -> None:
        if self._turn is not None:
            self._turn.end()
