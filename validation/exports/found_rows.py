"""The results of a list with all that files say of them, page by page."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Any, NamedTuple

from django.db.models import Q

from validation.batches.models import Batch
from validation.results.decisions import DECISIONS
from validation.results.evidence_facts import Facts, FactsReader
from validation.results.models import RepairedAddress
from validation.results.reasons.texts import explain_reason
from validation.results.storage import result_label

SEGMENT_FILTERS = {
    "all": Q(),
    **{name: decision.condition for name, decision in DECISIONS.items()},
    **{name: Q(category=name) for name in ("invalid", "catch_all", "disposable", "unknown")},
    "unique": Q(),
    "role": Q(),
    "typo": Q(),
}
"""Which stored results a segment takes in; of `FACT_SEGMENTS` the evidence decides as well."""
FACT_SEGMENTS: Mapping[str, Callable[[Facts], bool]] = MappingProxyType(
    {"role": lambda facts: facts.is_role, "typo": lambda facts: bool(facts.did_you_mean)}
)
PAGE_ROWS = 2_000
_FIELDS = ("position", "email", "category", "reason", "sentence", "confidence", "safe_to_send", "syntax_valid",
           "domain_valid", "smtp_valid", "is_disposable", "is_catch_all", "is_spam_trap", "is_free", "basic",
           "created_at", "rechecked_at", "domain", "details")  # fmt: skip
_STORED = len(_FIELDS) - 2


class Found(NamedTuple):
    """A result as files have it.

    The fields are those of `Result` up to `rechecked_at`, apart from: `email` is the address that was checked;
    `is_free` and `is_role` are None where they were not looked at (impossible syntax, a fault of ours). `did_you_mean`
    and `mx_host` come from the evidence, "" where there is none. `repaired_from` is the text that was handed in where
    the address was repaired, else None.
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
    repaired_from: str | None

    @property
    def label(self) -> str:
        """The recommendation."""
        return result_label(category=self.category, safe_to_send=self.safe_to_send)

    @property
    def reason_text(self) -> str:
        """The reason as a plain sentence, the same for all rows with it."""
        return explain_reason(self.reason)


def iterate_found(batch: Batch, segment: str, *, risky_from: float | None = None) -> Iterator[Found]:
    """The results of a segment (a key of `SEGMENT_FILTERS`) in the order of the list.

    `risky_from` adds the risky ones with at least this confidence to the segment `safe`. Memory holds one page of
    `PAGE_ROWS` rows and some 2 KB for each page of evidence it met. The first row costs the reading of one page, and of
    the evidence it points to.
    """
    condition, has_facts = SEGMENT_FILTERS[segment], FACT_SEGMENTS.get(segment)
    if risky_from is not None:
        condition |= DECISIONS["risky"].condition & Q(confidence__gte=risky_from)
    stored = batch.results.filter(condition).order_by("position").values_list(*_FIELDS)
    reader, last = FactsReader(), -1
    while page := list(stored.filter(position__gt=last)[:PAGE_ROWS]):
        sources = _load_sources(batch, page[0][0], page[-1][0])
        for row, facts in zip(page, reader.read_facts(row[-1] for row in page), strict=True):
            if has_facts is None or has_facts(facts):
                yield _build_found(row, facts, sources.get(row[0]))
        last = page[-1][0]


class FoundReader:
    """Reads the results of a list at some positions. It remembers the pages of evidence that it met."""

    def __init__(self, batch: Batch) -> None:
        self._results, self._facts = batch.results, FactsReader()

    def load_found(self, positions: Collection[int]) -> dict[int, Found]:
        """The results by position, where there are any yet; `repaired_from` is not looked up."""
        if not positions:
            return {}
        rows = list(self._results.filter(position__in=positions).values_list(*_FIELDS))
        facts = self._facts.read_facts(row[-1] for row in rows)
        return {row[0]: _build_found(row, known, None) for row, known in zip(rows, facts, strict=True)}


def _load_sources(batch: Batch, first: int, last: int) -> dict[int, str]:
    """The texts as they were handed in, by position, where an address was repaired."""
    found = RepairedAddress.objects.filter(batch=batch, position__gte=first, position__lte=last)
    return dict(found.values_list("position", "source"))


def _build_found(row: Sequence[Any], facts: Facts, source: str | None) -> Found:
    found = Found._make((*row[:_STORED], *facts, source))
    is_looked_at = found.syntax_valid and row[_STORED]
    return found if is_looked_at else found._replace(is_free=None, is_role=None)
