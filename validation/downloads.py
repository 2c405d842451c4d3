"""A batch as a file to download, in each format and segment."""

from collections.abc import Iterable
from typing import NamedTuple

from validation import exports, originals
from validation.models import Batch


class File(NamedTuple):
    """A file to be sent."""

    name: str
    content_type: str
    content: Iterable[str | bytes]


def file_of(batch: Batch, file_format: str, segment: str) -> File:
    """The file of a segment as `csv`, `xlsx` or `original`.

    Raises `BadInput`, `Gone` and `Unavailable` as `originals.original_file` does.
    """
    part = () if segment == "all" else (segment,)
    if file_format == "original":
        original = originals.original_file(batch, segment)
        name = exports.filename(batch, "with-results", *part, suffix=original.suffix)
        kind = exports.TYPES[original.suffix].partition(";")[0]
        return File(name, f"{kind}; charset={original.charset}" if original.charset else kind, original.content)
    make = exports.xlsx_pages if file_format == "xlsx" else exports.csv_pages
    content: Iterable[str | bytes] = make(batch, segment)
    return File(exports.filename(batch, *part, suffix=file_format), exports.TYPES[file_format], content)
