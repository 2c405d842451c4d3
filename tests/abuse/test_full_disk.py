"""A full disk: 507 with a code, nothing is changed, and the same key works after it."""

import os
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

import pytest
from django.db import connection

from tests.stack import MIGRATED, ROOT, copies

_MOUNT = 'mount -t tmpfs -o size=48m tmpfs "$VAR_DIR" && exec "$@"'


@lru_cache(maxsize=1)
def _can_mount() -> bool:
    """Whether this user may make a mount namespace with a disk of its own."""
    command = ["unshare", "-m", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


@pytest.mark.finding("I2")
@pytest.mark.skipif(not _can_mount(), reason="only root, where it may mount, has a disk of 48 MB")
@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL's files are on another disk")
def test_a_full_disk_refuses_with_a_code_and_changes_nothing(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    tests = [sys.executable, "-m", "pytest", "-n0", "-q", f"--basetemp={disk}/tests", "tests/abuse/on_small_disk.py"]
    environment = {**os.environ, "VAR_DIR": str(disk), "COPIES": str((copies() / MIGRATED).parent)}
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", _MOUNT, "sh", *tests],
        cwd=ROOT, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    assert "6 passed" in done.stdout
