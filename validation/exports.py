"""Results as a CSV file, streamed."""

import csv
from collections.abc import Iterable, Iterator
from typing import Any

from django.db.models import Q
from django.utils import timezone

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
# A cell that a spreadsheet would read as a formula, full-width forms included (VAL-070).
_FORMULA = tuple("=+-@\t\r＝＋－＠")


def safe_cell(value: str) -> str:
    """The value with an apostrophe before what a spreadsheet would run as a formula; readers strip it again."""
    return f"'{value}" if value.startswith(_FORMULA) else value


def filename(batch: Batch) -> str:
    """`batch-{filename or id}-{date}.csv` (VAL-061), safe for any file system; letters of any script stay."""
    stem = batch.filename or batch.public_id
    clean = "".join(letter if letter.isalnum() or letter in "._-" else "_" for letter in stem)
    return f"batch-{clean[:100]}-{timezone.now():%Y-%m-%d}.csv"


def csv_lines(batch: Batch, segment: str) -> Iterator[str]:
    """The lines of the file, UTF-8 text, every field quoted."""
    writer = csv.writer(_Echo(), quoting=csv.QUOTE_ALL)
    yield writer.writerow(COLUMNS)
    found = batch.results.without_evidence().filter(SEGMENT_FILTERS[segment]).order_by("position")
    for result in found.iterator(chunk_size=2_000):
        yield writer.writerow(_cells(result))


class _Echo:
    def write(self, line: str) -> str:
        return line


def _cells(result: Result) -> Iterable[Any]:
    label = results.label(category=result.category, safe_to_send=result.safe_to_send)
    return (
        result.position,
        safe_cell(result.email),
        result.category,
        label,
        f"{result.confidence:.2f}",
        result.reason,
        safe_cell(result.sentence),
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
