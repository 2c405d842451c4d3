"""What an SMTP reply says about the recipient, about us, or about neither.

A reply is read by stage, then code, then enhanced code, then provider, and by its text last. Only a permanent answer to
RCPT that is about the mailbox or its domain can make an address invalid; everything else is a fact about us, the
path or the moment.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from validation.engine import phrases
from validation.engine.smtp import Stage
from validation.engine.vocabulary import Reason
from validation.engine.wire import Reply


class Subject(StrEnum):
    """Whom a reply is about."""

    MAILBOX = "the mailbox"
    DOMAIN = "the domain"
    US = "us"
    LOAD = "the load"
    MOMENT = "the moment"


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reply was taken for, and which layer of knowledge decided it."""

    reason: Reason
    subject: Subject
    layer: str
    retry_after: float | None = None

    @property
    def is_definite(self) -> bool:
        """Whether the reply settles that the address cannot receive mail."""
        return self.reason in _DEFINITE and self.subject in (Subject.MAILBOX, Subject.DOMAIN)


_DEFINITE = frozenset(
    {Reason.MAILBOX_NOT_FOUND, Reason.MAILBOX_DISABLED, Reason.MAILBOX_FULL, Reason.DOMAIN_NOT_HOSTED}
)

ACCEPTED = Reading(Reason.MAILBOX_EXISTS, Subject.MAILBOX, "code")
_LOAD_CODES = frozenset({"4.5.3", "5.5.3"})
_PERMANENT_BY_ENHANCED = {
    "5.1.1": (Reason.MAILBOX_NOT_FOUND, Subject.MAILBOX),
    "5.1.2": (Reason.DOMAIN_NOT_HOSTED, Subject.DOMAIN),
    "5.1.3": (Reason.MAILBOX_NOT_FOUND, Subject.MAILBOX),
    "5.1.6": (Reason.MAILBOX_NOT_FOUND, Subject.MAILBOX),
    "5.1.7": (Reason.BLOCKED, Subject.US),
    "5.1.8": (Reason.BLOCKED, Subject.US),
    "5.1.10": (Reason.DOMAIN_NOT_HOSTED, Subject.DOMAIN),
    "5.2.1": (Reason.MAILBOX_DISABLED, Subject.MAILBOX),
    "5.2.2": (Reason.MAILBOX_FULL, Subject.MAILBOX),
    "5.4.4": (Reason.DOMAIN_NOT_HOSTED, Subject.DOMAIN),
}
# Classes of enhanced codes that are about us, our message or the server, never about the mailbox (RFC 3463).
_ABOUT_OTHERS = re.compile(r"5\.(3|5|6|7)\.\d+")
_ABOUT_RECIPIENT = {
    "not_found": (Reason.MAILBOX_NOT_FOUND, Subject.MAILBOX),
    "full": (Reason.MAILBOX_FULL, Subject.MAILBOX),
    "disabled": (Reason.MAILBOX_DISABLED, Subject.MAILBOX),
    "not_hosted": (Reason.DOMAIN_NOT_HOSTED, Subject.DOMAIN),
}
_WAIT = re.compile(
    r"(?:(?P<h>\d{1,2}):(?P<m>\d{2}):(?P<s>\d{2})|(?P<n>\d{1,5})\s*(?P<unit>s(?:ec(?:ond)?s?)?|m(?:in(?:ute)?s?)?|h(?:ours?)?)\b)",
    re.IGNORECASE,
)
_UNIT_SECONDS = {"s": 1.0, "m": 60.0, "h": 3600.0}
LONGEST_WAIT = 86_400.0


def read_reply(stage: Stage, reply: Reply, provider: str = "") -> Reading:
    """Read a reply given at `stage` by an operator known as `provider` ("" where unknown)."""
    if stage is not Stage.RCPT:
        return _about_us(reply)
    if reply.is_positive:
        return ACCEPTED
    text = phrases.simplify(reply.text)
    if 400 <= reply.code < 500:
        return _transient(reply.code, reply.enhanced, text, provider, announced_wait(reply.text))
    if 500 <= reply.code < 600:
        return _permanent(reply.code, reply.enhanced, text, provider)
    return Reading(Reason.PROTOCOL_ERROR, Subject.MOMENT, "code")


def _about_us(reply: Reply) -> Reading:
    """Before RCPT nobody was named yet: a refusal is about us, our address or the moment."""
    if 400 <= reply.code < 500:
        text = phrases.simplify(reply.text)
        return _of_the_moment(reply.code, reply.enhanced, text, announced_wait(reply.text))
    if 500 <= reply.code < 600:
        return Reading(Reason.BLOCKED, Subject.US, "stage")
    return Reading(Reason.PROTOCOL_ERROR, Subject.MOMENT, "code")


def _transient(code: int, enhanced: str, text: str, provider: str, wait: float | None) -> Reading:
    """A 4xx never settles anything against the mailbox."""
    if phrases.by_provider(provider, code, enhanced, text) == "busy":
        return Reading(Reason.MAILBOX_EXISTS, Subject.MAILBOX, "provider")
    if enhanced in _LOAD_CODES:
        return Reading(Reason.RATE_LIMITED, Subject.LOAD, "enhanced code")
    if enhanced == "4.2.2":
        return Reading(Reason.MAILBOX_FULL, Subject.MOMENT, "enhanced code")
    if phrases.BUSY_MAILBOX.search(text):
        return Reading(Reason.MAILBOX_EXISTS, Subject.MAILBOX, "text")
    if phrases.TOO_MANY_RECIPIENTS.search(text):
        return Reading(Reason.RATE_LIMITED, Subject.LOAD, "text")
    if not enhanced.startswith("4.3") and phrases.FULL.search(text) and not phrases.OURS.search(text):
        return Reading(Reason.MAILBOX_FULL, Subject.MOMENT, "text")
    return _of_the_moment(code, enhanced, text, wait)


def _of_the_moment(code: int, enhanced: str, text: str, wait: float | None) -> Reading:
    """A 4xx that does not speak about the mailbox: patience, load, a block, or trouble of theirs."""
    if phrases.GREYLISTING.search(text):
        return Reading(Reason.GREYLISTED, Subject.MOMENT, "text", wait)
    if phrases.LOAD.search(text):
        return Reading(Reason.RATE_LIMITED, Subject.LOAD, "text", wait)
    if enhanced.startswith("4.7") or not enhanced:
        refused = phrases.REFUSED.search(text) or phrases.OURS.search(text)
        if refused and not phrases.PATIENCE.search(text):
            return Reading(Reason.BLOCKED, Subject.US, "text", wait)
    return Reading(Reason.TEMPORARY, Subject.LOAD if code == 421 else Subject.MOMENT, "code", wait)


@lru_cache(maxsize=4096)
def _permanent(code: int, enhanced: str, text: str, provider: str) -> Reading:
    if enhanced in _LOAD_CODES or phrases.TOO_MANY_RECIPIENTS.search(text):
        return Reading(Reason.RATE_LIMITED, Subject.LOAD, "enhanced code" if enhanced in _LOAD_CODES else "text")
    if enhanced.startswith("4"):
        return Reading(Reason.TEMPORARY, Subject.MOMENT, "enhanced code")
    known = _ABOUT_RECIPIENT.get(phrases.by_provider(provider, code, enhanced, text) or "")
    if known is not None:
        return Reading(*known, "provider")
    by_enhanced = _PERMANENT_BY_ENHANCED.get(enhanced)
    kind = phrases.kind_of(text)
    if by_enhanced is not None:
        return _by_enhanced(by_enhanced, kind)
    if kind in _ABOUT_RECIPIENT and not (kind == "full" and _ABOUT_OTHERS.fullmatch(enhanced)):
        return Reading(*_ABOUT_RECIPIENT[kind], "text")
    if kind == "us" or _ABOUT_OTHERS.fullmatch(enhanced):
        return Reading(Reason.BLOCKED, Subject.US, "text" if kind == "us" else "enhanced code")
    return _by_bare_code(code, enhanced, text)


def _by_enhanced(meaning: tuple[Reason, Subject], kind: str) -> Reading:
    """The enhanced code decides; the text may say more precisely what it means, or that it is about us after all."""
    if meaning[1] is Subject.MAILBOX and kind in ("full", "disabled"):
        return Reading(*_ABOUT_RECIPIENT[kind], "enhanced code")
    if meaning[1] is not Subject.US and kind == "us":
        return Reading(Reason.BLOCKED, Subject.US, "text")
    return Reading(*meaning, "enhanced code")


def _by_bare_code(code: int, enhanced: str, text: str) -> Reading:
    """Nothing but the code speaks (RFC 5321 section 4.2.3)."""
    if code == 552:
        return Reading(Reason.MAILBOX_FULL, Subject.MAILBOX, "code")
    if enhanced == "5.1.0" or (code in (550, 551, 553) and len(text) <= phrases.EMPTY_TALK):
        return Reading(Reason.MAILBOX_NOT_FOUND, Subject.MAILBOX, "code")
    if code in (521, 556):
        return Reading(Reason.DOMAIN_NOT_HOSTED, Subject.DOMAIN, "code")
    return Reading(Reason.BLOCKED, Subject.US, "code")


def announced_wait(text: str) -> float | None:
    """How long the server asks us to wait, in seconds: "try again in 5 minutes", "retry after 00:04:30"."""
    for match in _WAIT.finditer(text):
        if match["n"] is None:
            seconds = int(match["h"]) * 3600.0 + int(match["m"]) * 60.0 + int(match["s"])
        else:
            seconds = int(match["n"]) * _UNIT_SECONDS[match["unit"][0].lower()]
        if 0 < seconds <= LONGEST_WAIT:
            return seconds
    return None
