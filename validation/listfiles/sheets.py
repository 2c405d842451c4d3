"""Spreadsheets through calamine; every cell is the text of a CSV export."""

import datetime
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from python_calamine import (
    CalamineError,
    CalamineSheet,
    CalamineWorkbook,
    PasswordError,
    SheetTypeEnum,
    SheetVisibleEnum,
)

from validation.listfiles.file_kinds import damaged_workbook_error, encrypted_workbook_error
from validation.listfiles.shape import ErrorCode, Limits, ListFileError
from validation.listfiles.tables import Block, Cells, Row, group_rows, too_many_columns_error

_EXACT_FLOAT = 2**53

# Day 0 of Excel's calendar, so that days after February 1900 come out right; without a time zone, as all cells are.
_EPOCH = datetime.datetime.combine(datetime.date(1899, 12, 30), datetime.time())
_DAY = datetime.timedelta(days=1)

Value = str | int | float | bool | tuple[float, str] | None
"""A cell that JSON can carry; a moment or a span is (days, one of "date", "datetime", "time")."""

Cell = int | float | str | bool | datetime.time | datetime.date | datetime.datetime | datetime.timedelta


class SheetSource:
    """The rows of one worksheet from its first row and column; may be read repeatedly."""

    preamble = 0

    def __init__(self, sheet: CalamineSheet, limits: Limits) -> None:
        if sheet.total_width > limits.columns:
            raise too_many_columns_error(limits)
        self._sheet = sheet
        start = sheet.start
        self._left = start[1] if start else 0

    @property
    def height(self) -> int:
        """Rows down to the last that holds a value."""
        return self._sheet.end[0] + 1 if self._sheet.end else 0

    def rows(self) -> Iterator[Row]:
        """Every row in order down to the last that holds a value."""
        return map(Row, self.cells())

    def blocks(self) -> Iterator[Block]:
        """The same as plain lists, some rows at a time."""
        return group_rows(self.cells())

    def cells(self) -> Iterator[Cells]:
        """The same as plain lists."""
        left = [""] * self._left
        for cells in self._sheet.iter_rows():
            texts = [cell if type(cell) is str else _format_cell(cell) for cell in cells]
            yield left + texts if left else texts

    def values(self) -> Iterator[tuple[Row, list[Value]]]:
        """Every row with its cells as an .xlsx file would hold them."""
        left: list[Value] = [None] * self._left
        for row, cells in zip(self.rows(), self._sheet.iter_rows(), strict=True):
            yield row, left + [_convert_cell(cell) for cell in cells]


class SheetPreview:
    """The first rows of a sheet."""

    preamble = 0

    def __init__(self, source: SheetSource, rows: int) -> None:
        self._source, self._rows = source, rows

    def rows(self) -> Iterator[Row]:
        """At most so many rows."""
        return islice(self._source.rows(), self._rows)

    def blocks(self) -> Iterator[Block]:
        """The same as plain lists, some rows at a time."""
        return group_rows(islice(self._source.cells(), self._rows))


class Worksheet(NamedTuple):
    """A worksheet that a workbook names."""

    name: str
    is_visible: bool


class Workbook:
    """An .xlsx or .xls file that passed the checks of `file_kinds.detect_spreadsheet_kind`."""

    def __init__(self, path: Path, limits: Limits) -> None:
        self._limits = limits
        try:
            with path.open("rb") as file:
                self._book = CalamineWorkbook.from_filelike(file)
        except PasswordError as error:
            raise encrypted_workbook_error() from error
        except CalamineError as error:
            raise damaged_workbook_error() from error
        self.worksheets = tuple(
            Worksheet(sheet.name, sheet.visible == SheetVisibleEnum.Visible)
            for sheet in self._book.sheets_metadata
            if sheet.typ == SheetTypeEnum.WorkSheet
        )
        self.sheets = self._list_offered()

    def _list_offered(self) -> tuple[str, ...]:
        """Names of the visible worksheets, of the hidden ones when there is no other."""
        visible = [sheet for sheet in self.worksheets if sheet.is_visible]
        return tuple(sheet.name for sheet in visible or self.worksheets)

    def name_of(self, wanted: str) -> str:
        """The name of the wanted sheet, by name or by number from 1."""
        if wanted not in self.sheets and wanted.isdecimal() and 1 <= int(wanted) <= len(self.sheets):
            return self.sheets[int(wanted) - 1]
        return wanted

    def source(self, name: str) -> SheetSource:
        """The rows of the sheet called `name`.

        Raises:
            ListFileError: no such sheet, a damaged or far too wide one.
        """
        if name not in self.sheets:
            detail = f"There is no sheet {name[:100]!r} in the workbook. Choose one of those it has."
            raise ListFileError(ErrorCode.UNKNOWN_SHEET, detail)
        return self._open_sheet(name, self._limits)

    def walk_values(self, name: str) -> Iterator[tuple[Row, list[Value]]]:
        """The rows of any worksheet, however wide, hidden ones too.

        Raises:
            ListFileError: a damaged sheet.
        """
        return self._open_sheet(name, replace(self._limits, columns=sys.maxsize)).values()

    def _open_sheet(self, name: str, limits: Limits) -> SheetSource:
        try:
            return SheetSource(self._book.get_sheet_by_name(name), limits)
        except CalamineError as error:
            raise damaged_workbook_error() from error


def _format_cell(value: Cell) -> str:
    match value:
        case str():
            return value
        case bool():
            return "TRUE" if value else "FALSE"
        case float() if value.is_integer() and abs(value) < _EXACT_FLOAT:
            return str(int(value))
        case datetime.datetime():
            return value.isoformat(" ")
        case datetime.date() | datetime.time():
            return value.isoformat()
        case _:
            return str(value)


def _convert_cell(cell: Cell) -> Value:
    match cell:
        case "":
            return None
        case datetime.datetime():
            return ((cell - _EPOCH) / _DAY, "datetime")
        case datetime.date():
            return ((datetime.datetime.combine(cell, datetime.time()) - _EPOCH) / _DAY, "date")
        case datetime.time():
            return ((datetime.datetime.combine(_EPOCH, cell) - _EPOCH) / _DAY, "time")
        case datetime.timedelta():
            return (cell / _DAY, "time")
        case _:
            return cell
