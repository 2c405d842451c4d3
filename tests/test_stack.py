"""The whole product, as a newcomer starts it, gives exactly the verdicts that its world holds.

Hosts that greylist are asked again, so these are the verdicts behind greylisting.
"""

import csv
import io
import json
from pathlib import Path

import pytest
from django.conf import settings

from emailcheck.sandbox.mailworld.expectations import expect
from emailcheck.sandbox.mailworld.loader import load_world
from tests.stack import running_stack, wait_until

SAMPLES = Path(settings.BASE_DIR) / "samples"


@pytest.mark.xdist_group("stack")
def test_every_address_of_the_long_sample_gets_the_verdict_of_its_world(tmp_path: Path) -> None:
    expected = json.loads((SAMPLES / "expected.json").read_text())["list-20000"]
    with running_stack(tmp_path) as stack:
        answer = stack.upload(SAMPLES / "list-20000.csv")
        assert (answer["total_emails"], answer["duplicates_removed"]) == (expected["unique"], expected["duplicates"])
        wait_until(lambda: stack.status(answer["batch_id"])["status"] == "completed", 120)
        batch = stack.get(f"/api/validate/batch/{answer['batch_id']}?page_size=1")
        export = stack.client.get(f"/api/validate/batch/{answer['batch_id']}/export").text

    assert {name: batch[f"{name}_count"] for name in expected["categories"]} == expected["categories"]
    assert batch["credits_used"] == expected["unique"] - batch["unknown_count"] - expected["reasons"]["invalid/syntax"]
    world = load_world()
    lines = [line for line in csv.DictReader(io.StringIO(export)) if line["Reason"] != "syntax"]
    found = {line["Email"].removeprefix("'"): (line["Category"], line["Reason"]) for line in lines}
    wanted = {email: expect(world, email).later for email in found}
    assert len(found) == expected["unique"] - expected["reasons"]["invalid/syntax"]
    assert {email: (verdict, wanted[email]) for email, verdict in found.items() if verdict != wanted[email]} == {}
