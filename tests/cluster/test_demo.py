"""The demonstration of several machines, whole: what it shows holds, and nothing of it stays."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cluster.cluster import list_missing
from tests.cluster.place import MARK, remove_abandoned
from tests.stack import ROOT, read_file, wait_until

pytestmark = pytest.mark.xdist_group("cluster")
_OWNER = """
import time
from tests.cluster.place import Program, open_place
with open_place() as place:
    Program(place, "sleeper", ["sleep", "1000"]).start()
    print(place.directory, flush=True)
    time.sleep(1000)
"""


def find_marked(directory: str) -> list[str]:
    """The processes of a cluster, which has this folder."""
    mark = f"{MARK}={directory}".encode()
    return [entry.name for entry in Path("/proc").glob("[0-9]*") if mark in read_file(entry / "environ")]


@pytest.mark.spec("SCA-005", "SCA-034")
@pytest.mark.skipif(bool(list_missing()), reason=f"not installed: {', '.join(list_missing())}")
def test_a_list_comes_back_whole_though_a_machine_is_lost_in_the_middle_and_nothing_stays() -> None:
    command = [sys.executable, "-m", "tests.cluster", "--once", "--rows", "3000"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    lines = [line.strip() for line in done.stdout.splitlines()]
    assert [line.split()[0] for line in lines if ", egress-" in line] == [
        "web-1", "web-2", "worker-1", "worker-2", "worker-3",
    ]  # fmt: skip
    (lost,) = [line for line in lines if "worker-1 is lost" in line]
    (back,) = [line for line in lines if "rows came back, each exactly once" in line]
    (handed_in,) = [line for line in lines if "addresses are handed in" in line]
    assert int(lost.split()[0].replace(",", "")) < int(back.split()[0].replace(",", ""))
    assert back.split()[0] == handed_in.split()[0]
    assert "reconcile: 0 differences; nothing scheduled was made twice" in lines
    assert lines[-1] == "Everything that was started has ended."
    folder = next(line.split()[-1] for line in lines if line.startswith("web-1"))
    directory = str(Path(folder).parent)
    assert (find_marked(directory), Path(directory).exists()) == ([], False)


@pytest.mark.spec("SCA-034")
def test_what_a_killed_demonstration_left_behind_ends_with_the_next_start() -> None:
    with subprocess.Popen([sys.executable, "-c", _OWNER], cwd=ROOT, stdout=subprocess.PIPE, text=True) as owner:
        try:
            assert owner.stdout is not None
            directory = owner.stdout.readline().strip()
            wait_until(lambda: len(find_marked(directory)) == 1, 10)  # shown soon after it began
            assert Path(directory) not in remove_abandoned()  # while its owner lives
        finally:
            owner.kill()
    removed = remove_abandoned()
    assert Path(directory) in removed
    wait_until(lambda: not find_marked(directory), 10)
    assert not Path(directory).exists()
