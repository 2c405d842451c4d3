"""Rule 2: what a reply says, by stage, code, enhanced code, provider and text."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from validation.engine import Reason
from validation.engine.profiles import UNKNOWN_OPERATOR, profile_for
from validation.engine.replies import Subject, announced_wait, classify
from validation.engine.smtp import Stage
from validation.engine.wire import Reply

DATA = Path(__file__).parent / "data"


def reading(text: str, stage: Stage = Stage.RCPT, provider: str = "") -> tuple[Reason, Subject]:
    found = classify(text, stage=stage, provider=provider)
    return found.reason, found.subject


def settles(text: str) -> bool:
    return classify(text).is_definite


def rows(name: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


def test_provider_samples() -> None:
    """Permanent replies of known operators: all that speak of the mailbox are understood, no other is."""
    permanent = [row for row in rows("smtp_replies_providers.jsonl") if row["reply"].startswith("5")]
    wrong = [row["reply"] for row in permanent if settles(row["reply"]) is (row["verdict"] == "unknown_about_mailbox")]
    assert wrong == []


def test_no_temporary_sample_settles_anything() -> None:
    replies = [row["reply"] for row in rows("smtp_replies_providers.jsonl") if row["reply"].startswith("4")]
    assert [reply for reply in replies if settles(reply)] == []


def test_phrases() -> None:
    """Bare phrases behind a 550. Some stand in the corpus under both meanings, so neither figure can be perfect."""
    phrases = rows("smtp_reply_phrases.jsonl")
    silent = [row["phrase"] for row in phrases if row["verdict"] == "unknown_about_mailbox"]
    telling = [row["phrase"] for row in phrases if row["verdict"] != "unknown_about_mailbox"]
    assert sum(settles(f"550 {phrase}") for phrase in silent) <= 0.015 * len(silent)
    assert sum(settles(f"550 {phrase}") for phrase in telling) >= 0.93 * len(telling)


@pytest.mark.parametrize(
    ("reply", "reason", "subject"),
    [
        ("250 2.1.5 Ok", Reason.MAILBOX_EXISTS, Subject.MAILBOX),
        ("251 User not local; will forward", Reason.MAILBOX_EXISTS, Subject.MAILBOX),
        ("550 5.1.1 anything at all", Reason.MAILBOX_NOT_FOUND, Subject.MAILBOX),
        ("550 5.1.2 no such host", Reason.DOMAIN_NOT_HOSTED, Subject.DOMAIN),
        ("550 5.1.6 moved", Reason.MAILBOX_NOT_FOUND, Subject.MAILBOX),
        ("550 5.1.8 bad sender", Reason.BLOCKED, Subject.US),
        ("550 5.2.1 off", Reason.MAILBOX_DISABLED, Subject.MAILBOX),
        ("550 5.2.2 full", Reason.MAILBOX_FULL, Subject.MAILBOX),
        ("550 5.1.1 Your IP is listed by Spamhaus", Reason.BLOCKED, Subject.US),
        ("550 5.4.1 Recipient address rejected: Access denied", Reason.BLOCKED, Subject.US),
        ("554 5.7.1 <a@b.com>: Relay access denied", Reason.BLOCKED, Subject.US),
        ("550 <s@x.com>: Sender address rejected: User unknown", Reason.BLOCKED, Subject.US),
        ("550 No such user here", Reason.MAILBOX_NOT_FOUND, Subject.MAILBOX),
        ("550", Reason.MAILBOX_NOT_FOUND, Subject.MAILBOX),
        ("550 Requested action not taken: mailbox unavailable", Reason.MAILBOX_NOT_FOUND, Subject.MAILBOX),
        ("552 Requested mail action aborted: exceeded storage allocation", Reason.MAILBOX_FULL, Subject.MAILBOX),
        ("550 something nobody has ever said", Reason.BLOCKED, Subject.US),
        ("452 4.5.3 Too many recipients", Reason.RATE_LIMITED, Subject.LOAD),
        ("452 4.2.2 over quota", Reason.MAILBOX_FULL, Subject.MOMENT),
        ("452 4.3.1 Insufficient system storage", Reason.TEMPORARY, Subject.MOMENT),
        ("450 4.1.1 unverified address", Reason.TEMPORARY, Subject.MOMENT),
        ("450 4.2.0 <a@b.com>: Recipient address rejected: Greylisted", Reason.GREYLISTED, Subject.MOMENT),
        ("450 User is receiving mail too quickly", Reason.MAILBOX_EXISTS, Subject.MAILBOX),
        ("451 4.7.1 Your address is blocked", Reason.BLOCKED, Subject.US),
        ("421 4.7.0 Too many connections", Reason.RATE_LIMITED, Subject.LOAD),
        ("354 go ahead", Reason.PROTOCOL_ERROR, Subject.MOMENT),
    ],
)
def test_at_rcpt(reply: str, reason: Reason, subject: Subject) -> None:
    assert reading(reply) == (reason, subject)


@pytest.mark.parametrize("stage", [Stage.GREETING, Stage.EHLO, Stage.MAIL])
@pytest.mark.parametrize("reply", ["550 5.1.1 User unknown", "554 go away", "552 5.2.2 full", "530 5.7.0 TLS first"])
def test_before_rcpt_nothing_is_about_the_mailbox(stage: Stage, reply: str) -> None:
    assert reading(reply, stage) == (Reason.BLOCKED, Subject.US)


@pytest.mark.parametrize(
    ("reply", "provider", "reason"),
    [
        ("550 5.4.1 Recipient address rejected: Access denied", "microsoft", Reason.MAILBOX_NOT_FOUND),
        (
            "554 delivery error: dd This user doesn't have a yahoo.com account (a@yahoo.com)",
            "yahoo",
            Reason.MAILBOX_NOT_FOUND,
        ),
        ("554 delivery error: dd a@yahoo.com is no longer valid.", "yahoo", Reason.MAILBOX_DISABLED),
        ("450 4.2.1 The user you are trying to contact is receiving mail too quickly", "google", Reason.MAILBOX_EXISTS),
    ],
)
def test_operators_mean_their_own_things(reply: str, provider: str, reason: Reason) -> None:
    assert reading(reply, provider=provider)[0] == reason


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("try again in 5 minutes", 300.0),
        ("Greylisted, please try again in 270 seconds", 270.0),
        ("come back in 00:04:30", 270.0),
        ("retry in 1 hour", 3600.0),
        ("deferred for 60s", 60.0),
        ("wait 15 min", 900.0),
        ("see RFC 5321", None),
        ("come back later", None),
        ("retry in 99999 hours", None),
    ],
)
def test_announced_wait(text: str, seconds: float | None) -> None:
    assert announced_wait(text) == seconds


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("gmail-smtp-in.l.google.com", "google"),
        ("x-com.mail.protection.outlook.com", "microsoft"),
        ("mta5.am0.yahoodns.net", "yahoo"),
        ("notgoogle.com", ""),
    ],
)
def test_operators_are_known_by_their_hosts(host: str, name: str) -> None:
    assert profile_for(host).name == name
    assert UNKNOWN_OPERATOR.name == ""


@given(st.integers(200, 599), st.text(max_size=200))
def test_every_reply_has_a_reading_and_only_5xx_settles(code: int, text: str) -> None:
    found = classify(Reply(code, (text,)))
    assert not found.is_definite or 500 <= code < 600


def test_a_reply_of_several_lines_reads_as_one_sentence() -> None:
    """The enhanced code stands on every line (RFC 2034) and once in the text; other numbers stay."""
    reply = Reply(550, ("5.1.1 The account that you tried to reach", "5.1.1 does not exist. See", "5.1.10 for more"))
    assert reply.text == "5.1.1 The account that you tried to reach does not exist. See 5.1.10 for more"
    assert Reply(220, ("mx.a.com ESMTP", "no spam")).text == "mx.a.com ESMTP no spam"
