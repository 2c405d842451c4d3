"""The committed sample lists are what the script makes of the world, and they promise what the world keeps."""

import csv
import json
from collections import Counter
from pathlib import Path

import pytest

from emailcheck.sandbox.mailworld.scenario.expectations import expect_verdict
from emailcheck.sandbox.mailworld.scenario.loader import load_world
from samples import make_samples

FOLDER = Path(make_samples.__file__).parent
MADE = sorted(
    str(path.relative_to(FOLDER))
    for path in FOLDER.rglob("*")
    if path.is_file() and path.suffix in {".csv", ".txt", ".xls", ".xlsx", ".json"} and path.name != "names.txt"
)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("samples")
    make_samples.main(folder)
    return folder


def test_every_file_is_made(made: Path) -> None:
    assert sorted(str(path.relative_to(made)) for path in made.rglob("*") if path.is_file()) == MADE


@pytest.mark.parametrize("name", MADE)
def test_the_script_makes_the_committed_file(made: Path, name: str) -> None:
    assert (made / name).read_bytes() == (FOLDER / name).read_bytes()


def test_the_long_list_is_what_it_promises() -> None:
    with (FOLDER / "list-20000.csv").open(encoding="utf-8", newline="") as file:
        addresses = [row["email"] for row in csv.DictReader(file)]
    expected = json.loads((FOLDER / "expected.json").read_text(encoding="utf-8"))["list-20000"]
    assert (len(addresses), expected["unique"], expected["duplicates"]) == (20_000, 19_601, 399)
    assert sum(expected["categories"].values()) == 19_601
    assert 0.58 < expected["categories"]["valid"] / 19_601 < 0.62


SHARES = {
    25: {"gmail.com", "googlemail.com"},
    12: {"outlook.com", "hotmail.com", "live.com"},
    11: {"yahoo.com", "aol.com", "ymail.com"},
    4: {"icloud.com", "me.com"},
    3: {"gmx.de", "gmx.net", "web.de"},
}


@pytest.mark.finding("A1")
def test_the_real_list_has_the_shares_of_real_lists_and_a_truth_for_each_address() -> None:
    with (FOLDER / "list-real-20000.csv").open(encoding="utf-8", newline="") as file:
        addresses = [row["email"] for row in csv.DictReader(file)]
    expected = json.loads((FOLDER / "expected.json").read_text(encoding="utf-8"))["list-real-20000"]
    assert (len(addresses), len(set(addresses)), expected["unique"], expected["duplicates"]) == (
        20_000,
        20_000,
        20_000,
        0,
    )
    domains = Counter(address.rpartition("@")[2] for address in addresses)
    assert {share: sum(domains[name] for name in names) for share, names in SHARES.items()} == {
        share: share * 200 for share in SHARES
    }
    world = load_world()
    truths = [expect_verdict(world, address) for address in addresses]
    assert [truth for truth in truths if truth.later != (truth.category, truth.reason)] == []
    assert Counter("/".join(truth.later) for truth in truths) == expected["reasons"]


def test_the_real_list_has_no_slow_host() -> None:
    world = load_world()
    lines = (FOLDER / "list-real-20000.csv").read_text(encoding="utf-8").splitlines()[1:]
    found = [world.domain_of(line.partition(",")[0].rpartition("@")[2]) for line in lines]
    operators = {domain.operator.key: domain.operator for domain in found if domain and domain.operator}
    assert [key for key, operator in operators.items() if operator.greeting_delay or operator.reply_delay] == []


def test_all_samples_together_stay_small() -> None:
    assert sum((FOLDER / name).stat().st_size for name in MADE) < 3_200_000
