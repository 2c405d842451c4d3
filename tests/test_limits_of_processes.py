"""The limit of a plan holds for all web processes together."""

import os
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from django.db import connection

ROOT = Path(__file__).parent.parent
PROCESSES, CALLS, LIMIT = 3, 30, 50
_MAKE_KEY = """
from accounts.keys import services as keys
from accounts.signin import services as signin
from billing.subscriptions.models import Subscription
user = signin.register_account(email='ada@alder.com', password='correct-horse-42', name='Ada')
signin.verify_address(user=user)
Subscription.objects.filter(organisation=user.own_organisation).update(plan='starter')
print(keys.create_key(organisation=user.own_organisation, maker=user, name='Shop')[1])
"""


@pytest.fixture
def directory(db: None, tmp_path: Path) -> Path:
    """Where a product with an empty database lives: a copy of this one, because migrating takes many seconds."""
    if connection.vendor != "sqlite":
        pytest.skip("the database of these processes is a file")
    ours = str(connection.settings_dict["NAME"])
    with closing(sqlite3.connect(ours)) as source, closing(sqlite3.connect(tmp_path / "emailcheck.sqlite3")) as copy:
        source.backup(copy)
    return tmp_path


@pytest.mark.spec("LIM-018")
def test_three_processes_let_as_many_calls_pass_as_one(directory: Path) -> None:
    kept = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
    environment = {**kept, "VAR_DIR": str(directory), "DJANGO_SETTINGS_MODULE": "emailcheck.settings"}

    def run(*arguments: str) -> str:
        command = [sys.executable, "manage.py", *arguments]
        done = subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True)
        return done.stdout

    key, go = run("shell", "--no-imports", "-c", _MAKE_KEY).strip().splitlines()[-1], directory / "go"
    command = [sys.executable, "-m", "tests.web_process", key, str(CALLS), str(go)]
    processes = [
        subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        for _ in range(PROCESSES)
    ]
    deadline = time.monotonic() + 240
    while len(list(directory.glob("go.*"))) < PROCESSES and time.monotonic() < deadline:
        time.sleep(0.05)
    go.touch()
    passed = [int(process.communicate(timeout=240)[0]) for process in processes]
    assert sum(passed) == LIMIT
