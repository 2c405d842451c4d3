"""The whole product, as a newcomer starts it, gives exactly the verdicts that its world holds."""

import json
from pathlib import Path

import pytest
from django.conf import settings

from tests.stack import running_stack, wait_until

SAMPLES = Path(settings.BASE_DIR) / "samples"


@pytest.mark.xdist_group("stack")
def test_the_long_sample_gets_exactly_the_verdicts_of_its_world(tmp_path: Path) -> None:
    expected = json.loads((SAMPLES / "expected.json").read_text())["list-20000"]
    with running_stack(tmp_path) as stack:
        answer = stack.upload(SAMPLES / "list-20000.csv")
        assert (answer["total_emails"], answer["duplicates_removed"]) == (expected["unique"], expected["duplicates"])
        wait_until(lambda: stack.status(answer["batch_id"])["status"] == "completed", 120)
        batch = stack.get(f"/api/validate/batch/{answer['batch_id']}?page_size=1")
    assert {name: batch[f"{name}_count"] for name in expected["first_pass"]} == expected["first_pass"]
    assert batch["credits_used"] == expected["unique"] - batch["unknown_count"] - expected["reasons"]["invalid/syntax"]
