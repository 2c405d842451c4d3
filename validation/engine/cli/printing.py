"""Verdicts as lines: JSON for programs, columns for readers."""

import dataclasses
import json
from json.encoder import encode_basestring as quoted

from validation.engine.vocabulary import Check, Verdict

_APART = frozenset({"checks", "follow_up"})
_FIELDS = tuple(field.name for field in dataclasses.fields(Verdict) if field.name not in _APART)
_REMEMBERED = 10_000
_dumps = json.JSONEncoder(ensure_ascii=False).encode


class JsonLines:
    """One object a line: the fields of the verdict, and the named checks as `evidence`.

    Many checks are shared by addresses, so their text is made once and remembered for a while. It is put together by
    hand, because that takes a fifth of the time: a verdict has more than twenty checks.
    """

    def __init__(self) -> None:
        self._known: dict[int, tuple[Check, str]] = {}  # by identity; the check is kept so that its id stays its own

    def line(self, verdict: Verdict) -> bytes:
        """The line of a verdict."""
        row = _dumps({name: getattr(verdict, name) for name in _FIELDS})
        known = self._known
        texts = []
        for check in verdict.checks:
            entry = known.get(id(check))
            if entry is None:
                if len(known) >= _REMEMBERED:
                    known.clear()
                entry = known[id(check)] = (check, _format_check(check))
            texts.append(entry[1])
        return f'{row[:-1]}, "evidence": [{", ".join(texts)}]}}\n'.encode("utf-8", "replace")


def _format_check(check: Check) -> str:
    return (
        f'{{"name": {quoted(check.name)}, "outcome": {quoted(check.outcome)}, "detail": {quoted(check.detail)}, '
        f'"source": {quoted(check.source)}, "time_ms": {_format_number(check.time_ms)}, '
        f'"expires_at": {_format_number(check.expires_at)}}}'
    )


def _format_number(value: float | None) -> str:
    return "null" if value is None else repr(value)


class Columns:
    """Address, category, reason, confidence and the sentence that says why, in columns."""

    def line(self, verdict: Verdict) -> bytes:
        """The line of a verdict. Characters that a terminal might obey are replaced."""
        text = (
            f"{verdict.email:<40}  {verdict.category:<10}  {verdict.reason:<18}  {verdict.confidence:4.2f}"
            f"  {verdict.sentence}"
        )
        shown = text if text.isprintable() else "".join(mark if mark.isprintable() else "\ufffd" for mark in text)
        return f"{shown}\n".encode("utf-8", "replace")
