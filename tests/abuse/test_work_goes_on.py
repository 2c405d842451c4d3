"""A worker whose database is away for a moment keeps what it knows: nobody is asked again."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from billing.ledger import services as ledger
from conftest import make_user
from emailcheck.common.testing import drain_queue
from tests.abuse.test_database_away import impatient
from tests.stack import ROOT
from tests.world import Sandbox
from validation.batches import services as batches
from validation.batches.models import Batch, BatchStatus, BatchType

ROWS = [f"person{number}@harborquill.com" for number in range(20)]
IS_SQLITE = connection.vendor == "sqlite"
_WRITES = ("BEGIN",) if IS_SQLITE else ("INSERT", "UPDATE")


class _Trouble:
    """Has the database refuse two writes once all rows were asked about, and take the third."""

    def __init__(self, world: Sandbox, other: sqlite3.Connection) -> None:
        self._world, self._other = world, other
        self.came, self.asked = 0, 0

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.startswith(_WRITES) and self.came < 3 and asked(self._world) >= len(ROWS):
            self.came += 1
            self.asked = asked(self._world)
            self._lock() if IS_SQLITE else self._lose()
        return execute(sql, params, many, context)

    def _lock(self) -> None:
        if self.came != 2:
            self._other.execute("BEGIN IMMEDIATE" if self.came == 1 else "ROLLBACK")

    def _lose(self) -> None:
        if self.came < 3:
            connection.connection.close()


def asked(world: Sandbox) -> int:
    count: int = world.simulation.stats.report()["commands"].get("RCPT", 0)
    return count


@pytest.mark.postgres
@pytest.mark.finding("I3")
@pytest.mark.django_db(transaction=True)
def test_rows_that_were_asked_about_are_written_when_the_database_is_back(world: Sandbox, settings: Any) -> None:
    settings.IMMEDIATE_ADDRESSES = 0
    user = make_user("alice@alder.com", "Alice Alder")
    batches.start_list(organisation=user.own_organisation, lines=ROWS, batch_type=BatchType.BULK_TEXTAREA)
    file = str(connection.settings_dict["NAME"]) if IS_SQLITE else ":memory:"
    with impatient(), closing(sqlite3.connect(file, isolation_level=None)) as other:
        trouble = _Trouble(world, other)
        with connection.execute_wrapper(trouble):
            drain_queue()
    assert (trouble.came, asked(world)) == (3, trouble.asked)
    batch = Batch.objects.get()
    assert (batch.status, batch.results.count()) == (BatchStatus.COMPLETED, 20)
    assert ledger.reconcile_ledger() == []


@pytest.mark.finding("I3")
@pytest.mark.skipif("EVERY" not in os.environ or not IS_SQLITE, reason="takes two minutes: make soak")
@pytest.mark.skipif(not any(Path("/usr/lib/postgresql").glob("*/bin")), reason="PostgreSQL is not installed")
def test_a_server_that_dies_and_comes_back_has_nobody_asked_again() -> None:
    tests = [sys.executable, "-m", "pytest", "-n0", "-q", "tests/abuse/on_dying_postgres.py"]
    done = subprocess.run(
        ["tests/with_postgres.sh", *tests], cwd=ROOT, env=os.environ | {"POSTGRES_FSYNC": "on"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    assert "1 passed" in done.stdout
