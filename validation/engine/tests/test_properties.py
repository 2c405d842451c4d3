"""Whatever a server sends and whatever a caller gives: a verdict, no exception, nothing else on the wire."""

import asyncio
import random
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from validation.engine import Category, EngineConfig, Verdict, Verifier
from validation.engine.knowledge import Knowledge
from validation.engine.tests.world import FakeConnector, Host, World, all_verdicts
from validation.engine.wire import ReplyStream, WireError

_KNOWLEDGE = Knowledge()
_QUICK = EngineConfig(
    greeting_s=0.02, reply_s=0.02, stall_s=0.02, connect_s=0.5, idle_s=0.01, backoff_s=0.0, address_s=0.5
)
_BITS = st.sampled_from(
    [b"220 ", b"250-", b"250 ", b"550 5.1.1 ", b"421 ", b"452 4.5.3 ", b"\r\n", b"\n", b"\0", b"\xff", b"x", b"999 "]
)
_STREAMS = st.lists(_BITS, max_size=30).map(b"".join)


async def _verdict_against(raw: bytes) -> Verdict:
    world = World(_KNOWLEDGE)
    try:
        await world.domain("shop.com", Host(raw=raw))
        return await world.verdict("alice@shop.com", _QUICK)
    finally:
        await world.aclose()


@settings(max_examples=60, deadline=None)
@given(_STREAMS)
def test_any_byte_stream_ends_in_a_verdict(raw: bytes) -> None:
    verdict = asyncio.run(_verdict_against(raw))
    assert verdict.category in {Category.UNKNOWN, Category.INVALID, Category.VALID, Category.CATCH_ALL}


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
            _QUICK,
            resolver=world.dns,
            connectors=[FakeConnector(world)],
            knowledge=_KNOWLEDGE,
            clock=world.clock,
            rng=random.Random(1),
        )
        return await all_verdicts(verifier, texts)

    assert [verdict.email for verdict in asyncio.run(run())] == texts
