"""Turns verdicts into stored results, and results into counts.

Long lists pass through here row by row, so a row is a plain tuple in the order of the table's columns, written by one
statement for many: model instances and `bulk_create` take six times the processor time (see `docs/performance.md`).
Everything possible is done before the transaction, because SQLite has one writer at a time.

Evidence is stored beside a single check as it is, of a list on pages of many rows (ADR 8):

page     {lines, checks, lists, rows}, as JSON, deflated (RFC 1950)
lines    the lines of all conversations, each once
checks   [[name, outcome, detail, source, time_ms, expires_at], …], each once
lists    which checks a verdict rests on, as numbers of `checks`, each list once
rows     [[flags, did_you_mean, mx, numbers of `lines`, number of its list], …]
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple, Protocol

from django.db import connection
from django.utils import timezone

from emailcheck.common.storage.statements import Rows, Statement
from emailcheck.common.text.cleaning import make_storable
from validation.daily import rollups
from validation.daily.models import TALLY_FIELDS, Source
from validation.engine import Check, Reason, Verdict
from validation.results.fields import compress_json
from validation.results.models import Category, Evidence, Result
from validation.results.removal import uncount_results

SAFE, RISKY, NEVER = "Safe to send", "Risky to send", "Do not send"
DO_NOT_SEND = frozenset({Category.INVALID, Category.DISPOSABLE, Category.SPAM_TRAP})
NOT_CHECKED = "This address could not be checked because of an internal fault. It costs nothing; try it again."
_NO_DETAILS: dict[str, Any] = {"flags": [], "did_you_mean": None, "mx": [], "checks": [], "transcript": []}
# One statement for many rows: SQLite releases Python's lock once a statement, not once a row.
_ROWS_A_STATEMENT = 200
_PAGE_ROWS = 256
_CHECK = attrgetter("name", "outcome", "detail", "source", "time_ms", "expires_at")


class Evidenced(Protocol):
    """What has the evidence of a verdict: the verdict, or what was stored of it."""

    @property
    def flags(self) -> Sequence[str]: ...
    @property
    def did_you_mean(self) -> str | None: ...
    @property
    def mx_hosts(self) -> Sequence[str]: ...
    @property
    def transcript(self) -> Sequence[str]: ...
    @property
    def checks(self) -> Sequence[Check]: ...


@dataclass(slots=True)
class _Numbered:
    """Numbers objects that the engine shares between verdicts. Holds references, so that no id is reused."""

    items: list[Any] = field(default_factory=list)
    by_id: dict[int, int] = field(default_factory=dict)

    def number(self, item: Any) -> int:
        number = self.by_id.get(id(item))
        if number is None:
            number = self.by_id[id(item)] = len(self.items)
            self.items.append(item)
        return number


@dataclass(slots=True)
class EvidencePage:
    """Evidence that is stored together; packed when it is full or written."""

    rows: list[Any] = field(default_factory=list)
    lines: dict[str, int] = field(default_factory=dict)
    lists: _Numbered = field(default_factory=_Numbered)
    packed: bytes = b""

    def add(self, verdict: Evidenced) -> int:
        """Add evidence. Returns its row on the page."""
        lines = self.lines
        line_numbers = [lines.setdefault(line, len(lines)) for line in verdict.transcript]
        checks = self.lists.number(verdict.checks)
        self.rows.append((verdict.flags, verdict.did_you_mean, verdict.mx_hosts, line_numbers, checks))
        return len(self.rows) - 1

    def pack(self) -> bytes:
        if not self.packed:
            checks = _Numbered()
            number = checks.number
            lists = [[number(check) for check in made] for made in self.lists.items]
            page = {"lines": list(self.lines), "checks": _plain_checks(checks.items), "lists": lists, "rows": self.rows}
            self.packed = compress_json(page)
            self.rows, self.lines, self.lists = [], {}, _Numbered()
        return self.packed


class EvidenceLocation(NamedTuple):
    """The page and row of a result's evidence."""

    page: EvidencePage
    number: int


class EvidenceWriter:
    """Writes evidence to pages, one after the other."""

    def __init__(self) -> None:
        self._page = EvidencePage()

    def add(self, verdict: Evidenced) -> EvidenceLocation:
        """Add evidence to the open page."""
        location = EvidenceLocation(self._page, self._page.add(verdict))
        if location.number + 1 == _PAGE_ROWS:
            self._page.pack()
            self._page = EvidencePage()
        return location


class ResultRow(NamedTuple):
    """A result to be written. `details`: its evidence, or the page that has it. `reused_from`: when the verdict was
    made that it took over."""

    position: int
    email: str
    address: str
    domain: str
    category: str
    reason: str
    sentence: str
    confidence: float = 0.0
    safe_to_send: bool = False
    syntax_valid: bool = True
    domain_valid: bool | None = None
    smtp_valid: bool | None = None
    is_disposable: bool | None = None
    is_catch_all: bool | None = None
    is_spam_trap: bool | None = None
    is_free: bool = False
    basic: bool = False
    charged: bool = False
    reused_from: datetime | None = None
    details: dict[str, Any] | EvidenceLocation = _NO_DETAILS


_COUNTED = attrgetter("category", "safe_to_send", "charged")


def result_label(*, category: str, safe_to_send: bool) -> str:
    """The recommendation for an address (VAL-067, VAL-068)."""
    if category in DO_NOT_SEND:
        return NEVER
    return SAFE if safe_to_send else RISKY


def searchable_address(email: str) -> str:
    """An address as searches and sorts use it, shortened to fit an index."""
    return email.lower()[:320]


def is_charged(*, category: str, reason: str, syntax_valid: bool) -> bool:
    """Whether a verdict costs its credit: conclusive ones do; unknown and impossible syntax do not (VAL-043).

    A check that only the plan left undecided costs it, because the plan's checks were made (VAL-021).
    """
    return syntax_valid and (category != Category.UNKNOWN or reason == Reason.NOT_IN_PLAN)


def build_row(
    verdict: Verdict,
    *,
    position: int = 0,
    evidence_writer: EvidenceWriter | None = None,
    basic: bool = False,
    reading: dict[str, Any] | None = None,
) -> ResultRow:
    """The row of a verdict by all checks, or the `basic` ones alone.

    `position`: its position in the list, from 1. `evidence_writer` receives its evidence. `reading`: how the text of a
    single check was read, as its evidence keeps it.
    """
    category = verdict.category.value
    return ResultRow(
        position=position,
        email=verdict.email,
        address=searchable_address(verdict.email),
        domain=verdict.domain or "",
        category=category,
        reason=verdict.reason.value,
        sentence=make_storable(verdict.sentence[:300]),
        confidence=verdict.confidence,
        safe_to_send=verdict.safe_to_send,
        syntax_valid=verdict.syntax_valid,
        domain_valid=verdict.domain_valid,
        smtp_valid=verdict.smtp_valid,
        is_disposable=verdict.is_disposable,
        is_catch_all=verdict.is_catch_all,
        is_spam_trap=verdict.is_spam_trap,
        is_free=verdict.is_free,
        basic=basic,
        charged=is_charged(category=category, reason=verdict.reason, syntax_valid=verdict.syntax_valid),
        details=evidence_writer.add(verdict)
        if evidence_writer
        else build_evidence(verdict) | {"retry_after": verdict.retry_after} | (reading or {}),
    )


def build_unchecked_row(email: str, *, position: int, basic: bool = False) -> ResultRow:
    """The row of an address whose check failed by a fault of ours."""
    return ResultRow(
        position=position,
        email=email,
        address=searchable_address(email),
        domain="",
        category=Category.UNKNOWN,
        reason="not_probed",
        sentence=NOT_CHECKED,
        basic=basic,
    )


def tally_rows(rows: Iterable[ResultRow]) -> dict[str, int]:
    """The counts of some rows, one for each of `TALLY_FIELDS`."""
    counts: Counter[str] = Counter()
    for (category, is_safe, is_charged), count in Counter(map(_COUNTED, rows)).items():
        counts["processed"] += count
        counts[f"{category}_count"] += count
        counts["credits_used"] += count * is_charged
        counts["safe_to_send_count"] += count * is_safe
        counts["risky_count"] += count * (not is_safe and category not in DO_NOT_SEND)
    return {name: counts[name] for name in TALLY_FIELDS}


class PreparedResults(NamedTuple):
    """The results of a chunk, ready to be written: in the order of the list, counted, their evidence packed."""

    rows: list[ResultRow]
    tally: dict[str, int]
    pages: list[EvidencePage]


def prepare_results(rows: Iterable[ResultRow], *, free: bool = False) -> PreparedResults:
    """Prepare results for writing; with `free` none of them is charged."""
    ordered = sorted(rows, key=itemgetter(0))
    if free:
        ordered = [row._replace(charged=False) for row in ordered]
    pages = {id(row.details.page): row.details.page for row in ordered if isinstance(row.details, EvidenceLocation)}
    for page in pages.values():
        page.pack()
    return PreparedResults(ordered, tally_rows(ordered), list(pages.values()))


def insert_results(prepared: PreparedResults, *, organisation_id: int | None, batch_id: int) -> None:
    """Insert the rows of a batch and count them, in the caller's transaction.

    Raises `IntegrityError` when one of them exists.
    """
    _write_results(prepared, organisation_id, batch_id, again=False)


def replace_results(prepared: PreparedResults, *, organisation_id: int | None, batch_id: int) -> None:
    """Replace first verdicts by those of a re-check, marked as such, in the caller's transaction."""
    positions = [row.position for row in prepared.rows]
    uncount_results(Result.objects.filter(batch=batch_id, position__in=positions))
    _write_results(prepared, organisation_id, batch_id, again=True)


def _write_results(prepared: PreparedResults, organisation_id: int | None, batch_id: int, *, again: bool) -> None:
    now = timezone.now()
    moment = _adapt_moment(now)
    head = (organisation_id, batch_id, moment, moment if again else None)
    stored = Evidence.objects.bulk_create(Evidence(batch_id=batch_id, rows=page.pack()) for page in prepared.pages)
    keys = {id(page): evidence.pk for page, evidence in zip(prepared.pages, stored, strict=True)}
    values = [
        (*head, *row[:-2], _adapt_moment(row.reused_from), _encode_details(row.details, keys)) for row in prepared.rows
    ]
    _insert_rows(values, _REPLACE if again else "")
    rollups.add_counts(prepared.tally, organisation_id=organisation_id, on=rollups.day_of(now), source=Source.LIST)


def _insert_rows(values: Sequence[tuple[Any, ...]], otherwise: str) -> None:
    """Insert rows through the driver's own cursor, because Django's searches every statement for placeholders."""
    one = f"({', '.join([_PLACEHOLDERS[connection.vendor]] * len(_COLUMNS))})"
    with connection.wrap_database_errors, closing(connection.connection.cursor()) as cursor:
        for first in range(0, len(values), _ROWS_A_STATEMENT):
            some = values[first : first + _ROWS_A_STATEMENT]
            statement = f"{_INSERT} {', '.join([one] * len(some))} {otherwise}"
            cursor.execute(statement, list(chain.from_iterable(some)))


def _encode_details(details: dict[str, Any] | EvidenceLocation, keys: Mapping[int, int]) -> str:
    """As the text of a JSON column."""
    return (
        f"[{keys[id(details.page)]},{details.number}]" if isinstance(details, EvidenceLocation) else json.dumps(details)
    )


class SingleWriting:
    """The statements that insert the result of a single check of now, and count it among those of its day.

    Others of the account wait for the transaction from `counting` on. `took_ms`: the duration of the check in ms.
    """

    def __init__(self, row: ResultRow, *, took_ms: int, organisation_id: int) -> None:
        self._row, self._organisation_id, self._now = row, organisation_id, timezone.now()
        values = [organisation_id, None, _adapt_moment(self._now), None, *row[:-1], json.dumps(row.details)]
        self.inserting = Statement(_INSERT_SINGLE, values)
        self.counting = rollups.build_counting(
            tally_rows([row]) | {"timed": 1, "time_ms": took_ms},
            organisation_id=organisation_id,
            on=rollups.day_of(self._now),
            source=Source.SINGLE,
        )

    def build_result(self, inserted: Rows) -> Result:
        """The result, by the rows of `inserting`."""
        ((number,),) = inserted
        return Result(pk=number, organisation_id=self._organisation_id, created_at=self._now, **self._row._asdict())


def _adapt_moment(moment: datetime | None) -> Any:
    return moment and Result._meta.get_field("created_at").get_db_prep_value(moment, connection)


_COLUMNS = ("user_id", "batch_id", "created_at", "rechecked_at", *ResultRow._fields)
_PLACEHOLDERS = {"sqlite": "?", "postgresql": "%s"}  # as their drivers want them
_INSERT = f"INSERT INTO {Result._meta.db_table} ({', '.join(_COLUMNS)}) VALUES"  # the names are ours
_INSERT_SINGLE = f"{_INSERT} ({', '.join(['%s'] * len(_COLUMNS))}) RETURNING id"
_REPLACE = (
    f"ON CONFLICT (batch_id, position) DO UPDATE SET {', '.join(f'{name} = excluded.{name}' for name in _COLUMNS[2:])}"
)


def build_evidence(verdict: Verdict) -> dict[str, Any]:
    """The evidence of a single check: {flags, did_you_mean, mx, transcript, checks}, as JSON returns it."""
    evidence = {
        "flags": verdict.flags,
        "did_you_mean": verdict.did_you_mean,
        "mx": verdict.mx_hosts,
        "transcript": verdict.transcript,
        "checks": _plain_checks(verdict.checks),
    }
    # PostgreSQL stores no NUL in JSON, and mail hosts may send one.
    alone: dict[str, Any] = json.loads(json.dumps(evidence).replace("\\u0000", "\\u001a"))
    return alone


def load_evidence(result: Result) -> dict[str, Any]:
    """The evidence of a stored result: flags, did_you_mean, mx, transcript, checks."""
    if isinstance(result.details, dict):
        return result.details
    page, number = result.details
    return unpack_evidence(Evidence.objects.get(pk=page).rows, number)


def unpack_evidence(page: Any, number: int) -> dict[str, Any]:
    """The evidence of a row on a page, as `build_evidence` has it."""
    if isinstance(page, list):  # the first pages held it whole
        whole: dict[str, Any] = page[number]
        return whole
    flags, did_you_mean, mx, line_numbers, checks = page["rows"][number]
    return {
        "flags": flags,
        "did_you_mean": did_you_mean,
        "mx": mx,
        "transcript": [page["lines"][line] for line in line_numbers],
        "checks": [page["checks"][check] for check in page["lists"][checks]],
    }


def _plain_checks(checks: Iterable[Check]) -> list[tuple[Any, ...]]:
    return [_CHECK(check) for check in checks]
