"""Streams a workbook in constant memory: texts, numbers and dates, without formulas.

openpyxl builds the package, and the rows of its one sheet are written into it as they come: openpyxl itself sends
nothing before it has the last row (ADR 37).
"""

import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell

from validation.exports.zip_buffer import ZipBuffer

Value = str | int | float | bool | Sequence[object] | None
"""A cell. A sequence is a date: days since 1899-12-30 and one of `FORMATS`."""

FORMATS = {"date": "yyyy-mm-dd", "datetime": "yyyy-mm-dd hh:mm:ss", "time": "[h]:mm:ss"}
_STYLES = {name: number for number, name in enumerate(FORMATS, 1)}  # as openpyxl counts them; cells without one have 0
_ROWS_AT_ONCE = 500
_SHEET = "xl/worksheets/sheet1.xml"
_HEAD = (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
)
_NO_TITLE, _LONGEST_TITLE = re.compile(r"[\\*?:/\[\]\x00-\x1f\ud800-\udfff\ufffe\uffff]"), 31
# Characters that XML cannot hold, and texts that Excel reads as their escapes (ECMA-376 part 1, 22.9.2.19).
_SPECIAL = re.compile("[&<>\\x00-\\x08\\x0b-\\x1f\\ud800-\\udfff\\ufffe\\uffff]|_(?=x[0-9A-Fa-f]{4}_)")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}


def stream_workbook(sheet: str, rows: Iterable[Sequence[Value]]) -> Iterator[bytes]:
    """The bytes of an .xlsx file with one sheet. The first bytes are sent before the first row is read."""
    pipe = ZipBuffer()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as package:
        for name, data in _list_parts(sheet):
            package.writestr(name, data)
        yield pipe.take()
        with package.open(_SHEET, "w", force_zip64=True) as part:
            part.write(_HEAD.encode())
            left = iter(rows)
            while some := "".join(map(_render_row, islice(left, _ROWS_AT_ONCE))):
                part.write(some.encode())
                yield pipe.take()
            part.write(b"</sheetData></worksheet>")
    yield pipe.take()


def _list_parts(sheet: str) -> Iterator[tuple[str, bytes]]:
    """All parts but the sheet, of a workbook whose cells have each format once."""
    book = Workbook(write_only=True)
    book.properties.creator = None
    page = book.create_sheet(_NO_TITLE.sub("_", sheet)[:_LONGEST_TITLE] or "Sheet")
    cells = [WriteOnlyCell(page) for _ in FORMATS]
    for cell, number_format in zip(cells, FORMATS.values(), strict=True):
        cell.number_format = number_format
    page.append(cells)
    file = io.BytesIO()
    book.save(file)
    with zipfile.ZipFile(file) as made:
        yield from ((name, made.read(name)) for name in made.namelist() if name != _SHEET)


def _render_row(values: Sequence[Value]) -> str:
    return f"<row>{''.join(map(_render_cell, values))}</row>"


def _render_cell(value: Value) -> str:
    match value:
        case None | "":
            return "<c/>"
        case str():
            return f'<c t="inlineStr"><is><t xml:space="preserve">{_escape_text(value)}</t></is></c>'
        case bool():
            return f'<c t="b"><v>{int(value)}</v></c>'
        case int() | float():
            return f"<c><v>{value!r}</v></c>"
        case _:
            days, style = value
            return f'<c s="{_STYLES[str(style)]}"><v>{days!r}</v></c>'


def _escape_text(value: str) -> str:
    return _SPECIAL.sub(_escape_character, value)


def _escape_character(found: re.Match[str]) -> str:
    char = found[0]
    return _ENTITIES.get(char) or f"_x{ord(char):04X}_"
