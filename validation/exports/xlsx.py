"""A workbook written as a stream in constant memory: text, numbers, moments; nothing that could run."""

import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from xml.sax.saxutils import quoteattr

Value = str | int | float | bool | Sequence[object] | None
"""A cell. A sequence is a moment: days since 1899-12-30 and one of `STYLES`."""

STYLES = {"date": 1, "datetime": 2, "time": 3}
_ROWS_AT_ONCE = 500
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_PARTS = {
    "[Content_Types].xml": (
        f'<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPE}.sheet.main+xml"/>'
        f'<Override PartName="/xl/styles.xml" ContentType="{_TYPE}.styles+xml"/>'
        f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_TYPE}.worksheet+xml"/></Types>'
    ),
    "_rels/.rels": (
        f'<Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="rId1" Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>'
    ),
    "xl/_rels/workbook.xml.rels": (
        f'<Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="rId1" Type="{_OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>'
        f'<Relationship Id="rId2" Type="{_OFFICE}/styles" Target="styles.xml"/></Relationships>'
    ),
    "xl/styles.xml": (
        f'<styleSheet xmlns="{_MAIN}"><numFmts count="3"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/>'
        '<numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/><numFmt numFmtId="166" formatCode="[h]:mm:ss"/>'
        '</numFmts><fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts>'
        '<fills count="1"><fill><patternFill patternType="none"/></fill></fills>'
        '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="4"><xf/>'
        '<xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="165" applyNumberFormat="1"/>'
        '<xf numFmtId="166" applyNumberFormat="1"/></cellXfs></styleSheet>'
    ),
}
# What XML cannot hold, and what Excel would take for the escape of such a character (ECMA-376 part 1, 22.9.2.19).
_SPECIAL = re.compile("[&<>\\x00-\\x08\\x0b-\\x1f\\ud800-\\udfff\\ufffe\\uffff]|_(?=x[0-9A-Fa-f]{4}_)")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}


class _ZipBuffer:
    """What the zip writer writes, to be taken piece by piece."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def write(self, data: bytes) -> int:
        self._pieces.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Nothing waits here."""

    def close(self) -> None:
        """Nothing is open."""

    def take(self) -> bytes:
        taken = b"".join(self._pieces)
        self._pieces.clear()
        return taken


def stream_workbook(sheet: str, rows: Iterable[Sequence[Value]]) -> Iterator[bytes]:
    """The bytes of an .xlsx file with one sheet; the first of them before the first row is asked for."""
    pipe = _ZipBuffer()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as package:
        for name, text in _PARTS.items():
            package.writestr(name, _HEAD + text)
        package.writestr("xl/workbook.xml", _workbook_part(sheet))
        yield pipe.take()
        with package.open("xl/worksheets/sheet1.xml", "w", force_zip64=True) as part:
            part.write(f'{_HEAD}<worksheet xmlns="{_MAIN}"><sheetData>'.encode())
            left = iter(rows)
            while some := "".join(map(_render_row, islice(left, _ROWS_AT_ONCE))):
                part.write(some.encode())
                yield pipe.take()
            part.write(b"</sheetData></worksheet>")
    yield pipe.take()


def _workbook_part(sheet: str) -> str:
    named = quoteattr(sheet)
    return (
        f'{_HEAD}<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>'
        f'<sheet name={named} sheetId="1" r:id="rId1"/></sheets></workbook>'
    )


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
            return f'<c s="{STYLES[str(style)]}"><v>{days!r}</v></c>'


def _escape_text(value: str) -> str:
    return _SPECIAL.sub(_escape_character, value)


def _escape_character(found: re.Match[str]) -> str:
    char = found[0]
    return _ENTITIES.get(char) or f"_x{ord(char):04X}_"
