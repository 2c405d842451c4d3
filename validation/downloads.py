"""A batch as a file to download, in each format and segment, and as a stream of lines."""

import json
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rest_framework.utils.encoders import JSONEncoder

from validation import exports, lookups, originals, presentation
from validation.models import ENDED, Batch

LINES = "application/x-ndjson"
_LINES_AT_ONCE = 1_000


class File(NamedTuple):
    """A file to be sent."""

    name: str
    content_type: str
    content: Iterable[str | bytes]


def file_of(batch: Batch, file_format: str, segment: str) -> File:
    """The file of a segment as `csv`, `xlsx` or `original`; of a list that has not ended, what is done, named so.

    Raises `BadInput`, `Gone` and `Unavailable` as `originals.original_file` does.
    """
    part = tuple(filter(None, ("" if segment == "all" else segment, "" if batch.status in ENDED else "partial")))
    if file_format == "original":
        original = originals.original_file(batch, segment)
        name = exports.filename(batch, "with-results", *part, suffix=original.suffix)
        kind = exports.TYPES[original.suffix].partition(";")[0]
        return File(name, f"{kind}; charset={original.charset}" if original.charset else kind, original.content)
    make = exports.xlsx_pages if file_format == "xlsx" else exports.csv_pages
    content: Iterable[str | bytes] = make(batch, segment)
    return File(exports.filename(batch, *part, suffix=file_format), exports.TYPES[file_format], content)


def lines(batch: Batch, *, category: str | None, search: str) -> Iterator[str]:
    """The results that are there, a JSON object a line (https://github.com/ndjson/ndjson-spec), in the list's order."""
    mark = {"test": True} if batch.test else {}
    cursor: str | None = ""
    while cursor is not None:
        page = lookups.explore(
            batch, cursor=cursor, category=category, search=search, sort="row", page_size=_LINES_AT_ONCE
        )
        rows = (presentation.result_row(row) | mark for row in page.rows)
        yield "".join(json.dumps(row, cls=JSONEncoder, ensure_ascii=False) + "\n" for row in rows)
        cursor = page.next
