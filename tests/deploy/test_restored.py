"""A backup of an installation that works on a list becomes one that goes on with it."""

import csv
import io
import os
import signal
from contextlib import suppress
from pathlib import Path

import pytest

from tests.stack import ROOT, Stack, running_stack, wait_until

pytestmark = pytest.mark.xdist_group("stack")
LIST = ROOT / "samples" / "list-20000.csv"


def processed(stack: Stack, batch_id: str) -> int:
    done: int = stack.status(batch_id)["processed_emails"]
    return done


@pytest.mark.spec("SCA-033")
def test_a_list_that_was_running_goes_on_where_it_is_restored(tmp_path: Path) -> None:
    with running_stack(tmp_path / "first", WORKERS="1", CHUNK_ROWS="500") as stack:
        uploaded = stack.upload(LIST)
        batch_id, total = uploaded["batch_id"], uploaded["total_emails"]
        wait_until(lambda: processed(stack, batch_id) > 0, 120)
        assert stack.status(batch_id)["status"] == "processing"
        for pid in stack.processes():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        file = stack.manage("backup").split()[-1]
        assert "restored, 0 differences" in stack.manage("test_restore")
        stack.manage("restore_backup", file, "--into", str(tmp_path / "second"))
    copy = Stack(tmp_path / "second", {"WORKERS": "1"})
    copy.start()
    try:
        copy.sign_in()
        assert processed(copy, batch_id) > 0
        wait_until(lambda: copy.status(batch_id)["status"] == "completed", 300)
        assert processed(copy, batch_id) == total
        exported = copy.client.get(f"/api/validate/batch/{batch_id}/export").raise_for_status().text
        addresses = [row[0] for row in csv.reader(io.StringIO(exported))][1:]
        assert (len(addresses), len(set(addresses))) == (total, total)
        assert copy.manage("reconcile", "--credits-only") == "0 differences\n"
    finally:
        copy.stop()
        copy.client.close()
