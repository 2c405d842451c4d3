"""Envelopes of an SMTP session, and the assignment of replies to their commands (RFC 2920)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from validation.engine.smtp.reply_stream import Reply
from validation.engine.smtp.stages import SessionError, Stage, Trouble

_OUT_OF_STEP_TEXT = re.compile(r"pipelin|synchroni[sz]ation", re.IGNORECASE)


_ACCEPTED = 250


_OUT_OF_STEP_CODES = frozenset({220, 221, 334, 354, 503})


@dataclass(slots=True)
class Envelope:
    """One transaction: its recipients and their replies, in order. A missing reply means that the session broke."""

    recipients: Sequence[str]
    smtputf8: bool = False
    mail: Reply | None = None
    replies: list[Reply] = field(default_factory=list)
    time_ms: float = 0.0


def list_refused(envelopes: Sequence[Envelope]) -> list[Envelope]:
    return [envelope for envelope in envelopes if envelope.mail is not None and not envelope.mail.is_positive]


def choose_sender(sender: str, envelope: Envelope) -> str:
    """The sender for an envelope: the null sender where it would be the recipient itself."""
    return "" if sender in envelope.recipients else sender


def distribute_replies(ready: list[Reply], envelopes: Sequence[Envelope]) -> None:
    """Assign to each envelope the replies that arrived."""
    start = 0
    for envelope in envelopes:
        end = start + len(envelope.recipients) + 2
        envelope.mail = ready[start] if start < len(ready) else None
        envelope.replies = ready[start + 1 : end - 1]
        start = end
    del ready[:start]


def check_envelopes(envelopes: Sequence[Envelope]) -> None:
    for envelope in envelopes:
        _check_envelope(envelope)


def _check_envelope(envelope: Envelope) -> None:
    """Raise SessionError when the replies cannot belong to the commands. The next try goes step by step then."""
    mail = envelope.mail
    if mail is None:
        return
    if not mail.is_positive:
        if _OUT_OF_STEP_TEXT.search(mail.text):
            envelope.mail = None
            raise SessionError(Stage.MAIL, Trouble.OUT_OF_STEP, "the server refuses pipelining", mail)
        envelope.replies = []
        return
    for position, reply in enumerate(envelope.replies):
        if reply.code == _ACCEPTED:
            continue
        if reply.code in _OUT_OF_STEP_CODES or (reply.code >= 500 and _OUT_OF_STEP_TEXT.search(reply.text)):
            del envelope.replies[position:]
            raise SessionError(Stage.RCPT, Trouble.OUT_OF_STEP, "the server answers out of step", reply)
        if _names_another_recipient(reply.text, envelope.recipients[position], envelope.recipients):
            envelope.replies = []
            raise SessionError(Stage.RCPT, Trouble.OUT_OF_STEP, "the server answers for another recipient", reply)


def _names_another_recipient(text: str, recipient: str, recipients: Sequence[str]) -> bool:
    """Whether a reply names another recipient than `recipient`. No reply can be trusted then."""
    if "@" not in text or recipient in text:
        return False
    return any(f"<{other}>" in text for other in recipients)
