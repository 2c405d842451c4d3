"""Killed and restarted processes lose and double nothing: the real product, real processes, SIGKILL."""

import csv
import io
import os
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx2
import pytest

from tests import soak
from tests.soak import Soak, soaking, workers
from tests.stack import QUEUES, Stack, running_stack, wait_until
from validation.results.storage import NOT_CHECKED

SAM = {"email": "sam@emailcheck.app", "password": "sandbox-2026"}


@pytest.fixture(scope="module")
def soaked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Soak]:
    """One for three tests: to start it takes longer than any. A worker has a sixth of the list at a time, and its mail
    servers are slow: there is time to be in the middle of it."""
    with soaking(2026, tmp_path_factory.mktemp("crash"), 600, WINDOW_ROWS="100") as running:
        yield running


def staff(stack: Stack) -> httpx2.Client:
    client = httpx2.Client(base_url=stack.address, timeout=60, trust_env=False)
    client.headers["Authorization"] = f"Bearer {client.post('/api/auth/login', json=SAM).json()['token']}"
    return client


def all_are_new(sam: httpx2.Client) -> bool:
    """Whether the workers of every queue were started after the restart was asked for."""
    found = sam.get("/api/admin/system/services").json()
    return all(one["started_at"] > found["restart_asked_at"] for one in found["workers"])


@pytest.mark.xdist_group("stack")
@pytest.mark.spec("MON-056")
def test_a_restart_finishes_what_workers_are_at_and_the_web_goes_on(soaked: Soak) -> None:
    stack = soaked.ready()
    with closing(staff(stack)) as sam:
        web, workers = stack.members("web"), stack.members(*QUEUES)
        batch_id = soaked.start(soaked.rows)
        wait_until(lambda: processed(stack, batch_id) > 0, 120)
        assert sam.post("/api/admin/system/restart-services").status_code == 200
        assert stack.status(batch_id)["status"] == "processing"
        wait_until(lambda: not set(workers) & set(stack.members(*QUEUES)), 300)
        wait_until(lambda: stack.status(batch_id)["status"] == "completed", 300)
        assert processed(stack, batch_id) == len(soaked.rows)
        assert set(web) == set(stack.members("web"))
        wait_until(lambda: all_are_new(sam), 120)
        assert "0 differences" in stack.manage("reconcile")


def processed(stack: Stack, batch_id: str) -> int:
    done: int = stack.status(batch_id)["processed_emails"]
    return done


@pytest.mark.xdist_group("stack")
def test_killed_workers_and_a_killed_product_lose_and_double_nothing(soaked: Soak) -> None:
    stack, total = soaked.ready(), len(soaked.rows)
    before = stack.get("/api/credits")["credits"]
    batch_id = soaked.start(soaked.rows)

    wait_until(lambda: processed(stack, batch_id) > 0, 120)
    for pid in workers(stack):
        os.kill(pid, signal.SIGKILL)

    wait_until(lambda: processed(stack, batch_id) >= total // 3, 120)  # long before the watchdog looks
    assert stack.status(batch_id)["status"] == "processing"
    for pid in stack.processes():
        os.kill(pid, signal.SIGKILL)
    stack.stop(signal.SIGKILL)

    stack.start()
    wait_until(lambda: stack.status(batch_id)["status"] == "completed", 300)

    status = stack.status(batch_id)
    assert (status["processed_emails"], status["progress_percentage"]) == (total, 100.0)
    lines = list(csv.DictReader(io.StringIO(stack.client.get(f"/api/validate/batch/{batch_id}/export").text)))
    rows = [int(line["Row"]) for line in lines]
    assert len(rows) == total
    assert rows == sorted(set(rows))
    assert soaked.export(batch_id) == soaked.calm
    charged = stack.get(f"/api/validate/batch/{batch_id}")["credits_used"]
    credits = stack.get("/api/credits")
    assert (credits["credits"], credits["held"]) == (before - charged, 0)
    assert stack.manage("reconcile").startswith("0 differences")


POISON = "somebody@mutehost.com"
OTHERS = ["anna.keller@gmail.com", "gone.keller@gmail.com", "ida.holm@harborquill.com"]


def lease_on_poison(stack: Stack) -> str:
    """The lease of the worker that has the row now; "" when there is none."""
    with closing(sqlite3.connect(Path(stack.environment["VAR_DIR"]) / "emailcheck.sqlite3", timeout=20)) as database:
        found = "SELECT lease FROM validation_chunk WHERE state = 'running' AND rows LIKE ?"
        leases = database.execute(found, [f"%{POISON}%"]).fetchall()
    return str(leases[0][0]) if leases else ""


def kill_who_checks(stack: Stack) -> bool:
    """The worker that has an engine, which runs in a second thread. Answers whether there was one: the engine starts
    behind the lease."""
    found = [pid for pid in stack.members("bulk") if len(list(Path(f"/proc/{pid}/task").iterdir())) > 1]
    soak.kill(found)
    return bool(found)


@pytest.mark.spec("VAL-043")
@pytest.mark.xdist_group("stack")
def test_a_row_that_kills_its_workers_is_set_aside_and_the_others_go_on(tmp_path: Path) -> None:
    """Whoever takes the row dies: three workers with its chunk of two rows, a fourth with it alone."""
    with running_stack(tmp_path, WORKERS="1", LEASE_SECONDS="2", CHUNK_ROWS="2", IMMEDIATE_ADDRESSES="0") as stack:
        answer = stack.client.post("/api/validate/bulk", json={"emails": [*OTHERS, POISON]}).json()
        killed: set[str] = set()

        def ended() -> bool:
            lease = lease_on_poison(stack)
            if lease and lease not in killed and kill_who_checks(stack):
                killed.add(lease)
                # Another list wakes the next worker, long before the watchdog would.
                stack.client.post("/api/validate/bulk", json={"emails": OTHERS[:1]}).raise_for_status()
            return bool(stack.status(answer["batch_id"])["status"] == "completed")

        wait_until(ended, 300)
        wait_until(lambda: stack.get("/api/credits")["held"] == 0, 120)
        rows = stack.get(f"/api/validate/batch/{answer['batch_id']}")["emails"]
        assert [(row["email"], row["category"]) for row in rows] == [
            *zip(OTHERS, ("valid", "invalid", "valid"), strict=True),
            (POISON, "unknown"),
        ]
        assert rows[-1]["details"]["category_reason"] == NOT_CHECKED
        assert len(killed) == 4
        assert stack.manage("reconcile").startswith("0 differences")


def test_what_fails_beside_the_faults_of_a_round_fails_the_round() -> None:
    with pytest.raises(ZeroDivisionError), soak.beside(lambda: 1 // 0, after=0):
        pass


@pytest.mark.spec("VAL-042", "VAL-046")
@pytest.mark.xdist_group("stack")
def test_a_list_under_faults_comes_out_as_in_a_calm_run(soaked: Soak) -> None:
    """The short set of `make soak`: a worker that stands still for longer than its lease, wake-ups that come twice, and
    a second list that is cancelled meanwhile."""
    soaked.round([soak.deliver_twice, soak.stop_past_the_lease])
    assert 400 < len(soaked.rows) <= 600
    assert soaked.calm.count(b"\n") == len(soaked.rows) + 1
