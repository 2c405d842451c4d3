"""Uploaded workbooks with verdicts: an .xlsx file part by part as it was, any other by its values.

What the limited process hands over is bytes of the customer's own file on their way back to the customer: nothing of
them is read here. The zip file around them is made anew, because the sizes and checksums of the sheet are new.
"""

import base64
import contextlib
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import IO, Any

from validation.exports import xlsx
from validation.exports.row_verdicts import RowVerdicts
from validation.exports.xlsx import ZipBuffer
from validation.listfiles.packages import DATA, PART, ROW, SHEET, TEXT
from validation.listfiles.sheet_xml import column_letters

_LONGEST_TEXT = 32_767  # characters of a cell in Excel
_CELL = '<{0}c r="{1}" t="inlineStr"><{0}is><{0}t xml:space="preserve">{2}</{0}t></{0}is></{0}c>'
Items = Iterable[Sequence[Any]]
"""What a product writes, some at a time, as `listfiles.child_process.stream_product` returns it."""


def stream_package(items: Items, verdicts: RowVerdicts) -> Iterator[bytes]:
    """The bytes of the .xlsx file whose `listfiles.packages.Event` come in `items`."""
    buffer = ZipBuffer()
    with (
        zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as package,
        contextlib.closing(_PackageWriter(package)) as writer,
    ):
        for events in items:
            rows = [event[1:3] for event in events if event[0] == ROW]
            cells = iter([found or () for found in verdicts.annotate_rows(rows)])
            for event in events:
                writer.write_event(event, next(cells) if event[0] == ROW else ())
            yield buffer.take()
    yield buffer.take()


class _PackageWriter:
    """Writes the parts of a package, one after the other."""

    def __init__(self, package: zipfile.ZipFile) -> None:
        self._package = package
        self._part: IO[bytes] | None = None
        self._prefix = ""
        self._letters: list[str] = []
        self._first = 1

    def write_event(self, event: Sequence[Any], cells: Sequence[str]) -> None:
        """Write what an event says; `cells` are those that a row gets."""
        if event[0] == PART:
            self.close()
            self._part = self._package.open(event[1], "w", force_zip64=True)
            return
        assert self._part
        if event[0] == DATA:
            self._part.write(base64.b64decode(event[1]))
        elif event[0] == SHEET:
            self._first, self._prefix = event[1:]
        else:
            number, before, after = event[3:]
            self._part.write(before.encode(*TEXT) + self._render_cells(number, cells) + after.encode(*TEXT))

    def close(self) -> None:
        """End the part that was begun, if any."""
        if self._part:
            self._part.close()

    def _render_cells(self, row: int, cells: Sequence[str]) -> bytes:
        while len(self._letters) < len(cells):
            self._letters.append(column_letters(self._first + len(self._letters)))
        texts = (
            _CELL.format(self._prefix, f"{letters}{row}", xlsx.escape_text(cell[:_LONGEST_TEXT]))
            for letters, cell in zip(self._letters, cells, strict=False)
            if cell
        )
        return "".join(texts).encode("ascii", "xmlcharrefreplace")  # whatever the encoding of the sheet


def stream_values(items: Items, width: int, verdicts: RowVerdicts) -> Iterator[bytes]:
    """The bytes of a new .xlsx file with the values of all sheets: `items` begin with their names and go on with rows,
    as the product `values` has them. The checked sheet's table has `width` columns."""
    rows = _ValuesReader(items, width, verdicts)
    is_hidden = not any(is_visible for _, is_visible in rows.sheets)
    return xlsx.stream_sheets(
        [
            xlsx.Sheet(title, is_visible or is_hidden, rows.iterate_sheet(number))
            for number, (title, is_visible) in enumerate(rows.sheets)
        ]
    )


class _ValuesReader:
    """Gives each sheet its rows, in the order in which they come."""

    def __init__(self, items: Items, width: int, verdicts: RowVerdicts) -> None:
        lines = iter(items)
        (self.sheets,) = next(lines)
        self._width, self._verdicts = width, verdicts
        self._rows = chain.from_iterable(map(self._annotate, lines))
        self._next = next(self._rows, None)

    def iterate_sheet(self, number: int) -> Iterator[list[xlsx.Value]]:
        """The rows of a sheet; those of all before it have been read."""
        while self._next and self._next[0] == number:
            yield self._next[1]
            self._next = next(self._rows, None)

    def _annotate(self, rows: Sequence[Sequence[Any]]) -> Iterator[tuple[int, list[xlsx.Value]]]:
        annotated = self._verdicts.annotate_rows([row[1:3] for row in rows])
        for (sheet, _, _, values), cells in zip(rows, annotated, strict=True):
            if cells:
                yield sheet, [*values, *[None] * (self._width - len(values)), *cells]
            elif cells is not None:
                yield sheet, values
