"""What a review shows of a list: repairs and typing suggestions, one a line of JSON, and their counts."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

from validation.batches.intake.cells import CellAddresses
from validation.engine.repair import RepairKind

_OVERFULL_SHOWN = 20


class Finding(NamedTuple):
    """A repaired cell, or one with a typing suggestion.

    `row`: data row or line from 1. `column`: of the file, from 1. `positions`: where its addresses stand in the list,
    None for one that stood there before or is left out. `applied`: whether the list has `addresses` and not `source`.
    """

    row: int
    column: int
    source: str
    addresses: Sequence[str]
    kinds: Sequence[str]
    positions: Sequence[int | None]
    applied: bool

    def encode(self) -> str:
        """As a line of JSON, which begins with a brace as no chunk does."""
        return json.dumps(self._asdict()) + "\n"


def parse_finding(line: bytes) -> Finding:
    """The finding of a line."""
    return Finding(**json.loads(line))


@dataclass(slots=True)
class FindingCounts:
    """How much was found.

    `kinds` and `undone` count cells by kind of repair; `repaired` counts addresses that were taken out of something,
    `suggestions` those with a typing suggestion that is not used, `suggestions_used` cells with one that is.
    `overfull`: the first cells with more addresses than are taken, as [row, addresses there are].
    """

    repaired: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    undone: Counter[str] = field(default_factory=Counter)
    suggestions: int = 0
    suggestions_used: int = 0
    overfull: list[tuple[int, int]] = field(default_factory=list)
    overfull_cells: int = 0

    def count(self, row: int, taken: CellAddresses, addresses: int) -> None:
        """Count a cell to which something was done, and so many of its addresses: those that the credits pay for."""
        if taken.found > len(taken.repaired):
            self.overfull_cells += 1
            if len(self.overfull) < _OVERFULL_SHOWN:
                self.overfull.append((row, taken.found))
        if taken.undone:
            self.undone.update(taken.kinds)
            return
        self.kinds.update(taken.kinds)
        if taken.kinds[0] != RepairKind.TYPING:
            self.repaired += addresses
        self.suggestions_used += RepairKind.TYPING in taken.kinds

    def as_json(self) -> dict[str, Any]:
        """As an upload keeps them."""
        counted = {name: dict(getattr(self, name)) for name in ("kinds", "undone")}
        return {entry.name: getattr(self, entry.name) for entry in fields(self)} | counted
