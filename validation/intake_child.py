"""The limited process of `listfiles` that also sorts what it reads, so that no list grows in a web process."""

import dataclasses
import json
from typing import Any

from emailcheck.common.cells import protected, unprotected
from validation.intake import cleaned, identity, take_in
from validation.listfiles import Kind, Place, ReadOptions
from validation.listfiles.annotated_rows import Line, walk
from validation.listfiles.child import Request, serve
from validation.listfiles.list_reader import read_list
from validation.operators import count_operators

_LINE_ROWS = 500


def chunks(request: Request) -> dict[str, Any]:
    """The list in chunks, a line each; answers how it was understood and what was counted."""
    reading = read_list(request.path, ReadOptions(**request.ask["options"]), request.limits)
    intake = take_in(map(_address, reading.addresses()), max_credits=request.ask["max_credits"])
    for chunk in intake.chunks(request.ask["chunk_rows"]):
        request.spool.write(json.dumps(chunk) + "\n")
    return {
        "shape": dataclasses.asdict(reading.shape),
        "counts": {
            "rows": intake.lines,
            "possible": intake.possible,
            "bad_syntax": len(intake.impossible),
            "duplicates": intake.duplicates,
            "blank": intake.blank,
        },
        "operators": count_operators(intake.domains()),
    }


def lines(request: Request) -> None:
    """Every row of the file with the number of the row that its verdict is found under, some rows a line."""
    place = Place(**{**request.ask, "kind": Kind(request.ask["kind"])})
    firsts: dict[str, int] = {}
    some: list[object] = []
    for line in walk(request.path, place, request.limits, protect=protected):
        body = (line.text, line.end) if place.sheet is None else (line.values,)
        some.append((line.number, _first(line, firsts), *body))
        if len(some) == _LINE_ROWS:
            request.spool.write(json.dumps(some) + "\n")
            some = []
    request.spool.write(json.dumps(some) + "\n")


def _first(line: Line, firsts: dict[str, int]) -> int | None:
    """The data row that holds the same address first; None for a blank row and for what is no data."""
    address = cleaned(_address(line.email)) if line.number else ""
    if not line.number or not address:
        return None
    return firsts.setdefault(identity(address)[0], line.number)


def _address(cell: str) -> str:
    return unprotected(cell)


if __name__ == "__main__":
    serve({"chunks": chunks, "lines": lines})
