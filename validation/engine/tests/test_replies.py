"""Rule 2: what a reply says, by stage, code, enhanced code, provider and text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from validation.engine import Category, Reason
from validation.engine.profiles import UNKNOWN_OPERATOR, Profiles
from validation.engine.replies.classifier import classify, parse_announced_wait
from validation.engine.replies.readings import Subject
from validation.engine.smtp.reply_stream import Reply
from validation.engine.smtp.stages import Stage


def reading(text: str, stage: Stage = Stage.RCPT, provider: str = "") -> tuple[Reason, Subject]:
    found = classify(text, stage=stage, provider=provider)
    return found.reason, found.subject


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
        ("550 5.1.10 RESOLVER.ADR.RecipientNotFound; not found", Reason.MAILBOX_NOT_FOUND, Subject.MAILBOX),
        ("556 5.1.10 Recipient address has a null MX", Reason.DOMAIN_NOT_HOSTED, Subject.DOMAIN),
        ("550 sorry, no mailbox here by that name. (#5.1.1)", Reason.MAILBOX_NOT_FOUND, Subject.MAILBOX),
        ("550 5.7.1 No such user!", Reason.MAILBOX_NOT_FOUND, Subject.MAILBOX),
        ("550 5.7.1 <a@b.com>: Recipient address rejected", Reason.BLOCKED, Subject.US),
        ("550 5.5.0 Requested action not taken: mailbox unavailable (S2)", Reason.MAILBOX_NOT_FOUND, Subject.MAILBOX),
        ("550 5.1.0 Address rejected", Reason.MAILBOX_NOT_FOUND, Subject.MAILBOX),
        ("550 5.1.0 Message rejected due to local policy", Reason.BLOCKED, Subject.US),
        ("550 5.3.0 No such user", Reason.MAILBOX_NOT_FOUND, Subject.MAILBOX),
        ("554 5.3.4 mailbox full", Reason.BLOCKED, Subject.US),
        ("551 User not local; please try <a@c.com>", Reason.MAILBOX_NOT_FOUND, Subject.MAILBOX),
        ("552 Message size exceeds the limit", Reason.BLOCKED, Subject.US),
        ("554 LDAP server unavailable", Reason.TEMPORARY, Subject.MOMENT),
        ("503 5.5.1 No such user in this state", Reason.BLOCKED, Subject.US),
        ("550 5.5.3 Too many recipients", Reason.RATE_LIMITED, Subject.LOAD),
        ("550 4.2.1 mailbox temporarily disabled", Reason.TEMPORARY, Subject.MOMENT),
        ("550 5.2.1 The user is receiving mail at a rate that prevents more", Reason.MAILBOX_EXISTS, Subject.MAILBOX),
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
    assert parse_announced_wait(text) == seconds


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
    assert Profiles.shipped().of_host(host).name == name
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


class TestOneDoor:
    """`classify` takes what an outsider has at hand and never raises."""

    def test_lines_as_they_came(self) -> None:
        reading = classify("550-5.1.1 No such\r\n550 5.1.1 user here\r\n", stage="RCPT TO")
        assert (reading.category, reading.reason) == (Category.INVALID, Reason.MAILBOX_NOT_FOUND)
        assert reading.layer == "enhanced code"

    def test_octets(self) -> None:
        assert classify(b"550 \xff\xfe no such user\r\n").reason == Reason.MAILBOX_NOT_FOUND

    def test_a_host_tells_its_operator(self) -> None:
        reply = "550 5.4.1 Recipient address rejected: Access denied"
        known = classify(reply, host="Shop-com.mail.protection.outlook.com.")
        assert (known.category, known.layer) == (Category.INVALID, "provider")
        assert classify(reply, host="mx.shop.com").category == Category.UNKNOWN
        assert classify(reply, provider="google", host="x.mail.protection.outlook.com").category == Category.UNKNOWN

    @pytest.mark.parametrize("name", ["microsoft", "Microsoft", "outlook", "Office365", "Exchange Online"])
    def test_operators_go_by_several_names(self, name: str) -> None:
        reply = "550 5.4.1 Recipient address rejected: Access denied"
        assert classify(reply, provider=name).layer == "provider"

    def test_a_name_is_no_word(self) -> None:
        """Somebody whose mailbox is called "user.unknown" or "spam" exists or not like everybody else."""
        assert classify("550 user.unknown@shop.com blocked by us").category == Category.UNKNOWN
        assert classify("550 spam@shop.com: no such user").category == Category.INVALID
        assert (
            classify("550 blocked: unbekannter empfänger", recipient="unbekannter empfänger").reason == Reason.BLOCKED
        )

    @pytest.mark.parametrize("stage", ["greeting", "EHLO", "MAIL FROM", Stage.STARTTLS, "no such stage", ""])
    def test_elsewhere_nothing_is_about_the_recipient(self, stage: str) -> None:
        assert classify("550 5.1.1 User unknown", stage=stage).category == Category.UNKNOWN
        assert classify("250 Ok", stage=stage).category == Category.UNKNOWN

    @pytest.mark.parametrize(
        "reply", ["", " ", "\r\n", "hello", "55", "5500 x", "999 no", "100 wait", "abc no", b"", b"\0"]
    )
    def test_what_is_no_reply(self, reply: str | bytes) -> None:
        assert classify(reply).reason == Reason.PROTOCOL_ERROR

    def test_ids_and_addresses_do_not_matter(self) -> None:
        one = classify("550 No such user joe@shop.com - a1b2c3si345.67 - gsmtp")
        other = classify("550 No such user ann@shop.com - z9y8x7si765.43 - gsmtp")
        assert one is other

    def test_a_very_long_text_is_cut(self) -> None:
        assert classify("550 " + "x" * 500_000 + " user unknown").category == Category.UNKNOWN

    @given(st.one_of(st.text(), st.binary()), st.text(max_size=12), st.text(max_size=12), st.text(max_size=12))
    def test_any_text_has_a_reading(self, reply: str | bytes, stage: str, provider: str, recipient: str) -> None:
        found = classify(reply, stage=stage, provider=provider, host=provider, recipient=recipient)
        assert found.category in {Category.VALID, Category.INVALID, Category.UNKNOWN}


@pytest.mark.finding("A8")
class TestReadingsOfHardUse:
    """What one mailbox's owner refuses, and what a host's name in the text tells."""

    @pytest.mark.parametrize(
        "reply",
        [
            "550 5.1.1 RCP-P2 http://postmaster.info.aol.com/errors/550rcpp2.html Refused due to recipient preferences",
            "550 5.1.1 RCP-P2 Refused due to recipient preferences",
            "554 5.7.1 Refused by the recipient's preferences",
            "550 5.7.1 The recipient has blocked you",
            "550 5.2.1 rejected by the mailbox owner",
        ],
    )
    def test_a_recipient_who_wants_no_mail_of_ours_is_not_missing(self, reply: str) -> None:
        """`blocked`, and about this mailbox alone: nobody else at the operator is kept waiting for it."""
        found = classify(reply)
        assert (found.category, found.reason) == (Category.UNKNOWN, Reason.BLOCKED)
        assert found.subject == Subject.MAILBOX

    @pytest.mark.parametrize(
        "reply", ["550 5.1.1 User unknown in recipient preferences table", "550 5.1.1 anything else"]
    )
    def test_a_plain_word_on_the_mailbox_outweighs_it(self, reply: str) -> None:
        assert classify(reply).reason == Reason.MAILBOX_NOT_FOUND

    @pytest.mark.parametrize(
        "host",
        [
            "AM6EUR05FT045.eop-eur05.prod.protection.outlook.com",
            "AM6EUR05FT045.eop-EUR05.prod.protection.outlook.com 2026-11-20T10:00:00.000Z 08DC6A",
            "DB8PR08MB1234.eurprd08.prod.outlook.com",
            "BJXPR01FT001.prod.protection.partner.outlook.cn",
        ],
    )
    @pytest.mark.parametrize("provider", ["", "mimecast", "microsoft"])
    def test_a_text_names_its_operator(self, host: str, provider: str) -> None:
        """Also where the reply comes through a host of nobody known, or of another operator."""
        found = classify(
            f"550 5.4.1 Recipient address rejected: Access denied. AS(201806281) [{host}]", provider=provider
        )
        assert (found.category, found.reason, found.layer) == (Category.INVALID, Reason.MAILBOX_NOT_FOUND, "provider")

    @pytest.mark.parametrize(
        "reply",
        [
            "550 5.4.1 Recipient address rejected: Access denied [mx.shop.com]",
            "550 5.4.1 Recipient address rejected: Access denied [192.0.2.1]",
            "550 5.4.1 Recipient address rejected: Access denied [a.outlook.com.shop.com]",
            "550 5.4.1 Recipient address rejected: Access denied, see mail.outlook.com",
            "550 5.7.1 Recipient address rejected: Access denied [x.prod.protection.outlook.com]",
        ],
    )
    def test_other_texts_do_not(self, reply: str) -> None:
        assert classify(reply).category == Category.UNKNOWN
