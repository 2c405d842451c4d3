"""The whole product, as a newcomer starts it, gives exactly the verdicts that its world holds.

Hosts that greylist are asked again, so these are the verdicts behind greylisting.
"""

import csv
import io
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from emailcheck.sandbox.mailworld.expectations import expect
from emailcheck.sandbox.mailworld.loader import load_world
from tests.stack import Stack, running_stack, wait_until

SAMPLES = Path(settings.BASE_DIR) / "samples"
EXAMPLES = Path(settings.BASE_DIR) / "docs" / "examples"
pytestmark = pytest.mark.xdist_group("stack")


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    with running_stack(tmp_path_factory.mktemp("stack")) as running:
        yield running


@pytest.mark.spec("DOC-008", "DOC-041", "DOC-051", "DOC-052")
@pytest.mark.parametrize("command", [["bash", "validate_file.sh"], [sys.executable, "validate_file.py"]])
def test_the_examples_take_a_file_from_a_key_to_a_signed_webhook(
    stack: Stack, tmp_path: Path, command: list[str]
) -> None:
    program, example = command
    sample = str(SAMPLES / "customers-200.csv")
    line = [program, str(EXAMPLES / example), sample, stack.address]
    said = subprocess.run(line, cwd=tmp_path, check=True, capture_output=True, text=True, timeout=300)
    assert ("Webhook deleted" if program == "bash" else "True {'valid':") in said.stdout
    lines = list(csv.DictReader((tmp_path / "validated.csv").read_text().splitlines()))
    found = Counter(line["Category"] for line in lines)
    assert found == json.loads((SAMPLES / "expected.json").read_text())["customers-200"]["categories"]
    assert stack.get("/api/user/webhooks") == {"webhooks": []}


def test_every_address_of_the_long_sample_gets_the_verdict_of_its_world(stack: Stack) -> None:
    expected = json.loads((SAMPLES / "expected.json").read_text())["list-20000"]
    answer = stack.upload(SAMPLES / "list-20000.csv")
    assert (answer["total_emails"], answer["duplicates_removed"]) == (expected["unique"], expected["duplicates"])
    wait_until(lambda: stack.status(answer["batch_id"])["status"] == "completed", 300)
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
