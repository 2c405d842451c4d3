"""The simulated name server, asked over UDP and TCP by a client that is not ours."""

import asyncio
import struct

import dns.asyncquery
import dns.flags
import dns.message
import dns.rcode
import dns.rdatatype
import dns.reversename
import pytest

from emailcheck.sandbox import Sandbox
from emailcheck.sandbox.mailworld.dns.server import Responder
from emailcheck.sandbox.mailworld.dns.zone import Zone
from emailcheck.sandbox.mailworld.scenario.world import World


@pytest.fixture
def responder(scenario: World) -> Responder:
    return Responder(Zone(scenario))


async def ask(sandbox: Sandbox, name: str, rdtype: str, *, edns: bool = True) -> dns.message.Message:
    query = dns.message.make_query(name, rdtype, use_edns=edns)
    return await dns.asyncquery.udp(query, "127.0.0.1", timeout=20, port=sandbox.dns_port)


def texts(response: dns.message.Message, rdtype: str) -> list[str]:
    kind = dns.rdatatype.from_text(rdtype)
    return sorted(record.to_text() for rrset in response.answer if rrset.rdtype == kind for record in rrset)


@pytest.mark.parametrize(
    ("name", "rdtype", "expected"),
    [
        (
            "gmail.com",
            "MX",
            [
                "10 alt1.gmail-smtp-in.l.google.com.",
                "20 alt2.gmail-smtp-in.l.google.com.",
                "5 gmail-smtp-in.l.google.com.",
            ],
        ),
        ("GMail.COM", "TXT", ['"v=spf1 mx -all"']),
        ("_dmarc.gmail.com", "TXT", ['"v=DMARC1; p=quarantine"']),
        ("nomailhere.org", "MX", ["0 ."]),
        ("willowbank-legal.co.uk", "MX", ["0 willowbank-legal-co-uk.mail.protection.outlook.com."]),
        ("officelan.org", "MX", ["10 mail.officelan.org.", "20 backup.officelan.org."]),
        ("backup.officelan.org", "A", ["192.168.1.25"]),
        ("mail.innerloop.net", "A", ["127.0.0.1"]),
        ("sixonly.net", "MX", ["10 mx.sixonly-mail.net."]),
        ("xn--bcherwurm-versand-22b.de", "MX", ["10 mx1.northbeam-mail.net.", "20 mx2.northbeam-mail.net."]),
    ],
)
async def test_records(running_sandbox: Sandbox, name: str, rdtype: str, expected: list[str]) -> None:
    response = await ask(running_sandbox, name, rdtype)
    assert response.rcode() == dns.rcode.NOERROR
    assert texts(response, rdtype) == sorted(expected)
    assert response.answer[0].ttl == 300


async def test_mail_hosts_have_addresses_in_both_families_and_names_for_them(running_sandbox: Sandbox) -> None:
    (v4,) = texts(await ask(running_sandbox, "mx1.northbeam-mail.net", "A"), "A")
    (v6,) = texts(await ask(running_sandbox, "mx1.northbeam-mail.net", "AAAA"), "AAAA")
    hosts = running_sandbox.simulation.world.hosts_by_address
    assert hosts[v4][1] is hosts[v6][1] is running_sandbox.simulation.world.operators["northbeam"].hosts[0]
    response = await ask(running_sandbox, dns.reversename.from_address(v4).to_text(), "PTR")
    assert texts(response, "PTR") == ["mx1.northbeam-mail.net."]


async def test_every_source_address_has_a_name_that_agrees_with_it(running_sandbox: Sandbox) -> None:
    visitors = running_sandbox.simulation.world.visitors
    for visitor in visitors:
        assert texts(await ask(running_sandbox, visitor.name, "A"), "A") == [visitor.address]
        pointer = dns.reversename.from_address(visitor.address).to_text()
        assert texts(await ask(running_sandbox, pointer, "PTR"), "PTR") == [f"{visitor.name}."]
    assert (visitors[2].name, visitors[2].address) == ("out3.emailcheck.app", "11.53.0.27")


async def test_an_implicit_mx_is_an_address_without_mx(running_sandbox: Sandbox) -> None:
    assert (await ask(running_sandbox, "plainrecord.com", "MX")).answer == []
    (address,) = texts(await ask(running_sandbox, "plainrecord.com", "A"), "A")
    assert running_sandbox.simulation.world.hosts_by_address[address][0].key == "northbeam"


async def test_a_cname_is_followed_in_the_answer(running_sandbox: Sandbox) -> None:
    response = await ask(running_sandbox, "brandnewname.com", "MX")
    assert texts(response, "CNAME") == ["harborquill.com."]
    assert texts(response, "MX") == ["10 mx1.northbeam-mail.net.", "20 mx2.northbeam-mail.net."]


@pytest.mark.parametrize(
    ("name", "rdtype", "rcode", "zone"),
    [
        ("neverregistered.com", "MX", dns.rcode.NXDOMAIN, "com."),
        ("www.neverregistered.com", "A", dns.rcode.NXDOMAIN, "com."),
        ("nothing.gmail.com", "A", dns.rcode.NXDOMAIN, "gmail.com."),
        ("parkedpage.net", "MX", dns.rcode.NOERROR, "parkedpage.net."),
        ("nomailhere.org", "A", dns.rcode.NOERROR, "nomailhere.org."),
        ("mail.danglingmx.com", "A", dns.rcode.NXDOMAIN, "danglingmx.com."),
        ("mx.patience-mail.org", "AAAA", dns.rcode.NOERROR, "patience-mail.org."),
        ("9.9.9.11.in-addr.arpa", "PTR", dns.rcode.NXDOMAIN, "11.in-addr.arpa."),
    ],
)
async def test_negative_answers_carry_the_soa_and_its_ttl(
    running_sandbox: Sandbox, name: str, rdtype: str, rcode: dns.rcode.Rcode, zone: str
) -> None:
    response = await ask(running_sandbox, name, rdtype)
    assert response.rcode() == rcode
    assert response.answer == []
    (soa,) = response.authority
    assert (soa.name.to_text(), soa.ttl, soa[0].minimum) == (zone, 60, 60)


@pytest.mark.parametrize("name", ["somewhere-else.com", "google.com", "com", ".", "1.0.0.127.in-addr.arpa"])
async def test_names_outside_the_world_are_refused(running_sandbox: Sandbox, name: str) -> None:
    response = await ask(running_sandbox, name, "MX")
    assert response.rcode() == dns.rcode.REFUSED
    assert (response.answer, response.authority) == ([], [])


async def test_servfail(running_sandbox: Sandbox) -> None:
    assert (await ask(running_sandbox, "brokendelegation.com", "MX")).rcode() == dns.rcode.SERVFAIL


def test_a_silent_name_server_answers_nothing(responder: Responder) -> None:
    assert responder.respond(dns.message.make_query("silentnameserver.com", "MX").to_wire(), tcp=False) is None


@pytest.mark.parametrize("edns", [True, False])
async def test_what_is_too_big_for_udp_comes_by_tcp(running_sandbox: Sandbox, edns: bool) -> None:
    truncated = await ask(running_sandbox, "manydoors.org", "MX", edns=edns)
    assert truncated.flags & dns.flags.TC
    assert truncated.answer == []
    query = dns.message.make_query("manydoors.org", "MX", use_edns=edns)
    whole = await dns.asyncquery.tcp(query, "127.0.0.1", timeout=20, port=running_sandbox.dns_port)
    assert len(texts(whole, "MX")) == 80


async def test_two_questions_on_one_tcp_connection_are_both_answered(running_sandbox: Sandbox) -> None:
    queries = [dns.message.make_query(name, "MX") for name in ("gmail.com", "yahoo.com")]
    reader, writer = await asyncio.open_connection("127.0.0.1", running_sandbox.dns_port)
    writer.write(b"".join(struct.pack("!H", len(query.to_wire())) + query.to_wire() for query in queries))
    answers = [await reader.readexactly(int.from_bytes(await reader.readexactly(2))) for _ in queries]
    writer.close()
    assert [dns.message.from_wire(answer).id for answer in answers] == [query.id for query in queries]


def test_a_cached_answer_keeps_the_id_and_the_letter_case_of_each_question(responder: Responder) -> None:
    queries = [dns.message.make_query(name, "MX") for name in ("gmail.com", "gMaIl.CoM", "GMAIL.COM")]
    answers = [dns.message.from_wire(responder.respond(query.to_wire(), tcp=False) or b"") for query in queries]
    assert [answer.id for answer in answers] == [query.id for query in queries]
    assert [answer.question[0].name.to_text() for answer in answers] == ["gmail.com.", "gMaIl.CoM.", "GMAIL.COM."]
    assert [len(answer.answer[0]) for answer in answers] == [3, 3, 3]
    assert responder.questions == {"MX": 3}


@pytest.mark.parametrize("wire", [b"", b"\0" * 11, b"\0" * 12, b"\xff" * 40, b"\0\1\1\0\0\1\0\0\0\0\0\0\x3fabc"])
def test_what_is_not_a_question_is_ignored(responder: Responder, wire: bytes) -> None:
    assert responder.respond(wire, tcp=False) is None
