"""What was deleted is not to be read in the files of the database either.

SQLite overwrites what it deletes (`secure_delete`, `emailcheck.env.parse_database`), in its log first: older pages
stay in the log until it is cut off. PostgreSQL's vacuum and the recycling of its log are its own.
"""

import logging

from django.db import connection

from emailcheck.common.sqlite.queue import Busy, find_queue

log = logging.getLogger(__name__)
_TURN_S, _READERS_MS = 5, 250


def empty_write_log() -> bool:
    """Copy SQLite's log into the file and cut it off. Answers whether that could be done: writers wait for it, so
    whoever reads for long is not waited for."""
    if connection.vendor != "sqlite":
        return True
    queue = find_queue(str(connection.settings_dict["NAME"]))
    try:
        queue.enter(seconds=_TURN_S)
    except Busy:
        return False
    try:
        return _truncate_log()
    finally:
        queue.leave()


def _truncate_log() -> bool:
    with connection.cursor() as cursor:
        patience = cursor.execute("PRAGMA busy_timeout").fetchone()[0]
        cursor.execute(f"PRAGMA busy_timeout = {_READERS_MS}")
        try:
            is_busy = cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        finally:
            cursor.execute(f"PRAGMA busy_timeout = {patience}")
    if is_busy:
        log.warning("the log of the database was not emptied: somebody reads for long; it is tried again")
    return not is_busy
