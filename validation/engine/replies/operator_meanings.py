"""The names of mail operators, and what they are known to mean by their replies."""

import re
from dataclasses import dataclass

from validation.engine.profiles import Profiles
from validation.engine.vocabulary import Reason

_HOST_IN_BRACKETS = re.compile(r"\[([A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){2,})(?=[\]\s])")
# Other names of operators.
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


def normalise_operator_name(name: str) -> str:
    """The operator's name in `profiles`, for any of its names in any letter case."""
    lower = name.lower()
    return _ALIASES.get(lower, lower)


def find_operator_in_reply(text: str) -> str:
    """The operator whose host signs a reply in brackets; "" where none does.

    Exchange Online ends its replies with the name of the host that refused, also when another host passes them on.

    >>> find_operator_in_reply("Access denied. [DB3EUR04FT012.eop-eur04.prod.protection.outlook.com]")
    'microsoft'
    """
    if "[" not in text:
        return ""
    hosts = Profiles.shipped()
    names = (hosts.of_host(found[1].lower()).name for found in _HOST_IN_BRACKETS.finditer(text))
    return next(filter(None, names), "")


@dataclass(frozen=True, slots=True)
class OperatorMeaning:
    """What an operator means by a reply that does not say it, or says something else.

    `words` is searched in the text that `phrases.simplify_text` returns. `enhanced` is exact; "" is no enhanced code.
    """

    operator: str
    code: int
    enhanced: str
    words: re.Pattern[str]
    reason: Reason


MEANINGS = (
    OperatorMeaning(
        "microsoft", 550, "5.4.1", re.compile(r"\brecipient address rejected access denied\b"), Reason.MAILBOX_NOT_FOUND
    ),
    OperatorMeaning("google", 450, "4.2.1", re.compile(r"\breceiving mail\b"), Reason.MAILBOX_EXISTS),
    OperatorMeaning(
        "yahoo", 554, "", re.compile(r"\bmailbox is disabled\b|\bno longer valid\b"), Reason.MAILBOX_DISABLED
    ),
    OperatorMeaning("yahoo", 554, "", re.compile(r"^delivery error dd\b"), Reason.MAILBOX_NOT_FOUND),
)


def find_known_meaning(operators: frozenset[str], code: int, enhanced: str, text: str) -> Reason | None:
    """What one of the operators means by a reply with this simplified text; None where nothing is known.

    There are several operators where one's host passes on the reply of another's.
    """
    for meaning in MEANINGS:
        has_codes = (code, enhanced) == (meaning.code, meaning.enhanced) and meaning.operator in operators
        if has_codes and meaning.words.search(text):
            return meaning.reason
    return None
