"""Verdicts as lines: JSON for programs, columns for readers."""

import dataclasses
import json

from validation.engine.vocabulary import Check, Verdict

_APART = frozenset({"checks", "follow_up"})
_FIELDS = tuple(field.name for field in dataclasses.fields(Verdict) if field.name not in _APART)
_CHECK_FIELDS = tuple(field.name for field in dataclasses.fields(Check))
_REMEMBERED = 10_000
_dumps = json.JSONEncoder(ensure_ascii=False).encode


class JsonLines:
    """One object a line: the fields of the verdict, and the named checks as `evidence`.

    Most checks are shared by many addresses, so their text is made once and remembered for a while.
    """

    def __init__(self) -> None:
        self._known: dict[int, tuple[Check, str]] = {}  # by identity; the check is kept so that its id stays its own

    def line(self, verdict: Verdict) -> bytes:
        """The line of a verdict."""
        row = _dumps({name: getattr(verdict, name) for name in _FIELDS})
        evidence = ", ".join([self._text(check) for check in verdict.checks])
        return f'{row[:-1]}, "evidence": [{evidence}]}}\n'.encode("utf-8", "replace")

    def _text(self, check: Check) -> str:
        known = self._known.get(id(check))
        if known is not None:
            return known[1]
        text = _dumps({name: getattr(check, name) for name in _CHECK_FIELDS})
        if len(self._known) >= _REMEMBERED:
            self._known.clear()
        self._known[id(check)] = (check, text)
        return text


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
