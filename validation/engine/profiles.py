"""What mail operators put up with and what they mean by their replies, as data: the servers say the rest."""

import re
from dataclasses import dataclass

from validation.engine.vocabulary import Reason


@dataclass(frozen=True, slots=True)
class Profile:
    """Limits of one operator.

    `sessions` at once over all its hosts, of which `first_sessions` are opened before it has shown that it can take
    more; `recipients` in one transaction; `per_session` recipients before a session is ended; `refusals` of
    recipients before a session is ended, because servers slow down and hang up on those who guess (Postfix:
    smtpd_soft_error_limit, smtpd_hard_error_limit); `per_minute` recipients over all its hosts in one minute, 0 where
    only the host itself says how much is too much. Few operators publish figures: these are our own restraint.
    """

    name: str
    suffixes: tuple[str, ...] = ()
    sessions: int = 10
    first_sessions: int = 5
    recipients: int = 20
    per_session: int = 100
    refusals: int = 18
    per_minute: int = 0
    pipelining: bool = True


UNKNOWN_OPERATOR = Profile("")

PROFILES = (
    Profile("google", (".google.com", ".googlemail.com", ".psmtp.com"), 6, 2, 20, 100, 15, 6000),
    Profile(
        "microsoft",
        (".outlook.com", ".hotmail.com", ".office365.us", ".outlook.cn", ".mx.microsoft"),
        6,
        2,
        20,
        100,
        15,
        6000,
    ),
    Profile("yahoo", (".yahoodns.net",), 3, 1, 5, 20, 5, 1200),
    Profile("apple", (".icloud.com", ".apple.com"), 3, 1, 10, 50, 8, 1200),
    Profile("mailru", (".mail.ru",), 3, 1, 10, 30, 8, 1200),
    Profile("yandex", (".yandex.ru", ".yandex.net"), 3, 1, 10, 50, 8, 1200),
    Profile("proofpoint", (".pphosted.com", ".ppe-hosted.com"), 4, 1, 10, 50, 10, 1200),
    Profile("mimecast", (".mimecast.com", ".mimecast-offshore.com"), 4, 1, 10, 50, 10, 1200),
    Profile("barracuda", (".barracudanetworks.com",), 4, 1, 10, 50, 10, 1200),
    Profile("godaddy", (".secureserver.net",), 3, 1, 10, 50, 8, 1200),
    Profile("gmx", (".gmx.net", ".web.de", ".kundenserver.de", ".1and1.com", ".ionos.com"), 3, 1, 10, 50, 8, 1200),
    Profile("orange", (".orange.fr", ".wanadoo.fr"), 2, 1, 5, 20, 5, 1200),
    Profile("comcast", (".comcast.net",), 3, 1, 10, 50, 8, 1200),
    Profile("tencent", (".qq.com", ".exmail.qq.com"), 2, 1, 5, 20, 5, 1200),
    Profile("netease", (".163.com", ".netease.com", ".126.com"), 2, 1, 5, 20, 5, 1200),
)


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


def profile_for(host: str) -> Profile:
    """The profile of the operator that runs a mail host, known by the host's name."""
    dotted = f".{host}"
    for profile in PROFILES:
        if dotted.endswith(profile.suffixes):
            return profile
    return UNKNOWN_OPERATOR


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
