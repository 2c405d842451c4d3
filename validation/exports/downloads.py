"""A batch as a file to download, in each format and segment, and as a stream of lines."""

import json
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from accounts.activity import audit_log
from accounts.activity.models import ActivityKind
from emailcheck.common.api.negotiation import ApiJSONEncoder
from emailcheck.common.errors import Conflict
from validation.batches.models import ENDED, Batch
from validation.exports import archives, originals, program_files, reading_slots, tables
from validation.exports.choices import PROGRAMS, ExportChoices
from validation.exports.row_verdicts import COLUMNS
from validation.history.result_pages import ResultsFilter, page_results
from validation.results.ids import IdForm, choose_id_form
from validation.results.presentation import present_results

RUNNING = "The list is still running. Download its results so far as CSV, or wait until it has ended."
LINES = "application/x-ndjson"
ONLY_IN_STREAMS = f"after_row belongs to a stream of lines: send Accept: {LINES}, or take cursor for pages."
_LINES_AT_ONCE = 1_000


class DownloadFile(NamedTuple):
    """A file to be sent."""

    name: str
    content_type: str
    content: Iterable[str | bytes]


def build_file(batch: Batch, choices: ExportChoices) -> DownloadFile:
    """The file of a segment in the chosen format. A running list's file has the results so far, and its name says so.
    The audit of the organisation notes it.

    Raises `Conflict` (`BATCH_RUNNING`) for the zip of a running list; `BadInput`, `Gone` and `Unavailable` as
    `originals.open_original` and `program_files.stream_program_file` do.
    """
    file = _open_file(batch, choices)
    _record_export(batch, f"downloaded as {choices.format}", choices.segment)
    return file


def _open_file(batch: Batch, choices: ExportChoices) -> DownloadFile:
    match choices.format:
        case "original":
            return _open_original(batch, choices)
        case "zip":
            return _open_archive(batch, choices)
        case "xlsx":
            content: Iterable[str | bytes] = tables.stream_xlsx(batch, choices)
        case "csv":
            content = tables.stream_csv(batch, choices)
        case _:
            content = reading_slots.begin_download(program_files.stream_program_file(batch, choices))
    suffix = "xlsx" if choices.format == "xlsx" else "csv"
    name = tables.build_filename(batch, *_name_parts(batch, choices), suffix=suffix)
    return DownloadFile(name, tables.TYPES[suffix], content)


def _open_original(batch: Batch, choices: ExportChoices) -> DownloadFile:
    wanted = originals.OriginalChoices(
        segment=choices.segment,
        columns=choices.columns or COLUMNS,
        is_raw=choices.raw,
        segment_column=choices.segment_column,
    )
    original = originals.open_original(batch, wanted)
    name = tables.build_filename(batch, "with-results", *_name_parts(batch, choices), suffix=original.suffix)
    kind = tables.TYPES[original.suffix].partition(";")[0]
    return DownloadFile(name, f"{kind}; charset={original.charset}" if original.charset else kind, original.content)


def _open_archive(batch: Batch, choices: ExportChoices) -> DownloadFile:
    if batch.status not in ENDED:
        raise Conflict(RUNNING, code="BATCH_RUNNING")
    content = archives.stream_archive(batch, choices)
    return DownloadFile(tables.build_filename(batch, "all-in-one", suffix="zip"), tables.TYPES["zip"], content)


def _name_parts(batch: Batch, choices: ExportChoices) -> tuple[str, ...]:
    """What a file's name says of its rows."""
    program = choices.format if choices.format in PROGRAMS else ""
    segment = "" if choices.segment == "all" else choices.segment
    risky = "" if choices.risky_from is None else f"risky-from-{choices.risky_from:g}"
    return tuple(filter(None, (program, segment, risky, "" if batch.status in ENDED else "partial")))


def stream_lines(batch: Batch, wanted: ResultsFilter, *, after_row: int = 0) -> Iterator[str]:
    """Those results, one JSON object a line (https://github.com/ndjson/ndjson-spec), in list order, of the rows behind
    `after_row`. The audit of the organisation notes it."""
    _record_export(batch, "read as a stream of lines", wanted.category or wanted.decision or "all")
    return _iterate_lines(batch, wanted, after_row, choose_id_form())


def _iterate_lines(batch: Batch, wanted: ResultsFilter, after_row: int, write_id: IdForm) -> Iterator[str]:
    mark = {"test": True} if batch.test else {}
    cursor: str | None = ""
    while cursor is not None:
        page = page_results(batch, wanted, cursor=cursor, sort="row", limit=_LINES_AT_ONCE, after_row=after_row)
        rows = (row | mark for row in present_results(page.rows, write_id))
        yield "".join(json.dumps(row, cls=ApiJSONEncoder, ensure_ascii=False) + "\n" for row in rows)
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
