"""Answers held against the truth, for us and, in all fairness, for the peers.

Ours is exact when category and reason are right; after a greylisting host, when the second look is right too. A peer
knows neither catch-alls nor reasons, so it is exact when it says deliverable where mail would be taken, undeliverable
where it would not, and anything undecided where nobody can know. What a peer says is read in its favour: replies that
it reports as trouble with the connection or the sender count as undecided, although its plain yes/no call answers no.
An invalid is false when the truth is valid, catch-all or unknown.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.engine.model import Truth

DELIVERABLE, UNDELIVERABLE, THROW_AWAY, UNDECIDED = "deliverable", "undeliverable", "throw-away", "undecided"
_RIGHT = {
    "valid": (DELIVERABLE,),
    "catch_all": (DELIVERABLE,),
    "invalid": (UNDELIVERABLE,),
    "disposable": (THROW_AWAY, UNDELIVERABLE),
    "unknown": (UNDECIDED,),
}
_NO_GROUND = frozenset({"valid", "catch_all", "unknown"})
# What deep-email-validator reports of SMTP when the mailbox was refused: 550, 551, 552 and 553 in its table of texts.
_DEEP_REFUSALS = (
    "Mailbox not found",
    "SMTP Error: The mailbox that you are trying to reach can't",
    "SMTP Error: The specified user is not local; part",
    "SMTP Error: The mailbox that you are trying to reach has run out",
    "SMTP Error: The mail address that you specified",
)
_PY3_REFUSALS = frozenset(
    {"AddressNotDeliverableError", "AddressFormatError", "DomainNotFoundError", "NoMXError", "NoValidMXError"}
)

Answer = Sequence[Any]


@dataclass(slots=True)
class Score:
    """How many answers were right. `wrong` counts what was said instead, by kind of address."""

    total: int = 0
    exact: int = 0
    false_invalid: int = 0
    undecided_instead: int = 0
    wrong: Counter[str] = field(default_factory=Counter)

    @property
    def share(self) -> float:
        """Exact answers of all, 0 to 1."""
        return self.exact / self.total if self.total else 0.0


Reader = Callable[[Answer], str]


def deep_email_validator(answer: Answer) -> str:
    """Read an answer of deep-email-validator: valid, the check that failed, and its word."""
    valid, check, word = answer
    if valid:
        return DELIVERABLE
    if check == "disposable":
        return THROW_AWAY
    if check in ("regex", "mx") or (check == "smtp" and str(word).startswith(_DEEP_REFUSALS)):
        return UNDELIVERABLE
    return UNDECIDED


def py3_validate_email(answer: Answer) -> str:
    """Read an answer of py3-validate-email: True, or the name of the exception."""
    valid, error, _ = answer
    if valid:
        return DELIVERABLE
    if error == "DomainBlacklistedError":
        return THROW_AWAY
    return UNDELIVERABLE if error in _PY3_REFUSALS else UNDECIDED


def score_peer(truths: Sequence[Truth], answers: Sequence[Answer], read: Reader) -> Score:
    """Hold a peer's answers against the truth."""
    score = Score(total=len(truths))
    for truth, answer in zip(truths, answers, strict=True):
        said = read(answer)
        if said in _RIGHT[truth.category]:
            score.exact += 1
            continue
        score.wrong[f"{truth.kind}: {truth.category}, said {said} {' '.join(map(str, answer[1:]))[:60]}".strip()] += 1
        score.false_invalid += said == UNDELIVERABLE and truth.category in _NO_GROUND
        score.undecided_instead += said == UNDECIDED
    return score


def score_ours(truths: Sequence[Truth], answers: Sequence[Answer]) -> Score:
    """Hold our answers against the truth: category and reason, and those of the second look where there was one."""
    score = Score(total=len(truths))
    for truth, answer in zip(truths, answers, strict=True):
        if _is_exact(truth, answer):
            score.exact += 1
            continue
        score.wrong[f"{truth.kind}: {truth.category}/{'|'.join(sorted(truth.reasons))}, said {'/'.join(answer)}"] += 1
        score.false_invalid += answer[-2] == "invalid" and (truth.later or truth).category in _NO_GROUND
        score.undecided_instead += answer[-2] == "unknown"
    return score


def _is_exact(truth: Truth, answer: Answer) -> bool:
    first, last = answer[:2], answer[-2:]
    if truth.later is not None:
        return _matches(truth.later, last) and (_matches(truth, first) or first == last)
    return _matches(truth, last)


def _matches(truth: Truth, answer: Answer) -> bool:
    return answer[0] == truth.category and answer[1] in truth.reasons
