"""Results as CSV files that programs for newsletters import without mapping (see docs/files.md for their sources)."""

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from types import MappingProxyType
from typing import Any, NamedTuple

from emailcheck.common.text import csv_cells
from validation.batches.models import Batch, BatchType
from validation.exports.choices import ExportChoices
from validation.exports.found_rows import Found, iterate_found
from validation.exports.name_columns import NameColumns, find_name_columns
from validation.exports.reading_slots import open_upload

_ROWS_AT_ONCE = 500
_HEADER = 0

Json = Mapping[str, Any]
Line = list[str]


class ProgramColumns(NamedTuple):
    """The headers that a program takes without being asked which column is which."""

    email: str
    first_name: str
    last_name: str
    verdict: str


PROGRAM_COLUMNS: Mapping[str, ProgramColumns] = MappingProxyType(
    {
        "mailchimp": ProgramColumns("Email Address", "First Name", "Last Name", "Tags"),
        "hubspot": ProgramColumns("Email", "First Name", "Last Name", "Email Verdict"),
        "klaviyo": ProgramColumns("Email", "First Name", "Last Name", "email_verdict"),
        "brevo": ProgramColumns("EMAIL", "FIRSTNAME", "LASTNAME", "EMAIL_VERDICT"),
    }
)


@dataclasses.dataclass(frozen=True, slots=True)
class _FileColumns:
    """Where names and the other columns are in the rows of the uploaded file, from 0."""

    names: NameColumns
    others: tuple[int, ...]
    headers: tuple[str, ...]  # of the others

    def build_cells(self, found: Found, cells: Sequence[str]) -> Line:
        """The line of an address."""
        first, last, *others = (_get_cell(cells, place) for place in (*self.names, *self.others))
        return [found.email, first, last, found.category, *others]


def stream_program_file(batch: Batch, choices: ExportChoices) -> Iterator[bytes]:
    """A CSV file in UTF-8 with a header, each address once, as it was checked.

    Raises `Gone` (`EXPIRED`) where the uploaded file, which has the names, was removed; `ListFileError` where it cannot
    be read.
    """
    lines = _iterate_lines(batch, choices)
    while some := "".join(csv_cells.write_csv_lines(islice(lines, _ROWS_AT_ONCE), raw=choices.raw)):
        yield some.encode()


def _iterate_lines(batch: Batch, choices: ExportChoices) -> Iterator[Line]:
    found = iterate_found(batch, choices.segment, risky_from=choices.risky_from)
    own = PROGRAM_COLUMNS[choices.format]
    if not batch.file and (batch.address_location is None or batch.batch_type != BatchType.FILE_UPLOAD):
        yield list(own)
        yield from ([row.email, "", "", row.category] for row in found)
        return
    columns, rows = _read_columns(batch, own)
    yield [*own, *columns.headers]
    upcoming = next(found, None)
    for number, cells in rows:
        while upcoming and batch.row_of(upcoming.position) == number:
            yield columns.build_cells(upcoming, cells)
            upcoming = next(found, None)


def _read_columns(batch: Batch, own: ProgramColumns) -> tuple[_FileColumns, Iterator[tuple[int, list[str]]]]:
    """The columns of the uploaded file, and its data rows."""
    reading = open_upload(batch)
    location = reading.location
    rows = chain.from_iterable(reading.stream_rows("cells"))
    headers: Sequence[str] = next(rows, (_HEADER, []))[1] if location["has_header"] else []
    return _sort_columns(headers, location, own), rows


def _sort_columns(headers: Sequence[str], location: Json, own: ProgramColumns) -> _FileColumns:
    names = find_name_columns(headers)
    emails = location.get("email_columns") or [location["email_column"]]
    taken = {*names, *(number - 1 for number in emails)}
    others = tuple(place for place in range(max(location["width"], len(headers))) if place not in taken)
    named = [_get_cell(headers, place).strip() or f"Column {place + 1}" for place in others]
    return _FileColumns(names, others, tuple(_tell_apart(named, own)))


def _tell_apart(headers: Sequence[str], own: Sequence[str]) -> Iterator[str]:
    """Headers that differ from those of the program and from each other, whatever their case: `Tags (2)`."""
    used = {name.casefold() for name in own}
    for header in headers:
        name, number = header, 1
        while name.casefold() in used:
            number += 1
            name = f"{header} ({number})"
        used.add(name.casefold())
        yield name


def _get_cell(cells: Sequence[str], place: int | None) -> str:
    return cells[place] if place is not None and place < len(cells) else ""
