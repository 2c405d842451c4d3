"""A machine starts beside others only where they share what they must, and alone as ever."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.models import F

from emailcheck.common.shared_state import machines
from emailcheck.common.shared_state.models import Machine
from emailcheck.common.testing import run_sixteen
from tests.stack import free_port

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]
HERE = "s3:bucket"


@pytest.fixture(autouse=True)
def _this_machine(settings: Any, tmp_path: Path) -> None:
    settings.MACHINE_FILE, settings.MACHINE_NAME, settings.REDIS_URL = tmp_path / "here", "alder", ""


def report_another(settings: Any, tmp_path: Path, *, files_at: str = HERE, redis: str = "redis://r") -> None:
    """Another machine, birch, says that it runs."""
    own = settings.MACHINE_FILE, settings.MACHINE_NAME, settings.REDIS_URL
    settings.MACHINE_FILE, settings.MACHINE_NAME, settings.REDIS_URL = tmp_path / "there", "birch", redis
    machines.report_running(files_at)
    settings.MACHINE_FILE, settings.MACHINE_NAME, settings.REDIS_URL = own


@pytest.mark.spec("SCA-004")
def test_beside_another_machine_each_thing_that_is_not_shared_is_named(settings: Any, tmp_path: Path) -> None:
    report_another(settings, tmp_path, files_at="disk:1", redis="")
    sqlite = ["- the database is SQLite: set DATABASE_URL to the PostgreSQL of all machines"]
    begun = "Another machine was seen within the last minute (birch), and this one cannot run beside it:"
    files = "- birch keeps its files at disk:1, and this one at s3:bucket: "
    refused = machines.find_refusal(HERE)
    assert refused is not None
    lines = refused.splitlines()
    assert lines[: len(lines) - 1] == [
        begun,
        *(sqlite if connection.vendor == "sqlite" else []),
        "- REDIS_URL is not set: it must name the Redis of all machines",
    ]
    assert lines[-1].startswith(files)
    settings.REDIS_URL = "redis://r"
    refused = machines.find_refusal("disk:1")
    assert refused is not None
    assert refused.splitlines()[-1] == (
        "- birch runs without REDIS_URL: set it there, and start that machine again first"
    )


@pytest.mark.spec("SCA-004")
def test_machines_that_share_all_run_beside_each_other_on_postgresql(settings: Any, tmp_path: Path) -> None:
    report_another(settings, tmp_path)
    settings.REDIS_URL = "redis://r"
    assert (machines.find_refusal(HERE) is None) is (connection.vendor == "postgresql")


@pytest.mark.spec("SCA-004")
def test_a_machine_alone_is_not_refused_nor_after_it_crashed_or_lost_its_directory(
    settings: Any, tmp_path: Path
) -> None:
    machines.report_running("disk:1")
    assert machines.find_refusal("disk:1") is None
    settings.MACHINE_FILE = tmp_path / "new"
    assert machines.find_refusal("disk:2") is None
    settings.MACHINE_NAME = "another"
    assert machines.find_refusal("disk:2") is not None


@pytest.mark.spec("SCA-004")
def test_a_machine_that_ended_or_was_not_seen_for_a_minute_is_none(settings: Any, tmp_path: Path) -> None:
    machines.report_running(HERE)
    machines.report_stopped()
    settings.MACHINE_FILE, settings.MACHINE_NAME = tmp_path / "next", "next"
    assert machines.find_refusal(HERE) is None
    report_another(settings, tmp_path)
    assert machines.find_refusal(HERE) is not None
    Machine.objects.update(running_at=F("running_at") - timedelta(seconds=61))
    assert machines.find_refusal(HERE) is None


@pytest.mark.spec("SCA-004")
@pytest.mark.parametrize("command", ["web", "work", "scheduler", "serve"])
def test_no_command_starts_beside_a_machine_that_shares_nothing(settings: Any, tmp_path: Path, command: str) -> None:
    settings.PORT, settings.SANDBOX = free_port(), False
    report_another(settings, tmp_path, files_at="disk:1", redis="")
    with pytest.raises(CommandError, match="REDIS_URL is not set"):
        call_command(command)
    assert dict(Machine.objects.values_list("host", "running_at"))["alder"] is None


def test_a_machine_that_only_runs_has_no_part_in_the_limits() -> None:
    machines.report_running(HERE)
    machine = Machine.objects.get()
    assert (machine.host, machine.files_at, machine.has_redis, machine.reaches_redis) == ("alder", HERE, False, False)
    assert machine.running_at is not None
    assert machine.seen_at < machine.running_at - timedelta(hours=23)


def test_of_sixteen_who_make_an_id_all_read_one(tmp_path: Path) -> None:
    assert len(set(run_sixteen(lambda _: machines.machine_id(tmp_path / "id")))) == 1
