"""Combines the engine's verdict with the answers of outside providers (docs/providers.md, Routing).

Pure. Definite verdicts of the engine never come here: only `unknown` and catch-all ones are open.
"""

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

from emailcheck.common.text.cleaning import make_storable
from validation.engine import Category, Check, Flag, Outcome, Reason, Verdict
from validation.engine.verdict.verdicts import is_safe_to_send
from validation.providers.clients.base import Opinion

ASKED, DECISION, OURSELVES = "outside_provider", "decision", "EmailCheck"
MOST_ANSWERS = 2
_WORDS = 60
_DEFINITE = frozenset({Category.VALID, Category.INVALID, Category.DISPOSABLE, Category.SPAM_TRAP})
_CONFIDENCE = {
    (Category.UNKNOWN, Category.VALID): 0.88,
    (Category.UNKNOWN, Category.INVALID): 0.05,
    (Category.UNKNOWN, Category.CATCH_ALL): 0.50,
    (Category.CATCH_ALL, Category.VALID): 0.75,
    (Category.CATCH_ALL, Category.INVALID): 0.10,
}
_WARNED = 0.30
_SENTENCES = {
    Category.VALID: "{title} says that this mailbox takes mail; our own check left that open.",
    Category.INVALID: "{title} says that mail to this address bounces; our own check left that open.",
    Category.CATCH_ALL: "{title} says that this domain accepts mail for every name; our own check left that open.",
    Category.DISPOSABLE: "{title} says that this is a throw-away mailbox.",
    Category.SPAM_TRAP: "{title} says that this address is a spam trap.",
}
_OUTCOMES = {
    Category.VALID: Outcome.PASS,
    Category.INVALID: Outcome.FAIL,
    Category.DISPOSABLE: Outcome.FAIL,
    Category.SPAM_TRAP: Outcome.FAIL,
    Category.CATCH_ALL: Outcome.WARN,
    Category.UNKNOWN: Outcome.UNKNOWN,
}


@dataclass(frozen=True, slots=True)
class ProviderAnswer:
    """The answer of one provider at `at` (UTC), or the `error` in its place.

    `category` and `reason` are ours, `status` and `sub_status` the provider's own words.
    """

    provider: str
    title: str
    at: str
    error: str = ""
    category: str = Category.UNKNOWN
    reason: str = Reason.NOT_PROBED
    status: str = ""
    sub_status: str = ""
    is_catch_all: bool | None = None
    is_spam_trap: bool | None = None
    advises_against: bool = False
    did_you_mean: str | None = None
    took_ms: float | None = None

    @property
    def is_answer(self) -> bool:
        return not self.error

    @property
    def is_definite(self) -> bool:
        return self.is_answer and self.category in _DEFINITE

    @property
    def decides(self) -> bool:
        return self.is_answer and self.category != Category.UNKNOWN

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class JudgedVerdict:
    """The final verdict, and the providers whose definite answer another source contradicts."""

    verdict: Verdict
    contradicted: frozenset[str]


def build_answer(opinion: Opinion, *, title: str, at: datetime) -> ProviderAnswer:
    """An opinion as it is stored, its texts bounded."""
    return ProviderAnswer(
        provider=opinion.provider,
        title=title,
        at=_format_time(at),
        category=opinion.category.value,
        reason=opinion.reason.value,
        status=_bound_text(opinion.status),
        sub_status=_bound_text(opinion.sub_status),
        is_catch_all=opinion.is_catch_all,
        is_spam_trap=opinion.is_spam_trap,
        advises_against=opinion.advises_against,
        did_you_mean=_bound_text(opinion.did_you_mean or "", 320) or None,
        took_ms=round(1_000 * opinion.took, 1),
    )


def build_failed_answer(*, provider: str, title: str, at: datetime, error: str) -> ProviderAnswer:
    """The record of a question without an answer. The provider has received the address all the same."""
    return ProviderAnswer(
        provider=provider, title=title, at=_format_time(at), error=_bound_text(error, 200) or "no answer"
    )


def is_settled(verdict: Verdict, responses: Sequence[ProviderAnswer], *, earlier: int = 0) -> bool:
    """Whether no other provider is needed.

    `earlier` answers are from the first check and do not count against a re-check's limit. A mail host that accepts
    every name and a provider that calls the address invalid contradict each other; a second provider decides then.
    """
    answers = [one for one in responses if one.is_answer]
    if len(answers) - earlier >= MOST_ANSWERS:
        return True
    deciding = [one for one in answers if one.decides]
    if verdict.category is Category.CATCH_ALL:
        return any(one.category != Category.INVALID for one in deciding)
    return bool(deciding)


def judge_answers(verdict: Verdict, responses: Sequence[ProviderAnswer]) -> JudgedVerdict:
    """The verdict with the providers' answers as evidence; unchanged without any."""
    if not responses:
        return JudgedVerdict(verdict, frozenset())
    answers = [one for one in responses if one.is_answer]
    decider = _find_decider(verdict, answers)
    disputed = _find_disputed(verdict, answers)
    judged = _apply_decision(verdict, decider) if decider else verdict
    judged = _apply_warning(judged, answers)
    checks = (*verdict.checks, *map(_build_check, responses), _build_decision(decider, answers, disputed))
    flags = (*verdict.flags, Flag.DISPUTED) if disputed else verdict.flags
    meant = next((one.did_you_mean for one in answers if one.did_you_mean), None)
    judged = replace(judged, checks=checks, flags=flags, did_you_mean=verdict.did_you_mean or meant)
    return JudgedVerdict(judged, disputed)


def _find_decider(verdict: Verdict, answers: Sequence[ProviderAnswer]) -> ProviderAnswer | None:
    """The deciding answer; None where definite ones differ, or `catch_all` was confirmed."""
    definite = [one for one in answers if one.is_definite]
    confirmed = any(one.category == Category.CATCH_ALL for one in answers)
    if len({one.category for one in definite}) > 1:
        return None
    if verdict.category is Category.CATCH_ALL:
        return None if confirmed else next(iter(definite), None)
    return next((one for one in (*definite, *answers) if one.decides), None)


def _find_disputed(verdict: Verdict, answers: Sequence[ProviderAnswer]) -> frozenset[str]:
    definite = [one for one in answers if one.is_definite]
    if len({one.category for one in definite}) > 1:
        return frozenset(one.provider for one in definite)
    against = frozenset(one.provider for one in definite if one.category == Category.INVALID)
    is_alone = verdict.category is Category.CATCH_ALL and len(against) == 1
    return against if is_alone else frozenset()


def _apply_decision(verdict: Verdict, decider: ProviderAnswer) -> Verdict:
    category = Category(decider.category)
    if category is verdict.category:
        return verdict
    figure = _CONFIDENCE.get((verdict.category, category), 0.10 if category is Category.DISPOSABLE else 0.0)
    figure = round(figure - 0.02 * verdict.is_role, 2) if category is Category.VALID else figure
    return replace(
        verdict,
        category=category,
        reason=Reason(decider.reason),
        confidence=figure,
        safe_to_send=is_safe_to_send(category, figure),
        sentence=_SENTENCES[category].format(title=decider.title),
        is_disposable=True if category is Category.DISPOSABLE else verdict.is_disposable,
        is_catch_all=True if category is Category.CATCH_ALL else verdict.is_catch_all,
        is_spam_trap=True if category is Category.SPAM_TRAP else verdict.is_spam_trap,
    )


def _apply_warning(verdict: Verdict, answers: Collection[ProviderAnswer]) -> Verdict:
    """Make the verdict risky where a provider warns of the address, whatever the mailbox's state."""
    if not any(one.advises_against for one in answers):
        return verdict
    return replace(verdict, confidence=min(verdict.confidence, _WARNED), safe_to_send=False)


def _build_check(response: ProviderAnswer) -> Check:
    if not response.is_answer:
        return Check(
            ASKED, Outcome.UNKNOWN, f"asked at {response.at}, without a usable answer: {response.error}", response.title
        )
    words = f"{response.status} ({response.sub_status})" if response.sub_status else response.status
    warns = ", and warns of sending there" if response.advises_against else ""
    detail = f"said {words}, which we read as {response.category}{warns}; asked at {response.at}"
    return Check(ASKED, _OUTCOMES[Category(response.category)], detail, response.title, response.took_ms)


def _build_decision(
    decider: ProviderAnswer | None, answers: Sequence[ProviderAnswer], disputed: Collection[str]
) -> Check:
    categories = ", ".join(f"{one.title}: {one.category}" for one in answers)
    if decider is not None:
        outcome = Outcome.WARN if disputed else Outcome.PASS
        against = "; our own check found that the mail host accepts every name" if disputed else ""
        return Check(
            DECISION, outcome, f"left open by our own check, decided by {decider.title}{against}", decider.title
        )
    if disputed:
        return Check(
            DECISION, Outcome.WARN, f"the sources disagree ({categories}), so our own answer stands", OURSELVES
        )
    if categories:
        return Check(DECISION, Outcome.PASS, f"nobody knew more ({categories}), so our own answer stands", OURSELVES)
    return Check(DECISION, Outcome.PASS, "no provider answered, so our own answer stands", OURSELVES)


def _bound_text(words: str, most: int = _WORDS) -> str:
    return make_storable(words)[:most]


def _format_time(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M:%S} UTC"
