"""What a page of the history or of a list's results ended with, as its cursor carries it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from emailcheck.common.api import pagination
from validation.results.index_ranges import Key


def write_end(value: Any) -> Any:
    """The value of a column as JSON has it; `read_end` reads it."""
    return value.isoformat() if isinstance(value, datetime) else value


def read_end(column: str, value: Any) -> Any:
    """The value of a column that `write_end` wrote."""
    return datetime.fromisoformat(value) if column == "created_at" else value


def encode_parts(made_for: str, ends: Mapping[str, Key]) -> str | None:
    """The cursor that goes on with some parts of the history, each behind the key it ended with; None for no part."""
    carried = {part: [write_end(value), number] for part, (value, number) in ends.items()}
    return pagination.encode_cursor(made_for, carried, 0) if carried else None


def decode_parts(cursor: str, made_for: str, columns: Mapping[str, str]) -> dict[str, Key]:
    """The keys behind which the parts that a cursor names go on; `columns` has the column that each is ordered by.

    Raises `BadInput` for a cursor that was not made for this.
    """
    carried, _ = pagination.decode_cursor(cursor, made_for, "cursor")
    return {part: (read_end(columns[part], value), number) for part, (value, number) in carried.items()}
