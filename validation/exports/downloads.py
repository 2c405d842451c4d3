"""A batch as a file to download, in each format and segment, and as a stream of lines."""

import json
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rest_framework.utils.encoders import JSONEncoder

from accounts.activity import audit_log
from accounts.activity.models import ActivityKind
from validation.batches.models import ENDED, Batch
from validation.exports import originals, tables
from validation.history import queries
from validation.results.presentation import present_results

LINES = "application/x-ndjson"
_LINES_AT_ONCE = 1_000


class DownloadFile(NamedTuple):
    """A file to be sent."""

    name: str
    content_type: str
    content: Iterable[str | bytes]


def build_file(batch: Batch, file_format: str, segment: str) -> DownloadFile:
    """The file of a segment as `csv`, `xlsx` or `original`. A running list's file has the results so far, and its name
    says so. The audit of the organisation notes it.

    Raises `BadInput`, `Gone` and `Unavailable` as `originals.open_original` does.
    """
    file = _open_file(batch, file_format, segment)
    _record_export(batch, f"downloaded as {file_format}", segment)
    return file


def _open_file(batch: Batch, file_format: str, segment: str) -> DownloadFile:
    part = tuple(filter(None, ("" if segment == "all" else segment, "" if batch.status in ENDED else "partial")))
    if file_format == "original":
        original = originals.open_original(batch, segment)
        name = tables.build_filename(batch, "with-results", *part, suffix=original.suffix)
        kind = tables.TYPES[original.suffix].partition(";")[0]
        return DownloadFile(name, f"{kind}; charset={original.charset}" if original.charset else kind, original.content)
    make = tables.stream_xlsx if file_format == "xlsx" else tables.stream_csv
    content: Iterable[str | bytes] = make(batch, segment)
    return DownloadFile(tables.build_filename(batch, *part, suffix=file_format), tables.TYPES[file_format], content)


def stream_lines(batch: Batch, wanted: queries.ResultsFilter) -> Iterator[str]:
    """Those results, one JSON object a line (https://github.com/ndjson/ndjson-spec), in list order. The audit of the
    organisation notes it."""
    _record_export(batch, "read as a stream of lines", wanted.category or wanted.decision or "all")
    return _iterate_lines(batch, wanted)


def _iterate_lines(batch: Batch, wanted: queries.ResultsFilter) -> Iterator[str]:
    mark = {"test": True} if batch.test else {}
    cursor: str | None = ""
    while cursor is not None:
        page = queries.page_results(batch, wanted, cursor=cursor, sort="row", page_size=_LINES_AT_ONCE)
        rows = (row | mark for row in present_results(page.rows))
        yield "".join(json.dumps(row, cls=JSONEncoder, ensure_ascii=False) + "\n" for row in rows)
        cursor = page.next


def _record_export(batch: Batch, how: str, segment: str) -> None:
    """Test lists hold made-up verdicts: they are not noted."""
    if not batch.test:
        audit_log.record_activity(
            organisation=batch.organisation,
            kind=ActivityKind.EXPORT,
            action=f"List of {batch.total_emails:,} addresses {how}: {segment}",
            target=batch.public_id,
        )
