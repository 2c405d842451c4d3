"""The replies of mail hosts that arrived last, to be shown while their list is checked.

They hold no address: a reply that repeats one is kept without it.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

from emailcheck.common.text.cleaning import make_storable, redact_text
from validation.engine import Verdict

SHOWN = 5
# Some verdicts rest on no reply, such as those on impossible syntax.
LOOKED_THROUGH = 25
_REPLY_SOURCE = "SMTP RCPT TO "


class Arrival(NamedTuple):
    """A verdict, and when it arrived."""

    verdict: Verdict
    at: datetime


def list_replies(arrivals: Iterable[Arrival]) -> list[dict[str, Any]]:
    """The replies behind verdicts that arrived in this order: the newest first, as JSON."""
    replies = [_describe_reply(arrival) for arrival in arrivals]
    return _choose_newest(reply for reply in reversed(replies) if reply is not None)


def merge_replies(of_chunks: Iterable[list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """The replies of several chunks, the newest first."""
    replies = [reply for some in of_chunks for reply in some]
    return _choose_newest(sorted(replies, key=lambda reply: str(reply["at"]), reverse=True))


def _choose_newest(replies: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The first of some replies; what a host says again and again is told once."""
    said: dict[tuple[str, str], dict[str, Any]] = {}
    for reply in replies:
        said.setdefault((reply["host"], reply["reply"]), reply)
    return list(said.values())[:SHOWN]


def _describe_reply(arrival: Arrival) -> dict[str, Any] | None:
    verdict = arrival.verdict
    checks = {check.name: check for check in verdict.checks}
    asked, found = checks.get("mailbox"), checks.get("mail_host_address")
    if asked is None or found is None or not asked.source.startswith(_REPLY_SOURCE):
        return None
    return {
        "host": found.detail.partition(" is ")[0],
        "reply": make_storable(redact_text(asked.detail)),
        "category": verdict.category.value,
        "time_ms": asked.time_ms,
        "at": arrival.at.isoformat(),
    }
