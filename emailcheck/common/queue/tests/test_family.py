"""A family's parent starts, watches, restarts and ends real processes."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from tests.stack import ROOT, name_of, wait_until

PARENT = """
import os, signal, subprocess, sys, time
from functools import partial
from pathlib import Path
from emailcheck.common.queue import family
from emailcheck.common.queue.liveness import FamilyLiveness

family.SILENT_S = 1.5
folder = Path(sys.argv[1])

def note(name):
    (folder / f"{name}.{os.getpid()}").touch()

def work(name, line):
    ending = []
    signal.signal(signal.SIGTERM, lambda *_: ending.append(1))
    note(name)
    while not ending:
        line.show()
        time.sleep(0.02)

def freeze(name, line):
    line.show()
    note(name)
    time.sleep(600)

def overrun(name, line):
    line.value = 0.3
    note(name)
    time.sleep(600)

def refuse(name, line):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    note(name)
    while True:
        line.show()
        time.sleep(0.02)

def fail(name, line):
    note(name)
    raise RuntimeError("not today")

def fail_later(name, line):
    line.show()
    fail(name, line)

def start_child(name, line):
    code = f"import os, pathlib; pathlib.Path({str(folder)!r}, f'child.{{os.getpid()}}').touch()"
    subprocess.Popen([sys.executable, "-c", f"{code}; import time; time.sleep(600)"])
    work(name, line)

def request(line):
    while True:
        line.show()
        for path in folder.glob("restart-*"):
            board.restart = float(path.name.rpartition("-")[2])
        time.sleep(0.02)

plan = dict(word.split("=") for word in sys.argv[2:])
members = [
    family.Member(name, partial(globals()[does], name), is_worker=name.startswith("bulk"))
    for name, does in plan.items()
]
members.append(family.Member("scheduler", request))
board = FamilyLiveness(len(members))

def report(line):
    with (folder / "said").open("a") as file:
        print(line, file=file)

ticks = []

def count():
    if board.restart == 1:
        ticks.append(1)
    if len(ticks) > 1:
        note("followed")

family.Family(members, board, report, count, restart_within_s=1.0, stop_within_s=1.0).run()
note("ended")
"""


class Parent:
    """A family in a process of its own. Each process leaves a file with its name and id."""

    def __init__(self, folder: Path, plan: dict[str, str]) -> None:
        self.folder = folder
        words = [f"{name}={does}" for name, does in plan.items()]
        command = [sys.executable, "-c", PARENT, str(folder), *words]
        self.process = subprocess.Popen(command, cwd=ROOT, start_new_session=True)
        (folder / "restart-1").touch()

    def born(self, name: str) -> list[int]:
        """The ids of a member so far, the oldest first."""
        found = sorted(self.folder.glob(f"{name}.*"), key=lambda path: path.stat().st_mtime_ns)
        return [int(path.suffix[1:]) for path in found]

    def said(self) -> list[str]:
        path = self.folder / "said"
        return path.read_text().splitlines() if path.exists() else []


@pytest.fixture
def parents() -> Iterator[list[Parent]]:
    found: list[Parent] = []
    yield found
    for one in found:
        one.process.kill()
        one.process.wait()
        for pid in filter(is_alive, one.born("child")):
            os.kill(pid, signal.SIGKILL)


def start(folder: Path, parents: list[Parent], **plan: str) -> Parent:
    one = Parent(folder, {name.replace("_", "-"): does for name, does in plan.items()})
    parents.append(one)
    wait_until(lambda: all(one.born(name.replace("_", "-")) for name in plan), 30)
    return one


def kill_and_wait(one: Parent, name: str) -> float:
    """Kill a member; answers after how many seconds there is another."""
    before, began = one.born(name), time.monotonic()
    os.kill(before[-1], signal.SIGKILL)
    wait_until(lambda: len(one.born(name)) > len(before), 5)
    return time.monotonic() - began


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_killed_member_is_started_again_at_once_and_no_other(tmp_path: Path, parents: list[Parent]) -> None:
    one = start(tmp_path, parents, bulk_0="work", bulk_1="work")
    wait_until(lambda: name_of(one.born("bulk-0")[0]) == "bulk-0", 5)
    for _ in range(5):
        assert kill_and_wait(one, "bulk-0") < 1
    assert one.said() == ["bulk-0 ended with -9; starting it again"] * 5
    assert len(one.born("bulk-1")) == 1


@pytest.mark.parametrize("does", ["freeze", "overrun"])
def test_one_that_stands_still_is_killed_and_started_again(tmp_path: Path, parents: list[Parent], does: str) -> None:
    one = start(tmp_path, parents, bulk_0=does, bulk_1="work")
    wait_until(lambda: len(one.born("bulk-0")) == 2, 20)
    assert not is_alive(one.born("bulk-0")[0])
    assert one.said()[:2] == [
        "bulk-0 has shown no sign of life; starting it again",
        "bulk-0 ended with -9; starting it again",
    ]
    assert len(one.born("bulk-1")) == 1


@pytest.mark.parametrize("does", ["fail", "fail_later"])
def test_one_that_cannot_begin_is_started_later_each_time(tmp_path: Path, parents: list[Parent], does: str) -> None:
    one = start(tmp_path, parents, web_0=does)
    wait_until(lambda: len(one.born("web-0")) == 4, 20)
    born = sorted(path.stat().st_mtime for path in tmp_path.glob("web-0.*"))
    waits = [later - earlier for earlier, later in pairwise(born)]
    assert [wait >= least for wait, least in zip(waits, (0.5, 1.0, 2.0), strict=True)] == [True, True, True]


@pytest.mark.spec("MON-056")
def test_workers_are_restarted_when_that_is_requested_and_nothing_else_is(
    tmp_path: Path, parents: list[Parent]
) -> None:
    one = start(tmp_path, parents, web_0="work", bulk_0="work", bulk_1="refuse")
    wait_until(lambda: bool(one.born("followed")), 20)
    (tmp_path / "restart-1").rename(tmp_path / "restart-2")
    wait_until(lambda: len(one.born("bulk-0")) == 2 and len(one.born("bulk-1")) == 2, 20)
    assert not any(is_alive(one.born(name)[0]) for name in ("bulk-0", "bulk-1"))
    assert len(one.born("web-0")) == 1
    assert one.said() == [
        "bulk-0 is to be restarted",
        "bulk-1 is to be restarted",
        "bulk-1 did not end when asked to; ending it",
        "bulk-1 ended with -9; starting it again",
    ]


@pytest.mark.finding("B4")
def test_no_member_outlives_a_killed_parent(tmp_path: Path, parents: list[Parent]) -> None:
    one = start(tmp_path, parents, web_0="work", bulk_0="refuse", bulk_1="freeze")
    members = [one.born(name)[0] for name in ("web-0", "bulk-0", "bulk-1")]
    os.kill(one.process.pid, signal.SIGKILL)
    one.process.wait()
    wait_until(lambda: not any(map(is_alive, members)), 5)
    assert one.said() == []


@pytest.mark.finding("B4")
def test_the_parent_ends_when_all_have_ended_also_those_that_refuse(tmp_path: Path, parents: list[Parent]) -> None:
    one = start(tmp_path, parents, web_0="work", bulk_0="refuse", bulk_1="freeze")
    members = [one.born(name)[0] for name in ("web-0", "bulk-0", "bulk-1")]
    one.process.terminate()
    assert one.process.wait(20) == 0
    assert (len(one.born("ended")), [pid for pid in members if is_alive(pid)]) == (1, [])


@pytest.mark.finding("B4")
def test_what_a_killed_member_has_started_ends_with_it(tmp_path: Path, parents: list[Parent]) -> None:
    one = start(tmp_path, parents, bulk_0="start_child", bulk_1="work")
    wait_until(lambda: bool(one.born("child")), 20)
    child = one.born("child")[0]
    kill_and_wait(one, "bulk-0")
    wait_until(lambda: not is_alive(child), 5)
    assert (is_alive(one.born("bulk-1")[0]), len(one.born("bulk-1"))) == (True, 1)
    wait_until(lambda: len(one.born("child")) == 2, 20)
    one.process.terminate()
    assert one.process.wait(20) == 0
    wait_until(lambda: not any(map(is_alive, one.born("child"))), 5)


def test_a_machine_that_stood_still_kills_nobody_when_it_goes_on(tmp_path: Path, parents: list[Parent]) -> None:
    one = start(tmp_path, parents, bulk_0="work", bulk_1="work")
    members = [*one.born("bulk-0"), *one.born("bulk-1")]
    for pid in [one.process.pid, *members]:
        os.kill(pid, signal.SIGSTOP)
    wait_for(6.0)
    os.kill(one.process.pid, signal.SIGCONT)  # and looks before they could show themselves
    wait_for(0.5)
    for pid in members:
        os.kill(pid, signal.SIGCONT)
    wait_for(1.5)
    assert ([*one.born("bulk-0"), *one.born("bulk-1")], [line for line in one.said() if "bulk" in line]) == (
        members,
        [],
    )
    assert [*map(is_alive, [one.process.pid, *members])] == [True] * 3


def wait_for(seconds: float) -> None:
    """Let real time pass: there is nothing else to wait for."""
    until = time.monotonic() + seconds
    wait_until(lambda: time.monotonic() > until, seconds + 5)


NO_ROOM = """
import os, resource, signal, sys, time
from emailcheck.common.queue import family
from emailcheck.common.queue.liveness import FamilyLiveness

def run(name, seconds, line):
    print(f"began {name}\\n", end="", flush=True)
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        line.show()
        time.sleep(0.02)

def report(text):
    print(text, flush=True)
    resource.setrlimit(resource.RLIMIT_NPROC, (before, before))

def tick():
    if all(one.pid for one in members):
        resource.setrlimit(resource.RLIMIT_NPROC, (1, before))  # as a container that is full

if os.getuid() == 0:  # whom no limit concerns
    os.setgid(64123)
    os.setuid(64123)
before = resource.getrlimit(resource.RLIMIT_NPROC)[1]
members = [
    family.Member("web-0", lambda line: run("web-0", 600, line)),
    family.Member("bulk-0", lambda line: run("bulk-0", 0.5, line)),
]
family.Family(members, FamilyLiveness(2), report, tick).run()
"""


def test_a_member_that_finds_no_room_does_not_end_the_others() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", NO_ROOM], cwd=ROOT, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as one:
        assert one.stdout is not None
        lines = [one.stdout.readline().strip() for _ in range(4)]
        one.terminate()
    assert sorted(lines[:2]) == ["began bulk-0", "began web-0"]
    assert lines[2:] == ["bulk-0 could not be started (Resource temporarily unavailable)", "began bulk-0"]
