"""The uploaded file again with the verdicts behind its rows, streamed while a limited process reads it once more."""

import csv
import dataclasses
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from io import StringIO
from typing import NamedTuple

from emailcheck.common.errors import BadInput
from emailcheck.common.text.csv_cells import protect_cell
from validation.batches.models import Batch, BatchType
from validation.exports import workbooks
from validation.exports.reading_slots import UploadReading, begin_download, open_upload
from validation.exports.row_verdicts import COLUMNS, RowVerdicts, VerdictColumns
from validation.listfiles import Kind
from validation.listfiles.text import LITERAL, QUOTINGS, RFC_4180


class OriginalChoices(NamedTuple):
    """What the file is to hold. `columns`: names of the verdict columns; `is_raw`: cells that a spreadsheet could run
    stay as they are; `segment_column`: the e-mail column that decides whether a row is in the segment, by its header or
    number from 1, else the first."""

    segment: str = "all"
    columns: tuple[str, ...] = COLUMNS
    is_raw: bool = False
    segment_column: str | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class OriginalFile:
    """A file to be sent. Closing its content ends the process that reads the upload."""

    suffix: str
    charset: str | None
    content: Generator[bytes, None, None]


def open_original(batch: Batch, choices: OriginalChoices) -> OriginalFile:
    """The rows of the upload in its order, encoding and type, each with its verdict; of a segment each address once.

    A workbook is returned with all its sheets, as it was where it is .xlsx and whole; an .xls file and the segments of
    both as an .xlsx file of their values, because formulas and merged cells would miss the rows that are left out.
    Raises `BadInput` for a list without a file and for an unknown column, `Gone` (`EXPIRED`) when the file was removed,
    `Unavailable` when too many downloads begin at once.
    """
    if not batch.file and batch.address_location is None and batch.batch_type != BatchType.FILE_UPLOAD:
        raise BadInput("This list was not a file. Download it as CSV or XLSX.", field="format", value="original")
    reading = open_upload(batch)
    columns = VerdictColumns(choices.columns, reading.email_columns)
    deciding = _choose_segment_column(reading, choices.segment_column)
    verdicts = RowVerdicts(batch, columns, segment=choices.segment, segment_column=deciding)
    is_text = reading.location["sheet"] is None
    content = (
        _stream_text(reading, columns, verdicts, is_raw=choices.is_raw)
        if is_text
        else _stream_workbook(reading, columns, verdicts, is_whole=choices.segment == "all")
    )
    named = "txt" if batch.filename.lower().endswith(".txt") else "csv"
    return OriginalFile(named if is_text else "xlsx", reading.location["encoding"], begin_download(content))


def _choose_segment_column(reading: UploadReading, wanted: str | None) -> int:
    known = reading.email_columns
    if wanted is None:
        return known[0]
    text = wanted.strip()
    numbers = [int(text)] if text.isdecimal() else _find_columns(reading, text)
    column = next((number for number in numbers if number in known), None)
    if column is None:
        raise BadInput(
            f"This is none of the list's e-mail columns. Give its header, or its number: {', '.join(map(str, known))}.",
            field="segment_column",
            value=wanted[:200],
        )
    return column


def _find_columns(reading: UploadReading, name: str) -> list[int]:
    header: Sequence[str] = next(reading.stream_rows("header"))[0]
    return [number for number, cell in enumerate(header, 1) if cell.strip().casefold() == name.casefold()]


def _stream_workbook(
    reading: UploadReading, columns: VerdictColumns, verdicts: RowVerdicts, *, is_whole: bool
) -> Iterator[bytes]:
    if is_whole and reading.location["kind"] == Kind.XLSX:
        return workbooks.stream_package(reading.stream_rows("package", added=columns.count), verdicts)
    return workbooks.stream_values(reading.stream_rows("values"), reading.location["width"], verdicts)


def _stream_text(
    reading: UploadReading, columns: VerdictColumns, verdicts: RowVerdicts, *, is_raw: bool
) -> Iterator[bytes]:
    location = reading.location
    writer = _CellWriter(location["delimiter"] or "\t", location["quoting"], is_raw=is_raw)
    nothing = ("",) * columns.count
    if location["bom"]:
        yield "\ufeff".encode(location["encoding"])
    for rows in reading.stream_rows("lines", protects=not is_raw):
        annotated = verdicts.annotate_rows([row[:2] for row in rows])
        texts = (
            _build_line(writer, text, end, cells if number is None else cells or nothing)
            for (number, _, text, end), cells in zip(rows, annotated, strict=True)
            if cells is not None
        )
        # What is added may hold letters that the file's encoding has not.
        yield "".join(texts).encode(location["encoding"], "replace")


def _build_line(writer: "_CellWriter", text: str, end: str, cells: Sequence[str]) -> str:
    return text + writer.write_behind(cells) + end if text and cells else text + end


class _CellWriter:
    """Writes cells behind a row as its file quotes them."""

    def __init__(self, delimiter: str, quoting: str | None, *, is_raw: bool) -> None:
        kind = QUOTINGS[RFC_4180 if quoting in (None, LITERAL) else quoting]
        self._out = StringIO()
        self._writer = csv.writer(self._out, delimiter=delimiter, lineterminator="", **kind)
        self._protect: Callable[[str], str] = str if is_raw else protect_cell

    def write_behind(self, cells: Iterable[str]) -> str:
        """The text of the cells, with a delimiter before each."""
        self._out.seek(0)
        self._out.truncate()
        self._writer.writerow(["", *map(self._protect, cells)])
        return self._out.getvalue()
