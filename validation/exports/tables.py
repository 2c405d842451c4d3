"""Results as files, streamed: read from the database page by page, so that a long list needs no more memory."""

import re
from collections.abc import Iterator
from itertools import chain, islice
from typing import Any

from django.utils import timezone

from emailcheck.common.text import csv_cells
from validation import entitlements
from validation.batches.models import Batch
from validation.exports import xlsx
from validation.exports.choices import ExportChoices
from validation.exports.found_rows import Found, iterate_found

COLUMNS = ("Row", "Email", "Category", "Label", "Confidence", "Reason", "Explanation", "Syntax", "Domain",
           "Mailbox", "Disposable", "Catch-all", "Spam trap", "Checked at", "Re-checked at", "Checks", "email_checked",
           "repaired_from", "did_you_mean", "is_role", "is_free", "mx_host", "reason_text")  # fmt: skip
TYPES = {
    "csv": "text/csv; charset=utf-8",
    "txt": "text/plain",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "zip": "application/zip",
}


_ENDING = re.compile(r"\.(?:csv|tsv|txt|xlsx?)$", re.IGNORECASE)
_ROWS_AT_ONCE = 500


def build_filename(batch: Batch, *parts: str, suffix: str) -> str:
    """`batch-{name of the file, or id}-{date}.csv` (VAL-061, REP-027): without the file's ending, and safe for any file
    system; letters of any script stay."""
    stem = ("test-" if batch.test else "") + (_ENDING.sub("", batch.filename) or batch.public_id)
    clean = "".join(letter if letter.isalnum() or letter in "._-" else "_" for letter in stem)
    return "-".join(["batch", clean[:100], *parts, f"{timezone.now():%Y-%m-%d}.{suffix}"])


def stream_csv(batch: Batch, choices: ExportChoices) -> Iterator[str]:
    """A CSV file in UTF-8, every field quoted, inert as formulas."""
    rows = (_format_cells(cells) for cells in _iterate_cells(batch, choices))
    yield from csv_cells.write_csv_lines([COLUMNS])
    while some := "".join(csv_cells.write_csv_lines(islice(rows, _ROWS_AT_ONCE), raw=choices.raw)):
        yield some


def stream_xlsx(batch: Batch, choices: ExportChoices) -> Iterator[bytes]:
    """An .xlsx workbook; text that looks like a formula stays text."""
    return xlsx.stream_workbook("Results", chain([COLUMNS], _iterate_cells(batch, choices)))


def _iterate_cells(batch: Batch, choices: ExportChoices) -> Iterator[list[Any]]:
    for found in iterate_found(batch, choices.segment, risky_from=choices.risky_from):
        yield _build_cells(batch, found)


def _build_cells(batch: Batch, found: Found) -> list[Any]:
    answers = (found.syntax_valid, found.domain_valid, found.smtp_valid, found.is_disposable, found.is_catch_all,
               found.is_spam_trap)  # fmt: skip
    times = (found.created_at, found.rechecked_at)
    return [
        batch.row_of(found.position),
        found.email if found.repaired_from is None else found.repaired_from,
        found.category,
        found.label,
        round(found.confidence, 2),
        found.reason,
        found.sentence,
        *(_ANSWERS[answer] for answer in answers),
        *(moment.isoformat(timespec="seconds") if moment else "" for moment in times),
        entitlements.name_checks(basic=found.basic),
        found.email,
        found.repaired_from or "",
        found.did_you_mean,
        _FLAGS[found.is_role],
        _FLAGS[found.is_free],
        found.mx_host,
        found.reason_text,
    ]


def _format_cells(row: list[Any]) -> list[Any]:
    return [f"{cell:.2f}" if isinstance(cell, float) else cell for cell in row]


_ANSWERS = {True: "yes", False: "no", None: "not checked"}
_FLAGS = {True: "true", False: "false", None: ""}
