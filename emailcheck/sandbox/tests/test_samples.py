"""The committed sample lists are what the script makes of the world, and they promise what the world keeps."""

import csv
import json
from pathlib import Path

import pytest

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


def test_all_samples_together_stay_small() -> None:
    assert sum((FOLDER / name).stat().st_size for name in MADE) < 3_000_000
