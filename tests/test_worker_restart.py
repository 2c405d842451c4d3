"""Workers restarted from the staff area in the middle of a list: nothing is lost, nothing is done twice."""

from pathlib import Path

import httpx2
import pytest
from django.conf import settings

from tests.stack import Stack, running_stack, wait_until

SAMPLES = Path(settings.BASE_DIR) / "samples"
SAM = {"email": "sam@emailcheck.app", "password": "sandbox-2026"}


def staff(stack: Stack) -> httpx2.Client:
    client = httpx2.Client(base_url=stack.address, timeout=60, trust_env=False)
    client.headers["Authorization"] = f"Bearer {client.post('/api/auth/login', json=SAM).json()['token']}"
    return client


def all_are_new(sam: httpx2.Client) -> bool:
    """Whether the workers of every queue were started after the restart was asked for."""
    found = sam.get("/api/admin/system/services").json()
    return all(one["started_at"] > found["restart_asked_at"] for one in found["workers"])


def a_part_of_the_long_list(folder: Path) -> Path:
    """Enough rows for workers to be in the middle of them."""
    rows = (SAMPLES / "list-20000.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    part = folder / "part.csv"
    part.write_text("".join(rows[:8_001]), encoding="utf-8")
    return part


@pytest.mark.xdist_group("stack")
@pytest.mark.spec("MON-056")
def test_a_restart_finishes_what_workers_are_at_and_the_web_goes_on(tmp_path: Path) -> None:
    with running_stack(tmp_path, CHUNK_ROWS="500", WINDOW_ROWS="1000", SLICE_SECONDS="5") as stack:
        sam, web, workers = staff(stack), stack.processes("granian"), stack.processes("qcluster")
        answer = stack.upload(a_part_of_the_long_list(tmp_path))
        wait_until(lambda: stack.status(answer["batch_id"])["processed_emails"] > 0, 120)
        assert sam.post("/api/admin/system/restart-services").status_code == 200
        wait_until(lambda: not set(workers) & set(stack.processes("qcluster")), 300)
        wait_until(lambda: stack.status(answer["batch_id"])["status"] == "completed", 300)
        assert stack.status(answer["batch_id"])["processed_emails"] == answer["total_emails"]
        assert set(web) == set(stack.processes("granian"))
        wait_until(lambda: all_are_new(sam), 120)
        assert "0 differences" in stack.manage("reconcile")
        sam.close()
