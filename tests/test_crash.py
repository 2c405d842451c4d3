"""Killed processes lose and double nothing: the real product, real processes, SIGKILL."""

import csv
import io
import os
import signal
from pathlib import Path

import pytest
from django.conf import settings

from tests import soak
from tests.soak import soaking, workers
from tests.stack import Stack, running_stack, wait_until

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

        wait_until(lambda: processed(stack, batch_id) > 0, 30)
        for pid in workers(stack):
            os.kill(pid, signal.SIGKILL)

        wait_until(
            lambda: processed(stack, batch_id) >= total // 3, 180
        )  # the watchdog ends a stuck queue after two minutes
        assert stack.status(batch_id)["status"] == "processing"
        for pid in stack.processes():
            os.kill(pid, signal.SIGKILL)
        stack.stop(signal.SIGKILL)

        stack.start()
        wait_until(lambda: stack.status(batch_id)["status"] == "completed", 120)

        status = stack.status(batch_id)
        assert (status["processed_emails"], status["progress_percentage"]) == (total, 100.0)
        lines = list(csv.DictReader(io.StringIO(stack.client.get(f"/api/validate/batch/{batch_id}/export").text)))
        rows = [int(line["Row"]) for line in lines]
        assert len(rows) == total
        assert rows == sorted(set(rows))
        charged = stack.get(f"/api/validate/batch/{batch_id}")["credits_used"]
        credits = stack.get("/api/credits")
        assert (credits["credits"], credits["held"]) == (before - charged, 0)
        assert stack.manage("reconcile") == "0 differences\n"


@pytest.mark.spec("VAL-042", "VAL-046")
@pytest.mark.xdist_group("stack")
def test_a_list_under_faults_comes_out_as_in_a_calm_run(tmp_path: Path) -> None:
    """The short set of `make soak`: a worker that stands still for longer than its lease, wake-ups that come twice, and
    a second list that is cancelled meanwhile."""
    with soaking(2026, tmp_path, 600) as soaked:
        soaked.round([soak.deliver_twice, soak.stop_past_the_lease])
        assert 400 < len(soaked.rows) <= 600
        assert soaked.calm.count(b"\n") == len(soaked.rows) + 1
