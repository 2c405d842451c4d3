"""Reads a list again by its known address location, and prepares each row for added columns."""

import csv
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path

from validation.listfiles.shape import AddressLocation, Limits
from validation.listfiles.sheets import Value, Workbook
from validation.listfiles.tables import Row, Source
from validation.listfiles.text import LITERAL, QUOTINGS, RFC_4180, UNSPLIT, TextSource, decode_text

HEADER = 0
_LINE_END = "\r\n"  # cells that hold one of its characters are quoted

Protect = Callable[[str], str] | None
"""Makes a cell that a spreadsheet could execute inert, and leaves others unchanged. None: all rows stay as uploaded."""


@dataclass(slots=True)
class AnnotatedRow:
    """A row of the list.

    `number` counts data rows from 1; it is `HEADER`, or None for the title rows above it. `emails` are its e-mail
    cells, one for each e-mail column. A text file's row is `text` without its line end `end`, protected, and from the
    header on filled up to the width of the table; "" for an empty line. `cells` are those of the file, as text.
    """

    number: int | None
    emails: list[str]
    text: str = ""
    end: str = ""
    cells: list[str] = field(default_factory=list)


@dataclass(slots=True)
class ValuesRow:
    """A row of a workbook as values: `sheet` counts all its worksheets from 0; `line` is set in the one that was
    checked."""

    sheet: int
    line: AnnotatedRow | None
    values: list[Value]


def walk_rows(path: Path, location: AddressLocation, limits: Limits, *, protect: Protect) -> Iterator[AnnotatedRow]:
    """Every row of the file, header and blank ones included; only for the limited process."""
    rows = (
        _read_text_lines(path, location, protect)
        if location.sheet is None
        else _read_sheet_lines(path, location, limits)
    )
    for index, line in enumerate(rows):
        line.number = _number_row(index, location)
        yield line


def walk_values(book: Workbook, location: AddressLocation) -> Iterator[ValuesRow]:
    """Every row of every worksheet, hidden ones too, in their order; only for the limited process."""
    for sheet, page in enumerate(book.worksheets):
        for index, (row, values) in enumerate(book.walk_values(page.name)):
            is_checked = page.name == location.sheet
            line = _annotate_row(row, location, _number_row(index, location)) if is_checked else None
            yield ValuesRow(sheet, line, values)


def _number_row(index: int, location: AddressLocation) -> int | None:
    before_header = location.first_row - location.has_header
    return index - location.first_row + 1 if index >= before_header else None


def _read_sheet_lines(path: Path, location: AddressLocation, limits: Limits) -> Iterator[AnnotatedRow]:
    for row in Workbook(path, limits).source(location.sheet or "").rows():
        yield _annotate_row(row, location, None)


def _annotate_row(row: Row, location: AddressLocation, number: int | None) -> AnnotatedRow:
    return AnnotatedRow(number, _list_emails(row, location), cells=row.cells)


def _read_text_lines(path: Path, location: AddressLocation, protect: Protect) -> Iterator[AnnotatedRow]:
    text = decode_text(path.read_bytes(), location.encoding).text
    for index, row in enumerate(TextSource(text, location.delimiter, location.quoting).rows()):
        body = row.raw.rstrip("\r\n")
        end = row.raw[len(body) :]
        if protect is not None:
            body = _protect_row(row, body, location, protect)
        if _number_row(index, location) is not None:
            body += _build_padding(row, location)
        yield AnnotatedRow(None, _list_emails(row, location), text=body, end=end, cells=row.cells)


def _list_emails(row: Row, location: AddressLocation) -> list[str]:
    return [row.cell(column - 1) for column in location.email_columns]


def _build_padding(row: Row, location: AddressLocation) -> str:
    return (location.delimiter or "") * (location.width - len(row.cells)) if row.cells else ""


def _protect_row(row: Row, body: str, location: AddressLocation, protect: Callable[[str], str]) -> str:
    """The row's own text, unless a cell could be executed, or sloppy quotes could swallow the added columns."""
    cells = [protect(cell) for cell in row.cells]
    runs = cells != row.cells
    if location.quoting == LITERAL:
        return _protect_each(body, location.delimiter, protect) if runs else body
    sloppy = location.quoting != RFC_4180 and '"' in body
    return _rewrite_row(cells, location) if runs or sloppy else body


def _protect_each(body: str, delimiter: str | None, protect: Callable[[str], str]) -> str:
    pieces = body.split(delimiter) if delimiter else [body]
    return (delimiter or "").join(_protect_piece(piece, protect) for piece in pieces)


def _protect_piece(piece: str, protect: Callable[[str], str]) -> str:
    wrapped = len(piece) > 1 and piece[0] == piece[-1] == '"'
    return f'"{protect(piece[1:-1])}"' if wrapped else protect(piece)


def _rewrite_row(cells: list[str], location: AddressLocation) -> str:
    out = StringIO()
    quoting = QUOTINGS[location.quoting or RFC_4180]
    csv.writer(out, delimiter=location.delimiter or UNSPLIT, lineterminator=_LINE_END, **quoting).writerow(cells)
    return out.getvalue().removesuffix(_LINE_END)


def walk_cells(path: Path, location: AddressLocation, limits: Limits) -> Iterator[tuple[int, list[str]]]:
    """The header as row 0, where there is one, and every data row by its number from 1, each with its cells as text.

    Only for the limited process, because it trusts the file.
    """
    for index, row in enumerate(_open_source(path, location, limits).rows(), start=1 - location.first_row):
        if index >= 1 - location.has_header:
            yield index, row.cells


def _open_source(path: Path, location: AddressLocation, limits: Limits) -> Source:
    if location.sheet is not None:
        return Workbook(path, limits).source(location.sheet)
    text = decode_text(path.read_bytes(), location.encoding).text
    return TextSource(text, location.delimiter, location.quoting)
