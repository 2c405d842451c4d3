"""Evidence comes back from its page as it was."""

import json
import zlib
from dataclasses import dataclass
from typing import Any

from validation.engine import Check, Flag, Outcome
from validation.results.evidence_pages import EvidencePage, EvidenceWriter, build_evidence, unpack_evidence

SYNTAX = Check("syntax", Outcome.PASS, "can be used", "RFC 5321")
MAILBOX = Check("mailbox", Outcome.FAIL, "550 who?", "SMTP RCPT TO 550", 3.5, 1_700_000_000.0)


@dataclass
class Asked:
    flags: tuple[str, ...]
    did_you_mean: str | None
    mx_hosts: tuple[str, ...]
    transcript: tuple[str, ...]
    checks: tuple[Check, ...]


def asked(number: int) -> Asked:
    """Evidence that shares its conversation, but for one line, and every second time its checks."""
    checks = (SYNTAX, MAILBOX) if number % 2 else (SYNTAX,)
    said = ("S: 220 mx", f"C: RCPT TO:<jörg{number}@alder.com>", "S: 550 who?")
    return Asked((Flag.ROLE,), None, ("mx1.alder.com",), said, checks)


def stored(page: EvidencePage) -> Any:
    return json.loads(zlib.decompress(page.pack()))


def test_evidence_comes_back_from_its_page_as_it_was() -> None:
    binder = EvidenceWriter()
    everything = [asked(number) for number in range(600)]
    places = [binder.add(one) for one in everything]
    pages = {id(place.page): stored(place.page) for place in places}
    assert [len(page["rows"]) for page in pages.values()] == [256, 256, 88]
    assert [unpack_evidence(pages[id(place.page)], place.number) for place in places] == [
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
    odd = Asked((), None, (), ("S: 250 a\x00b",), ())
    page = EvidencePage()
    page.add(odd)
    assert unpack_evidence(stored(page), 0)["transcript"] == build_evidence(odd)["transcript"] == ["S: 250 a\x1ab"]
