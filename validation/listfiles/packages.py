"""An .xlsx file part by part, and its checked sheet row by row; only for the limited process.

The other parts are copied unread. The two that lead to the sheet (ECMA-376 part 1, 12.3.23) are parsed by expat, which
is told to refuse document types and with them entities: no part of a workbook has one.
"""

import base64
import posixpath
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from xml.parsers import expat

from validation.listfiles import sheet_xml
from validation.listfiles.file_kinds import check_members, damaged_workbook_error
from validation.listfiles.shape import ErrorCode, Limits, ListFileError

PART, DATA, SHEET, ROW = "part", "data", "sheet", "row"
Event = tuple[Any, ...]
"""One of:

(PART, name)                    a part begins
(DATA, base64)                  bytes of it
(SHEET, first, prefix)          the checked sheet: its added cells begin in the column `first` from 1, their elements
                                have this prefix
(ROW, number, places, row, before, after)
                                a row that gets cells between the two texts, which are bytes by `TEXT`; the one before
                                includes all since the last row. `row` is its number in the sheet, the others are those
                                of `PlacedRow`
"""
TEXT = ("utf-8", "surrogateescape")
_PIECE_BYTES = 2**16
_BOOK, _RELATIONS = "xl/workbook.xml", "xl/_rels/workbook.xml.rels"  # where calamine looks for them


class AddedColumns(NamedTuple):
    """So many columns behind the table of a sheet, which has so many."""

    sheet: str
    width: int
    columns: int


class PlacedRow(NamedTuple):
    """A row of the sheet, from its first on: `number` as in `AnnotatedRow`, and the places of its verdicts; of the
    header its cells."""

    number: int | None
    places: Sequence[Any]


def copy_package(path: Path, added: AddedColumns, rows: Iterable[PlacedRow], limits: Limits) -> Iterator[Event]:
    """All parts in their order; the rows of the checked sheet that have verdicts are extended.

    `rows` is not read before that sheet begins. Raises `ListFileError`: the package is damaged, or the sheet is full.
    """
    try:
        with zipfile.ZipFile(path) as package:
            check_members(package, limits)
            checked = _find_sheet_part(package, added.sheet)
            for name in dict.fromkeys(package.namelist()):
                yield PART, name
                if name == checked:
                    yield from _extend_sheet(package, name, added, rows)
                else:
                    yield from (_data_event(piece) for piece in _read_pieces(package, name))
    except (zipfile.BadZipFile, zlib.error, OSError, EOFError, ValueError, NotImplementedError) as error:
        raise damaged_workbook_error() from error


def _read_pieces(package: zipfile.ZipFile, name: str) -> Iterator[bytes]:
    with package.open(name) as part:
        while piece := part.read(_PIECE_BYTES):
            yield piece


def _data_event(piece: bytes | bytearray) -> Event:
    return DATA, base64.b64encode(piece).decode()


def _extend_sheet(
    package: zipfile.ZipFile, name: str, added: AddedColumns, rows: Iterable[PlacedRow]
) -> Iterator[Event]:
    first = _find_free_column(package, name, added)
    last = first + added.columns - 1
    placed = _Alignment(rows)
    pieces = sheet_xml.split_rows(_read_pieces(package, name))
    head = next(pieces)
    assert isinstance(head, bytes)
    prefix = sheet_xml.find_prefix(head)
    yield SHEET, first, prefix
    waiting = bytearray(sheet_xml.widen_dimension(head, last))
    for piece in pieces:
        if isinstance(piece, bytes):
            waiting += piece
        elif (here := placed.find_row(piece.number)) is None:
            waiting += piece.head + piece.cells + piece.tail
        else:
            before, after = sheet_xml.extend_row(piece, first, added.columns, prefix)
            yield ROW, here.number, here.places, piece.number, _to_text(waiting + before), _to_text(after)
            waiting.clear()
        if len(waiting) > _PIECE_BYTES:
            yield _data_event(waiting)
            waiting.clear()
    yield _data_event(waiting)


def _to_text(data: bytes | bytearray) -> str:
    return data.decode(*TEXT)


def _find_free_column(package: zipfile.ZipFile, name: str, added: AddedColumns) -> int:
    """The first column behind all that hold anything: formulas without a value are not in the width of the table."""
    pieces = sheet_xml.split_rows(_read_pieces(package, name))
    widths = (sheet_xml.measure_width(piece) for piece in pieces if not isinstance(piece, bytes))
    first = max(added.width, max(widths, default=0)) + 1
    if first + added.columns - 1 > sheet_xml.LAST_COLUMN:
        detail = "The sheet has no room for more columns. Remove those that are not needed."
        raise ListFileError(ErrorCode.TOO_MANY_COLUMNS, detail)
    return first


class _Alignment:
    """Finds the rows of the table by their numbers in the sheet, which ascend."""

    def __init__(self, rows: Iterable[PlacedRow]) -> None:
        self._rows = enumerate(rows, 1)
        self._number, self._row = 0, PlacedRow(None, ())

    def find_row(self, number: int) -> PlacedRow | None:
        """The row with this number in the sheet if it gets cells: the header, or one with an address."""
        while self._number < number:
            following = next(self._rows, None)
            if following is None:
                return None
            self._number, self._row = following
        is_extended = self._number == number and self._row.number is not None and any(self._row.places)
        return self._row if is_extended else None


def _find_sheet_part(package: zipfile.ZipFile, sheet: str) -> str:
    """The name of the part that holds the sheet of this name. Programs differ in how they write it in its relation."""
    names = {name.lower(): name for name in package.namelist()}
    relations = _read_elements(package, names.get(_RELATIONS, _RELATIONS), "Relationship")
    targets = {found.get("Id", ""): found.get("Target", "") for found in relations}
    for found in _read_elements(package, names.get(_BOOK, _BOOK), "sheet"):
        if found.get("name") == sheet:
            target = targets.get(found.get("id", ""), "").replace("\\", "/").lower()
            for path in (posixpath.normpath(f"xl/{target}"), posixpath.normpath(target.lstrip("/"))):
                if path in names:
                    return names[path]
    raise damaged_workbook_error()


def _read_elements(package: zipfile.ZipFile, name: str, wanted: str) -> list[dict[str, str]]:
    """The attributes of all elements of a local name, by their local names."""
    found: list[dict[str, str]] = []

    def start(element: str, attributes: Mapping[str, str]) -> None:
        if element.rpartition(" ")[2] == wanted:
            found.append({key.rpartition(" ")[2]: value for key, value in attributes.items()})

    def refuse(*_: object) -> None:
        raise damaged_workbook_error()

    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = start
    parser.StartDoctypeDeclHandler = refuse
    try:
        for piece in _read_pieces(package, name):
            parser.Parse(piece, False)
        parser.Parse(b"", True)
    except (expat.ExpatError, KeyError) as error:
        raise damaged_workbook_error() from error
    return found
