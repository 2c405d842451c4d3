"""Results as files, streamed: read from the database page by page, so that a long list needs no more memory."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from django.db.models import Q
from django.utils import timezone

from emailcheck.common import cells
from validation import gates, results, xlsx
from validation.models import Batch

COLUMNS = ("Row", "Email", "Category", "Label", "Confidence", "Reason", "Explanation", "Syntax", "Domain",
           "Mailbox", "Disposable", "Catch-all", "Spam trap", "Checked at", "Re-checked at", "Checks")  # fmt: skip
SEGMENT_FILTERS = {
    "all": Q(),
    "safe": Q(safe_to_send=True),
    "risky": Q(safe_to_send=False, category__in=["catch_all", "unknown"]),
    "invalid": Q(category="invalid"),
    "catch_all": Q(category="catch_all"),
    "disposable": Q(category="disposable"),
    "unknown": Q(category="unknown"),
    "unique": Q(),
}
TYPES = {
    "csv": "text/csv; charset=utf-8",
    "txt": "text/plain",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
PAGE_ROWS = 2_000
_FIELDS = ("position", "email", "category", "safe_to_send", "confidence", "reason", "sentence", "created_at",
           "rechecked_at", "basic", "syntax_valid", "domain_valid", "smtp_valid", "is_disposable", "is_catch_all",
           "is_spam_trap")  # fmt: skip


def filename(batch: Batch, *parts: str, suffix: str) -> str:
    """`batch-{filename or id}-{date}.csv` (VAL-061), safe for any file system; letters of any script stay."""
    stem = ("test-" if batch.test else "") + (batch.filename or batch.public_id)
    clean = "".join(letter if letter.isalnum() or letter in "._-" else "_" for letter in stem)
    return "-".join(["batch", clean[:100], *parts, f"{timezone.now():%Y-%m-%d}.{suffix}"])


def csv_pages(batch: Batch, segment: str) -> Iterator[str]:
    """A CSV file in UTF-8, every field quoted, inert as formulas."""
    yield from cells.csv_lines([COLUMNS])
    for page in pages(batch, segment, _FIELDS):
        yield "".join(cells.csv_lines(_written(_cells(*row)) for row in page))


def xlsx_pages(batch: Batch, segment: str) -> Iterator[bytes]:
    """The same as a workbook; text that looks like a formula is text there."""
    found = (_cells(*row) for page in pages(batch, segment, _FIELDS) for row in page)
    return xlsx.workbook("Results", _with_header(found))


def pages(batch: Batch, segment: str, fields: Iterable[str]) -> Iterator[list[tuple[Any, ...]]]:
    """The values of a segment's results in the order of the list, `position` first."""
    found = batch.results.filter(SEGMENT_FILTERS[segment]).order_by("position").values_list(*fields)
    last = 0
    while page := list(found.filter(position__gt=last)[:PAGE_ROWS]):
        yield page
        last = page[-1][0]


def _with_header(rows: Iterable[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
    yield COLUMNS
    yield from rows


def _cells(
    position: int, email: str, category: str, safe: bool, confidence: float, reason: str, sentence: str,
    at: datetime, again_at: datetime | None, basic: bool, *found: bool | None,
) -> tuple[Any, ...]:  # fmt: skip
    label = results.label(category=category, safe_to_send=safe)
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
        gates.checks_named(basic=basic),
    )


def _written(row: tuple[Any, ...]) -> list[Any]:
    return [f"{cell:.2f}" if isinstance(cell, float) else cell for cell in row]


_ANSWERS = {True: "yes", False: "no", None: "not checked"}
