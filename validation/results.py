"""From a verdict to a stored result, and from results to counts."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from validation.engine import Check, Verdict
from validation.models import TALLY_FIELDS, Category, Result

CONCLUSIVE = frozenset(Category.values) - {Category.UNKNOWN}
DO_NOT_SEND = frozenset({Category.INVALID, Category.DISPOSABLE, Category.SPAM_TRAP})
NOT_CHECKED = "This address could not be checked because of an internal fault. It costs nothing; try it again."


def label(*, category: str, safe_to_send: bool) -> str:
    """What to do with an address (VAL-067, VAL-068)."""
    if category in DO_NOT_SEND:
        return "Do not send"
    return "Safe to send" if safe_to_send else "Risky to send"


def is_charged(verdict: Verdict) -> bool:
    """A conclusive verdict costs 1 credit; unknown and impossible syntax cost nothing (VAL-043)."""
    return verdict.syntax_valid and verdict.category.value in CONCLUSIVE


def from_verdict(verdict: Verdict, *, user_id: int, batch_id: int | None = None, position: int = 0) -> Result:
    """An unsaved result."""
    return Result(
        user_id=user_id,
        batch_id=batch_id,
        position=position,
        email=verdict.email,
        domain=verdict.domain or "",
        category=verdict.category.value,
        reason=verdict.reason.value,
        sentence=verdict.sentence[:300],
        confidence=verdict.confidence,
        safe_to_send=verdict.safe_to_send,
        syntax_valid=verdict.syntax_valid,
        domain_valid=verdict.domain_valid,
        smtp_valid=verdict.smtp_valid,
        is_disposable=verdict.is_disposable,
        is_catch_all=verdict.is_catch_all,
        is_spam_trap=verdict.is_spam_trap,
        is_free=verdict.is_free,
        charged=is_charged(verdict),
        details={
            "flags": [flag.value for flag in verdict.flags],
            "did_you_mean": verdict.did_you_mean,
            "mx": list(verdict.mx_hosts),
            "checks": [_check(check) for check in verdict.checks],
            "transcript": list(verdict.transcript),
        },
    )


def not_checked(address: str, *, user_id: int, batch_id: int, position: int) -> Result:
    """The result of a row that could not be checked because of a fault of ours."""
    return Result(
        user_id=user_id,
        batch_id=batch_id,
        position=position,
        email=address,
        category=Category.UNKNOWN,
        reason="not_probed",
        sentence=NOT_CHECKED,
        confidence=0.0,
        safe_to_send=False,
        syntax_valid=True,
        is_free=False,
        charged=False,
        details={"flags": [], "did_you_mean": None, "mx": [], "checks": [], "transcript": []},
    )


def tally(results: Iterable[Result]) -> dict[str, int]:
    """The counts of some results, a number for each of `TALLY_FIELDS`."""
    counts: Counter[str] = Counter()
    for result in results:
        counts["processed"] += 1
        counts[f"{result.category}_count"] += 1
        counts["credits_used"] += result.charged
        counts["safe_to_send_count"] += result.safe_to_send
        counts["risky_count"] += not result.safe_to_send and result.category not in DO_NOT_SEND
    return {name: counts[name] for name in TALLY_FIELDS}


def _check(check: Check) -> list[Any]:
    return [check.name, check.outcome, check.detail, check.source, check.time_ms, check.expires_at]
