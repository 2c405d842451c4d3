"""Pages of lists that grow at their head, behind an opaque cursor: rows that come meanwhile shift nothing.

A cursor is signed for what it was made for: the call, its filters and order, and whose rows they are. Any other text,
and one that was made for something else, is refused.
"""

import base64
import hashlib
import hmac
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db.models import Field, Model, Q, QuerySet
from rest_framework import serializers

from emailcheck.common import secrecy
from emailcheck.common.api.deprecations import PAGES, is_answered_as_before, note_use
from emailcheck.common.errors import BadInput

Row = TypeVar("Row", bound=Model)
NEWEST = "newest"
MOST_ROWS, ROWS = 1_000, 100
_TAG_BYTES = 9  # 72 bits, which base 64 writes without padding


class CursorField(serializers.CharField):
    """Where a page begins: `next_cursor` of the page before; empty for the first page."""

    def __init__(self) -> None:
        super().__init__(
            required=False,
            default="",
            allow_blank=True,
            max_length=2_000,
            help_text="`next_cursor` of the last page.",
        )


class LimitField(serializers.IntegerField):
    """How many rows a page has at most; None where the call does not say, which means `rows`."""

    def __init__(self, rows: int = ROWS) -> None:
        super().__init__(
            required=False, min_value=1, max_value=MOST_ROWS, help_text=f"Rows of a page; {rows} where it is left out."
        )


def note_old_pages(query: Mapping[str, Any]) -> None:
    """Note that a call pages in a deprecated way: it says so, or its key is from before and it does not say `limit`.

    Raises `BadInput` for `page` with `cursor`, and `page_size` with `limit`.
    """
    for old, new in (("page", "cursor"), ("page_size", "limit")):
        if query.get(old) is not None and query.get(new):
            raise BadInput(f"`{old}` and `{new}` exclude each other.", field=old, value=query[old])
    says_so = any(query.get(name) is not None for name in ("page", "page_size"))
    if says_so or (query.get("limit") is None and is_answered_as_before(PAGES)):
        note_use(PAGES)


def page_newest(
    found: QuerySet[Row], *, size: int, cursor: str = "", field: str = "cursor", made_for: str = NEWEST
) -> tuple[list[Row], str | None]:
    """A page of rows, newest first, and the cursor of the next one, None at the end.

    `field` names the parameter that carried the cursor, `made_for` whose rows of which call these are. Raises
    `BadInput` for a cursor that is not ours.
    """
    if cursor:
        found = found.filter(pk__lt=decode_cursor(cursor, made_for, field)[1])
    rows = list(found.order_by("-pk")[: size + 1])
    more = len(rows) > size
    rows = rows[:size]
    return rows, encode_cursor(made_for, "", rows[-1].pk) if more else None


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
        found = found.filter(_filter_behind(found.model, order, *decode_cursor(cursor, name, field)))
    by, then = ("-" if back else "" for back in (order.descending, order.pk_descends))
    rows = list(found.order_by(f"{by}{order.column}", f"{then}pk")[: size + 1])
    more = len(rows) > size
    rows = rows[:size]
    return rows, encode_cursor(name, str(getattr(rows[-1], order.column)), rows[-1].pk) if more else None


def _filter_behind(model: type[Model], order: Order, value: str, number: int) -> Q:
    """What comes after the row that a page ended with."""
    column = model._meta.get_field(order.column)
    assert isinstance(column, Field)
    last = column.to_python(value)
    beyond, equal = ("lt" if back else "gt" for back in (order.descending, order.pk_descends))
    return Q(**{f"{order.column}__{beyond}": last}) | Q(**{order.column: last, f"pk__{equal}": number})


def encode_cursor(made_for: str, value: Any, number: Any) -> str:
    """The cursor that carries two values, JSON both, for what it is made for."""
    carried = json.dumps([value, number], separators=(",", ":")).encode()
    return base64.urlsafe_b64encode(_sign(made_for, carried) + carried).rstrip(b"=").decode()


def decode_cursor(cursor: str, made_for: str, field: str) -> tuple[Any, Any]:
    """The two values that a page ended with. Raises `BadInput` for what was not made here for just that."""
    try:
        raw = base64.b64decode(cursor.encode() + b"=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
    except ValueError as error:
        raise build_cursor_error(cursor, field) from error
    tag, carried = raw[:_TAG_BYTES], raw[_TAG_BYTES:]
    if not hmac.compare_digest(tag, _sign(made_for, carried)):
        raise build_cursor_error(cursor, field)
    value, number = json.loads(carried)
    return value, number


def _sign(made_for: str, carried: bytes) -> bytes:
    key = secrecy.derive_key("cursors")
    return hmac.digest(key, made_for.encode() + b"\0" + carried, hashlib.sha256)[:_TAG_BYTES]


def build_cursor_error(cursor: str, field: str) -> BadInput:
    """The refusal of a cursor that is not ours."""
    return BadInput(
        "This cursor is not valid here. Send `next_cursor` of the same list, with the same filters and order.",
        field=field,
        value=cursor,
    )
