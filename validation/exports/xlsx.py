"""Streams a workbook in constant memory: texts, numbers and dates, without formulas.

openpyxl builds the package, and the rows of its sheets are written into it as they come: openpyxl itself sends
nothing before it has the last row (ADR 37).
"""

import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell

Value = str | int | float | bool | Sequence[object] | None
"""A cell. A sequence is a date: days since 1899-12-30 and one of `FORMATS`."""

FORMATS = {"date": "yyyy-mm-dd", "datetime": "yyyy-mm-dd hh:mm:ss", "time": "[h]:mm:ss"}
_STYLES = {name: number for number, name in enumerate(FORMATS, 1)}  # as openpyxl counts them; cells without one have 0
_ROWS_AT_ONCE = 500
_SHEET = "xl/worksheets/sheet{}.xml"
_HEAD = (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
)
_NO_TITLE, _LONGEST_TITLE = re.compile(r"[\\*?:/\[\]\x00-\x1f\ud800-\udfff\ufffe\uffff]"), 31
# Characters that XML cannot hold, and texts that Excel reads as their escapes (ECMA-376 part 1, 22.9.2.19).
_SPECIAL = re.compile("[&<>\\x00-\\x08\\x0b-\\x1f\\ud800-\\udfff\\ufffe\\uffff]|_(?=x[0-9A-Fa-f]{4}_)")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}


class ZipBuffer:
    """Collects the output of a `zipfile.ZipFile`, to be read piece by piece. It cannot be sought, so that the writer
    puts sizes behind each member (APPNOTE.TXT of PKWARE, 4.3.9)."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def write(self, data: bytes) -> int:
        self._pieces.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Does nothing: the buffer is never flushed."""

    def close(self) -> None:
        """Does nothing: there is no file to close."""

    def take(self) -> bytes:
        taken = b"".join(self._pieces)
        self._pieces.clear()
        return taken


class Sheet(NamedTuple):
    """A sheet to be written. Of a workbook at least one is visible."""

    title: str
    is_visible: bool
    rows: Iterable[Sequence[Value]]


def stream_workbook(sheet: str, rows: Iterable[Sequence[Value]]) -> Iterator[bytes]:
    """The bytes of an .xlsx file with one sheet. The first bytes are sent before the first row is read."""
    return stream_sheets([Sheet(sheet, True, rows)])


def stream_sheets(sheets: Sequence[Sheet]) -> Iterator[bytes]:
    """The bytes of an .xlsx file. The rows of each sheet are read to their end before those of the next."""
    buffer = ZipBuffer()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as package:
        for name, data in _list_parts(sheets):
            package.writestr(name, data)
        yield buffer.take()
        for number, sheet in enumerate(sheets, 1):
            with package.open(_SHEET.format(number), "w", force_zip64=True) as part:
                part.write(_HEAD.encode())
                left = iter(sheet.rows)
                while some := "".join(map(_render_row, islice(left, _ROWS_AT_ONCE))):
                    part.write(some.encode())
                    yield buffer.take()
                part.write(b"</sheetData></worksheet>")
    yield buffer.take()


def _list_parts(sheets: Sequence[Sheet]) -> Iterator[tuple[str, bytes]]:
    """All parts but the sheets, of a workbook whose cells have each format once."""
    book = Workbook(write_only=True)
    book.properties.creator = None
    for sheet in sheets:
        page = book.create_sheet(_NO_TITLE.sub("_", sheet.title)[:_LONGEST_TITLE] or "Sheet")
        page.sheet_state = "visible" if sheet.is_visible else "hidden"
    cells = [WriteOnlyCell(book.worksheets[0]) for _ in FORMATS]
    for cell, number_format in zip(cells, FORMATS.values(), strict=True):
        cell.number_format = number_format
    book.worksheets[0].append(cells)
    book.active = next(number for number, sheet in enumerate(sheets) if sheet.is_visible)
    file = io.BytesIO()
    book.save(file)
    written = {_SHEET.format(number) for number, _ in enumerate(sheets, 1)}
    with zipfile.ZipFile(file) as made:
        yield from ((name, made.read(name)) for name in made.namelist() if name not in written)


def _render_row(values: Sequence[Value]) -> str:
    return f"<row>{''.join(map(_render_cell, values))}</row>"


def _render_cell(value: Value) -> str:
    match value:
        case None | "":
            return "<c/>"
        case str():
            return f'<c t="inlineStr"><is><t xml:space="preserve">{escape_text(value)}</t></is></c>'
        case bool():
            return f'<c t="b"><v>{int(value)}</v></c>'
        case int() | float():
            return f"<c><v>{value!r}</v></c>"
        case _:
            days, style = value
            return f'<c s="{_STYLES[str(style)]}"><v>{days!r}</v></c>'


def escape_text(value: str) -> str:
    """A text as the content of an element."""
    return _SPECIAL.sub(_escape_character, value)


def _escape_character(found: re.Match[str]) -> str:
    char = found[0]
    return _ENTITIES.get(char) or f"_x{ord(char):04X}_"
