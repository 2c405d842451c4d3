"""Evidence comes back from its page as it was."""

import json
import zlib
from dataclasses import replace
from typing import Any

from validation.engine import Category, Check, Flag, Outcome, Reason, Verdict
from validation.results.storage import EvidencePage, EvidenceWriter, build_evidence, unpack_evidence

SYNTAX = Check("syntax", Outcome.PASS, "can be used", "RFC 5321")
MAILBOX = Check("mailbox", Outcome.FAIL, "550 who?", "SMTP RCPT TO 550", 3.5, 1_700_000_000.0)


def asked(number: int) -> Verdict:
    """Evidence that shares its conversation, but for one line, and every second time its checks."""
    checks = (SYNTAX, MAILBOX) if number % 2 else (SYNTAX,)
    transcript = ("S: 220 mx", f"C: RCPT TO:<jörg{number}@alder.com>", "S: 550 who?")
    return Verdict(
        email=f"jörg{number}@alder.com", category=Category.INVALID, reason=Reason.MAILBOX_NOT_FOUND, sentence="",
        flags=(Flag.ROLE,), mx_hosts=("mx1.alder.com",), transcript=transcript, checks=checks,
    )  # fmt: skip


def stored(page: EvidencePage) -> Any:
    return json.loads(zlib.decompress(page.pack()))


def test_evidence_comes_back_from_its_page_as_it_was() -> None:
    writer = EvidenceWriter()
    everything = [asked(number) for number in range(600)]
    locations = [writer.add(one) for one in everything]
    pages = {id(location.page): stored(location.page) for location in locations}
    assert [len(page["rows"]) for page in pages.values()] == [256, 256, 88]
    assert [unpack_evidence(pages[id(location.page)], location.number) for location in locations] == [
        build_evidence(one) for one in everything
    ]
    assert build_evidence(everything[1]) == {
        "flags": ["role"],
        "did_you_mean": None,
        "mx": ["mx1.alder.com"],
        "transcript": ["S: 220 mx", "C: RCPT TO:<jörg1@alder.com>", "S: 550 who?"],
        "checks": [
            ["syntax", "pass", "can be used", "RFC 5321", None, None],
            ["mailbox", "fail", "550 who?", "SMTP RCPT TO 550", 3.5, 1_700_000_000.0],
        ],
    }


def test_a_page_holds_each_line_and_each_check_once() -> None:
    page = EvidencePage()
    for number in range(100):
        page.add(asked(number))
    found = stored(page)
    assert (len(found["lines"]), len(found["checks"]), found["checks"][0][0]) == (102, 2, "syntax")


def test_the_first_pages_held_rows_whole() -> None:
    whole = build_evidence(asked(3))
    assert unpack_evidence([build_evidence(asked(1)), whole], 1) == whole


def test_a_nul_that_a_mail_host_sends_is_replaced() -> None:
    odd = replace(asked(1), transcript=("S: 250 a\x00b",))
    page = EvidencePage()
    page.add(odd)
    assert unpack_evidence(stored(page), 0)["transcript"] == build_evidence(odd)["transcript"] == ["S: 250 a\x1ab"]
