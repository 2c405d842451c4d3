"""Pages of lists that grow at their head, behind an opaque cursor: rows that come meanwhile shift nothing."""

import base64
import json
from dataclasses import dataclass
from typing import Any, TypeVar

from django.core.exceptions import ValidationError
from django.db.models import Field, Model, Q, QuerySet

from emailcheck.common.errors import BadInput
from emailcheck.common.text.cleaning import make_storable

Row = TypeVar("Row", bound=Model)
NEWEST = "newest"


def page_newest(
    found: QuerySet[Row], *, size: int, cursor: str = "", field: str = "cursor"
) -> tuple[list[Row], str | None]:
    """A page of rows, newest first, and the cursor of the next one, None at the end.

    `field` names the parameter that carried the cursor. Raises `BadInput` for a cursor that is not ours.
    """
    if cursor:
        found = found.filter(pk__lt=_decode_newest(cursor, field))
    rows = list(found.order_by("-pk")[: size + 1])
    more = len(rows) > size
    rows = rows[:size]
    return rows, encode_cursor([NEWEST, "", rows[-1].pk]) if more else None


@dataclass(frozen=True, slots=True)
class Order:
    """By a column that is never empty; rows that are equal in it, newest first or in the same direction."""

    column: str
    descending: bool = True
    newest_first: bool = False

    @property
    def pk_descends(self) -> bool:
        return self.newest_first or self.descending


def page_ordered(
    found: QuerySet[Row], order: Order, *, size: int, cursor: str = "", field: str = "cursor"
) -> tuple[list[Row], str | None]:
    """A page of rows in an order, and the cursor of the next one, None at the end.

    Raises `BadInput` for a cursor that is not ours.
    """
    name = f"{order.column} {order.descending}"
    if cursor:
        found = found.filter(
            _filter_behind(found.model, order, *decode_cursor(cursor, name, field), cursor=cursor, field=field)
        )
    by, then = ("-" if back else "" for back in (order.descending, order.pk_descends))
    rows = list(found.order_by(f"{by}{order.column}", f"{then}pk")[: size + 1])
    more = len(rows) > size
    rows = rows[:size]
    return rows, encode_cursor([name, str(getattr(rows[-1], order.column)), rows[-1].pk]) if more else None


def _filter_behind(model: type[Model], order: Order, value: Any, number: Any, *, cursor: str, field: str) -> Q:
    """What comes after the row that a page ended with."""
    if not isinstance(value, str) or make_storable(value) != value or type(number) is not int:
        raise build_cursor_error(cursor, field)
    column = model._meta.get_field(order.column)
    assert isinstance(column, Field)
    try:
        last = column.to_python(value)
    except ValidationError as error:
        raise build_cursor_error(cursor, field) from error
    beyond, equal = ("lt" if back else "gt" for back in (order.descending, order.pk_descends))
    return Q(**{f"{order.column}__{beyond}": last}) | Q(**{order.column: last, f"pk__{equal}": number})


def encode_cursor(values: list[Any]) -> str:
    """The cursor that carries these values."""
    return base64.urlsafe_b64encode(json.dumps(values).encode()).decode()


def decode_cursor(cursor: str, made_for: str, field: str) -> tuple[Any, Any]:
    """The two values that a page ended with. Raises `BadInput` for what is no cursor of that order."""
    try:
        order, value, number = json.loads(base64.urlsafe_b64decode(cursor.encode()))
    except (ValueError, TypeError, RecursionError) as error:
        raise build_cursor_error(cursor, field) from error
    if order != made_for:
        raise BadInput("This cursor belongs to another sort order.", field=field, value=cursor)
    return value, number


def build_cursor_error(cursor: str, field: str) -> BadInput:
    """The refusal of a cursor that is not ours."""
    return BadInput("This cursor is not valid.", field=field, value=cursor)


def _decode_newest(cursor: str, field: str) -> int:
    value, number = decode_cursor(cursor, NEWEST, field)
    if value != "" or type(number) is not int:
        raise build_cursor_error(cursor, field)
    return number
