"""The results of a list with all that files say of them, page by page."""

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from django.db.models import Q

from validation.batches.models import Batch
from validation.results.decisions import DECISIONS
from validation.results.evidence_facts import FactsReader
from validation.results.reason_texts import explain_reason
from validation.results.storage import result_label

SEGMENT_FILTERS = {
    "all": Q(),
    **{name: decision.condition for name, decision in DECISIONS.items()},
    **{name: Q(category=name) for name in ("invalid", "catch_all", "disposable", "unknown")},
    "unique": Q(),
}
PAGE_ROWS = 2_000
_FIELDS = ("position", "email", "category", "reason", "sentence", "confidence", "safe_to_send", "syntax_valid",
           "domain_valid", "smtp_valid", "is_disposable", "is_catch_all", "is_spam_trap", "is_free", "basic",
           "created_at", "rechecked_at", "domain", "details")  # fmt: skip
_STORED = len(_FIELDS) - 2


class Found(NamedTuple):
    """A result as files have it.

    The fields are those of `Result` up to `rechecked_at`, apart from: `email` is the address that was checked;
    `is_free` and `is_role` are None where they were not looked at (impossible syntax, a fault of ours). `did_you_mean`
    and `mx_host` come from the evidence, "" where there is none.
    """

    position: int
    email: str
    category: str
    reason: str
    sentence: str
    confidence: float
    safe_to_send: bool
    syntax_valid: bool
    domain_valid: bool | None
    smtp_valid: bool | None
    is_disposable: bool | None
    is_catch_all: bool | None
    is_spam_trap: bool | None
    is_free: bool | None
    basic: bool
    created_at: datetime
    rechecked_at: datetime | None
    did_you_mean: str
    is_role: bool | None
    mx_host: str

    @property
    def label(self) -> str:
        """The recommendation."""
        return result_label(category=self.category, safe_to_send=self.safe_to_send)

    @property
    def reason_text(self) -> str:
        """The reason as a plain sentence, the same for all rows with it."""
        return explain_reason(self.reason)


def iterate_found(batch: Batch, segment: str) -> Iterator[Found]:
    """The results of a segment (a key of `SEGMENT_FILTERS`) in the order of the list.

    Memory holds one page of `PAGE_ROWS` rows and some 2 KB for each page of evidence it met. The first row costs the
    reading of one page, and of the evidence it points to.
    """
    stored = batch.results.filter(SEGMENT_FILTERS[segment]).order_by("position").values_list(*_FIELDS)
    reader, last = FactsReader(), -1
    while page := list(stored.filter(position__gt=last)[:PAGE_ROWS]):
        facts = reader.read_facts(row[-1] for row in page)
        for row, (did_you_mean, is_role, mx_host) in zip(page, facts, strict=True):
            found = Found(*row[:_STORED], did_you_mean, is_role, mx_host)
            is_looked_at = found.syntax_valid and row[_STORED]
            yield found if is_looked_at else found._replace(is_free=None, is_role=None)
        last = page[-1][0]
