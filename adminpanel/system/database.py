"""The database as a thing that is run: how large, how many use it, and its upkeep."""

import time
from collections.abc import Callable
from pathlib import Path

from django.db import connection

from adminpanel.jobs.models import Job
from adminpanel.jobs.services import JobHeartbeat
from emailcheck.common.text.units import format_bytes

VACUUM_UP_TO = 512 * 1024**2
"""A SQLite file this large takes some seconds, in which nobody can write; a larger one waits for a quiet hour."""


def measure_size() -> int:
    """Bytes on disk, indexes and the log of writes included."""
    if connection.vendor == "postgresql":
        return int(_query_number("SELECT pg_database_size(current_database())"))
    file = Path(connection.settings_dict["NAME"])
    return sum(path.stat().st_size for path in (file, file.with_name(f"{file.name}-wal")) if path.exists())


def count_connections() -> int:
    """Open connections of all processes; with SQLite, how often the processes of this machine have the file open."""
    if connection.vendor == "postgresql":
        return int(_query_number("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"))
    file = Path(connection.settings_dict["NAME"]).stat()
    return sum(_is_same_file(path, (file.st_dev, file.st_ino)) for path in Path("/proc").glob("[0-9]*/fd/*"))


def optimise_database(job: Job, heart: JobHeartbeat) -> None:
    """Give unused room back, and count anew what the planner goes by."""
    before, began = measure_size(), time.monotonic()
    if connection.vendor == "postgresql":
        left_out = ""
        _vacuum_postgresql(heart.record)
    else:
        left_out = _vacuum_sqlite(before)
    took = time.monotonic() - began
    job.note = f"{format_bytes(before)} before, {format_bytes(measure_size())} after, {took:.1f} s.{left_out}"


def _vacuum_sqlite(before: int) -> str:
    """Answers what was left out."""
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
        if before > VACUUM_UP_TO:
            return " VACUUM was left out: writers would wait too long. Run it in a quiet hour with the workers stopped."
        cursor.execute("VACUUM")
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return ""


def _vacuum_postgresql(step: Callable[[], None]) -> None:
    """Table by table; readers and writers go on."""
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            step()
            cursor.execute(f"VACUUM (ANALYZE) {connection.ops.quote_name(table)}")


def _is_same_file(path: Path, file: tuple[int, int]) -> bool:
    try:
        found = path.stat()
    except OSError:  # of another owner, or deleted meanwhile
        return False
    return (found.st_dev, found.st_ino) == file


def _query_number(query: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(query)
        value: int = cursor.fetchone()[0]
    return value
