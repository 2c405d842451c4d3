"""What a page of the history or of a list's results ended with, as its cursor carries it."""

import math
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from emailcheck.common.api.pagination import build_cursor_error
from emailcheck.common.text.cleaning import make_storable
from validation.results.index_ranges import Key


def write_end(value: Any) -> Any:
    """The value of a column as JSON has it; `parse_key` reads it."""
    return value.isoformat() if isinstance(value, datetime) else value


def parse_key(cursor: str, column: str, value: object, number: object) -> Key:
    """The key at the end of a page in the order of a column. Raises `BadInput` for an impossible one."""
    if not isinstance(number, int) or isinstance(number, bool):
        raise build_cursor_error(cursor, "cursor")
    try:
        return _PARSE_END[column](value), number
    except (ValueError, TypeError) as error:
        raise build_cursor_error(cursor, "cursor") from error


def _parse_number(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise TypeError(value)


def _parse_fraction(value: object) -> float:
    if isinstance(value, float) and math.isfinite(value):
        return value
    raise TypeError(value)


def _parse_text(value: object) -> str:
    if isinstance(value, str) and value == make_storable(value):
        return value
    raise TypeError(value)


def _parse_time(value: object) -> datetime:
    found = datetime.fromisoformat(_parse_text(value))
    if found.utcoffset() == timedelta(0):
        return found
    raise ValueError(value)


_PARSE_END: dict[str, Callable[[object], Any]] = {
    "id": _parse_number,
    "created_at": _parse_time,
    "filename": _parse_text,
    "position": _parse_number,
    "address": _parse_text,
    "category": _parse_text,
    "confidence": _parse_fraction,
}
