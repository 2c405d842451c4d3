"""Evidence as it is stored: beside a single check as it is, of a list on pages of many rows (ADR 8).

page     {lines, checks, lists, rows}, as JSON, deflated (RFC 1950)
lines    the lines of all conversations, each once
checks   [[name, outcome, detail, source, time_ms, expires_at], …], each once
lists    which checks a verdict rests on, as numbers of `checks`, each list once
rows     [[flags, did_you_mean, mx, numbers of `lines`, number of its list], …]
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, NamedTuple

from validation.engine import Check, Verdict
from validation.results.fields import compress_json
from validation.results.models import Evidence, Result

_PAGE_ROWS = 256
_CHECK = attrgetter("name", "outcome", "detail", "source", "time_ms", "expires_at")


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

    def add(self, verdict: Verdict) -> int:
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

    def add(self, verdict: Verdict) -> EvidenceLocation:
        """Add evidence to the open page."""
        location = EvidenceLocation(self._page, self._page.add(verdict))
        if location.number + 1 == _PAGE_ROWS:
            self._page.pack()
            self._page = EvidencePage()
        return location


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
