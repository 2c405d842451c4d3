"""The supervisor starts, restarts and ends real processes."""

import os
import signal
import socket
import sys
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any, get_args

import pytest
import time_machine
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django.utils import timezone
from django_q.models import OrmQ, Schedule

from emailcheck.common.errors import Conflict
from emailcheck.common.queue import restarts, tasks
from emailcheck.common.queue.models import Heartbeat
from emailcheck.common.queue.supervisor import SILENT_FOR, Part, Supervisor
from emailcheck.common.testing import drain_queue
from tests.stack import wait_until

SLEEP = [sys.executable, "-c", "import time; time.sleep(600)"]
FAMILY = [sys.executable, "-c", "import subprocess, sys, time; subprocess.Popen(['sleep', '600']); time.sleep(600)"]


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def supervise(said: list[str]) -> Iterator[list[Supervisor]]:
    started: list[Supervisor] = []
    yield started
    for supervisor in started:
        supervisor.end_all()


def make_supervisor(parts: list[Part], said: list[str], started: list[Supervisor]) -> Supervisor:
    supervisor = Supervisor(parts, said.append, lambda: said.append("ready"))
    started.append(supervisor)
    return supervisor


def find_pid(part: Part) -> int:
    assert part.process is not None
    return part.process.pid


def list_members(group: int) -> int:
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
    supervisor = make_supervisor([part], said, supervise)
    supervisor.watch()
    first = find_pid(part)
    os.kill(first, signal.SIGKILL)
    part.process and part.process.wait()
    supervisor.watch()
    assert said == ["sleeper ended with -9; starting it again"]
    with time_machine.travel(0, tick=False):
        part.start_at = time.monotonic()
        supervisor.watch()
    assert find_pid(part) != first
    assert part.running


@pytest.mark.django_db
def test_ending_leaves_no_process_of_any_group(said: list[str], supervise: list[Supervisor]) -> None:
    parts = [Part("sleeper", SLEEP), Part("family", FAMILY)]
    supervisor = make_supervisor(parts, said, supervise)
    supervisor.watch()
    groups = [find_pid(part) for part in parts]
    supervisor.end_all()
    assert [list_members(group) for group in groups] == [0, 0]


@pytest.mark.django_db
def test_readiness_is_told_once_when_every_port_answers(said: list[str], supervise: list[Supervisor]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        supervisor = make_supervisor([Part("sleeper", SLEEP, port=port)], said, supervise)
        supervisor.watch()
        supervisor.watch()
    assert said == ["ready"]


@pytest.mark.parametrize("name", ["PORT", "SANDBOX_SOCKS_PORT", "SANDBOX_MAIL_PORT", "SANDBOX_HTTP_PORT"])
def test_a_port_that_is_taken_is_named_and_nothing_starts(settings: Any, name: str) -> None:
    settings.PORT = settings.SANDBOX_SOCKS_PORT = settings.SANDBOX_MAIL_PORT = settings.SANDBOX_HTTP_PORT = 0
    with socket.create_server(("127.0.0.1", 0)) as server:
        taken = server.getsockname()[1]
        setattr(settings, name, taken)
        with pytest.raises(CommandError, match=f"127.0.0.1:{taken} is taken"):
            call_command("serve")


@pytest.mark.django_db
def test_a_queue_is_asked_for_its_heartbeat_once_at_a_time() -> None:
    tasks.request_heartbeat("bulk")
    tasks.request_heartbeat("bulk")
    assert OrmQ.objects.filter(key="bulk").count() == 1
    assert drain_queue() == ["emailcheck.common.queue.tasks.run_heartbeat"]
    assert Heartbeat.objects.get().name == "queue:bulk"


@pytest.mark.django_db
def test_a_silent_queue_is_ended_and_started_again(said: list[str], supervise: list[Supervisor]) -> None:
    part = Part("workers", SLEEP, queue="bulk")
    supervisor = make_supervisor([part], said, supervise)
    supervisor.watch()
    part.started_at -= SILENT_FOR.total_seconds() + 1
    Heartbeat.objects.create(name="queue:bulk", at=timezone.now() - SILENT_FOR - timedelta(seconds=1))
    supervisor.next_heartbeat_check = 0
    supervisor.watch()
    assert said == ["workers has shown no sign of life; starting it again"]
    assert part.process is not None
    assert part.process.wait() == -signal.SIGKILL


@pytest.mark.django_db
def test_a_database_that_is_away_does_not_end_the_parts(said: list[str], supervise: list[Supervisor]) -> None:
    def away(*_: Any) -> Any:
        raise OperationalError("the database system is shutting down")

    part = Part("workers", SLEEP, queue="bulk")
    supervisor = make_supervisor([part], said, supervise)
    with connection.execute_wrapper(away):
        supervisor.watch()
    assert part.running
    assert said == ["the heartbeats of the queues could not be checked: OperationalError"]
    watch_once(supervisor)
    assert OrmQ.objects.filter(key="bulk").count() == 1


@pytest.mark.django_db
def test_schedules_are_registered_once_and_old_ones_dropped() -> None:
    Schedule.objects.create(name="old", func="gone.task")
    tasks.ensure_schedules()
    tasks.ensure_schedules()
    found = Schedule.objects.order_by("name").values_list("name", "minutes", "cluster")
    assert list(found) == [(path, minutes, "high") for path, minutes in sorted(settings.SCHEDULES.items())]


@pytest.mark.django_db
def test_a_heartbeat_does_what_the_settings_ask(settings: Any) -> None:
    settings.ON_HEARTBEAT = {"high": ("emailcheck.common.queue.tasks.ensure_schedules",)}
    tasks.run_heartbeat("bulk")
    assert not Schedule.objects.exists()
    tasks.run_heartbeat("high")
    assert Schedule.objects.exists()
    assert sorted(Heartbeat.objects.values_list("name", flat=True)) == ["queue:bulk", "queue:high"]


def build_worker_command(on_term: str, ready: Path) -> list[str]:
    """A process that does so when it is asked to end, once the file is there."""
    code = f"import pathlib, signal, sys, time; signal.signal(15, {on_term}); pathlib.Path({str(ready)!r}).touch()"
    return [sys.executable, "-c", f"{code}; time.sleep(600)"]


def watch_once(supervisor: Supervisor) -> None:
    supervisor.next_heartbeat_check = 0
    supervisor.watch()


@pytest.mark.django_db
@pytest.mark.spec("MON-056")
def test_workers_are_restarted_when_staff_ask_and_nothing_else_is(
    said: list[str], supervise: list[Supervisor], tmp_path: Path
) -> None:
    ready = {queue: tmp_path / queue for queue in get_args(tasks.Queue)}
    workers = [
        Part(queue, build_worker_command("lambda *_: sys.exit(0)", file), queue=queue) for queue, file in ready.items()
    ]
    parts = [Part("web", SLEEP), *workers]
    supervisor = make_supervisor(parts, said, supervise)
    watch_once(supervisor)
    wait_until(lambda: all(file.exists() for file in ready.values()), 60)
    before = [find_pid(part) for part in parts]
    restarts.request_restart()
    watch_once(supervisor)
    wait_until(lambda: not any(part.running for part in workers), 60)
    watch_once(supervisor)
    watch_once(supervisor)
    queues = list(ready)
    asked, ended = said[: len(queues)], said[len(queues) :]
    assert asked == [f"{queue} is to be restarted" for queue in queues]
    assert ended == [f"{queue} ended with 0; starting it again" for queue in queues]
    after = [find_pid(part) for part in parts]
    assert [one == other for one, other in zip(before, after, strict=True)] == [True, *(False for _ in queues)]
    assert {part.quick_ends for part in parts} == {0}
    asked_at = restarts.find_restart_request()
    assert asked_at is not None
    assert all(one.started_at is not None and one.started_at > asked_at for one in restarts.list_workers())


@pytest.mark.django_db
@pytest.mark.spec("MON-056")
def test_workers_that_do_not_end_in_time_are_ended(
    said: list[str], supervise: list[Supervisor], tmp_path: Path
) -> None:
    part = Part("bulk", build_worker_command("signal.SIG_IGN", tmp_path / "ready"), queue="bulk")
    supervisor = make_supervisor([part], said, supervise)
    watch_once(supervisor)
    wait_until((tmp_path / "ready").exists, 60)
    restarts.request_restart()
    watch_once(supervisor)
    assert part.end_by is not None
    assert part.running
    part.end_by = time.monotonic() - 1
    supervisor.watch()
    assert part.process is not None
    assert part.process.wait(60) == -signal.SIGKILL
    assert said == ["bulk is to be restarted", "bulk did not end when asked to; ending it"]


@pytest.mark.django_db
@pytest.mark.spec("MON-056")
def test_a_restart_that_nobody_could_do_is_refused() -> None:
    with pytest.raises(Conflict, match="No supervisor runs here"):
        restarts.request_restart()
    restarts.record_supervisor()
    with time_machine.travel(timezone.now() + timedelta(seconds=61), tick=False), pytest.raises(Conflict):
        restarts.request_restart()
    assert restarts.find_restart_request() is None
    restarts.request_restart()
    assert restarts.find_restart_request() is not None
