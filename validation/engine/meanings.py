"""What mail operators are called, and what they are known to mean by their replies."""

import re
from dataclasses import dataclass

from validation.engine.vocabulary import Reason

# What else operators are called.
_ALIASES = {
    "gmail": "google",
    "googlemail": "google",
    "workspace": "google",
    "outlook": "microsoft",
    "hotmail": "microsoft",
    "office365": "microsoft",
    "exchange online": "microsoft",
    "yahooinc": "yahoo",
    "aol": "yahoo",
    "icloud": "apple",
    "qq": "tencent",
    "163": "netease",
}


def operator_called(name: str) -> str:
    """The name that profiles use for an operator known under another one, in any case of letters."""
    lower = name.lower()
    return _ALIASES.get(lower, lower)


@dataclass(frozen=True, slots=True)
class Meaning:
    """What an operator is known to mean by a reply that says less, or something else, by itself.

    `words` is searched in the text as `phrases.simplify` leaves it; `enhanced` is exact, "" being none.
    """

    operator: str
    code: int
    enhanced: str
    words: re.Pattern[str]
    reason: Reason


MEANINGS = (
    Meaning(
        "microsoft", 550, "5.4.1", re.compile(r"\brecipient address rejected access denied\b"), Reason.MAILBOX_NOT_FOUND
    ),
    Meaning("google", 450, "4.2.1", re.compile(r"\breceiving mail\b"), Reason.MAILBOX_EXISTS),
    Meaning("yahoo", 554, "", re.compile(r"\bmailbox is disabled\b|\bno longer valid\b"), Reason.MAILBOX_DISABLED),
    Meaning("yahoo", 554, "", re.compile(r"^delivery error dd\b"), Reason.MAILBOX_NOT_FOUND),
)


def known_meaning(operator: str, code: int, enhanced: str, text: str) -> Reason | None:
    """What the operator is known to mean by a reply with this simplified text, or None where nothing is known."""
    said = (operator, code, enhanced)
    for meaning in MEANINGS:
        if said == (meaning.operator, meaning.code, meaning.enhanced) and meaning.words.search(text):
            return meaning.reason
    return None
