"""Requests to the reader and its responses, and these from the JSON in which they travel and are stored.

Plain data, shared by parent and child process.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any

DELIMITERS = (",", ";", "\t", "|")
ONE_COLUMN = ""
"""The delimiter of a text file that has one address a line and nothing to split."""

ENCODINGS = (
    "utf-8",
    "utf-16-le",
    "utf-16-be",
    "cp1252",
    "iso8859-1",
    "iso8859-15",
    "cp1250",
    "iso8859-2",
    "cp1251",
    "koi8-r",
    "cp1253",
    "cp1254",
    "cp1255",
    "cp1256",
    "cp1257",
    "mac-roman",
    "shift_jis",
    "gb18030",
    "big5",
    "euc_kr",
)
"""Encodings that a caller may choose, by Python's names; aliases such as latin-1 are accepted."""

LIKELY_SHARE = 0.5
"""The share of its filled cells that look like an address in a column that is likely one of e-mails."""


class Kind(StrEnum):
    """What a file is by its content; a text file with a delimiter is csv, without one txt."""

    CSV = "csv"
    TXT = "txt"
    XLSX = "xlsx"
    XLS = "xls"


class ErrorCode(StrEnum):
    """Why a list cannot be read."""

    UNSUPPORTED_FILE = "UNSUPPORTED_FILE"
    UNREADABLE_FILE = "UNREADABLE_FILE"
    ENCRYPTED_FILE = "ENCRYPTED_FILE"
    FILE_TOO_LARGE = "FILE_TOO_LARGE"
    TOO_MANY_ROWS = "TOO_MANY_ROWS"
    TOO_MANY_COLUMNS = "TOO_MANY_COLUMNS"
    CELL_TOO_LONG = "CELL_TOO_LONG"
    NO_EMAILS = "NO_EMAILS"
    UNKNOWN_SHEET = "UNKNOWN_SHEET"
    UNKNOWN_COLUMN = "UNKNOWN_COLUMN"
    INVALID_COLUMNS = "INVALID_COLUMNS"
    INVALID_HEADER_ROW = "INVALID_HEADER_ROW"
    INVALID_OPTION = "INVALID_OPTION"


class ListFileError(Exception):
    """A list that cannot be read: `code` for programs, `detail` a plain sentence for the customer."""

    def __init__(self, code: ErrorCode, detail: str) -> None:
        super().__init__(code, detail)
        self.code = code
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one reading. The defaults fit uploads of 10 MB."""

    file_bytes: int = 10 * 2**20
    rows: int = 1_000_000
    columns: int = 2_000
    cell_chars: int = 32_767  # the limit of a cell in Excel
    row_chars: int = 1_000_000
    inflated_bytes: int = 200 * 2**20
    inflation: int = 100
    members: int = 2_000
    memory_bytes: int = 448 * 2**20  # private memory; with the libraries less than 512 MB resident
    spool_bytes: int = 512 * 2**20
    cpu_seconds: int = 20
    wall_seconds: float = 60.0


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """The customer's options; None is guessed.

    `sheet` is a name or a number counted from 1, `email_column` such a number or a header name (any case); a header
    that is a number itself is found by its place alone. `email_columns` are 1 to 10 of them, instead of the one.
    `header_row` is the row of the file with the header, counted from 1 to 100, 0 for a list without one; what stands
    above it is no data. `encoding` is one of `ENCODINGS`, `delimiter` one of `DELIMITERS` or "" for one address a line.
    Both are ignored for a spreadsheet, `sheet` for a text file.
    """

    sheet: str | None = None
    email_column: str | None = None
    email_columns: Sequence[str] | None = None
    has_header: bool | None = None
    header_row: int | None = None
    encoding: str | None = None
    delimiter: str | None = None


@dataclass(frozen=True, slots=True)
class Column:
    """One column of the list, with values by which a customer recognises it."""

    index: int  # counted from 1
    name: str  # the header cell, "Column 3" when there is none
    samples: tuple[str, ...]  # up to five values that are not blank, each cut at 200 characters
    looks_like_email: float  # share of the values that hold an address, 0..1
    likely: bool  # an e-mail column by its values, or by its name and some of them


@dataclass(frozen=True, slots=True)
class AddressLocation:
    """The location of a file's addresses, so that it can be read again without guessing."""

    kind: Kind
    encoding: str | None
    bom: bool
    delimiter: str | None
    quoting: str | None
    sheet: str | None
    has_header: bool
    header_row: int  # counted from 1, 0 without a header
    first_row: int  # index of the first data row, from 0
    email_columns: tuple[int, ...]  # counted from 1
    width: int  # columns there are


@dataclass(frozen=True, slots=True)
class SheetShape:
    """A worksheet that was not chosen, by its first rows."""

    name: str
    columns: tuple[Column, ...]  # empty where it holds no address or cannot be read
    rows: int | None  # data rows; None where nobody looked


@dataclass(frozen=True, slots=True, kw_only=True)
class ListShape:
    """The detected format of the file."""

    kind: Kind
    encoding: str | None = None  # None for spreadsheets
    bom: bool = False  # the text starts with a byte order mark
    delimiter: str | None = None  # "" for one address a line, None for spreadsheets
    sheets: tuple[str, ...] = ()  # visible worksheets in workbook order, empty for text
    sheet: str | None = None
    has_header: bool
    header_row: int  # counted from 1, 0 without a header; the rows above it are title rows
    columns: tuple[Column, ...]
    email_columns: tuple[int, ...]  # counted from 1
    rows: int  # data rows, blank ones included
    first_row: int  # index of the first data row, from 0
    quoting: str | None = None  # how the text quotes, by a name of `text.QUOTINGS`
    others: tuple[SheetShape, ...] = ()  # the sheets that were not chosen

    @property
    def email_column(self) -> int:
        """The first of the e-mail columns."""
        return self.email_columns[0]

    @property
    def location(self) -> AddressLocation:
        """The location of the addresses."""
        shared = {field.name for field in fields(self)} & {field.name for field in fields(AddressLocation)}
        return AddressLocation(**{name: getattr(self, name) for name in shared}, width=len(self.columns))


def parse_shape(answer: dict[str, Any]) -> ListShape:
    """The shape from its JSON."""
    others = tuple(SheetShape(**{**other, "columns": _parse_columns(other)}) for other in answer["others"])
    own = {"sheets": tuple(answer["sheets"]), "columns": _parse_columns(answer), "others": others}
    return ListShape(**{**_parse_place(answer), **own})


def parse_location(answer: dict[str, Any]) -> AddressLocation:
    """The location of the addresses from its JSON."""
    return AddressLocation(**_parse_place(answer))


def _parse_place(answer: dict[str, Any]) -> dict[str, Any]:
    """The common fields; a list with one `email_column` has its header right above the first data row."""
    place = {
        "header_row": answer["first_row"] if answer["has_header"] else 0,
        **answer,
        "kind": Kind(answer["kind"]),
        "email_columns": tuple(answer.get("email_columns") or [answer["email_column"]]),
    }
    place.pop("email_column", None)
    return place


def _parse_columns(answer: dict[str, Any]) -> tuple[Column, ...]:
    return tuple(map(_parse_column, answer["columns"]))


def _parse_column(column: dict[str, Any]) -> Column:
    likely = {"likely": column["looks_like_email"] >= LIKELY_SHARE}
    return Column(**{**likely, **column, "samples": tuple(column["samples"])})
