"""The simulated mail hosts, over real sockets on loopback, and our engine against a small world of them."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from random import Random

import pytest

from benchmarks.engine.difficult import DifficultConversation
from benchmarks.engine.difficulties import KINDS
from benchmarks.engine.internet import running
from benchmarks.engine.judging import score_ours
from benchmarks.engine.model import Drop, Host, Line, Manner, Noise, Pipelining, Tls
from benchmarks.engine.scenes import ON_LOOPBACK
from benchmarks.engine.smtp_server import Conversation, Floor, Place
from benchmarks.engine.styles import EXIM, POSTFIX, reply
from benchmarks.engine.subjects import measure_ours
from benchmarks.engine.worlds import Recipe, build

MANNER = POSTFIX.manner("mx.host.net", Random(1))
HARD = replace(MANNER, difficult=True)
NO_USER = b"550 5.1.1 <nobody@shop.com>: no\r\n"
OPENING = b"EHLO me\r\nMAIL FROM:<a@b.net>\r\n"
ANNA, NOBODY, OTHER = (b"RCPT TO:<%s>\r\n" % name for name in (b"anna@shop.com", b"nobody@shop.com", b"x@else.com"))

Talk = Callable[[Manner, bytes], Awaitable[bytes]]


@pytest.fixture
async def talk() -> AsyncIterator[Talk]:
    """Say everything at once to a host of some manner; answers all that came back behind greeting and EHLO."""
    servers: list[asyncio.Server] = []
    floor = Floor(
        {b"anna@shop.com": b"250 2.1.5 Ok\r\n", "zoë@shop.com".encode(): b"250 2.1.5 Ok\r\n"},
        {b"shop.com": b"550 5.1.1 <{0}>: no\r\n"},
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH),
    )

    async def say(manner: Manner, commands: bytes) -> bytes:
        kind = DifficultConversation if manner.difficult else Conversation
        place = Place(Host("mx.host.net", "11.0.0.1", manner))
        server = await asyncio.get_running_loop().create_server(lambda: kind(floor, place), "127.0.0.1", 0)
        servers.append(server)
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        writer.write(commands)
        with suppress(OSError):  # the host may hang up at once
            writer.write_eof()
        heard = await reader.read()
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()
        return heard.removeprefix(manner.greeting).removeprefix(manner.ehlo).removeprefix(manner.mail_ok)

    yield say
    for server in servers:
        server.close()
        await server.wait_closed()


async def test_a_whole_flush_is_answered_in_order(talk: Talk) -> None:
    heard = await talk(MANNER, OPENING + ANNA + NOBODY + OTHER + b"RSET\r\nQUIT\r\n")
    denied = MANNER.relay_denied.replace(b"{0}", b"x@else.com")
    assert heard == b"250 2.1.5 Ok\r\n" + NO_USER + denied + MANNER.reset_ok + MANNER.bye


async def test_commands_out_of_order_are_refused(talk: Talk) -> None:
    assert (
        await talk(MANNER, b"EHLO me\r\n" + ANNA + b"QUIT\r\n")
        == b"503 5.5.1 Bad sequence of commands\r\n" + MANNER.bye
    )


async def test_too_many_errors_end_the_session(talk: Talk) -> None:
    assert await talk(MANNER, OPENING + NOBODY * 30) == NO_USER * 20 + MANNER.too_many_errors


async def test_too_many_resets_end_a_session_with_exim(talk: Talk) -> None:
    manner = EXIM.manner("mx.host.net", Random(1))
    heard = await talk(manner, b"EHLO me\r\n" + b"RSET\r\n" * 15)
    assert heard == manner.reset_ok * 10 + b"554 Too many nonmail commands\r\n"


@pytest.mark.parametrize(
    ("manner", "parameter", "answer"),
    [
        (MANNER, b" SMTPUTF8", b"250 2.1.5 Ok\r\n"),
        (MANNER, b"", b"553 5.6.7 The recipient address needs SMTPUTF8\r\n"),
        (replace(MANNER, utf8=False), b"", b"501 5.1.3 Bad recipient address syntax\r\n"),
    ],
)
async def test_international_recipients(talk: Talk, manner: Manner, parameter: bytes, answer: bytes) -> None:
    mail = b"EHLO me\r\nMAIL FROM:<>" + parameter + b"\r\n"
    assert await talk(manner, mail + "RCPT TO:<zoë@shop.com>\r\n".encode() + b"QUIT\r\n") == answer + manner.bye


@pytest.mark.parametrize(
    ("manner", "heard"),
    [
        (replace(HARD, recipients_per_mail=1, over_mail=b"452 one\r\n"), b"250 2.1.5 Ok\r\n452 one\r\n452 one\r\n"),
        (replace(HARD, recipients_per_session=1, over_session=b"421 bye\r\n"), b"250 2.1.5 Ok\r\n421 bye\r\n"),
        (replace(HARD, recipients_per_session=2), b"250 2.1.5 Ok\r\n" + NO_USER),
        (replace(HARD, rcpt_refused=b"550 5.7.1 no\r\n"), b"550 5.7.1 no\r\n" * 3),
        (replace(HARD, greylist_s=60.0, greylisted=b"451 later\r\n"), b"451 later\r\n" * 3),
        (replace(HARD, drop=Drop.RCPT), b""),
    ],
)
async def test_difficult_recipients(talk: Talk, manner: Manner, heard: bytes) -> None:
    assert await talk(manner, OPENING + ANNA + NOBODY + OTHER) == heard


@pytest.mark.parametrize(
    ("manner", "heard"),
    [
        (replace(HARD, drop=Drop.CONNECT), b""),
        (replace(HARD, noise=Noise.SILENT), b""),
        (replace(HARD, greeting=b"554 no\r\n"), b""),
        (replace(HARD, pipelining=Pipelining.PUNISHED), b"554 SMTP synchronization error\r\n"),
        (replace(HARD, pipelining=Pipelining.SWALLOWED), b""),
        (replace(HARD, mail_refused=b"550 5.7.1 no\r\n"), b"550 5.7.1 no\r\n503 5.5.1 Bad sequence of commands\r\n"),
        (
            replace(HARD, tls=Tls.REQUIRED),
            b"530 5.7.0 Encryption is required, start TLS\r\n503 5.5.1 Bad sequence of commands\r\n",
        ),
    ],
)
async def test_difficult_openings(talk: Talk, manner: Manner, heard: bytes) -> None:
    said = await talk(manner, OPENING + ANNA)
    assert said.removeprefix(manner.ehlo.replace(b"\r\n250 ", b"\r\n250-STARTTLS\r\n250 ")) == heard


def test_no_kind_of_difficulty_speaks_of_itself_as_plain() -> None:
    changed = [kind.change(HARD, Random(2)) for kind in KINDS]
    special = [
        kind.line is not Line.ANSWERED or kind.first is not None or kind.private or kind.private_first for kind in KINDS
    ]
    silent = [kind.silent_names for kind in KINDS]
    assert [
        kind.name for kind, a, b, c in zip(KINDS, changed, special, silent, strict=True) if a == HARD and not b | c
    ] == []


def test_replies_of_several_lines() -> None:
    assert reply(550, "one", "two") == b"550-one\r\n550 two\r\n"


def test_our_engine_is_exact_in_a_small_world_and_everything_is_counted() -> None:
    recipe = Recipe(23, domains=30, sets=12, addresses=240)
    questions = build(recipe).questions
    with running(recipe, ON_LOOPBACK) as internet:
        measured = measure_ours(internet, [text for text, _ in questions], delay=0.0, inside=False)
    score = score_ours([truth for _, truth in questions], measured.answers)
    assert (score.exact, score.false_invalid, dict(score.wrong)) == (240, 0, {})
    assert 0 < measured.seen.connections <= 60
    assert 0 < measured.seen.most_open <= 10
    assert 0 < measured.seen.dns_queries <= 90
    assert measured.seen.commands > 240
    assert measured.seen.forbidden == 0
