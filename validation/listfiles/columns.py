"""Finds the columns of the addresses, and the header."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice, zip_longest
from typing import Protocol

from validation.listfiles.cell_texts import SAMPLE_CHARS, Tally, has_at_sign
from validation.listfiles.header_rows import find_header
from validation.listfiles.header_words import is_plain_email_name, names_email
from validation.listfiles.shape import Column, ErrorCode, Limits, ListFileError, ReadOptions

_ROWS_ABOVE = 101  # a header in row 100 at most, and Excel's `sep=;`
_LAST_HEADER_ROW = 100
_MOST_COLUMNS = 10
_ROWS_AT_ONCE = 256
_MOST_FILLED = 4  # times as many cells as there are may be looked at
_LOOK_AHEAD = 1_000
_LIKELY_COLUMNS = 2
_LIKELY_SHARE = 0.5


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


class Source(Protocol):
    """A table that can be read repeatedly; its first `preamble` rows are no data."""

    preamble: int

    def rows(self) -> Iterator[Row]:
        """Every row in order."""
        ...

    def cells(self) -> Iterator[Cells]:
        """The cells of every row in order: what `rows` has, for half the time."""
        ...


@dataclass(frozen=True, slots=True)
class Layout:
    """The location of the addresses. Indexes count from 0; columns in `columns` count from 1, as customers do."""

    header: int | None  # index of the header
    first_row: int  # index of the first data row
    email_columns: tuple[int, ...]
    columns: tuple[Column, ...]
    rows: int
    emails: tuple[list[str], ...] | None  # the cells of each e-mail column, when the one walk over the table kept them


@dataclass(frozen=True, slots=True)
class _Survey:
    """The results of one pass over a whole table."""

    lead: list[Cells]  # the first rows from `lead_index` on, where a header can be
    lead_index: int  # index of the first row that is not blank
    tail: list[Tally]  # the rows after the lead
    total: int
    collected_cells: dict[int, list[str]]  # the cells of the likeliest columns, from the first row behind the preamble

    def row(self, index: int | None) -> list[str]:
        """The cells of the row at `index`; of a blank row above the lead, or without an index, none."""
        return self.lead[index - self.lead_index] if index is not None and index >= self.lead_index else []

    def tally_from(self, index: int) -> list[Tally]:
        """The tallies of all columns from the row at `index` on."""
        above: list[Tally] = []
        for row in self.lead[max(index - self.lead_index, 0) :]:
            _tally_cells(row, above)
        return [first.join(later) for first, later in zip_longest(above, self.tail, fillvalue=Tally())]

    def count_at_signs(self, index: int, column: int) -> int:
        """The number of cells with an @ in `column` below the lead's row `index`."""
        later = self.tail[column].at_signs if column < len(self.tail) else 0
        return later + sum(has_at_sign(cell) for cell in _pick_column(self.lead[index + 1 :], column))


def limit_rows(rows: Iterator[Cells], limits: Limits) -> Iterator[Cells]:
    """The same rows, up to the limits.

    Raises `ListFileError`: too many rows or columns, too long a cell or row.
    """
    return chain.from_iterable(_limit_some(rows, limits))


def _limit_some(rows: Iterator[Cells], limits: Limits) -> Iterator[list[Cells]]:
    number = 1
    while some := list(islice(rows, _ROWS_AT_ONCE)):
        if not _are_within(some, number, limits):
            for index, row in enumerate(some, start=number):
                _check_row(row, index, limits)
        number += len(some)
        yield some


def _are_within(some: list[Cells], number: int, limits: Limits) -> bool:
    """Whether no row of some can exceed a limit."""
    return (
        number + len(some) - 1 <= limits.rows + _ROWS_ABOVE
        and max(map(len, some)) <= limits.columns
        and max(map(len, map("".join, some))) <= limits.cell_chars
    )


def _check_row(row: Cells, number: int, limits: Limits) -> None:
    if number > limits.rows + _ROWS_ABOVE:
        raise _too_many_rows_error(limits)
    if len(row) > limits.columns:
        raise too_many_columns_error(limits)
    length = sum(map(len, row))
    if length > limits.cell_chars and (length > limits.row_chars or max(map(len, row)) > limits.cell_chars):
        detail = f"Row {number:,} holds a cell of more than {limits.cell_chars:,} characters. Shorten it."
        raise ListFileError(ErrorCode.CELL_TOO_LONG, detail)


def _too_many_rows_error(limits: Limits) -> ListFileError:
    detail = f"The file has more than {limits.rows:,} rows. Split it and upload the parts."
    return ListFileError(ErrorCode.TOO_MANY_ROWS, detail)


def too_many_columns_error(limits: Limits) -> ListFileError:
    """The error for a table that is too wide."""
    detail = f"The file has more than {limits.columns:,} columns. Remove those that are not needed."
    return ListFileError(ErrorCode.TOO_MANY_COLUMNS, detail)


def build_layout(source: Source, options: ReadOptions, limits: Limits) -> Layout:
    """Find the e-mail columns, the header and the data rows.

    Raises `ListFileError`: no address, an unknown column or header, an exceeded limit.
    """
    _check_options(options)
    survey = _survey_columns(source, limits)
    everything = survey.tally_from(0)
    if not any(tally.at_signs for tally in everything):
        raise no_emails_error()
    header = _choose_header(survey, everything, options)
    first_row = source.preamble if header is None else header + 1
    tallies = survey.tally_from(first_row)
    tallies.extend(Tally() for _ in range(len(survey.row(header)) - len(tallies)))
    names = survey.row(survey.lead_index if header is None else header)
    chosen = _choose_email_columns(names, tallies, options)
    if not any(tallies[column].at_signs for column in chosen):
        raise no_emails_error()
    rows = survey.total - first_row
    if rows > limits.rows:
        raise _too_many_rows_error(limits)
    columns = tuple(_describe_column(index, tally, survey.row(header)) for index, tally in enumerate(tallies))
    emails = _pick_collected(survey, chosen, first_row - source.preamble)
    return Layout(header, first_row, chosen, columns, rows, emails)


def _pick_collected(survey: _Survey, chosen: tuple[int, ...], above: int) -> tuple[list[str], ...] | None:
    if not survey.collected_cells.keys() >= set(chosen):
        return None
    return tuple(survey.collected_cells[column][above:] for column in chosen)


def no_emails_error() -> ListFileError:
    """The error for a table without any address."""
    return ListFileError(ErrorCode.NO_EMAILS, "No email addresses found in the file")


def _survey_columns(source: Source, limits: Limits) -> _Survey:
    rows = islice(limit_rows(source.cells(), limits), source.preamble, None)
    blank, head = _skip_blank_rows(rows)
    lead = [head, *islice(rows, _LAST_HEADER_ROW)]
    beginning = list(islice(rows, _LOOK_AHEAD))
    tail: list[Tally] = []
    for row in beginning:
        _tally_cells(row, tail)
    survey = _Survey(lead, source.preamble + blank, tail, 0, {})
    collected_cells = {
        column: [""] * blank + _pick_column(chain(lead, beginning), column)
        for column in _list_likely_columns(survey.tally_from(0))
    }
    more = 0
    while some := list(islice(rows, _ROWS_AT_ONCE)):
        more += len(some)
        _add_rows(some, tail, collected_cells)
    total = survey.lead_index + len(lead) + len(beginning) + more
    return replace(survey, total=total, collected_cells=collected_cells)


def _skip_blank_rows(rows: Iterator[Cells]) -> tuple[int, Cells]:
    """The number of blank rows at the start, and the first that is not."""
    for blank, row in enumerate(rows):
        if any(cell and not cell.isspace() for cell in row):
            return blank, row
    raise no_emails_error()


def _pick_column(rows: Iterable[Cells], column: int) -> list[str]:
    """The cells of a column, "" where a row is shorter."""
    return [row[column] if column < len(row) else "" for row in rows]


def _add_rows(some: list[Cells], tallies: list[Tally], collected_cells: dict[int, list[str]]) -> None:
    """Count some rows column by column, unless most columns are empty in most rows: then row by row."""
    width = max(map(len, some))
    if width * len(some) > _MOST_FILLED * sum(map(len, some)):
        for row in some:
            _tally_cells(row, tallies)
        for column, collected in collected_cells.items():
            collected.extend(_pick_column(some, column))
        return
    tallies.extend(Tally() for _ in range(width - len(tallies)))
    for column, (tally, cells) in enumerate(zip(tallies, zip_longest(*some, fillvalue=""), strict=False)):
        tally.add_cells(cells)
        if column in collected_cells:
            collected_cells[column].extend(cells)
    for column, collected in collected_cells.items():
        if column >= width:
            collected.extend([""] * len(some))


def _tally_cells(cells: Cells, tallies: list[Tally]) -> None:
    if len(cells) > len(tallies):
        tallies.extend(Tally() for _ in range(len(cells) - len(tallies)))
    for tally, cell in zip(tallies, cells, strict=False):
        tally.add(cell)


def _list_likely_columns(tallies: list[Tally]) -> list[int]:
    """The columns whose cells are collected, so that a spreadsheet is read only once."""
    likely = [index for index, tally in enumerate(tallies) if tally.at_signs]
    return sorted(likely, key=lambda index: (-tallies[index].addresses, -tallies[index].mixed))[:_LIKELY_COLUMNS]


def _check_options(options: ReadOptions) -> None:
    columns, row = options.email_columns, options.header_row
    if columns is not None and options.email_column is not None:
        raise _columns_error("Give `email_column` or `email_columns`, not both.")
    if columns is not None and not 1 <= len(columns) <= _MOST_COLUMNS:
        raise _columns_error(f"Choose 1 to {_MOST_COLUMNS} e-mail columns.")
    if row is None:
        return
    if not 0 <= row <= _LAST_HEADER_ROW:
        raise _header_row_error(f"The header can be in row 1 to {_LAST_HEADER_ROW}; 0 is a list without a header.")
    if options.has_header is not None and options.has_header != (row > 0):
        raise _header_row_error("`header_row` is 0 for a list without a header, and only then; `has_header` says else.")


def _columns_error(detail: str) -> ListFileError:
    return ListFileError(ErrorCode.INVALID_COLUMNS, detail)


def _header_row_error(detail: str) -> ListFileError:
    return ListFileError(ErrorCode.INVALID_HEADER_ROW, detail)


def _choose_header(survey: _Survey, everything: list[Tally], options: ReadOptions) -> int | None:
    """The index of the header, None for a table without one."""
    if options.header_row is not None:
        if options.header_row > survey.total:
            raise _header_row_error(f"There is no row {options.header_row}: the list ends at row {survey.total}.")
        return options.header_row - 1 if options.header_row else None
    if options.has_header is False:
        return None
    wanted = _list_wanted(options)
    numbers = [int(name) for name in wanted if _is_column_number(name, len(everything))]
    column = numbers[0] - 1 if numbers else _choose_likely_column(everything)
    found = find_header(survey.lead, column, frozenset(wanted), survey.count_at_signs)
    if found is None and options.has_header:
        found = 0
    return None if found is None else survey.lead_index + found


def _list_wanted(options: ReadOptions) -> list[str]:
    wanted = options.email_columns or ([options.email_column] if options.email_column is not None else [])
    return [name.strip().casefold() for name in wanted]


def _is_column_number(wanted: str, count: int) -> bool:
    return wanted.isdecimal() and 1 <= int(wanted[:9]) <= count


def _choose_email_columns(names: list[str], tallies: list[Tally], options: ReadOptions) -> tuple[int, ...]:
    """The columns that the customer chose; else the first that is named e-mail and holds some, else the likeliest."""
    if options.email_column is not None:
        return (_require_column(names, len(tallies), options.email_column, ErrorCode.UNKNOWN_COLUMN),)
    if options.email_columns is None:
        named = [] if options.has_header is False else _list_named_columns(names, tallies)
        return (named[0] if named else _choose_likely_column(tallies),)
    code = ErrorCode.INVALID_COLUMNS
    chosen = tuple(_require_column(names, len(tallies), wanted, code) for wanted in options.email_columns)
    if len(set(chosen)) < len(chosen):
        raise _columns_error("Choose each e-mail column once; give columns with the same name by their numbers.")
    return chosen


def _require_column(names: list[str], count: int, given: str, code: ErrorCode) -> int:
    known = [name.strip().casefold() for name in names]
    wanted = given.strip().casefold()
    if _is_column_number(wanted, count):
        return int(wanted) - 1
    if wanted in known:
        return known.index(wanted)
    detail = f"There is no column {given[:100]!r}. Give the name of a column or a number from 1 to {count}."
    raise ListFileError(code, detail)


def _list_named_columns(names: list[str], tallies: list[Tally]) -> list[int]:
    """The columns that hold an @ below a name for e-mail, the plainest names first."""
    named = [index for index, name in enumerate(names) if names_email(name) and tallies[index].at_signs]
    return sorted(named, key=lambda index: not is_plain_email_name(names[index]))


def _choose_likely_column(tallies: list[Tally]) -> int:
    """The first column that is mostly addresses, else mostly holds them, else the one with the most of them."""
    pure = (index for index, tally in enumerate(tallies) if tally.pure_share >= _LIKELY_SHARE)
    mixed = (index for index, tally in enumerate(tallies) if tally.share >= _LIKELY_SHARE)
    most = max(range(len(tallies)), key=lambda index: (tallies[index].addresses, tallies[index].at_signs))
    return next(chain(pure, mixed), most)


def _describe_column(index: int, tally: Tally, header: list[str]) -> Column:
    name = header[index].strip()[:SAMPLE_CHARS] if index < len(header) else ""
    holds = tally.addresses + tally.mixed > 0
    likely = tally.share >= _LIKELY_SHARE or (holds and names_email(name))
    return Column(index + 1, name or f"Column {index + 1}", tuple(tally.samples), round(tally.share, 3), likely)
