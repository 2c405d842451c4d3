"""Copies earlier verdicts with their evidence to the rows of a new list: free of charge, with their own date."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Q

from validation.batches.models import Batch
from validation.batches.reuse.finding import shown_to
from validation.batches.reuse.keys import key_of
from validation.batches.samples.models import Sample
from validation.batches.samples.verdicts import unpack_sample
from validation.engine import Check, Outcome, Verdict
from validation.results import storage
from validation.results.models import Category, Evidence, Result
from validation.results.storage import EvidenceWriter, ResultRow

_AT_ONCE = 500
_COPIED = (
    "domain",
    "category",
    "reason",
    "sentence",
    "confidence",
    "safe_to_send",
    "syntax_valid",
    "domain_valid",
    "smtp_valid",
    "is_disposable",
    "is_catch_all",
    "is_spam_trap",
    "is_free",
    "basic",
)

Row = list[Any]


class CopiedRows(NamedTuple):
    """The rows of a chunk that got their verdict, and those whose source is gone, to be checked free of charge."""

    made: list[ResultRow]
    left: list[Row]


@dataclass(frozen=True, slots=True)
class _StoredEvidence:
    """The evidence of a stored verdict."""

    flags: tuple[str, ...]
    did_you_mean: str | None
    mx_hosts: tuple[str, ...]
    transcript: tuple[str, ...]
    checks: tuple[Check, ...]


def has_source(row: Sequence[Any]) -> bool:
    """Whether a row of a chunk names the verdict that it is to take over."""
    return len(row) > 2 and isinstance(row[2], int)


def copy_verdicts(batch: Batch, rows: Sequence[Row], evidence_writer: EvidenceWriter) -> CopiedRows:
    """Copy the verdicts that rows of a list name. Rows without one, or whose verdict is gone, are left."""
    copier = _Copier(batch, evidence_writer)
    copied = CopiedRows([], [])
    for first in range(0, len(rows), _AT_ONCE):
        some = rows[first : first + _AT_ONCE]
        found = copier.load_sources(row[2] for row in some if has_source(row))
        for row in some:
            made = copier.copy(row, found.get(row[2])) if has_source(row) else None
            if made is None:
                copied.left.append(row[:2] if has_source(row) else row)
            else:
                copied.made.append(made)
    return copied


class _Copier:
    """Copies to the rows of one chunk. Evidence that sources share is shared by the copies too."""

    def __init__(self, batch: Batch, evidence_writer: EvidenceWriter) -> None:
        self._batch = batch
        self._evidence_writer = evidence_writer
        self._samples: dict[int, dict[str, Verdict]] = {}
        self._sampled_at: dict[int, datetime] = {}
        self._checks: dict[tuple[Any, ...], Check] = {}
        self._lists: dict[tuple[Check, ...], tuple[Check, ...]] = {}

    def load_sources(self, sources: Iterable[int]) -> dict[int, "tuple[Result, Any] | int"]:
        """The usable sources by their number: results with their page of evidence, and samples."""
        numbers = set(sources)
        found: dict[int, tuple[Result, Any] | int] = {
            number: number for number in numbers if number < 0 and self._load_sample(-number)
        }
        results = list(self._filter_results([number for number in numbers if number > 0]))
        on_pages = {result.details[0] for result in results if isinstance(result.details, list)}
        pages = dict(Evidence.objects.filter(pk__in=on_pages).values_list("pk", "rows"))
        return found | {result.pk: (result, pages) for result in results}

    def copy(self, row: Row, source: "tuple[Result, Any] | int | None") -> ResultRow | None:
        """The row with its verdict; None where there is none for this address any more."""
        if source is None:
            return None
        position, address = row[:2]
        if isinstance(source, int):
            return self._copy_sampled(position, address, -source)
        result, pages = source
        is_gone = isinstance(result.details, list) and result.details[0] not in pages
        if is_gone or key_of(result.email) != key_of(address):
            return None
        return ResultRow(
            position=position,
            email=address,
            address=storage.searchable_address(address),
            **{name: getattr(result, name) for name in _COPIED},
            reused_from=result.reused_from or result.created_at,
            details=self._evidence_writer.add(self._read_evidence(result, pages)),
        )

    def _filter_results(self, ids: Sequence[int]) -> Iterator[Result]:
        """The results that may be taken over still: not deleted, decided, and full in a list that runs full checks."""
        batch = self._batch
        mine = Result.objects.filter(pk__in=ids)
        if batch.test:
            mine = mine.filter(batch__organisation=batch.organisation_id, batch__test=True)
        else:
            mine = mine.filter(organisation=batch.organisation_id)
        there = Q(batch=None) | Q(shown_to(batch.maker_id, "batch__"), batch__deleted_at=None, batch__expired_at=None)
        basic = {} if batch.is_basic else {"basic": False}
        return mine.filter(there, **basic).exclude(category=Category.UNKNOWN).iterator()

    def _read_evidence(self, result: Result, pages: Any) -> _StoredEvidence:
        details = result.details
        if isinstance(details, list):
            page, number = details
            details = storage.unpack_evidence(pages[page], number)
        return _StoredEvidence(
            flags=tuple(details["flags"]),
            did_you_mean=details["did_you_mean"],
            mx_hosts=tuple(details["mx"]),
            transcript=tuple(details["transcript"]),
            checks=self._share_checks(details["checks"]),
        )

    def _share_checks(self, checks: Iterable[Sequence[Any]]) -> tuple[Check, ...]:
        """The checks, each once for all rows: pages of evidence tell them apart by their identity."""
        shared = tuple(self._share_check(tuple(check)) for check in checks)
        return self._lists.setdefault(shared, shared)

    def _share_check(self, values: tuple[Any, ...]) -> Check:
        check = self._checks.get(values)
        if check is None:
            name, outcome, *rest = values
            check = self._checks[values] = Check(name, Outcome(outcome), *rest)
        return check

    def _load_sample(self, pk: int) -> bool:
        if pk not in self._samples:
            sample = Sample.objects.filter(pk=pk, organisation=self._batch.organisation_id).first()
            usable = sample is not None and sample.ended_at is not None and not self._batch.is_basic
            self._samples[pk] = unpack_sample(sample) if sample and usable else {}
            if sample and sample.ended_at:
                self._sampled_at[pk] = sample.ended_at
        return bool(self._samples[pk])

    def _copy_sampled(self, position: int, address: str, pk: int) -> ResultRow | None:
        verdict = self._samples[pk].get(key_of(address))
        if verdict is None:
            return None
        made = storage.build_row(verdict, position=position, evidence_writer=self._evidence_writer)
        return made._replace(
            email=address,
            address=storage.searchable_address(address),
            charged=False,
            reused_from=self._sampled_at[pk],
        )
