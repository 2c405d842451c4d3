"""Proves that the newest backup can be restored: into an empty place, where everything must add up; then it goes."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
from django.conf import settings
from django.db import connection
from psycopg import sql

from adminpanel.backups import dumps, restore
from adminpanel.backups.archive import NotABackup
from adminpanel.backups.dumps import DumpFailed
from adminpanel.jobs.models import Job, JobKind, JobStatus
from adminpanel.monitoring.routines.models import RoutineName
from adminpanel.monitoring.routines.services import record_result
from emailcheck.common import secrecy
from emailcheck.common.files import StoreUnavailable

_ELSEWHERE = ("DATABASE_URL_FILE", "MEDIA_ROOT", "BACKUP_DIR", "FILE_STORE", "REDIS_URL", "REDIS_URL_FILE")
"""Settings that would lead the copy back to the installation."""


class NotRestorable(Exception):
    """The newest backup could not be restored, or does not add up; the message says why."""


def prove_newest_backup(*, server: str) -> str:
    """Restore the newest backup into an empty place, recount everything there, and delete the place again.

    `server` is an address of PostgreSQL, by which a database may be made and dropped; empty for SQLite. Answers its
    name. What came out is stored for the monitoring. Raises `NotRestorable`.
    """
    try:
        name = find_newest_name()
        with tempfile.TemporaryDirectory(prefix="restore-test-", dir=settings.VAR_DIR) as scratch:
            _prove_backup(name, Path(scratch) / "copy", server)
    except (NotRestorable, NotABackup, StoreUnavailable, DumpFailed, OSError, psycopg.Error) as error:
        record_result(RoutineName.RESTORE_TEST, [str(error)])
        raise NotRestorable(str(error)) from error
    record_result(RoutineName.RESTORE_TEST, [])
    return name


def find_newest_name() -> str:
    """The newest good backup. Raises `NotRestorable` where there is none."""
    made = Job.objects.filter(kind=JobKind.BACKUP, status=JobStatus.COMPLETED).order_by("-pk")
    name = made.values_list("file", flat=True).first()
    if not name:
        raise NotRestorable("There is no backup yet.")
    return name


def _prove_backup(name: str, into: Path, server: str) -> None:
    with _making_database(server) if connection.vendor == dumps.POSTGRESQL else nullcontext("") as database:
        restore.restore_stored(name, into=into, database=database)
        _run_command(["migrate", "--no-input", "-v", "0"], into, database)
        _run_command(["reconcile", "--credits-only"], into, database)


@contextmanager
def _making_database(server: str) -> Iterator[str]:
    """The address of a database that is there as long as the block. Raises `NotRestorable` without a server."""
    if not server:
        raise NotRestorable("PostgreSQL: RESTORE_TEST_SERVER must name a server on which a database may be made.")
    name = secrecy.generate_id("restore_test")
    with psycopg.connect(server, autocommit=True) as made:
        made.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            yield urlsplit(server)._replace(path=f"/{name}").geturl()
        finally:
            made.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def _run_command(arguments: list[str], into: Path, database: str) -> None:
    """Run a management command in the copy. Raises `NotRestorable` with the end of what it printed."""
    environment = {name: value for name, value in os.environ.items() if name not in _ELSEWHERE}
    environment |= {"VAR_DIR": str(into), "DATABASE_URL": database}
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), *arguments]
    done = subprocess.run(command, check=False, env=environment, capture_output=True, text=True)
    if done.returncode:
        raise NotRestorable(f"{arguments[0]} of the copy failed: {(done.stderr or done.stdout).strip()[-250:]}")
