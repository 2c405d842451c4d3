"""The processes of a machine: who is killed is replaced at once, who is stopped is found, nobody is left over."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.stack import ROOT, Stack, name_of, running_stack, wait_until

pytestmark = pytest.mark.xdist_group("stack")
ONE = {"emails": ["anna.keller@gmail.com"]}


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """With one worker of lists, so that nobody else begins what it would."""
    with running_stack(tmp_path_factory.mktemp("machine"), WORKERS="1", IMMEDIATE_ADDRESSES="0") as running:
        yield running


@contextmanager
def worker_machine(stack: Stack, name: str) -> Iterator[subprocess.Popen[bytes]]:
    """A second machine of the same product, which works on lists."""
    command = [sys.executable, "manage.py", "work", "--queues", "bulk"]
    environment = stack.environment | {"MACHINE_NAME": name}
    supervisor = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)
    try:
        wait_until(lambda: names_of(stack, name) == ["bulk-0", "scheduler"], 120)
        yield supervisor
    finally:
        supervisor.send_signal(signal.SIGTERM)
        supervisor.wait(60)
        wait_until(lambda: not stack.processes(f"MACHINE_NAME={name}"), 20)


def names_of(stack: Stack, machine: str) -> list[str]:
    """The members of a machine's family."""
    found = sorted(name_of(pid) for pid in stack.processes(f"MACHINE_NAME={machine}"))
    return [name for name in found if not name.startswith("python")]


def check_list(stack: Stack) -> str:
    """Hand a list in, and wait until it is checked."""
    batch_id: str = stack.client.post("/api/validate/bulk", json=ONE).raise_for_status().json()["batch_id"]
    wait_until(lambda: stack.status(batch_id)["status"] == "completed", 60)
    return batch_id


WAITS = """
from validation.batches.models import Batch
for batch in Batch.objects.filter(public_id__in={ids}):
    print('waited', (batch.started_at - batch.created_at).total_seconds())
"""


def test_an_idle_worker_is_killed_and_the_next_list_starts_within_a_second_ten_times(stack: Stack) -> None:
    ids = []
    for _ in range(10):
        (worker,) = stack.members("bulk")
        os.kill(worker, signal.SIGKILL)
        ids.append(check_list(stack))
    printed = stack.manage("shell", "--no-imports", "-c", WAITS.format(ids=ids)).splitlines()
    waited = [float(line.split()[1]) for line in printed if line.startswith("waited")]
    assert [seconds < 1 for seconds in waited] == [True] * 10, waited


@pytest.mark.finding("B8")
def test_mail_does_not_wait_behind_a_slow_partner(stack: Stack) -> None:
    busy = "from emailcheck.common.queue import tasks\nfor _ in range(3): tasks.enqueue('time.sleep', 30)"
    stack.manage("shell", "--no-imports", "-c", busy)
    began = time.monotonic()
    stack.client.post("/api/auth/forgot-password", json={"email": "bob@birchworks.net"}).raise_for_status()
    wait_until(lambda: "bob@birchworks.net" in stack.client.get("/sandbox/outbox").text, 20)
    assert time.monotonic() - began < 30


@pytest.mark.finding("B4")
@pytest.mark.parametrize("killed", ["supervisor", "parent"])
def test_a_worker_machine_dies_with_whoever_is_killed_and_leaves_nobody(stack: Stack, killed: str) -> None:
    with worker_machine(stack, f"second-{killed}") as supervisor:
        before = stack.processes(f"MACHINE_NAME=second-{killed}")
        (parent,) = set(stack.parents()) & set(before)
        os.kill(supervisor.pid if killed == "supervisor" else parent, signal.SIGKILL)
        members = set(before) - {supervisor.pid}
        wait_until(lambda: not members & set(stack.processes()), 20)
        if killed == "parent":
            wait_until(lambda: len(names_of(stack, "second-parent")) == 2, 60)
        # One set again, not two, where there is still a supervisor.
        assert names_of(stack, f"second-{killed}") == (["bulk-0", "scheduler"] if killed == "parent" else [])


@pytest.mark.finding("B6")
def test_a_machine_that_stands_still_is_found_though_another_works(stack: Stack) -> None:
    with worker_machine(stack, "second") as supervisor:
        found = stack.processes("MACHINE_NAME=second")
        (parent,) = set(stack.parents()) & set(found)
        for pid in set(found) - {supervisor.pid}:
            os.kill(pid, signal.SIGSTOP)
        wait_until(lambda: parent not in stack.processes(), 60)
        wait_until(lambda: len(names_of(stack, "second")) == 2, 60)
        assert names_of(stack, "second") == ["bulk-0", "scheduler"]
