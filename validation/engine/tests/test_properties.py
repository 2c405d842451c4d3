"""Whatever a server sends and whatever a caller gives: a verdict, no exception, nothing else on the wire."""

import asyncio
import random
import re
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from validation.engine import EngineConfig, Verdict
from validation.engine.egress.addresses import Egress
from validation.engine.knowledge.domains import DomainLists
from validation.engine.smtp.reply_stream import ReplyStream, WireError
from validation.engine.tests.virtual import Chunk, ScriptedConnector, run
from validation.engine.tests.world import FakeClock, FakeConnector, FakeResolver, Host, World, all_verdicts
from validation.engine.verifier import Verifier

_KNOWLEDGE = DomainLists()
_TLS_RECORDS = (b"\x14\x03", b"\x15\x03", b"\x16\x03")  # RFC 8446 section 5.1
_CONFIG = EngineConfig(helo="probe.example.org", mail_from="probe@example.org")
# What one address may cost: each try has its time, and there is a pause before the next one.
_LONGEST_S = _CONFIG.tries * (_CONFIG.address_s + _CONFIG.backoff_s * 4) + _CONFIG.idle_s
_REPLIES = (
    "220 mx ESMTP",
    "250-mx",
    "250-PIPELINING",
    "250-STARTTLS",
    "250 SMTPUTF8",
    "250 2.1.5 Ok",
    "550 5.1.1 User unknown",
    "530 5.7.0 Must issue a STARTTLS command first",
    "421 4.3.2 Too many connections",
    "452 4.5.3 Too many recipients",
    "450 4.2.0 Greylisted, try again in 300 seconds",
    "554 5.7.1 Access denied",
    "503 5.5.1 Bad sequence",
)
_LINES = st.sampled_from(_REPLIES).map(lambda line: f"{line}\r\n".encode())
_JUNK = (
    st.sampled_from([b"\n", b"\0", b"\xff", b"999 x\r\n", b"250", b"-", b"a" * 5000, b"250-x\r\n" * 200]) | st.binary()
)
_HELLO = b"220 mx ESMTP\r\n250-mx\r\n250 PIPELINING\r\n250 2.1.0 Ok\r\n"
_STREAMS = st.tuples(st.sampled_from([b"", _HELLO]), st.lists(_LINES | _JUNK, max_size=25).map(b"".join)).map(b"".join)
_DELAYS = st.sampled_from([0.0, 0.0, 0.1, 5.0, 30.0])
_COMMAND = re.compile(
    rb"(?:EHLO probe\.example\.org|HELO probe\.example\.org|STARTTLS|MAIL FROM:<(?:probe@example\.org)?>"
    rb"|RCPT TO:<(?:alice|bob|[a-z0-9]{18})@shop\.com>|RSET|QUIT)\r\n"
)


@st.composite
def scripts(draw: st.DrawFn) -> list[Chunk]:
    """Any octets, cut anywhere, at any pace."""
    data = draw(_STREAMS)
    cuts = sorted({0, len(data), *draw(st.lists(st.integers(0, len(data)), max_size=12))})
    return [(draw(_DELAYS), data[start:end]) for start, end in pairwise(cuts)]


async def _verdicts_against(connector: ScriptedConnector) -> list[Verdict]:
    clock = FakeClock()
    dns = FakeResolver(clock)
    dns.mx("shop.com", "mx.shop.com")
    dns.address("mx.shop.com", "11.0.0.1")
    verifier = Verifier(
        _CONFIG, resolver=dns, egresses=[Egress.by(connector)], knowledge=_KNOWLEDGE, clock=clock, rng=random.Random(1)
    )
    verdicts = await all_verdicts(verifier, ["alice@shop.com", "bob@shop.com"])
    await verifier.aclose()
    return verdicts


@settings(max_examples=150, deadline=None)
@given(scripts(), st.booleans())
def test_whatever_a_server_sends_ends_in_verdicts_in_time(chunks: list[Chunk], ends: bool) -> None:
    connector = ScriptedConnector(chunks, ends=ends)
    verdicts, seconds = run(_verdicts_against(connector))
    assert [verdict.email for verdict in verdicts] == ["alice@shop.com", "bob@shop.com"]
    assert seconds <= _LONGEST_S
    assert not any(check.detail == "a fault of our own" for verdict in verdicts for check in verdict.checks)
    said = [data for data in connector.written if not data.startswith(_TLS_RECORDS)]
    assert all(_COMMAND.sub(b"", data) == b"" for data in said)
    assert all(transport.is_closing() for transport in connector.transports)


async def _read_in(pieces: list[bytes]) -> tuple[list[str], str]:
    stream = ReplyStream()
    for piece in pieces:
        stream.data_received(piece)
    stream.eof_received()
    try:
        await stream.wait(len(stream.ready) + 1, 1.0)
    except WireError as error:
        return [repr(reply) for reply in stream.ready], str(error)
    return [], "no end"


@given(_STREAMS, st.lists(st.integers(0, 200), max_size=12))
def test_rule_9_the_pieces_in_which_replies_arrive_do_not_matter(raw: bytes, cuts: list[int]) -> None:
    edges = [0, *sorted(cut for cut in cuts if cut < len(raw)), len(raw)]
    pieces = [raw[start:end] for start, end in pairwise(edges)]
    whole, end = asyncio.run(_read_in([raw]))
    assert asyncio.run(_read_in(pieces)) == (whole, end)
    assert end != "no end"


async def _log_for(address: str) -> tuple[Verdict, list[str]]:
    world = World(_KNOWLEDGE)
    try:
        host = await world.domain("shop.com", Host(accepts_all=True))
        return await world.verdict(address), host.log
    finally:
        await world.aclose()


_LOCAL = st.lists(st.sampled_from([*'ab."\\ <>', "\r", "\n", "\0", "é", "\u2028", "\u0085"]), min_size=1, max_size=10)


@settings(max_examples=60, deadline=None)
@given(_LOCAL.map("".join), st.booleans())
def test_no_address_puts_a_command_on_the_wire(local: str, quoted: bool) -> None:
    address = f'"{local}"@shop.com' if quoted else f"{local}@shop.com"
    _, log = asyncio.run(_log_for(address))
    assert {line.split(" ")[0] for line in log} <= {"EHLO", "MAIL", "RCPT", "RSET", "QUIT"}


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text(max_size=30), max_size=8))
def test_any_texts_get_each_one_verdict(texts: list[str]) -> None:
    async def run() -> list[Verdict]:
        world = World(_KNOWLEDGE)
        verifier = Verifier(
            _CONFIG,
            resolver=world.dns,
            egresses=[Egress.by(FakeConnector(world))],
            knowledge=_KNOWLEDGE,
            clock=world.clock,
            rng=random.Random(1),
        )
        return await all_verdicts(verifier, texts)

    assert [verdict.email for verdict in asyncio.run(run())] == texts
