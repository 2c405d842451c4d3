"""Every figure that the product promises, in one table against its bar: `make bench` writes docs/figures.md.

A benchmark tells its figures by `at_most`, `at_least` or `tell`. Alone it prints what it always prints; under `make
bench` they are gathered in the file that `FIGURES_FILE` names. A part that is run again replaces its own rows, and
every row keeps the date and the machine of its run.
"""

import json
import os
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

_FILE = "FIGURES_FILE"
_OF_MAKE = frozenset({"ARGS", "MAKEFLAGS", "MAKEOVERRIDES", "MFLAGS"})
_TITLES = ("what", "bar", "measured", "met", "measured on")
_HEAD = """# Figures

Every figure that the product promises, against its bar. `make bench` measures all of them and writes this page
(`ARGS="api login"`: these parts alone). What falls short is explained where the link of its part leads. Machines are
noisy: compare ratios within a run.
"""


@dataclass(frozen=True, slots=True)
class Figure:
    """What was measured, as it is shown."""

    what: str
    bar: str
    measured: str
    met: bool


def at_most(what: str, value: float, bar: float, unit: str = "", *, digits: int = 0) -> None:
    """Tell of a figure that may not be larger than the bar."""
    _compare(what, value, bar, unit, digits, word="at most", met=value <= bar)


def at_least(what: str, value: float, bar: float, unit: str = "", *, digits: int = 0) -> None:
    """Tell of a figure that may not be smaller than the bar."""
    _compare(what, value, bar, unit, digits, word="at least", met=value >= bar)


def _compare(what: str, value: float, bar: float, unit: str, digits: int, *, word: str, met: bool) -> None:
    shown = f" {unit}" if unit else ""
    tell(what, f"{word} {bar:,g}{shown}", f"{value:,.{digits}f}{shown}", met=met)


def tell(what: str, bar: str, measured: str, *, met: bool) -> None:
    """Tell of a figure in words of the benchmark's own."""
    place = os.environ.get(_FILE)
    if place:
        with Path(place).open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(Figure(what, bar, measured, met))) + "\n")


def environment(place: Path) -> dict[str, str]:
    """The environment in which a benchmark's figures are gathered in a file; without what `make` was told."""
    return {name: value for name, value in os.environ.items() if name not in _OF_MAKE} | {_FILE: str(place)}


def gathered(place: Path) -> list[Figure]:
    """The figures in such a file."""
    lines = place.read_text(encoding="utf-8").splitlines() if place.exists() else []
    return [Figure(**json.loads(line)) for line in lines]


class Page:
    """docs/figures.md: a table for every part, and the machine of its run."""

    def __init__(self, path: Path) -> None:
        self._path = path
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        self._parts = dict(_part(piece) for piece in text.split("\n## ")[1:])

    def replace(self, part: str, explained_in: str, figures: list[Figure], machine: str) -> None:
        """The rows of a part, and the page on disk."""
        day = datetime.now(UTC).date()
        rows = [
            f"| {one.what} | {one.bar} | {one.measured} | {'yes' if one.met else '**no**'} | {day} |" for one in figures
        ]
        head = f"| {' | '.join(_TITLES)} |\n|{'---|' * len(_TITLES)}"
        where = f"`make {part}`, {machine} ([more]({explained_in}))."
        self._parts[part] = "\n".join([where, "", head, *rows])
        body = "".join(f"\n## {name}\n\n{text.strip()}\n" for name, text in self._parts.items())
        self._path.write_text(_HEAD + body, encoding="utf-8")


def _part(piece: str) -> tuple[str, str]:
    name, _, text = piece.partition("\n")
    return name, text
