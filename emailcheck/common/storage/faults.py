"""The answer to callers when a disk is full, or when the database is away or locked."""

import errno
import sqlite3
from collections.abc import Iterator

import psycopg

from emailcheck.common.errors import DatabaseUnavailable, ProductError, StorageFull
from emailcheck.common.sqlite.queue import Busy, LogNotSynced

FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
_SQLITE_AWAY = frozenset(
    {
        *(sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL),
        *(sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY),
    }
)
# https://www.postgresql.org/docs/current/errcodes-appendix.html
_STATE_FULL = "53100"
_STATES_AWAY = ("08", "53", "57P0", "58", "25006", "55P03")


def find_refusal(error: BaseException | None) -> ProductError | None:
    """What to answer when this error, or what it came from, is a full disk or a database that cannot be used.

    None for every other error.
    """
    causes = list(_iterate_causes(error))
    if any(map(_is_disk_full, causes)):
        return StorageFull("There is no room left to store this; nothing was changed. Please try again in a minute.")
    if any(map(_is_database_away, causes)):
        return DatabaseUnavailable("The database does not answer now; nothing was changed. Please try again shortly.")
    return None


def may_have_committed(error: BaseException) -> bool:
    """Whether the transaction may have been committed in spite of this error; it is not repeated then."""
    return any(
        isinstance(cause, LogNotSynced) or (isinstance(cause, psycopg.Error) and _was_committing(cause))
        for cause in _iterate_causes(error)
    )


def _was_committing(error: psycopg.Error) -> bool:
    """Whether the connection to PostgreSQL was lost during the commit."""
    step = error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_name == "commit":
            return True
        step = step.tb_next
    return False


def _iterate_causes(error: BaseException | None) -> Iterator[BaseException]:
    """The error, what it was raised from or while, and so on."""
    while error is not None:
        yield error
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def _is_disk_full(error: BaseException) -> bool:
    if isinstance(error, sqlite3.Error):
        return _sqlite_code(error) == sqlite3.SQLITE_FULL
    if isinstance(error, psycopg.Error):
        return error.sqlstate == _STATE_FULL
    return isinstance(error, OSError) and error.errno in FULL


def _is_database_away(error: BaseException) -> bool:
    if isinstance(error, sqlite3.Error):
        return _sqlite_code(error) in _SQLITE_AWAY
    if isinstance(error, psycopg.Error) and error.sqlstate:
        return error.sqlstate.startswith(_STATES_AWAY)
    return isinstance(error, Busy | LogNotSynced | psycopg.OperationalError | psycopg.InterfaceError)


def _sqlite_code(error: sqlite3.Error) -> int:
    """The code without what narrows it (https://www.sqlite.org/rescode.html); 0 where the driver itself refuses."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF
