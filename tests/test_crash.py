"""Killed processes lose and double nothing: the real product, real processes, SIGKILL."""

import csv
import io
import os
import random
import signal
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest
from django.conf import settings

from tests import soak
from tests.soak import soaking, workers
from tests.stack import Stack, running_stack, wait_until
from validation.results import NOT_CHECKED

LIST = Path(settings.BASE_DIR) / "samples" / "list-20000.csv"


def processed(stack: Stack, batch_id: str) -> int:
    done: int = stack.status(batch_id)["processed_emails"]
    return done


@pytest.mark.xdist_group("stack")
def test_killed_workers_and_a_killed_product_lose_and_double_nothing(tmp_path: Path) -> None:
    with running_stack(tmp_path, LEASE_SECONDS="3", CHUNK_ROWS="400") as stack:
        before = stack.get("/api/credits")["credits"]
        batch = stack.upload(LIST)
        batch_id, total = batch["batch_id"], batch["total_emails"]

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
    """The worker is the only process of its group with a second thread, in which its engine runs. Answers whether there
    was one: the engine starts behind the lease."""
    group = stack.processes("qcluster", "Q_CLUSTER_NAME=bulk")
    found = [pid for pid in group if len(list(Path(f"/proc/{pid}/task").iterdir())) > 1]
    soak.kill(found)
    return bool(found)


@pytest.mark.spec("VAL-043")
@pytest.mark.xdist_group("stack")
def test_a_row_that_kills_its_workers_is_set_aside_and_the_others_go_on(tmp_path: Path) -> None:
    """Whoever takes the row dies: three workers with its chunk of two rows, a fourth with it alone."""
    with running_stack(tmp_path, WORKERS="1", LEASE_SECONDS="2", CHUNK_ROWS="2", IMMEDIATE_ADDRESSES="0") as stack:
        answer = stack.client.post("/api/validate/bulk", json={"emails": [*OTHERS, POISON]}).json()
        killed: set[str] = set()
        wake_ups: list[threading.Thread] = []

        def ended() -> bool:
            lease = lease_on_poison(stack)
            if lease and lease not in killed and kill_who_checks(stack):
                killed.add(lease)
                # Beside this: the next worker must not be done with the row before somebody looks.
                wake_ups.append(threading.Thread(target=soak.deliver_twice, args=(stack, random.Random())))
                wake_ups[-1].start()
            return bool(stack.status(answer["batch_id"])["status"] == "completed")

        wait_until(ended, 300)
        for wake_up in wake_ups:
            wake_up.join()
        rows = stack.get(f"/api/validate/batch/{answer['batch_id']}")["emails"]
        assert [(row["email"], row["category"]) for row in rows] == [
            *zip(OTHERS, ("valid", "invalid", "valid"), strict=True),
            (POISON, "unknown"),
        ]
        assert rows[-1]["details"]["category_reason"] == NOT_CHECKED
        assert (len(killed), stack.get("/api/credits")["held"]) == (4, 0)
        assert stack.manage("reconcile").startswith("0 differences")


def test_what_fails_beside_the_faults_of_a_round_fails_the_round() -> None:
    with pytest.raises(ZeroDivisionError), soak.beside(lambda: 1 // 0, after=0):
        pass


@pytest.mark.spec("VAL-042", "VAL-046")
@pytest.mark.xdist_group("stack")
def test_a_list_under_faults_comes_out_as_in_a_calm_run(tmp_path: Path) -> None:
    """The short set of `make soak`: a worker that stands still for longer than its lease, wake-ups that come twice, and
    a second list that is cancelled meanwhile."""
    with soaking(2026, tmp_path, 600) as soaked:
        soaked.round([soak.deliver_twice, soak.stop_past_the_lease])
        assert 400 < len(soaked.rows) <= 600
        assert soaked.calm.count(b"\n") == len(soaked.rows) + 1
