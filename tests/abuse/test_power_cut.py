"""What was acknowledged outlives a power cut: account, list and purchase, with SQLite and files."""

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from django.db import connection

from tests.abuse.acknowledges import LIST
from tests.abuse.power_cut import SAYS, STRACE, Disk
from tests.paypal import Buyer
from tests.stack import MIGRATED, ROOT, copies
from tests.world import Sandbox

pytestmark = [
    pytest.mark.finding("I1"),
    pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed"),
    pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL syncs by itself"),
]
_RUN = """
import sys, django
django.setup()
from tests.abuse.acknowledges import main
main(sys.argv[1])
"""
_COUNTS = """
SELECT (SELECT count(*) FROM accounts_user WHERE email_verified_at IS NOT NULL),
       (SELECT count(*) FROM billing_payment),
       (SELECT count(*) FROM validation_batch),
       (SELECT coalesce(sum(total_emails), 0) FROM validation_batch)
"""
Left = tuple[int, int, int, int, int]


def traced(directory: Path, paypal: str) -> Path:
    """What a process did that acknowledged an account, a list and a purchase, and was killed."""
    trace, folder = directory / "trace", directory / "live"
    shutil.copytree(copies() / MIGRATED, folder)
    command = [*STRACE, str(trace), sys.executable, "-c", _RUN, paypal]
    environment = {**os.environ, "VAR_DIR": str(folder), "DJANGO_SETTINGS_MODULE": "emailcheck.settings"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.stdout.count(SAYS.decode()) == 3, done.stderr
    return trace


def left(folder: Path) -> Left:
    """Verified accounts, payments, lists, their rows, and whole files of lists."""
    with closing(sqlite3.connect(folder / "emailcheck.sqlite3")) as database:
        rows = database.execute(_COUNTS).fetchone()
    files = [path for path in (folder / "media").rglob("*.csv") if path.read_bytes() == LIST]
    return (*rows, len(files))


def test_what_was_acknowledged_outlives_a_power_cut(buyer: Buyer, running_sandbox: Sandbox, tmp_path: Path) -> None:
    trace = traced(tmp_path, f"http://127.0.0.1:{running_sandbox.http_port}")
    disk, found = Disk(copies() / MIGRATED, tmp_path / "live"), dict[str, Left]()
    for word in disk.follow(trace):
        disk.save(tmp_path / word)
        found[word] = left(tmp_path / word)
    assert found == {
        "account": (1, 0, 0, 0, 0),
        "list": (1, 0, 1, 40, 1),
        "purchase": (1, 1, 1, 40, 1),
    }
    environment = {**os.environ, "VAR_DIR": str(tmp_path / "purchase")}
    reconciled = [sys.executable, "manage.py", "reconcile"]
    done = subprocess.run(reconciled, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("0 differences")
