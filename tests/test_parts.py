"""The parts of the product, each as a command of its own: schedulers, a web, workers. Real processes."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest

from emailcheck.schedules import SCHEDULES
from tests.abuse.sockets import HOST, Answer, Caller, visit
from tests.redis_server import needs_redis, running_redis
from tests.soak import ENDED, soaking, workers
from tests.stack import MIGRATED, ROOT, Stack, data_of, name_of, wait_until

pytestmark = [pytest.mark.postgres, pytest.mark.xdist_group("stack")]


@pytest.fixture
def stack(tmp_path: Path) -> Iterator[Stack]:
    """A migrated copy of which nothing runs."""
    made = Stack(tmp_path / "var", {"WEB_GRACE_SECONDS": "2"})
    with data_of(made, MIGRATED):
        yield made
    made.client.close()


OF_BATCH = "batch_id = (SELECT id FROM validation_batch WHERE public_id = "


@contextmanager
def running(stack: Stack, *words: str, **changes: str) -> Iterator["subprocess.Popen[bytes]"]:
    """A command of the product, until the context is left."""
    command = [sys.executable, "manage.py", *words]
    process = subprocess.Popen(command, cwd=ROOT, env=stack.environment | changes, stdout=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(120)


def query(stack: Stack, statement: str) -> list[Any]:
    """What the database of a copy answers."""
    url = stack.environment.get("DATABASE_URL")
    if url:
        with psycopg.connect(url, autocommit=True) as server:
            found = server.execute(statement)
            return found.fetchall() if found.description else []
    file = sqlite3.connect(f"{stack.environment['VAR_DIR']}/emailcheck.sqlite3", timeout=20)
    try:
        with file:
            return file.execute(statement).fetchall()
    finally:
        file.close()


def count_calls(stack: Stack) -> int:
    """How many calls of schedules wait in the queue."""
    return int(query(stack, "SELECT count(*) FROM django_q_ormq WHERE key = 'high'")[0][0])


def await_calls(stack: Stack, count: int) -> None:
    wait_until(lambda: count_calls(stack) >= count, 240)


@pytest.mark.spec("SCA-005")
def test_each_due_call_is_queued_once_by_three_schedulers(stack: Stack) -> None:
    query(stack, "DELETE FROM django_q_schedule")
    with ExitStack() as all_of_them:
        for _ in range(3):
            all_of_them.enter_context(running(stack, "scheduler"))
        wait_until(lambda: sum(name_of(pid) == "scheduler" for pid in stack.processes()) == 3, 240)
        query(stack, "UPDATE django_q_schedule SET next_run = '2100-01-01 00:00:00+00:00'")
        query(stack, "DELETE FROM django_q_ormq")
        for due in (len(SCHEDULES), 2 * len(SCHEDULES)):
            query(stack, "UPDATE django_q_schedule SET minutes = 1440, next_run = '2020-01-01 00:00:00+00:00'")
            await_calls(stack, due)
    assert count_calls(stack) == 2 * len(SCHEDULES)
    names = [name for (name,) in query(stack, "SELECT name FROM django_q_schedule")]
    assert sorted(names) == sorted(SCHEDULES)


def ask(stack: Stack, path: str) -> Answer:
    return visit(stack.port, f"GET {path} HTTP/1.1\r\n{HOST}\r\n")


def read_state(stack: Stack) -> tuple[int, Any]:
    """The status of readiness, and what is said; 0 where nobody listens."""
    try:
        answer = ask(stack, "/readyz")
    except ConnectionError:
        return 0, None
    return answer.status, json.loads(answer.body)


def build_state(*, not_ready: tuple[str, ...] = (), degraded: tuple[str, ...] = ()) -> tuple[int, Any]:
    body = {"ready": not not_ready, "not_ready": [*not_ready], "degraded": [*degraded]}
    return (503 if not_ready else 200), body


@needs_redis
@pytest.mark.spec("SCA-003")
@pytest.mark.finding("B3")
def test_a_web_goes_on_without_redis_and_says_so(stack: Stack, tmp_path: Path) -> None:
    with (
        running_redis(tmp_path) as (url, redis),
        running(stack, "web", REDIS_URL=url, SITE_URL="https://check.example"),
    ):
        wait_until(lambda: read_state(stack) == build_state(), 240)
        assert ask(stack, "/api/monitoring/health").status == 200
        redis.kill()
        redis.wait()
        wait_until(lambda: read_state(stack) == build_state(degraded=("redis",)), 20)
        assert ask(stack, "/api/monitoring/health").status == 200
        query(stack, "UPDATE django_migrations SET name = 'away' WHERE app = 'common' AND name = '0004_leases'")
        wait_until(lambda: read_state(stack) == build_state(not_ready=("migrations",), degraded=("redis",)), 20)
        query(stack, "UPDATE django_migrations SET name = '0004_leases' WHERE app = 'common' AND name = 'away'")
        wait_until(lambda: read_state(stack)[0] == 200, 20)


@pytest.mark.spec("SCA-003")
@pytest.mark.finding("B8")
def test_a_web_that_is_told_to_end_says_so_before_it_refuses(stack: Stack) -> None:
    with running(stack, "web") as web:
        wait_until(lambda: read_state(stack) == build_state(), 240)
        kept = Caller(stack.port)
        page = f"GET /robots.txt HTTP/1.1\r\n{HOST}\r\n"
        assert "connection" not in kept.ask(page).headers
        web.send_signal(signal.SIGTERM)
        wait_until(lambda: read_state(stack) == build_state(not_ready=("stopping",)), 10)
        answers = [ask(stack, "/robots.txt"), kept.ask(page), ask(stack, "/livez")]
        assert [(one.status, one.headers["connection"]) for one in answers] == [(200, "close")] * 3
        assert web.wait(60) == 0
        assert read_state(stack) == (0, None)
        kept.close()


def await_progress(stack: Stack, batch_id: str) -> None:
    """Until more rows of a list are done than now, but not all of them."""
    done = stack.status(batch_id)["processed_emails"]
    wait_until(lambda: stack.status(batch_id)["processed_emails"] > done, 240)
    assert stack.status(batch_id)["status"] not in ENDED


@pytest.mark.spec("SCA-005")
def test_workers_that_are_told_to_end_hand_in_what_they_are_at(tmp_path: Path) -> None:
    """No lease ends by itself while the test runs, so that others go on only with what was given back."""
    with soaking(29, tmp_path, 1_200, LEASE_SECONDS="3600", WORKERS="1") as soaked:
        stack = soaked.ready()
        batch_id = soaked.start(soaked.rows)
        await_progress(stack, batch_id)
        os.kill(workers(stack)[0], signal.SIGTERM)
        await_progress(stack, batch_id)
        known = stack.status(batch_id)["processed_emails"]
        stack.stop()
        written = query(
            stack,
            f"SELECT coalesce(sum(size), 0) FROM validation_chunk WHERE state = 'done' AND {OF_BATCH}'{batch_id}')",
        )
        assert written[0][0] >= known
        assert query(stack, "SELECT count(*) FROM validation_chunk WHERE lease != ''") == [(0,)]
        stack.start()
        assert soaked.export(soaked.finished(batch_id)) == soaked.calm
        assert stack.manage("reconcile").startswith("0 differences")
