"""The limited process of `listfiles` that also sorts the addresses, so that a web process never holds a long list."""

import dataclasses
import json
from itertools import islice
from typing import Any

from emailcheck.common.text.csv_cells import protect_cell, unprotect_cell
from validation.batches.intake.addresses import address_key, clean_line, sort_lines
from validation.batches.intake.operators import count_operators
from validation.listfiles import AddressLocation, Kind, ReadOptions
from validation.listfiles.annotated_rows import AnnotatedRow, walk_rows
from validation.listfiles.cell_rows import walk_cells
from validation.listfiles.child import Request, serve_request
from validation.listfiles.list_reader import read_list

_LINE_ROWS = 500


def write_chunks(request: Request) -> dict[str, Any]:
    """Write the list in chunks, one a line. Returns how the file was read, and the counts."""
    reading = read_list(request.path, ReadOptions(**request.ask["options"]), request.limits)
    intake = sort_lines(map(unprotect_cell, reading.addresses()), max_credits=request.ask["max_credits"])
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


def write_lines(request: Request) -> None:
    """Write every row of the file with the number of the row that has its verdict, some rows a line."""
    location = AddressLocation(**{**request.ask, "kind": Kind(request.ask["kind"])})
    firsts: dict[str, int] = {}
    some: list[object] = []
    for line in walk_rows(request.path, location, request.limits, protect=protect_cell):
        body = (line.text, line.end) if location.sheet is None else (line.values,)
        some.append((line.number, _find_first_row(line, firsts), *body))
        if len(some) == _LINE_ROWS:
            request.spool.write(json.dumps(some) + "\n")
            some = []
    request.spool.write(json.dumps(some) + "\n")


def _find_first_row(line: AnnotatedRow, firsts: dict[str, int]) -> int | None:
    """The first data row with the same address; None for a blank row and a row outside the data."""
    address = clean_line(unprotect_cell(line.email)) if line.number else ""
    if not line.number or not address:
        return None
    return firsts.setdefault(address_key(address)[0], line.number)


def write_cells(request: Request) -> None:
    """Write the header and every data row as `[number, cells]`, some rows a line, without our apostrophes."""
    location = AddressLocation(**{**request.ask, "kind": Kind(request.ask["kind"])})
    rows = walk_cells(request.path, location, request.limits)
    while some := [(number, list(map(unprotect_cell, cells))) for number, cells in islice(rows, _LINE_ROWS)]:
        request.spool.write(json.dumps(some) + "\n")


if __name__ == "__main__":
    serve_request({"chunks": write_chunks, "lines": write_lines, "cells": write_cells})
