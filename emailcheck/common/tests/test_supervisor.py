"""The supervisor starts, restarts and ends real processes."""

import os
import signal
import socket
import sys
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.conf import settings
from django.utils import timezone
from django_q.models import OrmQ, Schedule

from emailcheck.common import tasks
from emailcheck.common.models import Heartbeat
from emailcheck.common.supervisor import SILENT_FOR, Part, Supervisor
from emailcheck.common.testing import drain_queue

SLEEP = [sys.executable, "-c", "import time; time.sleep(60)"]
FAMILY = [sys.executable, "-c", "import subprocess, sys, time; subprocess.Popen(['sleep', '60']); time.sleep(60)"]


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def supervise(said: list[str]) -> Iterator[list[Supervisor]]:
    started: list[Supervisor] = []
    yield started
    for supervisor in started:
        supervisor.end_all()


def make(parts: list[Part], said: list[str], started: list[Supervisor]) -> Supervisor:
    supervisor = Supervisor(parts, said.append, lambda: said.append("ready"))
    started.append(supervisor)
    return supervisor


def pid(part: Part) -> int:
    assert part.process is not None
    return part.process.pid


def members(group: int) -> int:
    """How many live processes a group has."""
    count = 0
    for entry in Path("/proc").iterdir():
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
        except (OSError, IndexError):
            continue
        count += fields[2] == str(group) and fields[0] != "Z"
    return count


@pytest.mark.django_db
def test_a_part_that_dies_is_started_again(said: list[str], supervise: list[Supervisor]) -> None:
    part = Part("sleeper", SLEEP)
    supervisor = make([part], said, supervise)
    supervisor.watch()
    first = pid(part)
    os.kill(first, signal.SIGKILL)
    part.process and part.process.wait()
    supervisor.watch()
    assert said == ["sleeper ended with -9; starting it again"]
    with time_machine.travel(0, tick=False):
        part.start_at = time.monotonic()
        supervisor.watch()
    assert pid(part) != first
    assert part.running


@pytest.mark.django_db
def test_ending_leaves_no_process_of_any_group(said: list[str], supervise: list[Supervisor]) -> None:
    parts = [Part("sleeper", SLEEP), Part("family", FAMILY)]
    supervisor = make(parts, said, supervise)
    supervisor.watch()
    groups = [pid(part) for part in parts]
    supervisor.end_all()
    assert [members(group) for group in groups] == [0, 0]


@pytest.mark.django_db
def test_readiness_is_told_once_when_every_port_answers(said: list[str], supervise: list[Supervisor]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        supervisor = make([Part("sleeper", SLEEP, port=port)], said, supervise)
        supervisor.watch()
        supervisor.watch()
    assert said == ["ready"]


@pytest.mark.django_db
def test_a_queue_is_asked_for_its_pulse_once_at_a_time() -> None:
    tasks.ask_for_pulse("bulk")
    tasks.ask_for_pulse("bulk")
    assert OrmQ.objects.filter(key="bulk").count() == 1
    assert drain_queue() == ["emailcheck.common.tasks.pulse"]
    assert Heartbeat.objects.get().name == "queue:bulk"


@pytest.mark.django_db
def test_a_silent_queue_is_ended_and_started_again(said: list[str], supervise: list[Supervisor]) -> None:
    part = Part("workers", SLEEP, queue="bulk")
    supervisor = make([part], said, supervise)
    supervisor.watch()
    part.started_at -= SILENT_FOR.total_seconds() + 1
    Heartbeat.objects.create(name="queue:bulk", at=timezone.now() - SILENT_FOR - timedelta(seconds=1))
    supervisor.next_pulse = 0
    supervisor.watch()
    assert said == ["workers has shown no sign of life; starting it again"]
    assert part.process is not None
    assert part.process.wait() == -signal.SIGKILL


@pytest.mark.django_db
def test_schedules_are_registered_once_and_old_ones_dropped() -> None:
    Schedule.objects.create(name="old", func="gone.task")
    tasks.ensure_schedules()
    tasks.ensure_schedules()
    found = Schedule.objects.order_by("name").values_list("name", "minutes", "cluster")
    assert list(found) == [(path, minutes, "high") for path, minutes in sorted(settings.SCHEDULES.items())]


@pytest.mark.django_db
def test_a_pulse_does_what_the_settings_ask(settings: Any) -> None:
    settings.ON_PULSE = {"high": ("emailcheck.common.tasks.ensure_schedules",)}
    tasks.pulse("bulk")
    assert not Schedule.objects.exists()
    tasks.pulse("high")
    assert Schedule.objects.exists()
    assert sorted(Heartbeat.objects.values_list("name", flat=True)) == ["queue:bulk", "queue:high"]
