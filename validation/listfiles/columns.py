"""Finds the columns of the addresses, and the header."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain, zip_longest

from validation.listfiles.cell_texts import SAMPLE_CHARS, Tally, are_addresses, are_filled, has_at_sign
from validation.listfiles.header_rows import find_header
from validation.listfiles.header_words import is_plain_email_name, names_email
from validation.listfiles.shape import LIKELY_SHARE, Column, ErrorCode, Limits, ListFileError, ReadOptions
from validation.listfiles.tables import (
    Block,
    Cells,
    EvenRows,
    Source,
    limit_blocks,
    list_rows,
    too_many_rows_error,
)

_LAST_HEADER_ROW = 100
_MOST_COLUMNS = 10
_MOST_FILLED = 4  # times as many cells as there are may be looked at
_LOOK_AHEAD = 1_000
_LIKELY_COLUMNS = 2


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
        raise too_many_rows_error(limits)
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
    blocks = limit_blocks(source.blocks(), limits)
    above, first = _take_first_rows(blocks, source.preamble)
    lead, beginning = first[: _LAST_HEADER_ROW + 1], first[_LAST_HEADER_ROW + 1 :]
    tail: list[Tally] = []
    for row in beginning:
        _tally_cells(row, tail)
    survey = _Survey(lead, above, tail, 0, {})
    blank = [""] * (above - source.preamble)
    likely = _list_likely_columns(survey.tally_from(0))
    collected_cells = {column: blank + _pick_column(first, column) for column in likely}
    more = 0
    for block in blocks:
        more += len(block)
        if isinstance(block, EvenRows):
            _add_even_rows(block, tail, collected_cells)
        else:
            _add_rows(block, tail, collected_cells)
    return replace(survey, total=above + len(first) + more, collected_cells=collected_cells)


def _take_first_rows(blocks: Iterator[Block], preamble: int) -> tuple[int, list[Cells]]:
    """The number of rows above the first that is not blank, and enough rows from it on to know the columns by."""
    above, first = 0, list[Cells]()
    for block in blocks:
        for row in list_rows(block):
            if first or (above >= preamble and any(cell and not cell.isspace() for cell in row)):
                first.append(row)
            else:
                above += 1
        if len(first) > _LAST_HEADER_ROW + _LOOK_AHEAD:
            break
    if not first:
        raise no_emails_error()
    return above, first


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


def _add_even_rows(block: EvenRows, tallies: list[Tally], collected_cells: dict[int, list[str]]) -> None:
    """Count rows of the same width: all cells at once where none is blank and every @ is that of an address."""
    tallies.extend(Tally() for _ in range(block.width - len(tallies)))
    counted = tallies[: block.width]
    for column, collected in collected_cells.items():
        collected.extend(block.pick_column(column))
    pure = [column for column in collected_cells if are_addresses(block.pick_column(column))]
    are_known = block.at_signs == len(pure) * len(block) and are_filled(block.text)
    for column, tally in enumerate(counted):
        if are_known and tally.has_samples:
            tally.add_filled(len(block), are_addresses=column in pure)
        else:
            tally.add_cells(block.pick_column(column))


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
    pure = (index for index, tally in enumerate(tallies) if tally.pure_share >= LIKELY_SHARE)
    mixed = (index for index, tally in enumerate(tallies) if tally.share >= LIKELY_SHARE)
    most = max(range(len(tallies)), key=lambda index: (tallies[index].addresses, tallies[index].at_signs))
    return next(chain(pure, mixed), most)


def _describe_column(index: int, tally: Tally, header: list[str]) -> Column:
    name = header[index].strip()[:SAMPLE_CHARS] if index < len(header) else ""
    holds = tally.addresses + tally.mixed > 0
    likely = tally.share >= LIKELY_SHARE or (holds and names_email(name))
    return Column(index + 1, name or f"Column {index + 1}", tuple(tally.samples), round(tally.share, 3), likely)
