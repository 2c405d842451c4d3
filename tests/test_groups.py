"""Two groups of workers, as on two machines, share one pipeline without doing anything twice."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.soak import Soak, soaking
from tests.stack import ROOT, Stack, wait_until

ON_POSTGRES = os.environ.get("DATABASE_URL", "").startswith("postgres")
WITH_POSTGRES = any(Path("/usr/lib/postgresql").glob("*/bin"))  # where tests/with_postgres.sh looks
pytestmark = [
    pytest.mark.postgres,
    pytest.mark.skipif(WITH_POSTGRES and not ON_POSTGRES, reason="machines share PostgreSQL: it runs there"),
]

LISTS = 8


@contextmanager
def second_group(stack: Stack) -> Iterator[subprocess.Popen[bytes]]:
    """Another group of workers on the same database, in a session of its own."""
    command = [sys.executable, "manage.py", "work", "--queues", "bulk"]
    environment = stack.environment | {"MACHINE_NAME": "second"}
    group = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)
    try:
        wait_until(lambda: len(workers_of(stack, "second")) == 2, 240)
        yield group
    finally:
        group.send_signal(signal.SIGTERM)
        group.wait(120)


def workers_of(stack: Stack, machine: str) -> list[int]:
    """The processes of a machine that check lists."""
    return sorted(set(stack.members("bulk")) & set(stack.processes(f"MACHINE_NAME={machine}")))


def engines(pids: list[int]) -> int:
    """How many of some processes have an engine, which runs in a second thread."""
    return sum(len(list(Path(f"/proc/{pid}/task").iterdir())) > 1 for pid in pids)


def through(soaked: Soak) -> bytes:
    return soaked.export(soaked.finished(soaked.start(soaked.rows)))


@pytest.mark.spec("VAL-042", "VAL-043")
@pytest.mark.xdist_group("stack")
def test_two_groups_of_workers_share_a_list(tmp_path: Path) -> None:
    with soaking(7, tmp_path, 600, WINDOW_ROWS="100") as soaked, second_group(soaked.stack):
        soaked.forget()
        second = workers_of(soaked.stack, "second")
        first = set(soaked.stack.members("bulk")) - set(second)
        for _ in range(LISTS):  # on a busy machine one group may be done before the other has looked
            soaked.top_up()
            assert through(soaked) == soaked.calm
            if engines(sorted(first)) and engines(second):
                break
        assert (engines(sorted(first)) > 0, engines(second) > 0) == (True, True)
        soaked.round([])
        assert soaked.stack.manage("reconcile").startswith("0 differences")
