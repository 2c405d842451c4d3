"""Shapes and locations from the JSON in which they travel and are stored."""

from typing import Any

from validation.listfiles.shape import AddressLocation, Column, Kind, ListShape, SheetShape

_LIKELY_SHARE = 0.5


def parse_shape(answer: dict[str, Any]) -> ListShape:
    """The shape from its JSON."""
    others = tuple(SheetShape(**{**other, "columns": _parse_columns(other)}) for other in answer["others"])
    own = {"sheets": tuple(answer["sheets"]), "columns": _parse_columns(answer), "others": others}
    return ListShape(**{**_parse_place(answer), **own})


def parse_location(answer: dict[str, Any]) -> AddressLocation:
    """The location of the addresses from its JSON."""
    return AddressLocation(**_parse_place(answer))


def _parse_place(answer: dict[str, Any]) -> dict[str, Any]:
    """The common fields; a list with one `email_column` has its header right above the first data row."""
    place = {
        "header_row": answer["first_row"] if answer["has_header"] else 0,
        **answer,
        "kind": Kind(answer["kind"]),
        "email_columns": tuple(answer.get("email_columns") or [answer["email_column"]]),
    }
    place.pop("email_column", None)
    return place


def _parse_columns(answer: dict[str, Any]) -> tuple[Column, ...]:
    return tuple(map(_parse_column, answer["columns"]))


def _parse_column(column: dict[str, Any]) -> Column:
    likely = {"likely": column["looks_like_email"] >= _LIKELY_SHARE}
    return Column(**{**likely, **column, "samples": tuple(column["samples"])})
