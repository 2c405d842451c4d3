"""The limited process of `listfiles` that reads a list once more, row by row, with the places of its addresses."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from emailcheck.common.text.csv_cells import protect_cell, unprotect_cell
from validation.batches.intake.addresses import choose_positions_a_row
from validation.batches.intake.cells import CellReader
from validation.batches.intake.choices import parse_choices
from validation.listfiles import AddressLocation, parse_location
from validation.listfiles.annotated_rows import HEADER, AnnotatedRow, walk_cells, walk_rows, walk_values
from validation.listfiles.child import Request, serve_request, write_rows
from validation.listfiles.packages import AddedColumns, PlacedRow, copy_package
from validation.listfiles.sheets import Workbook


def write_lines(request: Request) -> None:
    """Write every row of a text file as [number, places, text, line end].

    `number`: 0 for the header, None above it, else the data row. `places`: for each e-mail column its addresses, each
    [position, index, address]; `index` counts the different addresses of the list from 0, so that a duplicate has the
    index of the first. The header has its cells instead.
    """
    location, indexes = _begin_rows(request)
    protect = protect_cell if request.ask["protects"] else None
    lines = walk_rows(request.path, location, request.limits, protect=protect)
    write_rows(request.spool, ((line.number, indexes.place(line), line.text, line.end) for line in lines))


def write_package(request: Request) -> None:
    """Write the parts of an .xlsx file, as `listfiles.packages.Event` has them."""
    location, indexes = _begin_rows(request)
    added = AddedColumns(location.sheet or "", location.width, request.ask["added"])
    lines = walk_rows(request.path, location, request.limits, protect=None)
    rows = (PlacedRow(line.number, indexes.place(line)) for line in lines)
    write_rows(request.spool, copy_package(request.path, added, rows, request.limits))


def write_values(request: Request) -> None:
    """Write the names of the sheets of a workbook as [[name, is_visible], …], and then every row as [sheet, number,
    places, values]."""
    location, indexes = _begin_rows(request)
    book = Workbook(request.path, request.limits)
    rows = (
        (row.sheet, row.line and row.line.number, indexes.place(row.line) if row.line else (), row.values)
        for row in walk_values(book, location)
    )
    write_rows(request.spool, chain([book.worksheets], rows))


def write_header(request: Request) -> None:
    """Write the cells of the header; none where the file has no header."""
    location, _ = _begin_rows(request)
    lines = walk_rows(request.path, location, request.limits, protect=None)
    write_rows(request.spool, [next((line.cells for line in lines if line.number == HEADER), [])])


def write_cells(request: Request) -> None:
    """Write the header and every data row as [number, cells], without our apostrophes."""
    location = parse_location(request.ask["location"])
    rows = walk_cells(request.path, location, request.limits)
    write_rows(request.spool, ((number, list(map(unprotect_cell, cells))) for number, cells in rows))


def _begin_rows(request: Request) -> tuple[AddressLocation, "_Indexes"]:
    location = parse_location(request.ask["location"])
    reader = CellReader(parse_choices(request.ask["choices"]), protected=True)
    return location, _Indexes(reader, choose_positions_a_row(reader.choices, len(location.email_columns)))


class _Indexes:
    """Numbers the different addresses of a list in order of their first appearance, as `sort_rows` meets them."""

    def __init__(self, reader: CellReader, positions_a_row: int) -> None:
        self._reader = reader
        self._positions_a_row = positions_a_row
        self._by_key: dict[str, int] = {}

    def place(self, line: AnnotatedRow) -> list[Any]:
        """The addresses of each e-mail column; nothing of a row outside the data, and of the header its cells."""
        if line.number:
            return list(self._place_emails(line.emails, line.number))
        return line.cells if line.number == HEADER else []

    def _place_emails(self, emails: Sequence[str], number: int) -> Iterator[list[tuple[int, int, str]]]:
        position = number * self._positions_a_row
        for cell in emails:
            places = []
            for entry in self._reader.read(cell, number).entries:
                places.append((position, self._by_key.setdefault(entry.key, len(self._by_key)), entry.address))
                position += 1
            yield places


if __name__ == "__main__":
    serve_request(
        {
            "cells": write_cells,
            "header": write_header,
            "lines": write_lines,
            "package": write_package,
            "values": write_values,
        }
    )
