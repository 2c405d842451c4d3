"""Results as files, streamed: read from the database page by page, so that a long list needs no more memory."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from django.utils import timezone

from emailcheck.common.text import csv_cells
from validation import entitlements
from validation.batches.models import Batch
from validation.exports import xlsx
from validation.exports.found_rows import PAGE_ROWS, SEGMENT_FILTERS
from validation.results import storage

COLUMNS = ("Row", "Email", "Category", "Label", "Confidence", "Reason", "Explanation", "Syntax", "Domain",
           "Mailbox", "Disposable", "Catch-all", "Spam trap", "Checked at", "Re-checked at", "Checks")  # fmt: skip
TYPES = {
    "csv": "text/csv; charset=utf-8",
    "txt": "text/plain",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
_FIELDS = ("position", "email", "category", "safe_to_send", "confidence", "reason", "sentence", "created_at",
           "rechecked_at", "basic", "syntax_valid", "domain_valid", "smtp_valid", "is_disposable", "is_catch_all",
           "is_spam_trap")  # fmt: skip


def build_filename(batch: Batch, *parts: str, suffix: str) -> str:
    """`batch-{filename or id}-{date}.csv` (VAL-061), safe for any file system; letters of any script stay."""
    stem = ("test-" if batch.test else "") + (batch.filename or batch.public_id)
    clean = "".join(letter if letter.isalnum() or letter in "._-" else "_" for letter in stem)
    return "-".join(["batch", clean[:100], *parts, f"{timezone.now():%Y-%m-%d}.{suffix}"])


def stream_csv(batch: Batch, segment: str) -> Iterator[str]:
    """A CSV file in UTF-8, every field quoted, inert as formulas."""
    yield from csv_cells.write_csv_lines([COLUMNS])
    for page in iterate_pages(batch, segment, _FIELDS):
        yield "".join(csv_cells.write_csv_lines(_format_cells(_build_cells(*row)) for row in page))


def stream_xlsx(batch: Batch, segment: str) -> Iterator[bytes]:
    """An .xlsx workbook; text that looks like a formula stays text."""
    found = (_build_cells(*row) for page in iterate_pages(batch, segment, _FIELDS) for row in page)
    return xlsx.stream_workbook("Results", _prepend_header(found))


def iterate_pages(batch: Batch, segment: str, fields: Iterable[str]) -> Iterator[list[tuple[Any, ...]]]:
    """The values of a segment's results in the order of the list, `position` first."""
    found = batch.results.filter(SEGMENT_FILTERS[segment]).order_by("position").values_list(*fields)
    last = 0
    while page := list(found.filter(position__gt=last)[:PAGE_ROWS]):
        yield page
        last = page[-1][0]


def _prepend_header(rows: Iterable[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
    yield COLUMNS
    yield from rows


def _build_cells(
    position: int, email: str, category: str, safe: bool, confidence: float, reason: str, sentence: str,
    at: datetime, again_at: datetime | None, basic: bool, *found: bool | None,
) -> tuple[Any, ...]:  # fmt: skip
    label = storage.result_label(category=category, safe_to_send=safe)
    rounded = round(confidence, 2)
    answers = (_ANSWERS[answer] for answer in found)
    times = (moment.isoformat(timespec="seconds") if moment else "" for moment in (at, again_at))
    return (
        position,
        email,
        category,
        label,
        rounded,
        reason,
        sentence,
        *answers,
        *times,
        entitlements.name_checks(basic=basic),
    )


def _format_cells(row: tuple[Any, ...]) -> list[Any]:
    return [f"{cell:.2f}" if isinstance(cell, float) else cell for cell in row]


_ANSWERS = {True: "yes", False: "no", None: "not checked"}
