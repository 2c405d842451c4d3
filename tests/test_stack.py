"""The whole product, as a newcomer starts it, gives exactly the verdicts that its world holds.

Hosts that greylist are asked again, so these are the verdicts behind greylisting.
"""

import csv
import io
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from emailcheck.sandbox.mailworld.scenario.expectations import expect_verdict
from emailcheck.sandbox.mailworld.scenario.loader import load_world
from tests.stack import ALICE, Stack, resident_mb, running_stack, wait_until

SAMPLES = Path(settings.BASE_DIR) / "samples"
EXAMPLES = Path(settings.BASE_DIR) / "docs" / "examples"
CATEGORIES = ("valid", "invalid", "catch_all", "disposable", "unknown")
pytestmark = pytest.mark.xdist_group("stack")


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    with running_stack(tmp_path_factory.mktemp("stack")) as running:
        yield running


@pytest.mark.spec("DOC-008", "DOC-041", "DOC-051")
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


@pytest.mark.spec("TEA-011", "TEA-012")
def test_the_demo_customer_proves_her_domain_at_the_simulated_registrar(stack: Stack) -> None:
    made = stack.client.post("/api/organisation/domains", json={"name": ALICE["email"].partition("@")[2]}).json()
    record = {"name": made["record_name"], "text": made["record_value"]}
    assert stack.client.post("/sandbox/dns", json=record).json() == [record]
    answer = stack.client.post(f"/api/organisation/domains/{made['id']}/check").json()
    assert (answer["found"], answer["domain"]["proved_at"] is None) == ("proved", False)


def test_addresses_of_the_long_sample_get_the_verdicts_of_their_world(stack: Stack, tmp_path: Path) -> None:
    """Every tenth of them, and all in `make soak`."""
    with (SAMPLES / "list-20000.csv").open(newline="") as sample:
        rows = list(csv.reader(sample))[:: int(os.environ.get("EVERY", "10"))]
    with (tmp_path / "list.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["email", "name"], *(row for row in rows if row[0] != "email")])
    answer = stack.upload(tmp_path / "list.csv")
    wait_until(lambda: stack.status(answer["batch_id"])["status"] == "completed", 300)
    batch = stack.get(f"/api/validate/batch/{answer['batch_id']}?page_size=1")
    export = stack.client.get(f"/api/validate/batch/{answer['batch_id']}/export").text

    world, lines = load_world(), list(csv.DictReader(io.StringIO(export)))
    found = {line["Email"].removeprefix("'"): (line["Category"], line["Reason"]) for line in lines}
    assert len(found) == answer["total_emails"] == len(rows) - 1 - answer["duplicates_removed"]
    wrong = {
        email: got for email, got in found.items() if got[1] != "syntax" and got != expect_verdict(world, email).later
    }
    assert wrong == {}
    categories, reasons = (Counter(got[place] for got in found.values()) for place in (0, 1))
    assert {name: batch[f"{name}_count"] for name in CATEGORIES} == categories
    assert batch["credits_used"] == len(found) - categories["unknown"] - reasons["syntax"]


def test_a_web_keeps_nothing_of_the_requests_that_it_has_answered(stack: Stack) -> None:
    """Requests are full of cycles, of which each holds some 15 KB: 1,000 would leave 15 MB."""
    webs = stack.members("web")
    for _ in range(300):
        stack.get("/api/credits")
    before_mb = sum(map(resident_mb, webs))
    for _ in range(1_000):
        stack.get("/api/credits")
    assert sum(map(resident_mb, webs)) < before_mb + 7
