"""A list walked again where its addresses are known, each row ready to be given back with more columns behind it."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path

from validation.listfiles.columns import Row
from validation.listfiles.formulas import STARTS, protected
from validation.listfiles.shape import Limits, Place
from validation.listfiles.sheets import Value, Workbook
from validation.listfiles.text import LITERAL, QUOTINGS, RFC_4180, UNSPLIT, TextSource, decode

HEADER = 0
_LINE_END = "\r\n"  # cells that hold one of its characters are quoted


@dataclass(slots=True)
class Line:
    """A row of the list. `number` counts data rows from 1; it is `HEADER`, or None for what stands before that.

    A text file's row is `text` without its line end `end`, filled up to the width of the table and inert as a formula;
    "" for an empty line. A spreadsheet's is `values`.
    """

    number: int | None
    email: str
    text: str = ""
    end: str = ""
    values: list[Value] = field(default_factory=list)


def walk(path: Path, place: Place, limits: Limits) -> Iterator[Line]:
    """Every row of the file, header and blank ones included; only for the limited process."""
    rows = _text_lines(path, place) if place.sheet is None else _sheet_lines(path, place, limits)
    for index, line in enumerate(rows):
        line.number = _number(index, place)
        yield line


def _number(index: int, place: Place) -> int | None:
    before_header = place.first_row - place.has_header
    return index - place.first_row + 1 if index >= before_header else None


def _sheet_lines(path: Path, place: Place, limits: Limits) -> Iterator[Line]:
    for row, values in Workbook(path, limits).source(place.sheet or "").values():
        yield Line(None, row.cell(place.email_column - 1), values=values)


def _text_lines(path: Path, place: Place) -> Iterator[Line]:
    text = decode(path.read_bytes(), place.encoding).text
    for index, row in enumerate(TextSource(text, place.delimiter, place.quoting).rows()):
        body = row.raw.rstrip("\r\n")
        end = row.raw[len(body) :]
        if _number(index, place) is not None:
            body = _inert(row, body, place) + _filling(row, place)
        yield Line(None, row.cell(place.email_column - 1), text=body, end=end)


def _filling(row: Row, place: Place) -> str:
    return (place.delimiter or "") * (place.width - len(row.cells)) if row.cells else ""


def _inert(row: Row, body: str, place: Place) -> str:
    """The row's own text unless a cell would run, or sloppy quotes could swallow what is put behind them."""
    formula = any(cell.startswith(STARTS) for cell in row.cells)
    if place.quoting == LITERAL:
        return _protect_each(body, place.delimiter) if formula else body
    sloppy = place.quoting != RFC_4180 and '"' in body
    return _written_anew(row, place) if formula or sloppy else body


def _protect_each(body: str, delimiter: str | None) -> str:
    pieces = body.split(delimiter) if delimiter else [body]
    return (delimiter or "").join(map(_protect_piece, pieces))


def _protect_piece(piece: str) -> str:
    wrapped = len(piece) > 1 and piece[0] == piece[-1] == '"'
    return f'"{protected(piece[1:])}' if wrapped else protected(piece)


def _written_anew(row: Row, place: Place) -> str:
    out = StringIO()
    quoting = QUOTINGS[place.quoting or RFC_4180]
    csv.writer(out, delimiter=place.delimiter or UNSPLIT, lineterminator=_LINE_END, **quoting).writerow(
        [protected(cell) for cell in row.cells]
    )
    return out.getvalue().removesuffix(_LINE_END)
