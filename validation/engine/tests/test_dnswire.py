"""Plain answers read without a library: never otherwise than dnspython reads them."""

import random
from dataclasses import dataclass

import dns.message
import dns.rcode
import dns.rrset
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from validation.engine.dns import plain_messages
from validation.engine.dns.resolver import Answer, Found, RecordType, WireResolver
from validation.engine.tests.world import NOW, FakeClock

KINDS = {RecordType.A: plain_messages.A, RecordType.AAAA: plain_messages.AAAA, RecordType.MX: plain_messages.MX}
_LABELS = st.sampled_from(["a", "mx1", "shop", "x-y", "_dmarc", "MIXED", "com", "a" * 63])
_NAMES = st.lists(_LABELS, min_size=1, max_size=3).map(".".join)
_DATA = {
    "A": st.ip_addresses(v=4).map(str),
    "AAAA": st.ip_addresses(v=6).map(str),
    "MX": st.tuples(st.integers(0, 65535), _NAMES | st.just("")).map(lambda pair: f"{pair[0]} {pair[1]}."),
    "CNAME": _NAMES.map(lambda name: f"{name}."),
    "SOA": st.tuples(_NAMES, st.integers(0, 2**31 - 1)).map(lambda pair: f"{pair[0]}. {pair[0]}. 1 2 3 4 {pair[1]}"),
}
_TTLS = st.sampled_from([0, 1, 300, 86_400, 2**31 - 1])


Records = tuple[str, int, str, list[str]]  # owner, time to live, kind, data


@dataclass(frozen=True)
class Question:
    """A question, and what may be answered to it."""

    name: str
    kind: RecordType
    edns: bool
    code: dns.rcode.Rcode
    sections: tuple[list[Records], list[Records], list[Records]]

    def wire(self) -> bytes:
        """The answer as it comes."""
        query = dns.message.make_query(self.name, self.kind.value, use_edns=self.edns, id=7)
        response = dns.message.make_response(query)
        response.set_rcode(self.code)
        for section, records in zip(response.sections[1:], self.sections, strict=True):
            for owner, ttl, kind, data in records:
                section.append(dns.rrset.from_text_list(f"{owner}.", ttl, "IN", kind, data))
        return response.to_wire()


@st.composite
def questions(draw: st.DrawFn) -> Question:
    """Questions with answers of all kinds, most of them of the plain ones."""
    name, kind = draw(_NAMES).lower(), draw(st.sampled_from(list(RecordType)))
    owners = st.sampled_from([name, name, name, "other.net"])

    def records(kinds: list[str]) -> st.SearchStrategy[list[Records]]:
        one = st.sampled_from(kinds).flatmap(
            lambda kind: st.tuples(owners, _TTLS, st.just(kind), st.lists(_DATA[kind], min_size=1, max_size=3))
        )
        return st.lists(one, max_size=2)

    return Question(
        name,
        kind,
        draw(st.booleans()),
        draw(st.sampled_from([dns.rcode.NOERROR, dns.rcode.NOERROR, dns.rcode.NXDOMAIN, dns.rcode.SERVFAIL])),
        (draw(records([kind.value, kind.value, *_DATA])), draw(records(["SOA"])), draw(records(["A"]))),
    )


RESOLVER = WireResolver([("127.0.0.1", 53)], clock=FakeClock(), rng=random.Random(1))


def read_plainly(name: str, kind: RecordType, data: bytes) -> Answer | None:
    asked = plain_messages.encode_question(name, KINDS[kind])
    plain = plain_messages.read_plain_answer(data, asked or b"", KINDS[kind])
    return None if plain is None else RESOLVER.read_plain(plain)


def as_dnspython_reads(name: str, kind: RecordType, data: bytes) -> Answer:
    message = dns.message.from_wire(data, ignore_trailing=True, raise_on_truncation=False)
    query = dns.message.make_query(name, kind.value)
    query.id = message.id
    assert query.is_response(message)
    return RESOLVER.read(message, name, kind)[0]


@settings(deadline=None)
@given(questions())
def test_plain_answers_are_read_as_dnspython_reads_them(question: Question) -> None:
    data = question.wire()
    plain = read_plainly(question.name, question.kind, data)
    assert plain is None or plain == as_dnspython_reads(question.name, question.kind, data)


@settings(deadline=None)
@given(questions(), st.lists(st.tuples(st.integers(2, 400), st.integers(0, 255)), max_size=4), st.integers(0, 2))
def test_spoilt_messages_are_left_alone_or_read_alike(
    question: Question, changes: list[tuple[int, int]], cut: int
) -> None:
    spoilt = bytearray(question.wire())
    for position, octet in changes:
        spoilt[position % len(spoilt)] = octet
    kept = bytes(spoilt[: len(spoilt) - cut])
    plain = read_plainly(question.name, question.kind, kept)
    assert plain is None or plain == as_dnspython_reads(question.name, question.kind, kept)


@given(st.binary(max_size=200))
def test_any_octets(data: bytes) -> None:
    assert read_plainly("a.com", RecordType.MX, data) is None


@pytest.mark.parametrize("kind", list(RecordType))
def test_the_query_is_what_dnspython_makes(kind: RecordType) -> None:
    asked = plain_messages.encode_question("mx1.shop.com", KINDS[kind])
    query = dns.message.make_query("mx1.shop.com", kind.value, use_edns=0, payload=plain_messages.PAYLOAD, id=4711)
    assert asked is not None
    assert plain_messages.encode_query(4711, asked) == query.to_wire()


@pytest.mark.parametrize(
    "name", ["", "a..com", "a" * 64 + ".com", ".".join(["a" * 63] * 4), "UPPER.com", "a b.com", "."]
)
def test_odd_names_are_left_to_dnspython(name: str) -> None:
    assert plain_messages.encode_question(name, plain_messages.MX) is None


@pytest.mark.parametrize(
    ("kind", "data", "expected"),
    [
        (
            RecordType.MX,
            ["20 B.shop.com.", "10 mx.other.net."],
            Answer(Found.RECORDS, (), ((10, "mx.other.net"), (20, "b.shop.com")), NOW + 60),
        ),
        (RecordType.MX, ["0 ."], Answer(Found.RECORDS, (), ((0, "."),), NOW + 60)),
        (RecordType.A, ["11.0.0.2", "11.0.0.1"], Answer(Found.RECORDS, ("11.0.0.1", "11.0.0.2"), (), NOW + 60)),
        (RecordType.AAAA, ["2a00::1"], Answer(Found.RECORDS, ("2a00::1",), (), NOW + 60)),
    ],
)
def test_what_is_plain_is_read_plainly(kind: RecordType, data: list[str], expected: Answer) -> None:
    response = dns.message.make_response(dns.message.make_query("shop.com", kind.value, use_edns=0))
    response.answer.append(dns.rrset.from_text_list("shop.com.", 60, "IN", kind.value, data))
    assert read_plainly("shop.com", kind, response.to_wire()) == expected


@pytest.mark.parametrize(("code", "found"), [(dns.rcode.NOERROR, Found.NO_DATA), (dns.rcode.NXDOMAIN, Found.NO_NAME)])
def test_negative_answers_are_read_plainly(code: dns.rcode.Rcode, found: Found) -> None:
    response = dns.message.make_response(dns.message.make_query("shop.com", "MX", use_edns=0))
    response.set_rcode(code)
    response.authority.append(dns.rrset.from_text("com.", 90, "IN", "SOA", "a.com. b.com. 1 2 3 4 45"))
    assert read_plainly("shop.com", RecordType.MX, response.to_wire()) == Answer(found, expires_at=NOW + 45)
