"""How answers are read and held against the truth, and how figures are told."""

import json
from dataclasses import replace

import pytest

from benchmarks.engine import bars, report
from benchmarks.engine.judging import (
    Score,
    deep_email_validator,
    py3_validate_email,
    score_ours,
    score_peer,
)
from benchmarks.engine.model import truth
from benchmarks.engine.scenes import OURS, Row, Scene
from benchmarks.engine.servers import Stats
from benchmarks.engine.subjects import DEEP, PY3, Measured
from tests.stack import ROOT

PEERS = ROOT / "benchmarks" / "engine" / "peers"


@pytest.mark.parametrize(
    ("answer", "read"),
    [
        ((True, "", ""), "deliverable"),
        ((False, "regex", "Must contain a dot"), "undeliverable"),
        ((False, "mx", "MX record not found"), "undeliverable"),
        ((False, "disposable", "listed"), "throw-away"),
        ((False, "smtp", "Mailbox not found."), "undeliverable"),
        (
            (False, "smtp", "SMTP Error: The mailbox that you are trying to reach has run out of space."),
            "undeliverable",
        ),
        ((False, "smtp", "SMTP Error: The mailbox that you are trying to reach is busy."), "undecided"),
        ((False, "smtp", "SMTP Error: The mail transaction has failed for unknown causes."), "undecided"),
        ((False, "smtp", "Timeout"), "undecided"),
        ((None, "no answer", ""), "undecided"),
    ],
)
def test_what_deep_email_validator_says(answer: tuple[bool | None, str, str], read: str) -> None:
    assert deep_email_validator(answer) == read


@pytest.mark.parametrize(
    ("answer", "read"),
    [
        ((True, "", ""), "deliverable"),
        ((None, "AddressNotDeliverableError", ""), "undeliverable"),
        ((None, "NoMXError", ""), "undeliverable"),
        ((None, "DomainBlacklistedError", ""), "throw-away"),
        ((None, "SMTPTemporaryError", ""), "undecided"),
        ((None, "SMTPCommunicationError", ""), "undecided"),
        ((None, "UnicodeEncodeError", ""), "undecided"),
    ],
)
def test_what_py3_validate_email_says(answer: tuple[bool | None, str, str], read: str) -> None:
    assert py3_validate_email(answer) == read


def test_a_peer_is_held_against_what_it_can_know() -> None:
    truths = [truth("valid", "mailbox_exists"), truth("catch_all", "accepts_all"), truth("unknown", "greylisted")]
    said = [(True, "", ""), (True, "", ""), (False, "smtp", "Timeout")]
    assert score_peer(truths, said, deep_email_validator).exact == 3
    said = [(False, "mx", ""), (False, "smtp", "Timeout"), (False, "smtp", "Mailbox not found.")]
    score = score_peer(truths, said, deep_email_validator)
    assert (score.exact, score.false_invalid, score.undecided_instead) == (0, 2, 1)


def test_we_are_held_against_category_and_reason() -> None:
    truths = [
        truth("valid", "mailbox_exists"),
        truth("unknown", "timeout", "connect_failed"),
        truth("valid", "mailbox_exists"),
    ]
    said = [("valid", "mailbox_exists"), ("unknown", "connect_failed"), ("invalid", "mailbox_not_found")]
    score = score_ours(truths, said)
    assert (score.exact, score.false_invalid, score.undecided_instead) == (2, 1, 0)
    assert list(score.wrong) == ["mailbox_exists: valid/mailbox_exists, said invalid/mailbox_not_found"]


@pytest.mark.parametrize(
    ("said", "exact"),
    [
        (["unknown", "greylisted", "valid", "mailbox_exists"], 1),
        (["valid", "mailbox_exists"], 1),
        (["unknown", "greylisted"], 0),
        (["unknown", "temporary", "valid", "mailbox_exists"], 0),
        (["unknown", "greylisted", "invalid", "mailbox_not_found"], 0),
    ],
)
def test_a_greylisting_host_takes_a_second_look(said: list[str], exact: int) -> None:
    later = replace(truth("unknown", "greylisted"), later=truth("valid", "mailbox_exists"))
    assert score_ours([later], [said]).exact == exact


def _row(name: str, seconds: float, exact: int, *, most_open: int = 10) -> Row:
    seen = Stats(100, most_open, 5_000, 0, 300, 1.0)
    measured = Measured(seconds, 1.0, 40.0, 60.0, seconds, [("valid", "mailbox_exists")] * 1_000, seen)
    return Row(name, measured, Score(1_000, exact))


def test_bars_say_what_was_not_reached() -> None:
    peer = _row("peer", 1.0, 900, most_open=91)
    fine = Scene("0 ms a reply", [peer, _row(OURS, 0.2, 1_000)])
    assert [bar.met for bar in bars.of(bars.Findings(clean=[fine]))] == [True] * 5
    poor = Scene("0 ms a reply", [peer, _row(OURS, 0.5, 990, most_open=11)])
    assert [bar.met for bar in bars.of(bars.Findings(clean=[poor]))] == [False, False, True, False, True]
    assert (
        "| addresses/s, 0 ms a reply | 3 x the best peer | 2,000, 2.0 x 1,000; by own CPU time 1.0 x | **no** |"
        in report.of_bars(bars.of(bars.Findings(clean=[poor])))
    )


def test_a_scene_as_a_table() -> None:
    lines = report.of_scene(Scene("0 ms a reply", [_row(OURS, 0.5, 999)])).splitlines()
    assert lines[0] == "### 0 ms a reply"
    assert lines[4] == "| **EmailCheck** | 1,000 | 2,000 | 99.90% | 0 | 0.100 | 10 | 0.300 | 1000 | 1000 | 60 (+20) |"


def test_the_peers_are_pinned() -> None:
    lock = json.loads((PEERS / "package-lock.json").read_text(encoding="utf-8"))
    version = lock["packages"]["node_modules/deep-email-validator"]["version"]
    assert DEEP.name == f"deep-email-validator {version} (npm)"
    pinned = (PEERS / "requirements.txt").read_text(encoding="utf-8")
    assert f"py3-validate-email=={PY3.name.split()[1]} " in pinned
