"""The uploaded file again with the verdicts behind its rows, streamed while a limited process reads it once more."""

import dataclasses
from array import array
from collections.abc import Generator, Iterator
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings

from emailcheck.common.errors import BadInput, Gone
from validation import entitlements
from validation.batches.models import Batch
from validation.exports import tables, xlsx
from validation.exports.reading_slots import begin_download
from validation.listfiles import inspect_list, stream_product
from validation.listfiles.annotated_rows import HEADER
from validation.results import storage

COLUMNS = ("category", "reason", "confidence", "label", "checks")
EXPIRED = "This file has passed its retention time"
_CHILD = "validation.batches.intake.process"
_FIELDS = ("position", "category", "reason", "confidence", "safe_to_send", "basic")
_NOTHING = ("",) * len(COLUMNS)
_LABELS = {"safe": storage.SAFE, "risky": storage.RISKY, "do_not_send": storage.NEVER}
_ROWS_AT_ONCE = 500

Json = dict[str, Any]


VerdictCells = tuple[str | float, ...]


class RowVerdict(NamedTuple):
    """The values added to a row."""

    category: str
    reason: str
    confidence: float
    label: str
    checks: str


@dataclasses.dataclass(frozen=True, slots=True)
class OriginalFile:
    """A file to be sent. Closing its content ends the process that reads the upload, and frees its slot."""

    suffix: str
    charset: str | None
    content: Generator[bytes, None, None]


def open_original(batch: Batch, segment: str) -> OriginalFile:
    """The rows of the upload in its order, encoding and type, each with its verdict; of a segment each address once.

    Workbooks of either kind are returned as .xlsx with the values of the sheet that was read. Raises `BadInput` for a
    list without a file, `Gone` (`EXPIRED`) when the file was removed, `Unavailable` when too many downloads run.
    """
    if not batch.file:
        raise BadInput("This list was not a file. Download it as CSV or XLSX.", field="format", value="original")
    path: Path = settings.MEDIA_ROOT / batch.file
    if not path.is_file():
        raise Gone(EXPIRED, code="EXPIRED")
    location = batch.address_location or dataclasses.asdict(inspect_list(path).location)
    is_text = location["sheet"] is None
    named = "txt" if batch.filename.lower().endswith(".txt") else "csv"
    make = _stream_text if is_text else _stream_sheet
    content = begin_download(make(batch, path, location, segment))
    return OriginalFile(named if is_text else "xlsx", location["encoding"], content)


def _stream_text(batch: Batch, path: Path, location: Json, segment: str) -> Iterator[bytes]:
    delimiter, encoding = location["delimiter"] or "\t", location["encoding"]
    if location["bom"]:
        yield "\ufeff".encode(encoding)
    some: list[str] = []
    verdicts = _Verdicts(batch, segment)
    for number, places, text, end in stream_product(_CHILD, "lines", path, _build_request(batch, location)):
        behind = verdicts.behind(number, verdicts.find_first(places))
        if behind is not None:
            some.append(delimiter.join((text, *map(_format_cell, behind))) + end if text else end)
        if len(some) >= _ROWS_AT_ONCE:
            yield "".join(some).encode(encoding)
            some.clear()
    yield "".join(some).encode(encoding)


def _format_cell(cell: str | float) -> str:
    return cell if isinstance(cell, str) else f"{cell:.2f}"


def _stream_sheet(batch: Batch, path: Path, location: Json, segment: str) -> Iterator[bytes]:
    return xlsx.stream_workbook(location["sheet"], _iterate_sheet_rows(batch, path, location, segment))


def _iterate_sheet_rows(batch: Batch, path: Path, location: Json, segment: str) -> Iterator[list[xlsx.Value]]:
    width, verdicts = location["width"], _Verdicts(batch, segment)
    for number, places, values in stream_product(_CHILD, "lines", path, _build_request(batch, location)):
        behind = verdicts.behind(number, verdicts.find_first(places))
        if behind is not None:
            yield [*values, *[None] * (width - len(values)), *behind] if behind else values


def _build_request(batch: Batch, location: Json) -> Json:
    return {"location": location, "choices": batch.repair_choices, "protects": True}


class _Verdicts:
    """The verdicts of a list, read page by page with its rows. Of earlier pages only a number each stays in memory."""

    def __init__(self, batch: Batch, segment: str) -> None:
        self._segment = segment
        self._results = chain.from_iterable(tables.iterate_pages(batch, "all", _FIELDS))
        self._next = next(self._results, None)
        self._kinds: dict[RowVerdict | None, int] = {None: 0}
        self._known: list[RowVerdict | None] = [None]
        self._by_row = array("I", [0])
        self._firsts = array("I")

    def find_first(self, places: list[list[tuple[int, int, str]]]) -> int | None:
        """The first row with the address of a row; None for a blank one."""
        if not places or not places[0]:
            return None
        position, index, _ = places[0][0]
        if index == len(self._firsts):
            self._firsts.append(position)
        return self._firsts[index]

    def behind(self, number: int | None, first: int | None) -> VerdictCells | None:
        """The cells to add to a row; None when it is not part of the segment."""
        if number is None:
            return ()
        if number == HEADER:
            return COLUMNS
        found = self._take(number) if number == first else self._earlier(number, first)
        if self._segment == "all":
            return found or _NOTHING
        return found if found and number == first and _is_in_segment(self._segment, found) else None

    def _take(self, number: int) -> RowVerdict | None:
        """The verdict of the first row with its address."""
        while self._next and self._next[0] < number:
            self._next = next(self._results, None)
        found = None
        if self._next and self._next[0] == number:
            _, category, reason, confidence, safe, basic = self._next
            label = storage.result_label(category=category, safe_to_send=safe)
            found = RowVerdict(category, reason, round(confidence, 2), label, entitlements.name_checks(basic=basic))
        kind = self._kinds.setdefault(found, len(self._known))
        if kind == len(self._known):
            self._known.append(found)
        self._by_row.append(kind)
        return found

    def _earlier(self, number: int, first: int | None) -> RowVerdict | None:
        self._by_row.append(0)
        return self._known[self._by_row[first or number]]


def _is_in_segment(segment: str, verdict: RowVerdict) -> bool:
    if segment in _LABELS:
        return verdict.label == _LABELS[segment]
    return segment in ("unique", verdict.category)
