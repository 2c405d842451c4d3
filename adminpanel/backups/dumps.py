"""The database as a file, and back: SQLite's online backup, PostgreSQL's `pg_dump` and `pg_restore`.

The table of the jobs is left empty in it: its files are those of this installation.
"""

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import psycopg
from django.db import connection

from adminpanel.jobs.models import Job
from emailcheck.env import parse_database

SQLITE, POSTGRESQL = "sqlite", "postgresql"
_PAGES = 2_000
_LOOK_EVERY_S = 0.5
Step = Callable[[], None]


class DumpFailed(Exception):
    """The database could not be saved or restored; the message says why."""


def database_engine() -> str:
    """Which database the product runs on."""
    return connection.vendor


def dump_database(target: Path, step: Step) -> None:
    """Save the database as it is at this instant; writers go on. Raises `DumpFailed`, and what `step` raises."""
    target.unlink(missing_ok=True)
    target.touch(mode=0o600)
    try:
        if database_engine() == POSTGRESQL:
            _dump_postgresql(target, step)
        else:
            _dump_sqlite(target, step)
    except sqlite3.Error as error:
        raise DumpFailed(f"SQLite: {error}") from error


def restore_sqlite(dumped: Path, target: Path) -> None:
    """Put a saved database where there is none. Raises `DumpFailed` when it is not whole."""
    with closing(sqlite3.connect(dumped)) as found:
        verdict = found.execute("PRAGMA integrity_check").fetchone()[0]
    if verdict != "ok":
        raise DumpFailed(f"The saved database is not whole: {verdict}")
    dumped.rename(target)


def restore_postgresql(dumped: Path, url: str) -> None:
    """Put a saved database into the empty one at `url`, all of it or nothing. Raises `DumpFailed`."""
    try:
        with psycopg.connect(url) as found:
            tables = found.execute("SELECT 1 FROM pg_tables WHERE schemaname = 'public' LIMIT 1").fetchone()
    except psycopg.Error as error:
        raise DumpFailed(f"The database cannot be reached: {error}") from error
    if tables is not None:
        raise DumpFailed("The database is not empty. Make a new one and restore into that.")
    where = parse_database(url)
    _run_program(["pg_restore", "--exit-on-error", "--single-transaction", "--no-owner", "--no-privileges",
          *_connection_options(where), str(dumped)], where)  # fmt: skip


def _dump_sqlite(target: Path, step: Step) -> None:
    name = str(connection.settings_dict["NAME"])
    with closing(sqlite3.connect(name, timeout=20)) as source, closing(sqlite3.connect(target)) as copy:
        # An open read transaction is one instant of the database: without it each write of another process would make
        # the copy begin anew.
        source.execute("BEGIN")
        source.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
        source.backup(copy, pages=_PAGES, progress=lambda *_: step(), sleep=0)
        copy.execute(f'DELETE FROM "{Job._meta.db_table}"')
        copy.commit()
        copy.execute("PRAGMA journal_mode=DELETE")


def _dump_postgresql(target: Path, step: Step) -> None:
    where = connection.settings_dict
    _run_program(["pg_dump", "--format=custom", "--no-owner", "--no-privileges", "--file", str(target),
          f"--exclude-table-data={Job._meta.db_table}", *_connection_options(where)], where, step)  # fmt: skip


def _connection_options(where: dict[str, Any]) -> list[str]:
    """The options that name a database; an empty one is the client's default."""
    options = {"--host": where["HOST"], "--port": where["PORT"], "--username": where["USER"], "--dbname": where["NAME"]}
    return [f"{option}={value}" for option, value in options.items() if value]


def _run_program(command: Sequence[str], where: dict[str, Any], step: Step = lambda: None) -> None:
    """Run a program of PostgreSQL, which prints little, to its end; it ends when `step` raises."""
    program = shutil.which(command[0])
    if program is None:
        raise DumpFailed(f"{command[0]} is not installed on this machine: install the PostgreSQL client.")
    environment = {**os.environ, "PGPASSWORD": str(where["PASSWORD"])}
    with subprocess.Popen([program, *command[1:]], env=environment, stderr=subprocess.PIPE, text=True) as process:
        try:
            while process.poll() is None:
                step()
                with suppress(subprocess.TimeoutExpired):
                    process.wait(_LOOK_EVERY_S)
        finally:
            process.kill()
        complaint = process.communicate()[1]
    if process.returncode:
        raise DumpFailed(f"{command[0]} failed: {complaint.strip()}")
