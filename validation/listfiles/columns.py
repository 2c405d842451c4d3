"""Finds the column of the addresses, and the header."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Protocol

from validation.listfiles.shape import Column, ErrorCode, Limits, ListFileError, ReadOptions

_ADDRESS = re.compile(r'(?:"[^"]*"|[^\s@,;|<>"]+)@[^\s@,;|<>"]+\.[^\s@,;|<>"]+')
_LONGEST_ADDRESS = 320
_EMAIL_NAMES = frozenset({"email", "mail", "emailaddress", "mailaddress"})
_PREAMBLE_ROWS = 2  # a header and Excel's `sep=;`
_SAMPLES = 5
_SAMPLE_CHARS = 200
_LOOK_AHEAD = 1_000
_LIKELY_COLUMNS = 2


def looks_like_address(cell: str) -> bool:
    """A rough test for finding the column: one @ with something sensible on both sides."""
    if "@" not in cell:
        return False
    value = cell.strip()
    return len(value) <= _LONGEST_ADDRESS and _ADDRESS.fullmatch(value) is not None


@dataclass(slots=True)
class Row:
    """One record of a file; `raw`: its own text, "" in spreadsheets. Not frozen: that would double its cost."""

    cells: list[str]
    raw: str = ""

    def cell(self, index: int) -> str:
        """The cell at `index` from 0, "" where the row is shorter."""
        return self.cells[index] if index < len(self.cells) else ""

    @property
    def is_blank(self) -> bool:
        """Whether no cell holds anything but white space."""
        return not any(cell and not cell.isspace() for cell in self.cells)


class Source(Protocol):
    """A table that can be read repeatedly; its first `preamble` rows are no data."""

    preamble: int

    def rows(self) -> Iterator[Row]:
        """Every row in order."""
        ...


@dataclass(slots=True)
class _Tally:
    filled: int = 0
    at_signs: int = 0
    addresses: int = 0
    samples: list[str] = field(default_factory=list)

    def add(self, cell: str) -> None:
        if "@" in cell:
            self.at_signs += 1
            self.addresses += looks_like_address(cell)
        elif not cell or cell.isspace():
            return
        if self.filled < _SAMPLES:
            self.samples.append(cell[:_SAMPLE_CHARS])
        self.filled += 1

    @property
    def share(self) -> float:
        return self.addresses / self.filled if self.filled else 0.0


@dataclass(frozen=True, slots=True)
class Layout:
    """The location of the addresses. Indexes count from 0; columns in `columns` count from 1, as customers do."""

    first_row: int  # index of the first data row
    email_column: int
    has_header: bool
    columns: tuple[Column, ...]
    rows: int
    emails: list[str] | None  # the e-mail cells of all data rows, when the one walk over the table kept them


@dataclass(frozen=True, slots=True)
class _Survey:
    """The results of one pass over a whole table."""

    head: Row  # the first row that is not blank
    head_index: int
    with_head: list[_Tally]
    without_head: list[_Tally]
    total: int
    collected_cells: dict[int, list[str]]  # the cells of the likeliest columns, from the first row behind the preamble


def limit_rows(rows: Iterable[Row], limits: Limits) -> Iterator[Row]:
    """The same rows, up to the limits.

    Raises `ListFileError`: too many rows or columns, too long a cell or row.
    """
    for number, row in enumerate(rows, start=1):
        if number > limits.rows + _PREAMBLE_ROWS:
            raise _too_many_rows_error(limits)
        if len(row.cells) > limits.columns:
            raise too_many_columns_error(limits)
        length = sum(map(len, row.cells))
        if length > limits.cell_chars:
            _check_cells(row, length, number, limits)
        yield row


def _too_many_rows_error(limits: Limits) -> ListFileError:
    detail = f"The file has more than {limits.rows:,} rows. Split it and upload the parts."
    return ListFileError(ErrorCode.TOO_MANY_ROWS, detail)


def too_many_columns_error(limits: Limits) -> ListFileError:
    """The error for a table that is too wide."""
    detail = f"The file has more than {limits.columns:,} columns. Remove those that are not needed."
    return ListFileError(ErrorCode.TOO_MANY_COLUMNS, detail)


def _check_cells(row: Row, length: int, number: int, limits: Limits) -> None:
    if length > limits.row_chars or max(map(len, row.cells)) > limits.cell_chars:
        detail = f"Row {number:,} holds a cell of more than {limits.cell_chars:,} characters. Shorten it."
        raise ListFileError(ErrorCode.CELL_TOO_LONG, detail)


def build_layout(source: Source, options: ReadOptions, limits: Limits) -> Layout:
    """Find the e-mail column, the header and the data rows.

    Raises `ListFileError`: no address, an unknown column, an exceeded limit.
    """
    survey = _survey_columns(source, limits)
    column = _choose_email_column(survey, options)
    has_header = _has_header(survey, column, options)
    tallies = survey.without_head if has_header else survey.with_head
    if tallies[column].at_signs == 0:
        raise no_emails_error()
    first_row = survey.head_index + 1 if has_header else source.preamble
    rows = survey.total - first_row
    if rows > limits.rows:
        raise _too_many_rows_error(limits)
    columns = tuple(_describe_column(index, tally, survey, has_header) for index, tally in enumerate(tallies))
    collected_cells = survey.collected_cells.get(column)
    emails = None if collected_cells is None else collected_cells[first_row - source.preamble :]
    return Layout(first_row, column, has_header, columns, rows, emails)


def no_emails_error() -> ListFileError:
    """The error for a table without any address."""
    return ListFileError(ErrorCode.NO_EMAILS, "No email addresses found in the file")


def _survey_columns(source: Source, limits: Limits) -> _Survey:
    rows = islice(limit_rows(source.rows(), limits), source.preamble, None)
    blank, head = _skip_blank_rows(rows)
    beginning = list(islice(rows, _LOOK_AHEAD))
    tallies: list[_Tally] = []
    for row in beginning:
        _tally_cells(row.cells, tallies)
    collected_cells = {
        column: [""] * blank + [row.cell(column) for row in (head, *beginning)]
        for column in _list_likely_columns(tallies)
    }
    appenders = [(column, cells.append) for column, cells in collected_cells.items()]
    more = 0
    for row in rows:
        more += 1
        _tally_cells(row.cells, tallies)
        for column, append in appenders:
            append(row.cell(column))
    tallies.extend(_Tally() for _ in range(len(head.cells) - len(tallies)))
    head_index = source.preamble + blank
    total = head_index + 1 + len(beginning) + more
    return _Survey(head, head_index, _include_head(head, tallies), tallies, total, collected_cells)


def _skip_blank_rows(rows: Iterator[Row]) -> tuple[int, Row]:
    """The number of blank rows at the start, and the first that is not."""
    for blank, row in enumerate(rows):
        if not row.is_blank:
            return blank, row
    raise no_emails_error()


def _tally_cells(cells: list[str], tallies: list[_Tally]) -> None:
    if len(cells) > len(tallies):
        tallies.extend(_Tally() for _ in range(len(cells) - len(tallies)))
    for tally, cell in zip(tallies, cells, strict=False):
        tally.add(cell)


def _list_likely_columns(tallies: list[_Tally]) -> list[int]:
    """The columns whose cells are collected, so that a spreadsheet is read only once."""
    likely = [index for index, tally in enumerate(tallies) if tally.at_signs]
    return sorted(likely, key=lambda index: -tallies[index].addresses)[:_LIKELY_COLUMNS]


def _include_head(head: Row, tallies: list[_Tally]) -> list[_Tally]:
    """The tallies with the first row counted as data."""
    merged = []
    for index, tally in enumerate(tallies):
        first = _Tally()
        first.add(head.cell(index))
        merged.append(
            _Tally(
                filled=first.filled + tally.filled,
                at_signs=first.at_signs + tally.at_signs,
                addresses=first.addresses + tally.addresses,
                samples=(first.samples + tally.samples)[:_SAMPLES],
            )
        )
    return merged


def _choose_email_column(survey: _Survey, options: ReadOptions) -> int:
    if options.email_column is not None:
        return _require_chosen_column(survey, options.email_column)
    likely = _choose_likely_column(survey.with_head)
    named = None if options.has_header is False else _find_named_column(survey.head)
    if named is None:
        return likely
    return named if survey.without_head[named].at_signs else likely


def _require_chosen_column(survey: _Survey, wanted: str) -> int:
    names = [cell.strip().casefold() for cell in survey.head.cells]
    if wanted.strip().casefold() in names:
        return names.index(wanted.strip().casefold())
    count = len(survey.with_head)
    if wanted.strip().isdecimal() and 1 <= int(wanted) <= count:
        return int(wanted) - 1
    detail = f"There is no column {wanted[:100]!r}. Give the name of a column or a number from 1 to {count}."
    raise ListFileError(ErrorCode.UNKNOWN_COLUMN, detail)


def _find_named_column(head: Row) -> int | None:
    for index, cell in enumerate(head.cells):
        if re.sub(r"[\s_-]", "", cell[:_SAMPLE_CHARS]).casefold() in _EMAIL_NAMES:
            return index
    return None


def _choose_likely_column(tallies: list[_Tally]) -> int:
    """The first column that is mostly addresses, else the one with the most of them."""
    for index, tally in enumerate(tallies):
        if tally.share >= 0.5:
            return index
    return max(range(len(tallies)), key=lambda index: (tallies[index].addresses, tallies[index].at_signs))


def _has_header(survey: _Survey, column: int, options: ReadOptions) -> bool:
    """A header is a first row without an address above a column that has some."""
    if options.has_header is not None:
        return options.has_header
    if _find_named_column(survey.head) is not None:
        return True
    cell = survey.head.cell(column)
    return bool(cell.strip()) and "@" not in cell and survey.without_head[column].at_signs > 0


def _describe_column(index: int, tally: _Tally, survey: _Survey, has_header: bool) -> Column:
    name = survey.head.cell(index).strip()[:_SAMPLE_CHARS] if has_header else ""
    return Column(index + 1, name or f"Column {index + 1}", tuple(tally.samples), round(tally.share, 3))
