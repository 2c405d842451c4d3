"""The generated worlds: repeatable, complete, true to their truth, and no copy of the sandbox."""

import re
from collections import Counter
from itertools import islice
from random import Random

import dns.message
import dns.rcode
import dns.rdatatype
import pytest

from benchmarks.engine import styles, words
from benchmarks.engine.difficulties import KINDS
from benchmarks.engine.dns_server import NameServer
from benchmarks.engine.model import Rcode, World, Zone
from benchmarks.engine.scenes import part_of
from benchmarks.engine.syntax_speed import measure_accepts
from benchmarks.engine.worlds import Recipe, build
from tests.stack import ROOT

CLEAN = Recipe(11, domains=300, sets=40, addresses=3_000)
HOSTILE = Recipe(11, domains=90, sets=45, addresses=450, hostile=True)
STYLES = (styles.POSTFIX, styles.EXIM, styles.EXCHANGE, styles.EXCHANGE_ONLINE, styles.GMAIL)


@pytest.fixture(scope="module")
def clean() -> World:
    return build(CLEAN)


@pytest.fixture(scope="module")
def hostile() -> World:
    return build(HOSTILE)


@pytest.mark.parametrize("recipe", [CLEAN, HOSTILE])
def test_the_same_seed_gives_the_same_world(recipe: Recipe) -> None:
    assert build(recipe) == build(recipe)


def test_another_seed_gives_another_world(clean: World) -> None:
    other = build(Recipe(12, CLEAN.domains, CLEAN.sets, CLEAN.addresses))
    assert not {text for text, _ in clean.questions} & {text for text, _ in other.questions if "@" in text[1:-1]}


def test_as_many_addresses_as_were_asked_for(clean: World, hostile: World) -> None:
    assert (len(clean.questions), len(hostile.questions)) == (3_000, 450)


def test_every_common_kind_of_address_is_there(clean: World) -> None:
    found = Counter(truth.category for _, truth in clean.questions)
    assert set(found) == {"valid", "invalid", "catch_all", "disposable", "unknown"}
    reasons = {reason for _, truth in clean.questions for reason in truth.reasons}
    assert reasons >= {"syntax", "no_domain", "null_mx", "no_mail_host", "bogus_mx", "dns_error", "mailbox_full"}
    assert reasons >= {"mailbox_disabled", "mailbox_not_found", "mailbox_exists", "accepts_all", "disposable_domain"}


def test_every_kind_of_difficulty_is_there(hostile: World) -> None:
    assert {truth.kind for _, truth in hostile.questions} == {kind.name for kind in KINDS}


def test_the_truth_follows_from_the_replies(clean: World) -> None:
    by_code = {"valid": b"24", "invalid": b"5", "unknown": b"4"}
    plain = [(text.encode(), truth) for text, truth in clean.questions if text.isascii()]
    for address, truth in plain:
        known = clean.replies.get(address)
        assert known is None or known[:1] in [bytes([code]) for code in by_code[truth.category]]


def test_bad_addresses_are_bad() -> None:
    assert [text for text in islice(words.bad_addresses(Random(4)), 500) if measure_accepts(text)] == []


def test_no_reply_about_a_recipient_is_one_of_the_sandbox() -> None:
    sandbox = (ROOT / "emailcheck" / "sandbox" / "world.toml").read_text(encoding="utf-8")
    theirs = {_wording(text) for text in re.findall(r'"([45]\d\d[ -][^"]*)"', sandbox)}
    ours = {
        _wording(text.decode())
        for style in STYLES
        for text in (*style.missing, *(word for kind in style.words.values() for word in kind))
    }
    assert not ours & theirs


def _wording(text: str) -> str:
    return re.sub(r"\{\w*\}|<>|\W+", " ", text).casefold().strip()


def test_a_part_keeps_whole_domains(clean: World) -> None:
    part = part_of(clean.questions, 10)
    chosen = {text.rpartition("@")[2] for text, _ in part}
    assert part == [question for question in clean.questions if question[0].rpartition("@")[2] in chosen]
    assert len(chosen) == -(-len({text.rpartition("@")[2] for text, _ in clean.questions}) // 10)


ZONE = Zone(
    mx={
        "shop.com": ((10, "mx1.host.net"), (20, "mx2.host.net")),
        "none.com": ((0, "."),),
        "real.org": ((5, "mx.x.de"),),
    },
    a={"mx1.host.net": ("11.0.0.1", "11.0.0.2")},
    cname={"alias.org": "real.org"},
    broken={"ill.com": Rcode.FAILURE, "mute.com": Rcode.SILENCE},
    empty={"empty.com"},
)


@pytest.mark.parametrize(
    ("name", "kind", "rcode", "records"),
    [
        ("shop.com", "MX", "NOERROR", ["10 mx1.host.net.", "20 mx2.host.net."]),
        ("SHOP.com", "MX", "NOERROR", ["10 mx1.host.net.", "20 mx2.host.net."]),
        ("none.com", "MX", "NOERROR", ["0 ."]),
        ("alias.org", "MX", "NOERROR", ["real.org.", "5 mx.x.de."]),
        ("mx1.host.net", "A", "NOERROR", ["11.0.0.1", "11.0.0.2"]),
        ("mx1.host.net", "AAAA", "NOERROR", []),
        ("shop.com", "A", "NOERROR", []),
        ("empty.com", "MX", "NOERROR", []),
        ("nowhere.com", "MX", "NXDOMAIN", []),
        ("ill.com", "MX", "SERVFAIL", []),
    ],
)
def test_the_name_server_answers(name: str, kind: str, rcode: str, records: list[str]) -> None:
    query = dns.message.make_query(name, kind)
    answer = dns.message.from_wire(_ask(query) or b"")
    assert query.is_response(answer)
    assert dns.rcode.to_text(answer.rcode()) == rcode
    assert [record.to_text() for rrset in answer.answer for record in rrset] == records
    has_soa = any(rrset.rdtype == dns.rdatatype.SOA for rrset in answer.authority)
    assert has_soa == (not records and rcode != "SERVFAIL")


def test_the_name_server_can_be_silent() -> None:
    assert _ask(dns.message.make_query("mute.com", "MX")) is None


def _ask(query: dns.message.Message) -> bytes | None:
    wire = query.to_wire()
    end = wire.index(b"\0", 12) + 1
    return NameServer(ZONE).answer(wire[:2], wire[12 : end + 4], wire[12:end].lower())
