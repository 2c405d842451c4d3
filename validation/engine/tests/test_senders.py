"""Rule 12 at the wire: a sender that is refused makes way for the other one, once, over real sockets."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace

import pytest

from validation.engine.smtp.reply_stream import ReplyStream
from validation.engine.smtp.session import Envelope, Session, SessionSettings
from validation.engine.tests.world import Host

OURS = "probe@us.com"
MANNERS = SessionSettings("us.com", OURS, 10.0, 10.0, 8.0)
REFUSED = "550 5.1.8 Sender rejected"
Open = Callable[[Host, SessionSettings], Awaitable[Session]]


def refusing(*senders: str, extensions: tuple[str, ...] = ("PIPELINING",)) -> Host:
    """A host that takes no mail from some senders."""
    refused = {f"MAIL FROM:<{sender}>" for sender in senders}
    return Host(extensions=extensions, mail=lambda line: REFUSED if line in refused else "250 2.1.0 Ok")


def senders_of(host: Host) -> list[str]:
    return [line.partition("<")[2].rstrip(">") for line in host.log if line.startswith("MAIL")]


@pytest.fixture
async def start() -> AsyncIterator[Open]:
    """Opens a session with a host."""
    servers: list[asyncio.Server] = []
    sessions: list[Session] = []

    async def open_session(host: Host, manners: SessionSettings) -> Session:
        server = await asyncio.start_server(host.serve, "127.0.0.1", 0)
        servers.append(server)
        port = server.sockets[0].getsockname()[1]
        _, wire = await asyncio.get_running_loop().create_connection(ReplyStream, "127.0.0.1", port)
        sessions.append(Session(wire, manners, host="mx.shop.com", ip="127.0.0.1", route="direct"))
        await sessions[-1].open(use_tls=False, pipelining=True)
        return sessions[-1]

    yield open_session
    for session in sessions:
        await session.quit()
    for server in servers:
        server.close()
        await server.wait_closed()


@pytest.mark.parametrize("extensions", [("PIPELINING",), ()])
@pytest.mark.parametrize(
    ("first", "refused", "asked"),
    [(OURS, OURS, [OURS, ""]), ("", "", ["", OURS]), ("", OURS, [""]), (OURS, "", [OURS])],
)
async def test_the_other_sender_where_one_is_refused(
    start: Open, first: str, refused: str, asked: list[str], extensions: tuple[str, ...]
) -> None:
    host = refusing(refused, extensions=extensions)
    session = await start(host, replace(MANNERS, mail_from=first))  # "" is what a follow-up may bring
    envelope = Envelope(["alice@shop.com"])
    assert await session.send_envelopes([envelope]) is None
    assert senders_of(host) == asked
    assert [reply.code for reply in envelope.replies] == [250]
    assert session.sender == asked[-1]


async def test_the_null_sender_taken_over_from_before_gives_way_to_the_configured_one(start: Open) -> None:
    """The host changes its mind within a session."""
    refused = [OURS]
    host = Host(mail=lambda line: REFUSED if line == f"MAIL FROM:<{refused[0]}>" else "250 2.1.0 Ok")
    session = await start(host, MANNERS)
    for refused[0] in (OURS, ""):
        envelope = Envelope(["alice@shop.com"])
        await session.send_envelopes([envelope])
        assert [reply.code for reply in envelope.replies] == [250]
    assert senders_of(host) == [OURS, "", "", OURS]


@pytest.mark.parametrize("first", [OURS, ""])
async def test_a_host_that_refuses_both_is_left_alone(start: Open, first: str) -> None:
    host = refusing(OURS, "")
    session = await start(host, replace(MANNERS, mail_from=first))
    envelope = Envelope(["alice@shop.com"])
    assert await session.send_envelopes([envelope]) is None
    assert sorted(senders_of(host)) == ["", OURS]
    assert envelope.mail is not None
    assert (envelope.mail.code, envelope.replies) == (550, [])


async def test_without_a_configured_sender_there_is_nothing_else_to_try(start: Open) -> None:
    host = refusing("")
    session = await start(host, SessionSettings("us.com", "", 10.0, 10.0, 8.0))
    await session.send_envelopes([Envelope(["alice@shop.com"])])
    assert senders_of(host) == [""]


async def test_the_configured_sender_is_never_the_recipient(start: Open) -> None:
    host = refusing("")
    session = await start(host, replace(MANNERS, mail_from=""))
    ours, other = Envelope([OURS]), Envelope(["alice@shop.com"])
    await session.send_envelopes([ours, other])
    assert senders_of(host) == ["", "", OURS]
    assert ours.mail is not None
    assert (ours.mail.code, [reply.code for reply in other.replies]) == (550, [250])


async def test_another_sender_after_encryption_was_demanded(start: Open) -> None:
    """No STARTTLS here: the demand is answered in vain, and the refusal behind it still has its second try."""
    said = iter(["530 5.7.0 Must issue a STARTTLS command first", REFUSED, "250 2.1.0 Ok"])
    host = Host(mail=lambda _: next(said))
    session = await start(host, MANNERS)
    envelope = Envelope(["alice@shop.com"])
    assert await session.send_envelopes([envelope]) is None
    assert senders_of(host) == [OURS, OURS, ""]
    assert [reply.code for reply in envelope.replies] == [250]


async def test_a_temporary_refusal_is_no_reason_to_change_the_sender(start: Open) -> None:
    host = Host(mail="451 4.3.0 Try again later")
    session = await start(host, MANNERS)
    await session.send_envelopes([Envelope(["alice@shop.com"])])
    assert senders_of(host) == [OURS]
