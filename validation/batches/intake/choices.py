"""How a customer wants the cells of a list to become addresses."""

from dataclasses import dataclass
from typing import Any

MOST_ROWS_NAMED = 20_000
"""Rows that can be chosen one by one; whoever wants more of them chooses a kind, or all."""


@dataclass(frozen=True, slots=True)
class RepairChoices:
    """The choices for a list; plain data, kept as JSON with uploads and batches.

    `repair`: take addresses out of what stands around them. It is undone in `undo_repairs` (data rows from 1) and for
    `undo_kinds` (values of `RepairKind`), where a cell is judged as it stands. Typing suggestions are used in all rows
    with `use_suggestions` but for `undo_suggestions`, else in `suggestion_rows`; what is undone counts for them too.
    """

    repair: bool = False
    undo_repairs: tuple[int, ...] = ()
    undo_kinds: tuple[str, ...] = ()
    use_suggestions: bool = False
    suggestion_rows: tuple[int, ...] = ()
    undo_suggestions: tuple[int, ...] = ()

    @property
    def changes_nothing(self) -> bool:
        """Whether every cell is one address as it stands."""
        return not (self.repair or self.use_suggestions or self.suggestion_rows)


def parse_choices(kept: dict[str, Any] | None) -> RepairChoices:
    """The choices as they were kept; None: every cell as it stands."""
    lists = {name: tuple(value) for name, value in (kept or {}).items() if isinstance(value, list)}
    return RepairChoices(**{**(kept or {}), **lists})
