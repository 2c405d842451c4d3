"""Ports that a test picks for others to listen on."""

import subprocess
import sys
from pathlib import Path

from tests.stack import ROOT, free_port

OTHER = "from tests.stack import free_port; print(*(free_port() for _ in range(20)))"


def count_open_files() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def test_each_port_is_given_once_and_costs_one_open_file() -> None:
    before = count_open_files()
    ours = {free_port() for _ in range(20)}
    assert (len(ours), count_open_files() - before) == (20, 20)
    told = subprocess.run([sys.executable, "-c", OTHER], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    theirs = {int(port) for port in told.split()}
    assert (len(theirs), theirs & ours) == (20, set())
