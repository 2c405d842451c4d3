"""The catalogue of reasons as readers see it: the documentation, the reference and the text for language models."""

from typing import NamedTuple

from validation.results.reasons.catalogue import REASONS, Outcome, ReasonEntry

_NEVER = "–"


class ReasonRow(NamedTuple):
    """A reason in words: its categories, and the credits it costs by full and by basic checks."""

    reason: str
    categories: str
    full: str
    basic: str
    meaning: str
    advice: str


def list_reason_rows() -> tuple[ReasonRow, ...]:
    """All reasons, in the order of the catalogue."""
    return tuple(map(_build_row, REASONS))


def _build_row(entry: ReasonEntry) -> ReasonRow:
    return ReasonRow(
        reason=str(entry.reason),
        categories=", ".join(outcome.category for outcome in entry.outcomes) or _NEVER,
        full=_format_credits([(outcome, outcome.full) for outcome in entry.outcomes]),
        basic=_format_credits([(outcome, outcome.basic) for outcome in entry.outcomes]),
        meaning=entry.meaning,
        advice=entry.advice,
    )


def _format_credits(costs: list[tuple[Outcome, int | None]]) -> str:
    """One number where there is one; each with its category where there are several."""
    known = [(outcome.category, credits) for outcome, credits in costs if credits is not None]
    if len(known) < 2:
        return "".join(str(credits) for _, credits in known) or _NEVER
    return ", ".join(f"{credits} as {category}" for category, credits in known)
