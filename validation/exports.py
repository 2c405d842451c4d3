"""Results as a CSV file, streamed."""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from django.db.models import Q
from django.utils import timezone

from emailcheck.common import cells
from validation import results
from validation.models import Batch, Result

COLUMNS = ("Row", "Email", "Category", "Label", "Confidence", "Reason", "Explanation", "Syntax", "Domain",
           "Mailbox", "Disposable", "Catch-all", "Spam trap", "Checked at")  # fmt: skip
SEGMENT_FILTERS = {
    "all": Q(),
    "safe": Q(safe_to_send=True),
    "risky": Q(safe_to_send=False, category__in=["catch_all", "unknown"]),
    "invalid": Q(category="invalid"),
    "catch_all": Q(category="catch_all"),
    "disposable": Q(category="disposable"),
    "unknown": Q(category="unknown"),
}


def filename(batch: Batch) -> str:
    """`batch-{filename or id}-{date}.csv` (VAL-061), safe for any file system; letters of any script stay."""
    stem = batch.filename or batch.public_id
    clean = "".join(letter if letter.isalnum() or letter in "._-" else "_" for letter in stem)
    return f"batch-{clean[:100]}-{timezone.now():%Y-%m-%d}.csv"


def csv_lines(batch: Batch, segment: str) -> Iterator[str]:
    """The lines of the file, UTF-8 text, every field quoted."""
    found = batch.results.without_evidence().filter(SEGMENT_FILTERS[segment]).order_by("position")
    return cells.csv_lines(chain([COLUMNS], map(_cells, found.iterator(chunk_size=2_000))))


def _cells(result: Result) -> Iterable[Any]:
    label = results.label(category=result.category, safe_to_send=result.safe_to_send)
    return (
        result.position,
        cells.safe_cell(result.email),
        result.category,
        label,
        f"{result.confidence:.2f}",
        result.reason,
        cells.safe_cell(result.sentence),
        *(
            _answer(value)
            for value in (
                result.syntax_valid,
                result.domain_valid,
                result.smtp_valid,
                result.is_disposable,
                result.is_catch_all,
                result.is_spam_trap,
            )
        ),
        result.created_at.isoformat(timespec="seconds"),
    )


def _answer(value: bool | None) -> str:
    return {True: "yes", False: "no", None: "not checked"}[value]
