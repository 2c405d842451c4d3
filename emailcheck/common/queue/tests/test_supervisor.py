"""The supervisor runs a family, starts it again, and ends with it: real processes."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from emailcheck.common.queue import supervisor
from emailcheck.common.queue.supervisor import Supervisor
from tests.stack import ROOT, wait_until

SHOW = "import os, pathlib, sys, time; pulse = int(os.environ['EMAILCHECK_PULSE'].partition(':')[0])"
NOTE = "pathlib.Path(sys.argv[1], str(os.getpid())).touch()"
LIVES = f"{SHOW}; {NOTE}\nwhile True: os.write(pulse, b'.'); time.sleep(0.1)"
WITH_CHILD = f"{SHOW}; os.fork(); {NOTE}\nwhile True: os.write(pulse, b'.'); time.sleep(0.1)"
FREEZES = f"{SHOW}; {NOTE}; os.write(pulse, b'.'); time.sleep(600)"
RUN = (
    "import sys; from emailcheck.common.queue import supervisor\n"
    "supervisor.SILENT_S = 1.0\n"
    "sys.exit(supervisor.Supervisor([sys.executable, '-c', *sys.argv[1:]], lambda line: None).run())"
)


class Supervised:
    """A supervisor in a process of its own; the processes of its families leave their ids in a folder."""

    def __init__(self, folder: Path, code: str) -> None:
        self.folder = folder
        command = [sys.executable, "-c", RUN, code, str(folder)]
        self.process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)

    def born(self) -> set[int]:
        """The ids of all processes that were ever there."""
        return {int(path.name) for path in self.folder.iterdir()}

    def living(self) -> set[int]:
        return {pid for pid in self.born() if is_alive(pid)}


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.fixture
def started(tmp_path: Path) -> Iterator[list[Supervised]]:
    """Whatever a test starts ends with it."""
    found: list[Supervised] = []
    yield found
    for one in found:
        one.process.kill()
        one.process.wait()
        for pid in one.living():
            os.kill(pid, signal.SIGKILL)


def start(code: str, folder: Path, started: list[Supervised], *, processes: int = 1) -> Supervised:
    one = Supervised(folder, code)
    started.append(one)
    wait_until(lambda: len(one.living()) == processes, 20)
    return one


def test_a_family_that_dies_is_started_again_and_nothing_of_it_is_left(
    tmp_path: Path, started: list[Supervised]
) -> None:
    one = start(WITH_CHILD, tmp_path, started, processes=2)
    first = one.living()
    os.kill(min(first), signal.SIGKILL)
    wait_until(lambda: len(one.living() - first) == 2, 20)
    assert not any(map(is_alive, first))


@pytest.mark.finding("B6")
def test_a_family_that_stands_still_is_replaced(tmp_path: Path, started: list[Supervised]) -> None:
    one = start(LIVES, tmp_path, started)
    (first,) = one.living()
    os.kill(first, signal.SIGSTOP)
    wait_until(lambda: one.living() not in (set(), {first}), 20)
    assert not is_alive(first)


def test_one_that_never_shows_itself_again_is_replaced(tmp_path: Path, started: list[Supervised]) -> None:
    one = start(FREEZES, tmp_path, started)
    first = one.living()
    wait_until(lambda: bool(one.living() - first), 20)
    assert not any(map(is_alive, first))


@pytest.mark.finding("B4")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_with_all_that_it_has_started(
    tmp_path: Path, started: list[Supervised], number: signal.Signals
) -> None:
    one = start(WITH_CHILD, tmp_path, started, processes=2)
    one.process.send_signal(number)
    assert one.process.wait(20) == 0
    wait_until(lambda: not one.living(), 5)


def test_a_command_that_cannot_even_begin_ends_it_with_its_own_status(
    tmp_path: Path, started: list[Supervised]
) -> None:
    one = Supervised(tmp_path, "raise SystemExit(3)")
    started.append(one)
    assert one.process.wait(20) == 3


def test_only_what_runs_a_family_is_supervised_and_only_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def should(*words: str) -> bool:
        return supervisor.should_supervise(["manage.py", *words])

    assert [should(*words) for words in ([], ["migrate"], ["work", "--queues", "bulk"])] == [False, False, True]
    assert [should(command) for command in ("serve", "web", "scheduler")] == [True, True, True]
    monkeypatch.setenv(supervisor.PULSE, "3:1")
    assert not should("serve")


def test_it_loads_nothing_of_the_product() -> None:
    code = (
        "import sys; import emailcheck.common.queue.supervisor; print('django' in sys.modules, 'ctypes' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


def test_the_class_stands_for_one_command() -> None:
    assert Supervisor([sys.executable, "-c", "raise SystemExit(4)"], lambda line: None)._run_once() == (4, False)
