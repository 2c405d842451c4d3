"""Verdicts as plain data, to be kept until they become results."""

from collections.abc import Iterable
from dataclasses import fields, replace
from typing import Any

from validation.engine import Category, Check, Flag, Outcome, Reason, Verdict

_FIELDS = tuple(field.name for field in fields(Verdict))


def pack_verdict(verdict: Verdict) -> dict[str, Any]:
    """A verdict as plain data, without its follow-up."""
    named = {name: getattr(verdict, name) for name in _FIELDS}
    checks = [(one.name, one.outcome, one.detail, one.source, one.time_ms, one.expires_at) for one in verdict.checks]
    return named | {"checks": checks, "follow_up": None}


def unpack_verdicts(packed: Iterable[dict[str, Any]]) -> list[Verdict]:
    """The verdicts that were packed."""
    return [unpack_verdict(one) for one in packed]


def unpack_verdict(plain: dict[str, Any]) -> Verdict:
    """A verdict that was packed."""
    made = Verdict(**plain)
    return replace(
        made,
        category=Category(made.category),
        reason=Reason(made.reason),
        flags=tuple(map(Flag, made.flags)),
        mx_hosts=tuple(made.mx_hosts),
        transcript=tuple(made.transcript),
        checks=tuple(Check(name, Outcome(outcome), *rest) for name, outcome, *rest in plain["checks"]),
    )
