"""The page of figures: rows of a part are replaced, those of the others stay."""

from pathlib import Path

import pytest

from benchmarks import figures


def test_figures_are_gathered_only_when_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "figures"
    monkeypatch.delenv("FIGURES_FILE", raising=False)
    figures.at_most("p95", 12.34, 15, "ms", digits=1)
    assert figures.gathered(place) == []
    monkeypatch.setenv("FIGURES_FILE", str(place))
    figures.at_most("p95", 12.34, 15, "ms", digits=1)
    figures.at_least("checks a second", 399.6, 400)
    assert figures.gathered(place) == [
        figures.Figure("p95", "at most 15 ms", "12.3 ms", True),
        figures.Figure("checks a second", "at least 400", "400", False),
    ]


def test_a_part_that_is_run_again_replaces_its_own_rows_alone(tmp_path: Path) -> None:
    path = tmp_path / "figures.md"
    one, other = figures.Figure("p95", "at most 15 ms", "12 ms", True), figures.Figure("rate", "4", "3", False)
    figures.Page(path).replace("bench-api", "api.md", [one], "two cores")
    figures.Page(path).replace("bench-login", "identity.md", [other], "two cores")
    first = path.read_text()
    figures.Page(path).replace("bench-api", "api.md", [other], "four cores")
    text = path.read_text()
    assert [line for line in text.splitlines() if line.startswith("## ")] == ["## bench-api", "## bench-login"]
    assert "| p95 |" in first
    assert "| p95 |" not in text
    assert text.count("| rate | 4 | 3 | **no** |") == 2
    assert "`make bench-api`, four cores ([more](api.md))." in text
    assert "`make bench-login`, two cores ([more](identity.md))." in text
