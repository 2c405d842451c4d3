"""Spreadsheets through calamine, every cell as the text a customer would see in a CSV export."""

import datetime
from collections.abc import Iterator
from pathlib import Path

from python_calamine import (
    CalamineError,
    CalamineSheet,
    CalamineWorkbook,
    PasswordError,
    SheetTypeEnum,
    SheetVisibleEnum,
)

from validation.listfiles.columns import Row, too_many_columns
from validation.listfiles.kinds import damaged, encrypted
from validation.listfiles.shape import ErrorCode, Limits, ListFileError

_EXACT_FLOAT = 2**53

Cell = int | float | str | bool | datetime.time | datetime.date | datetime.datetime | datetime.timedelta


class SheetSource:
    """The rows of one worksheet from its first row and column; may be walked any number of times."""

    preamble = 0

    def __init__(self, sheet: CalamineSheet, limits: Limits) -> None:
        if sheet.total_width > limits.columns:
            raise too_many_columns(limits)
        self._sheet = sheet

    def rows(self) -> Iterator[Row]:
        """Every row in order down to the last that holds a value."""
        start = self._sheet.start
        left = [""] * (start[1] if start else 0)
        for cells in self._sheet.iter_rows():
            yield Row([*left, *map(_text, cells)])


class Workbook:
    """An .xlsx or .xls file that passed the checks of `kinds.spreadsheet_kind`."""

    def __init__(self, path: Path, limits: Limits) -> None:
        self._limits = limits
        try:
            with path.open("rb") as file:
                self._book = CalamineWorkbook.from_filelike(file)
        except PasswordError as error:
            raise encrypted() from error
        except CalamineError as error:
            raise damaged() from error
        self.sheets = self._worksheets()

    def _worksheets(self) -> tuple[str, ...]:
        """Names of the visible worksheets, of the hidden ones when there is no other."""
        found = [sheet for sheet in self._book.sheets_metadata if sheet.typ == SheetTypeEnum.WorkSheet]
        visible = [sheet for sheet in found if sheet.visible == SheetVisibleEnum.Visible]
        return tuple(sheet.name for sheet in visible or found)

    def source(self, name: str) -> SheetSource:
        """The rows of the sheet called `name`.

        Raises:
            ListFileError: no such sheet, a damaged or far too wide one.
        """
        if name not in self.sheets:
            detail = f"There is no sheet {name[:100]!r} in the workbook. Choose one of those it has."
            raise ListFileError(ErrorCode.UNKNOWN_SHEET, detail)
        try:
            return SheetSource(self._book.get_sheet_by_name(name), self._limits)
        except CalamineError as error:
            raise damaged() from error


def _text(value: Cell) -> str:
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
