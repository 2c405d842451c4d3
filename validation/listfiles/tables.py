"""A table row by row, or some rows at a time, and the limits of its rows."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Protocol

from validation.listfiles.shape import ErrorCode, Limits, ListFileError

ROWS_ABOVE = 101  # a header in row 100 at most, and Excel's `sep=;`
_ROWS_AT_ONCE = 256


@dataclass(slots=True)
class Row:
    """One record of a file; `raw`: its own text, "" in spreadsheets. Not frozen: that would double its cost."""

    cells: list[str]
    raw: str = ""

    def cell(self, index: int) -> str:
        """The cell at `index` from 0, "" where the row is shorter."""
        return self.cells[index] if index < len(self.cells) else ""


Cells = list[str]
"""The cells of a row; fewer than the table is wide where the last ones are left out."""


class EvenRows:
    """Rows of `width` cells each. `text` has every cell of the first row on an ended line, then those of the next row;
    `at_signs`: how many @ it holds.
    """

    __slots__ = ("_cells", "at_signs", "text", "width")

    def __init__(self, text: str, width: int, at_signs: int) -> None:
        self.text, self.width, self.at_signs = text, width, at_signs
        self._cells = text.split("\n")
        self._cells.pop()

    def __len__(self) -> int:
        return len(self._cells) // self.width

    def pick_column(self, column: int) -> list[str]:
        """The cells of a column from 0, "" where the rows are shorter."""
        return self._cells[column :: self.width] if column < self.width else [""] * len(self)

    def list_rows(self) -> list[Cells]:
        """The rows one by one."""
        return [self._cells[start : start + self.width] for start in range(0, len(self._cells), self.width)]


Block = list[Cells] | EvenRows
"""Some rows of a table, at least one."""


class Source(Protocol):
    """A table that can be read repeatedly; its first `preamble` rows are no data."""

    preamble: int

    def rows(self) -> Iterator[Row]:
        """Every row in order."""
        ...

    def blocks(self) -> Iterator[Block]:
        """The cells of every row in order, some rows at a time: what `rows` has, for a third of the time."""
        ...


def group_rows(rows: Iterator[Cells]) -> Iterator[list[Cells]]:
    """The same rows, some at a time."""
    while some := list(islice(rows, _ROWS_AT_ONCE)):
        yield some


def list_rows(block: Block) -> list[Cells]:
    """The rows of a block one by one."""
    return block.list_rows() if isinstance(block, EvenRows) else block


def limit_blocks(blocks: Iterator[Block], limits: Limits) -> Iterator[Block]:
    """The same rows, up to the limits.

    Raises `ListFileError`: too many rows or columns, too long a cell or row.
    """
    number = 1
    for block in blocks:
        if not _is_within(block, number, limits):
            for index, row in enumerate(list_rows(block), start=number):
                _check_row(row, index, limits)
        number += len(block)
        yield block


def _is_within(block: Block, number: int, limits: Limits) -> bool:
    """Whether no row of a block, which begins with the row `number`, can exceed a limit."""
    if number + len(block) - 1 > limits.rows + ROWS_ABOVE:
        return False
    if isinstance(block, EvenRows):
        return block.width <= limits.columns and len(block.text) <= limits.cell_chars
    return max(map(len, block)) <= limits.columns and max(map(len, map("".join, block))) <= limits.cell_chars


def _check_row(row: Cells, number: int, limits: Limits) -> None:
    if number > limits.rows + ROWS_ABOVE:
        raise too_many_rows_error(limits)
    if len(row) > limits.columns:
        raise too_many_columns_error(limits)
    length = sum(map(len, row))
    if length > limits.cell_chars and (length > limits.row_chars or max(map(len, row)) > limits.cell_chars):
        detail = f"Row {number:,} holds a cell of more than {limits.cell_chars:,} characters. Shorten it."
        raise ListFileError(ErrorCode.CELL_TOO_LONG, detail)


def too_many_rows_error(limits: Limits) -> ListFileError:
    """The error for a table that is too long."""
    detail = f"The file has more than {limits.rows:,} rows. Split it and upload the parts."
    return ListFileError(ErrorCode.TOO_MANY_ROWS, detail)


def too_many_columns_error(limits: Limits) -> ListFileError:
    """The error for a table that is too wide."""
    detail = f"The file has more than {limits.columns:,} columns. Remove those that are not needed."
    return ListFileError(ErrorCode.TOO_MANY_COLUMNS, detail)
