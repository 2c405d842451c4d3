"""One list read from end to end: content recognised, columns laid out, rows at hand."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from validation.listfiles.columns import Layout, Source, lay_out, no_emails
from validation.listfiles.kinds import spreadsheet_kind
from validation.listfiles.shape import (
    ONE_COLUMN,
    ErrorCode,
    Kind,
    Limits,
    ListFileError,
    ListShape,
    ReadOptions,
    Record,
)
from validation.listfiles.sheets import Workbook
from validation.listfiles.text import TextSource, decode


@dataclass(frozen=True, slots=True)
class Reading:
    """A list that was understood. Every walk reads the rows anew."""

    shape: ListShape
    _source: Source
    _layout: Layout

    def addresses(self) -> Iterator[str]:
        """The e-mail cell of every data row, "" where it is blank."""
        for index, row in enumerate(self._source.rows()):
            if index >= self._layout.first_row:
                yield row.cell(self._layout.email_column)

    def records(self) -> Iterator[Record]:
        """Every record of the file."""
        first_row, column = self._layout.first_row, self._layout.email_column
        for index, row in enumerate(self._source.rows()):
            number = index - first_row + 1 if index >= first_row else None
            yield Record(number, row.cell(column), tuple(row.cells), row.raw)


def read_list(path: Path, options: ReadOptions, limits: Limits) -> Reading:
    """Understand the file at `path`; only for the limited process, because it trusts the file.

    Raises:
        ListFileError: the file cannot be read, or an option does not fit it.
    """
    kind = spreadsheet_kind(path, limits)
    return _read_text(path, options, limits) if kind is None else _read_workbook(path, kind, options, limits)


def _read_text(path: Path, options: ReadOptions, limits: Limits) -> Reading:
    decoded = decode(path.read_bytes(), options.encoding)
    source = TextSource(decoded.text, options.delimiter)
    layout = lay_out(source, options, limits)
    kind = Kind.TXT if source.delimiter == ONE_COLUMN else Kind.CSV
    shape = _shape(kind, layout, encoding=decoded.encoding, bom=decoded.bom, delimiter=source.delimiter)
    return Reading(shape, source, layout)


def _read_workbook(path: Path, kind: Kind, options: ReadOptions, limits: Limits) -> Reading:
    """The chosen sheet, else the first that holds addresses."""
    book = Workbook(path, limits)
    for name in book.sheets if options.sheet is None else (options.sheet,):
        source = book.source(name)
        try:
            layout = lay_out(source, options, limits)
        except ListFileError as error:
            if error.code != ErrorCode.NO_EMAILS:
                raise
            continue
        return Reading(_shape(kind, layout, sheets=book.sheets, sheet=name), source, layout)
    raise no_emails()


def _shape(
    kind: Kind,
    layout: Layout,
    *,
    encoding: str | None = None,
    bom: bool = False,
    delimiter: str | None = None,
    sheets: tuple[str, ...] = (),
    sheet: str | None = None,
) -> ListShape:
    return ListShape(
        kind=kind,
        encoding=encoding,
        bom=bom,
        delimiter=delimiter,
        sheets=sheets,
        sheet=sheet,
        has_header=layout.has_header,
        columns=layout.columns,
        email_column=layout.email_column + 1,
        rows=layout.rows,
    )
