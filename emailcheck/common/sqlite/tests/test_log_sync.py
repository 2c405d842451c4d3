"""A commit to a SQLite file is on the disk before whoever made it goes on, and sixteen share a sync.

What reaches the disk is seen by strace(1), in a process that begins, commits and says so.
"""

import os
import re
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from django.core.checks import Tags, run_checks
from django.db import connection
from django.test import Client

from emailcheck.common.sqlite.queue import LogSync, find_log_sync, find_queue
from emailcheck.common.sqlite.tests.test_sqlite import FORK, MORE, Shop
from emailcheck.common.testing import run_sixteen
from tests.stack import ROOT

pytestmark = pytest.mark.django_db
TRACED = "trace=pwrite64,fsync,fdatasync,write"
RUN = """
import os, sys
from pathlib import Path
import django; django.setup()
from emailcheck.common.sqlite.tests.test_sqlite import MORE, Shop
shop = Shop(Path(sys.argv[1]))
say = lambda word: os.write(1, f"{word}\\n".encode())
for number in range(3):
    say("begins"); shop.begin(); shop.run(MORE); shop.connection.commit(); say("committed")
    say("begins"); shop.run(MORE); say("committed")
say("begins"); shop.begin(); shop.number(); shop.connection.commit(); say("looked"); os._exit(0)
"""


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path / "shop.sqlite3")


def traced(tmp_path: Path) -> list[str]:
    """What a process did, in order: W a write to the log, S a sync of it, D one of its folder, and what it said."""
    log, file = tmp_path / "trace", tmp_path / "traced.sqlite3"
    command = ["strace", "-f", "-y", "-e", TRACED, "-o", str(log), sys.executable, "-c", RUN, str(file)]
    environment = {"DJANGO_SETTINGS_MODULE": "emailcheck.settings", "PATH": "/usr/bin:/bin", "VAR_DIR": str(tmp_path)}
    subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True)
    did = []
    for line in log.read_text().splitlines():
        if said := re.search(r'write\(1<.*"(\w+)\\n"', line):
            did.append(said[1])
        elif f"{file}-wal>" in line:
            did.append("W" if "pwrite64(" in line else "S")
        elif re.search(rf"sync\(\d+<{re.escape(str(tmp_path))}>", line):
            did.append("D")
    return did


@pytest.mark.finding("I1")
@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
def test_between_a_commit_and_what_follows_the_log_was_synced(tmp_path: Path) -> None:
    did = traced(tmp_path)
    steps = " ".join(did[did.index("begins") :]).split("begins ")[1:]
    assert [re.sub("(W )+", "W ", step).strip() for step in steps] == [
        *["W S committed"] * 6,
        "looked",
    ]
    assert "D" in did[: did.index("committed")]


def at_once(shop: Shop, log_sync: LogSync) -> tuple[int, int]:
    """Sixteen commit at the same moment: how many commits that were, and syncs."""
    commits = log_sync._queue.commits
    before, made = commits.written, log_sync.made
    gate = threading.Barrier(16)

    def more(_: int) -> None:
        shop.connection.ensure_connection()
        gate.wait()
        shop.run(MORE)
        shop.connection.close()

    run_sixteen(more)
    assert commits.synced == commits.written
    return commits.written - before, log_sync.made - made


@pytest.mark.finding("I1")
def test_sixteen_who_commit_at_once_share_syncs(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a disk whose sync takes as long as the commits beside it."""
    log_sync, sync, all_written = find_log_sync(str(shop.file)), LogSync._sync_log, 0
    commits = log_sync._queue.commits

    def sync_slowly(one: LogSync) -> None:
        until = time.monotonic() + 5
        while commits.written < all_written and time.monotonic() < until:
            os.sched_yield()
        sync(one)

    monkeypatch.setattr(LogSync, "_sync_log", sync_slowly)
    rounds = []
    for _ in range(5):
        all_written = commits.written + 16
        rounds.append(at_once(shop, log_sync))
    assert [commits for commits, _ in rounds] == [16] * 5
    assert 5 <= sum(syncs for _, syncs in rounds) < 5 * 16
    assert shop.number() == 80


@pytest.mark.finding("I1")
def test_who_reads_a_commit_that_is_not_synced_waits_before_it_answers(shop: Shop) -> None:
    """Another process has committed and not synced, as in the moment before it does."""
    log_sync = find_log_sync(str(shop.file))

    def commit_and_die() -> None:
        pytest.MonkeyPatch().setattr(LogSync, "wait_for", lambda *_: None)
        shop.run(MORE)

    shop.connection.close()
    other = FORK.Process(target=commit_and_die)
    other.start()
    other.join()
    commits, made = log_sync._queue.commits, log_sync.made
    assert (shop.number(), commits.written - commits.synced) == (1, 1)
    log_sync.await_all()
    assert (commits.written - commits.synced, log_sync.made - made) == (0, 1)
    log_sync.await_all()
    assert log_sync.made - made == 1


@pytest.mark.finding("I1")
@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL shows a commit when it is on the disk")
def test_an_answer_waits_for_what_was_committed_before_it_where_it_is_more_than_a_look(client: Client) -> None:
    queue = find_queue(str(connection.settings_dict["NAME"]))
    commits = queue.commits
    find_log_sync(str(connection.settings_dict["NAME"])).await_all()
    commits.written = queue.begin_commit()
    client.get("/api/status")
    assert commits.written - commits.synced == 1
    client.post("/api/auth/login", {}, content_type="application/json")
    assert commits.written == commits.synced


@pytest.mark.postgres
@pytest.mark.finding("I1")
@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no server")
@pytest.mark.parametrize(("commits", "named"), [("on", ["fsync"]), ("off", ["fsync", "synchronous_commit"])])
def test_a_server_that_leaves_commits_to_the_system_is_named_at_the_start(commits: str, named: list[str]) -> None:
    """The one of these tests has `fsync` off."""
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL synchronous_commit TO {commits}")
    told = [warning.msg for warning in run_checks(tags=[Tags.database], databases=["default"])]
    power = "a power cut takes lists and payments that were acknowledged."
    assert told == [f"PostgreSQL runs with {name}=off: {power}" for name in named]
