"""The limited process of `listfiles` that also sorts the addresses, so that a web process never holds a long list."""

import dataclasses
import json
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from emailcheck.common.text.csv_cells import protect_cell, unprotect_cell
from validation.batches.intake.addresses import choose_positions_a_row, sort_rows
from validation.batches.intake.cells import CellReader
from validation.batches.intake.choices import parse_choices
from validation.batches.intake.operators import count_operators
from validation.listfiles import ReadOptions, parse_location
from validation.listfiles.annotated_rows import AnnotatedRow, walk_rows
from validation.listfiles.child import Request, serve_request
from validation.listfiles.list_reader import read_list

_LINE_ROWS = 500


def write_chunks(request: Request) -> dict[str, Any]:
    """Write what is to be reviewed, then the list in chunks, each as a line. Returns how the file was read, and the
    counts.

    Findings are objects of JSON and chunks are lists, so that a reader tells them apart by the first byte.
    """
    ask = request.ask
    options, choices = ReadOptions(**ask["options"]), parse_choices(ask["choices"])
    reading = read_list(request.path, options, request.limits)
    write = request.spool.write
    intake = sort_rows(
        (tuple(map(unprotect_cell, cells)) for cells in reading.cells()),
        CellReader(choices),
        columns=reading.shape.email_columns,
        max_credits=ask["max_credits"],
        free=_read_positions(ask["free"]),
        after=ask["after"],
        note=lambda finding: write(finding.encode()),
    )
    for finding in intake.list_suggestions():
        intake.found.suggestions += 1
        write(finding.encode())
    for chunk in intake.chunks(ask["chunk_rows"]):
        write(json.dumps(chunk) + "\n")
    return {
        "shape": dataclasses.asdict(reading.shape),
        "counts": {
            "rows": intake.rows,
            "possible": intake.possible,
            "bad_syntax": len(intake.impossible),
            "duplicates": intake.duplicates,
            "blank": intake.blank,
            "cut_at": intake.cut_at,
            "rest": None if intake.cut_at is None else dataclasses.asdict(intake.rest),
            "content_hash": intake.hash_content(),
        },
        "findings": intake.found.as_json() | {"by_column": intake.by_column},
        "operators": count_operators(intake.domains()),
    }


def _read_positions(path: str) -> frozenset[int]:
    """The positions in a file of 32-bit numbers."""
    return frozenset(array("I", Path(path).read_bytes()))


def write_lines(request: Request) -> None:
    """Write every row of the file with its addresses, some rows a line: [number, places, *body].

    `number`: 0 for the header, None above it, else the data row. `places`: for each e-mail column its addresses, each
    [position, index, address]; `index` counts the different addresses of the list from 0, so that a duplicate has the
    index of the first.
    """
    location = parse_location(request.ask["location"])
    reader = CellReader(parse_choices(request.ask["choices"]))
    protect = protect_cell if request.ask["protects"] else None
    indexes = _Indexes(reader, choose_positions_a_row(reader.choices, len(location.email_columns)))
    some: list[object] = []
    for line in walk_rows(request.path, location, request.limits, protect=protect):
        body = (line.text, line.end) if location.sheet is None else (line.values,)
        some.append((line.number, list(indexes.place(line)), *body))
        if len(some) == _LINE_ROWS:
            request.spool.write(json.dumps(some) + "\n")
            some = []
    request.spool.write(json.dumps(some) + "\n")


class _Indexes:
    """Numbers the different addresses of a list in order of their first appearance, as `sort_rows` meets them."""

    def __init__(self, reader: CellReader, positions_a_row: int) -> None:
        self._reader = reader
        self._positions_a_row = positions_a_row
        self._by_key: dict[str, int] = {}

    def place(self, line: AnnotatedRow) -> Iterator[list[tuple[int, int, str]]]:
        """The addresses of each e-mail column; none of a row outside the data."""
        if not line.number:
            return
        position = line.number * self._positions_a_row
        for cell in line.emails:
            places = []
            for entry in self._reader.read(unprotect_cell(cell), line.number).entries:
                places.append((position, self._by_key.setdefault(entry.key, len(self._by_key)), entry.address))
                position += 1
            yield places


if __name__ == "__main__":
    serve_request({"chunks": write_chunks, "lines": write_lines})
