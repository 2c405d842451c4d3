"""Finds the columns of the addresses, and the header."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain, islice, zip_longest
from typing import Protocol

from validation.listfiles.cell_texts import has_at_sign, holds_address, is_address
from validation.listfiles.header_rows import find_header
from validation.listfiles.header_words import is_plain_email_name, names_email
from validation.listfiles.shape import Column, ErrorCode, Limits, ListFileError, ReadOptions

_ROWS_ABOVE = 101  # a header in row 100 at most, and Excel's `sep=;`
_LAST_HEADER_ROW = 100
_MOST_COLUMNS = 10
_SAMPLES = 5
_SAMPLE_CHARS = 200
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
    addresses: int = 0  # cells that are an address and nothing else
    mixed: int = 0  # other cells that hold one
    samples: list[str] = field(default_factory=list)

    def add(self, cell: str) -> None:
        if "@" in cell:
            self.at_signs += 1
            if is_address(cell):
                self.addresses += 1
            else:
                self.mixed += holds_address(cell)
        elif not cell or cell.isspace():
            return
        elif not cell.isascii() and has_at_sign(cell):
            self.at_signs += 1
            self.mixed += holds_address(cell)
        if self.filled < _SAMPLES:
            self.samples.append(cell[:_SAMPLE_CHARS])
        self.filled += 1

    def join(self, later: "_Tally") -> "_Tally":
        """The tally of the same column over these rows and `later` ones."""
        return _Tally(
            filled=self.filled + later.filled,
            at_signs=self.at_signs + later.at_signs,
            addresses=self.addresses + later.addresses,
            mixed=self.mixed + later.mixed,
            samples=(self.samples + later.samples)[:_SAMPLES],
        )

    @property
    def pure_share(self) -> float:
        return self.addresses / self.filled if self.filled else 0.0

    @property
    def share(self) -> float:
        return (self.addresses + self.mixed) / self.filled if self.filled else 0.0


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

    lead: list[Row]  # the first rows from `lead_index` on, where a header can be
    lead_index: int  # index of the first row that is not blank
    tail: list[_Tally]  # the rows after the lead
    total: int
    collected_cells: dict[int, list[str]]  # the cells of the likeliest columns, from the first row behind the preamble

    def row(self, index: int | None) -> list[str]:
        """The cells of the row at `index`; of a blank row above the lead, or without an index, none."""
        return self.lead[index - self.lead_index].cells if index is not None and index >= self.lead_index else []

    def tally_from(self, index: int) -> list[_Tally]:
        """The tallies of all columns from the row at `index` on."""
        above: list[_Tally] = []
        for row in self.lead[max(index - self.lead_index, 0) :]:
            _tally_cells(row.cells, above)
        return [first.join(later) for first, later in zip_longest(above, self.tail, fillvalue=_Tally())]

    def count_at_signs(self, index: int, column: int) -> int:
        """The number of cells with an @ in `column` below the lead's row `index`."""
        later = self.tail[column].at_signs if column < len(self.tail) else 0
        return later + sum(has_at_sign(row.cell(column)) for row in self.lead[index + 1 :])


def limit_rows(rows: Iterable[Row], limits: Limits) -> Iterator[Row]:
    """The same rows, up to the limits.

    Raises `ListFileError`: too many rows or columns, too long a cell or row.
    """
    for number, row in enumerate(rows, start=1):
        if number > limits.rows + _ROWS_ABOVE:
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
    tallies.extend(_Tally() for _ in range(len(survey.row(header)) - len(tallies)))
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
    rows = islice(limit_rows(source.rows(), limits), source.preamble, None)
    blank, head = _skip_blank_rows(rows)
    lead = [head, *islice(rows, _LAST_HEADER_ROW)]
    beginning = list(islice(rows, _LOOK_AHEAD))
    tail: list[_Tally] = []
    for row in beginning:
        _tally_cells(row.cells, tail)
    survey = _Survey(lead, source.preamble + blank, tail, 0, {})
    collected_cells = {
        column: [""] * blank + [row.cell(column) for row in chain(lead, beginning)]
        for column in _list_likely_columns(survey.tally_from(0))
    }
    appenders = [(column, cells.append) for column, cells in collected_cells.items()]
    more = 0
    for row in rows:
        more += 1
        _tally_cells(row.cells, tail)
        for column, append in appenders:
            append(row.cell(column))
    total = survey.lead_index + len(lead) + len(beginning) + more
    return replace(survey, total=total, collected_cells=collected_cells)


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


def _choose_header(survey: _Survey, everything: list[_Tally], options: ReadOptions) -> int | None:
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
    rows = [row.cells for row in survey.lead]
    found = find_header(rows, column, frozenset(wanted), survey.count_at_signs)
    if found is None and options.has_header:
        found = 0
    return None if found is None else survey.lead_index + found


def _list_wanted(options: ReadOptions) -> list[str]:
    wanted = options.email_columns or ([options.email_column] if options.email_column is not None else [])
    return [name.strip().casefold() for name in wanted]


def _is_column_number(wanted: str, count: int) -> bool:
    return wanted.isdecimal() and 1 <= int(wanted[:9]) <= count


def _choose_email_columns(names: list[str], tallies: list[_Tally], options: ReadOptions) -> tuple[int, ...]:
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


def _list_named_columns(names: list[str], tallies: list[_Tally]) -> list[int]:
    """The columns that hold an @ below a name for e-mail, the plainest names first."""
    named = [index for index, name in enumerate(names) if names_email(name) and tallies[index].at_signs]
    return sorted(named, key=lambda index: not is_plain_email_name(names[index]))


def _choose_likely_column(tallies: list[_Tally]) -> int:
    """The first column that is mostly addresses, else mostly holds them, else the one with the most of them."""
    pure = (index for index, tally in enumerate(tallies) if tally.pure_share >= _LIKELY_SHARE)
    mixed = (index for index, tally in enumerate(tallies) if tally.share >= _LIKELY_SHARE)
    most = max(range(len(tallies)), key=lambda index: (tallies[index].addresses, tallies[index].at_signs))
    return next(chain(pure, mixed), most)


def _describe_column(index: int, tally: _Tally, header: list[str]) -> Column:
    name = header[index].strip()[:_SAMPLE_CHARS] if index < len(header) else ""
    holds = tally.addresses + tally.mixed > 0
    likely = tally.share >= _LIKELY_SHARE or (holds and names_email(name))
    return Column(index + 1, name or f"Column {index + 1}", tuple(tally.samples), round(tally.share, 3), likely)
