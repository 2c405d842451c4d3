"""Reads a whole list: detects its content, finds its columns, and gives its rows."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from validation.listfiles.columns import Layout, build_layout, no_emails_error
from validation.listfiles.file_kinds import detect_spreadsheet_kind
from validation.listfiles.shape import (
    ONE_COLUMN,
    ErrorCode,
    Kind,
    Limits,
    ListFileError,
    ListShape,
    ReadOptions,
    SheetShape,
)
from validation.listfiles.sheets import SheetPreview, Workbook
from validation.listfiles.tables import Source
from validation.listfiles.text import LITERAL, TextSource, decode_text

_SHEETS_LOOKED_AT = 10
_ROWS_LOOKED_AT = 200
_COLUMNS_SHOWN = 100


@dataclass(frozen=True, slots=True)
class ReadList:
    """A list whose format was detected."""

    shape: ListShape
    _source: Source
    _layout: Layout

    def cells(self) -> Iterator[tuple[str, ...]]:
        """The e-mail cells of every data row, one for each e-mail column, "" where one is blank."""
        if self._layout.emails is not None:
            return zip(*self._layout.emails, strict=True)
        rows = islice(self._source.rows(), self._layout.first_row, None)
        columns = self._layout.email_columns
        return (tuple(row.cell(column) for column in columns) for row in rows)


def read_list(path: Path, options: ReadOptions, limits: Limits) -> ReadList:
    """Read the file at `path`. Only for the limited process, because it trusts the file.

    Raises `ListFileError`: the file cannot be read, or an option does not fit it.
    """
    kind = detect_spreadsheet_kind(path, limits)
    return _read_text(path, options, limits) if kind is None else _read_workbook(path, kind, options, limits)


def _read_text(path: Path, options: ReadOptions, limits: Limits) -> ReadList:
    decoded = decode_text(path.read_bytes(), options.encoding)
    # Whoever says that each line is an address means each line, whatever its quotes.
    quoting = LITERAL if options.delimiter == ONE_COLUMN else None
    source = TextSource(decoded.text, options.delimiter, quoting)
    layout = build_layout(source, options, limits)
    text = {"encoding": decoded.encoding, "bom": decoded.bom, "delimiter": source.delimiter, "quoting": source.quoting}
    kind = Kind.TXT if source.delimiter == ONE_COLUMN else Kind.CSV
    return ReadList(_build_shape(kind, layout, **text), source, layout)


def _read_workbook(path: Path, kind: Kind, options: ReadOptions, limits: Limits) -> ReadList:
    """The chosen sheet, else the first that holds addresses; the others by their first rows."""
    book = Workbook(path, limits)
    for name in book.sheets if options.sheet is None else (book.name_of(options.sheet),):
        source = book.source(name)
        try:
            layout = build_layout(source, options, limits)
        except ListFileError as error:
            if error.code != ErrorCode.NO_EMAILS:
                raise
            continue
        others = tuple(
            _inspect_sheet(book, other, limits, skip=index >= _SHEETS_LOOKED_AT)
            for index, other in enumerate(book.sheets)
            if other != name
        )
        return ReadList(_build_shape(kind, layout, sheets=book.sheets, sheet=name, others=others), source, layout)
    raise no_emails_error()


def _inspect_sheet(book: Workbook, name: str, limits: Limits, *, skip: bool) -> SheetShape:
    """A sheet by its first rows, as if it were chosen without other options."""
    if skip:
        return SheetShape(name, (), None)
    try:
        source = book.source(name)
        layout = build_layout(SheetPreview(source, _ROWS_LOOKED_AT), ReadOptions(), limits)
    except ListFileError:
        return SheetShape(name, (), None)
    return SheetShape(name, layout.columns[:_COLUMNS_SHOWN], source.height - layout.first_row)


def _build_shape(kind: Kind, layout: Layout, **own: Any) -> ListShape:
    """The shape of a file; `own` holds the fields that only texts, or only workbooks, have."""
    return ListShape(
        kind=kind,
        has_header=layout.header is not None,
        header_row=0 if layout.header is None else layout.header + 1,
        columns=layout.columns,
        email_columns=tuple(column + 1 for column in layout.email_columns),
        rows=layout.rows,
        first_row=layout.first_row,
        **own,
    )
