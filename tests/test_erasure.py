"""What was deleted is not to be read in the files of the database."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from django.db import connection

from conftest import make_user
from emailcheck.common import personal
from emailcheck.common.storage.erasure import empty_write_log
from emailcheck.common.testing import drain_queue
from tests.world import Sandbox
from validation.batches import services as batches
from validation.batches.models import BatchType
from validation.results.models import Result

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.finding("I4"),
    pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL's vacuum is its own"),
]
NAME = "zqx.keller"


def files() -> list[Path]:
    file = str(connection.settings_dict["NAME"])
    return [Path(file), Path(f"{file}-wal")]


def found() -> list[int]:
    """How often the name stands in the file, and in the log."""
    return [path.read_bytes().count(NAME.encode()) for path in files()]


def test_deleted_addresses_are_in_neither_file_nor_log(world: Sandbox) -> None:
    user = make_user(f"{NAME}@alder.com", "Alice Alder", credits=1_000)
    make_user("bob@birch.net", "Bob Birch")
    lines = [f"{NAME}{number}@harborquill.com" for number in range(300)]
    batches.start_list(organisation=user.own_organisation, lines=lines, batch_type=BatchType.BULK_TEXTAREA)
    drain_queue()
    assert Result.objects.filter(email__startswith=NAME).count() == 300
    assert empty_write_log()
    assert found()[0] > 300

    personal.erase_person(user.pk)
    assert empty_write_log()
    assert found() == [0, 0]


def test_a_log_that_somebody_reads_is_left_for_the_next_time() -> None:
    assert empty_write_log()
    with closing(sqlite3.connect(files()[0], isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM accounts_user").fetchone()
        make_user(f"{NAME}@alder.com", "Alice Alder")
        assert not empty_write_log()
    assert empty_write_log()
    assert files()[1].stat().st_size == 0
