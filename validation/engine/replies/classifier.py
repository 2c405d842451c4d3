"""What an SMTP reply says about the recipient, about us, or about neither.

    >>> classify("550 5.1.1 <joe@shop.com>: Recipient address rejected: User unknown").reason
    <Reason.MAILBOX_NOT_FOUND: 'mailbox_not_found'>

A reply is read by stage, code, enhanced code, operator, and by its text last. Only a permanent reply to RCPT about the
mailbox or its domain makes an address invalid. Everything else is a fact about us, the network or the moment.
"""

import re
from dataclasses import replace
from functools import lru_cache

from validation.engine.profiles import Profiles
from validation.engine.replies import phrases
from validation.engine.replies.operator_meanings import (
    find_known_meaning,
    find_operator_in_reply,
    normalise_operator_name,
)
from validation.engine.replies.phrases import PhraseMeaning
from validation.engine.replies.readings import Reading, Subject
from validation.engine.smtp.reply_stream import Reply
from validation.engine.smtp.stages import Stage
from validation.engine.vocabulary import Reason

_ACCEPTED = Reading(Reason.MAILBOX_EXISTS, Subject.MAILBOX, "code")
_NOT_ASKED_YET = Reading(Reason.NOT_PROBED, Subject.MOMENT, "stage")
_NO_REPLY = Reading(Reason.PROTOCOL_ERROR, Subject.MOMENT, "code")
_LOAD_CODES = frozenset({"4.5.3", "5.5.3"})
_PERMANENT_BY_ENHANCED = {
    "5.1.0": (Reason.MAILBOX_NOT_FOUND, Subject.MAILBOX),
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
# Classes of enhanced codes that are about us, our message or the server, never about the mailbox (RFC 3463). What
# leaves the trouble with system or protocol undefined (5.3.0, 5.5.0) says nothing.
_ABOUT_OTHERS = re.compile(r"5\.(?:[67]\.\d+|[35]\.[1-9]\d*)")
_CODE_IN_BRACKETS = re.compile(r"\(#([245]\.\d{1,3}\.\d{1,3})\b")  # qmail puts the enhanced code behind the text
# Codes about commands, their order or a demand to log in, not about a recipient (RFC 5321, RFC 4954).
_ABOUT_THE_SESSION = frozenset({500, 501, 502, 503, 504, 530, 534, 535, 538})
_HOST_TAKES_NO_MAIL = frozenset({521, 556})  # RFC 7504
_ABOUT_RECIPIENT = {
    PhraseMeaning.NOT_FOUND: (Reason.MAILBOX_NOT_FOUND, Subject.MAILBOX),
    PhraseMeaning.FULL: (Reason.MAILBOX_FULL, Subject.MAILBOX),
    PhraseMeaning.DISABLED: (Reason.MAILBOX_DISABLED, Subject.MAILBOX),
    PhraseMeaning.NOT_HOSTED: (Reason.DOMAIN_NOT_HOSTED, Subject.DOMAIN),
}
_LINE = re.compile(r"([2-5]\d\d)(?:[ -]|$)(.*)", re.DOTALL)
_WAIT = re.compile(
    r"(?:(?P<h>\d{1,2}):(?P<m>\d{2}):(?P<s>\d{2})|(?P<n>\d{1,5})\s*(?P<unit>s(?:ec(?:ond)?s?)?|m(?:in(?:ute)?s?)?|h(?:ours?)?)\b)",
    re.IGNORECASE,
)
_UNIT_SECONDS = {"s": 1.0, "m": 60.0, "h": 3600.0}
LONGEST_WAIT = 86_400.0
_SOMEBODY = "<>"
_LONGEST_TEXT = 1000  # a server that has more to say has said it by then


def classify(
    reply: Reply | str | bytes,
    *,
    stage: Stage | str = Stage.RCPT,
    provider: str = "",
    host: str = "",
    recipient: str = "",
) -> Reading:
    """Read one reply. Never raises: what is not an SMTP reply is a protocol error.

    `reply` is the reply with its code and all its lines ("550-5.1.1 No such\\r\\n550 5.1.1 user"), or a parsed one.
    `stage` is what it answered: `greeting`, `EHLO`, `MAIL FROM` or `RCPT TO`; before RCPT no recipient was named.
    `provider` is the operator by its name in `profiles` ("google"). Without it, `host`, the mail host's name,
    determines the operator. A host that signs the text in brackets does so too. `recipient` is the address asked about:
    its words never count, and giving it makes repeated replies cheap to recognise.
    """
    parsed = reply if isinstance(reply, Reply) else _parse_reply(reply)
    if parsed is None:
        return _NO_REPLY
    at_rcpt = str(stage).upper().startswith("RCPT")
    if parsed.is_positive:
        return _ACCEPTED if at_rcpt else _NOT_ASKED_YET
    if provider:
        provider = normalise_operator_name(provider)
    elif host:
        provider = Profiles.shipped().of_host(host.rstrip(".").lower()).name
    text = parsed.text[:_LONGEST_TEXT]
    if recipient:
        text = text.replace(recipient, _SOMEBODY)
    return _classify_text(at_rcpt, parsed.code, parsed.enhanced, text, provider)


def _parse_reply(reply: str | bytes) -> Reply | None:
    """The reply in a text; None where it does not start with a code. Lines without the code count as text."""
    text = reply.decode("utf-8", "replace") if isinstance(reply, bytes) else reply
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    first = _LINE.fullmatch(lines[0]) if lines else None
    if first is None:
        return None
    matches = [_LINE.fullmatch(line) for line in lines]
    texts = [found[2] if found and found[1] == first[1] else line for found, line in zip(matches, lines, strict=True)]
    return Reply(int(first[1]), tuple(texts))


# Servers repeat a few sentences: each is read once, those with a changing id by their shape.
@lru_cache(maxsize=4096)
def _classify_text(at_rcpt: bool, code: int, enhanced: str, text: str, provider: str) -> Reading:
    wait = parse_announced_wait(text) if code < 500 else None
    operators = frozenset({provider, find_operator_in_reply(text)})
    reading = _classify_shape(at_rcpt, code, enhanced, phrases.mask_variable_parts(text), operators, wait is not None)
    return (
        replace(reading, retry_after=wait) if wait is not None and reading.subject is not Subject.MAILBOX else reading
    )


@lru_cache(maxsize=4096)
def _classify_shape(
    at_rcpt: bool, code: int, enhanced: str, shaped: str, operators: frozenset[str], names_wait: bool
) -> Reading:
    text = phrases.simplify_text(shaped)
    if not at_rcpt:
        return _classify_before_rcpt(code, enhanced, text, names_wait)
    if 400 <= code < 500:
        return _classify_transient(code, enhanced, text, operators, names_wait)
    if 500 <= code < 600:
        bracketed = _CODE_IN_BRACKETS.search(shaped)
        return _classify_permanent(code, enhanced or (bracketed[1] if bracketed else ""), text, operators)
    return _NO_REPLY


def _classify_before_rcpt(code: int, enhanced: str, text: str, names_wait: bool) -> Reading:
    """Read a reply before RCPT. No recipient was named: a refusal is about us, our address or the moment."""
    if 400 <= code < 500:
        return _classify_momentary(code, enhanced, text, names_wait)
    if 500 <= code < 600:
        return Reading(Reason.BLOCKED, Subject.US, "stage")
    return _NO_REPLY


def _classify_transient(code: int, enhanced: str, text: str, operators: frozenset[str], names_wait: bool) -> Reading:
    """Read a 4xx at RCPT. It never decides against the mailbox."""
    known = find_known_meaning(operators, code, enhanced, text)
    if known is not None:
        return Reading(known, Subject.MAILBOX, "provider")
    if enhanced in _LOAD_CODES:
        return Reading(Reason.RATE_LIMITED, Subject.LOAD, "enhanced code")
    if enhanced == "4.2.2":
        return Reading(Reason.MAILBOX_FULL, Subject.MOMENT, "enhanced code")
    if phrases.BUSY_MAILBOX.search(text):
        return Reading(Reason.MAILBOX_EXISTS, Subject.MAILBOX, "text")
    if phrases.TOO_MANY_RECIPIENTS.search(text):
        return Reading(Reason.RATE_LIMITED, Subject.LOAD, "text")
    if not enhanced.startswith(("4.3", "4.4")) and phrases.classify_phrase(text) is PhraseMeaning.FULL:
        return Reading(Reason.MAILBOX_FULL, Subject.MOMENT, "text")
    return _classify_momentary(code, enhanced, text, names_wait)


def _classify_momentary(code: int, enhanced: str, text: str, names_wait: bool) -> Reading:
    """Read a 4xx that is not about the mailbox: greylisting, load, a block, or the host's own trouble."""
    if phrases.GREYLISTING.search(text) or (names_wait and phrases.PATIENCE.search(text)):
        return Reading(Reason.GREYLISTED, Subject.MOMENT, "text")
    if phrases.LOAD.search(text):
        return Reading(Reason.RATE_LIMITED, Subject.LOAD, "text")
    about_us = phrases.classify_phrase(text) in (PhraseMeaning.ACCUSES, PhraseMeaning.REFUSES, PhraseMeaning.RULES)
    if about_us and (enhanced.startswith("4.7") or not enhanced) and not phrases.PATIENCE.search(text):
        return Reading(Reason.BLOCKED, Subject.US, "text")
    return Reading(Reason.TEMPORARY, Subject.LOAD if code == 421 else Subject.MOMENT, "code")


def _classify_permanent(code: int, enhanced: str, text: str, operators: frozenset[str]) -> Reading:
    """Read a 5xx at RCPT: by the codes, then the operator's known meanings, then the words."""
    if code in _ABOUT_THE_SESSION and not enhanced.startswith("5.1."):
        return Reading(Reason.BLOCKED, Subject.US, "code")
    if enhanced in _LOAD_CODES or phrases.TOO_MANY_RECIPIENTS.search(text):
        return Reading(Reason.RATE_LIMITED, Subject.LOAD, "enhanced code" if enhanced in _LOAD_CODES else "text")
    if enhanced.startswith("4"):
        return Reading(Reason.TEMPORARY, Subject.MOMENT, "enhanced code")
    known = find_known_meaning(operators, code, enhanced, text)
    if known is not None:
        return Reading(known, Subject.MAILBOX, "provider")
    if phrases.BUSY_MAILBOX.search(text):
        return Reading(Reason.MAILBOX_EXISTS, Subject.MAILBOX, "text")
    if phrases.is_unwilling(text):  # one mailbox's choice: the operator has nothing against us
        return Reading(Reason.BLOCKED, Subject.MAILBOX, "text")
    by_enhanced = _PERMANENT_BY_ENHANCED.get(enhanced)
    if by_enhanced is not None:
        return _classify_by_enhanced_code(enhanced, *by_enhanced, text)
    return _classify_by_text(code, enhanced, text)


def _classify_by_enhanced_code(enhanced: str, reason: Reason, subject: Subject, text: str) -> Reading:
    """Read a reply by its enhanced code. The text may be more precise, or say that it is about us after all."""
    if subject is not Subject.US and phrases.is_accusation(text):
        return Reading(Reason.BLOCKED, Subject.US, "text")
    says = phrases.classify_phrase(text)
    more_precise = (
        (PhraseMeaning.FULL, PhraseMeaning.DISABLED) if subject is Subject.MAILBOX else (PhraseMeaning.NOT_FOUND,)
    )
    if enhanced == "5.1.0" and says is PhraseMeaning.RULES:  # only that it has to do with an address, maybe ours
        return Reading(Reason.BLOCKED, Subject.US, "text")
    if subject is not Subject.US and says in more_precise:
        return Reading(*_ABOUT_RECIPIENT[says], "enhanced code")
    return Reading(reason, subject, "enhanced code")


def _classify_by_text(code: int, enhanced: str, text: str) -> Reading:
    """Read a reply by its words, and where they say nothing, by the bare code (RFC 5321 section 4.2.3)."""
    about_others = _ABOUT_OTHERS.fullmatch(enhanced) is not None
    says = phrases.classify_phrase(text)
    if says in _ABOUT_RECIPIENT and not (says is PhraseMeaning.FULL and about_others):
        return Reading(*_ABOUT_RECIPIENT[says], "text")
    if says is PhraseMeaning.ACCUSES:
        return Reading(Reason.BLOCKED, Subject.US, "text")
    if says is PhraseMeaning.TROUBLE:
        return Reading(Reason.TEMPORARY, Subject.MOMENT, "text")
    if about_others:
        return Reading(Reason.BLOCKED, Subject.US, "enhanced code")
    if code == 552 and says is PhraseMeaning.NOTHING:
        return Reading(Reason.MAILBOX_FULL, Subject.MAILBOX, "code")
    if code in _HOST_TAKES_NO_MAIL:
        return Reading(Reason.DOMAIN_NOT_HOSTED, Subject.DOMAIN, "code")
    if (
        says is PhraseMeaning.UNAVAILABLE
        or (code in (550, 551, 553) and not text)
        or (code == 551 and says is PhraseMeaning.NOTHING)
    ):
        return Reading(Reason.MAILBOX_NOT_FOUND, Subject.MAILBOX, "code")
    return Reading(
        Reason.BLOCKED, Subject.US, "text" if says in (PhraseMeaning.REFUSES, PhraseMeaning.RULES) else "code"
    )


def parse_announced_wait(text: str) -> float | None:
    """The wait that the server asks for in seconds: "try again in 5 minutes", "retry after 00:04:30"."""
    for match in _WAIT.finditer(text):
        if match["n"] is None:
            seconds = int(match["h"]) * 3600.0 + int(match["m"]) * 60.0 + int(match["s"])
        else:
            seconds = int(match["n"]) * _UNIT_SECONDS[match["unit"][0].lower()]
        if 0 < seconds <= LONGEST_WAIT:
            return seconds
    return None


def is_accusing(text: str) -> bool:
    """Whether a reply is about us or our behaviour, and not about the recipient or what its host relays."""
    return phrases.is_accusation(phrases.simplify_text(phrases.mask_variable_parts(text)))
