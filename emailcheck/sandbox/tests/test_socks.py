"""The SOCKS5 server and the hosts behind it, over real sockets."""

import asyncio
import smtplib
import socket
from dataclasses import replace
from pathlib import Path

import pytest

from emailcheck.sandbox import Sandbox, SandboxOptions, start_sandbox
from emailcheck.sandbox.tests.dialogue import SmtpClient, address_of, unverified_tls


async def test_a_connection_becomes_the_host(sandbox: Sandbox) -> None:
    async with SmtpClient(sandbox, address_of(sandbox.simulation.world, "northbeam", 1)) as smtp:
        assert smtp.answer == 0
        assert await smtp.reply() == "220 mx2.northbeam-mail.net ESMTP"
        await smtp.say("EHLO client.example")
        replies = await smtp.say("MAIL FROM:<>", "RCPT TO:<anna@harborquill.com>", "RCPT TO:<gone@lanternoak.org>")
        assert [reply[:3] for reply in replies] == ["250", "250", "550"]
        assert await smtp.say("QUIT") == ["221 2.0.0 Bye"]
        assert await smtp.rest() == b""


async def test_an_ipv6_only_host(sandbox: Sandbox) -> None:
    async with SmtpClient(sandbox, address_of(sandbox.simulation.world, "six_only")) as smtp:
        assert await smtp.reply() == "220 mx.sixonly-mail.net ESMTP"


async def test_any_smtp_client_gets_along(sandbox: Sandbox) -> None:
    address = address_of(sandbox.simulation.world, "tls_only")
    assert await asyncio.to_thread(_smtplib_dialogue, sandbox.socks_port, address) == [250, 220, 250, 250, 550, 221]


def _smtplib_dialogue(port: int, address: str) -> list[int]:
    client = smtplib.SMTP(local_hostname="client.example")
    client.sock = socket.create_connection(("127.0.0.1", port), timeout=20)
    client.sock.sendall(b"\x05\x01\x00\x05\x01\x00\x01" + socket.inet_aton(address) + b"\x00\x19")
    assert client.sock.recv(2, socket.MSG_WAITALL) + client.sock.recv(10, socket.MSG_WAITALL) == (
        b"\x05\x00\x05\x00\x00\x01" + b"\x00" * 6
    )
    assert client.getreply()[0] == 220
    codes = [client.ehlo()[0], client.docmd("STARTTLS")[0]]
    client.sock = unverified_tls().wrap_socket(client.sock)
    client.file = None
    client.ehlo()
    codes.append(client.mail("")[0])
    codes += [client.rcpt(name)[0] for name in ("paul.vance@sealedletter.org", "gone.vance@sealedletter.org")]
    return [*codes, client.quit()[0]]


@pytest.mark.parametrize(
    ("operator", "port", "answer"),
    [("all_dead", 25, 5), ("dead_first", 25, 5), ("northbeam", 465, 5)],
)
async def test_connections_that_are_refused(sandbox: Sandbox, operator: str, port: int, answer: int) -> None:
    async with SmtpClient(sandbox, address_of(sandbox.simulation.world, operator), port) as smtp:
        assert smtp.answer == answer
        assert await smtp.rest() == b""


async def test_the_second_host_answers_where_the_first_is_dead(sandbox: Sandbox) -> None:
    async with SmtpClient(sandbox, address_of(sandbox.simulation.world, "dead_first", 1)) as smtp:
        assert await smtp.reply() == "220 mx2.limping-mail.com ESMTP"


@pytest.mark.parametrize("address", ["192.0.2.1", "127.0.0.1", "2001:db8::1", "11.20.0.10"])
async def test_an_address_outside_the_world_is_unreachable(sandbox: Sandbox, address: str) -> None:
    async with SmtpClient(sandbox, address) as smtp:
        assert smtp.answer == 4
    async with SmtpClient(sandbox, address_of(sandbox.simulation.world, "all_dead", 1)) as smtp:
        assert smtp.answer == 4


@pytest.mark.parametrize(
    ("sent", "answer"),
    [
        (b"\x04\x01\x00", b"\x05\xff"),
        (b"\x05\x01\x01", b"\x05\xff"),
        (b"\x05\x01\x00\x05\x02\x00\x01", b"\x05\x00\x05\x07\x00\x01" + b"\x00" * 6),
        (b"\x05\x01\x00\x05\x01\x00\x03", b"\x05\x00\x05\x08\x00\x01" + b"\x00" * 6),
    ],
    ids=["version 4", "GSSAPI only", "BIND", "by name"],
)
async def test_other_socks_requests_are_refused(sandbox: Sandbox, sent: bytes, answer: bytes) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", sandbox.socks_port)
    writer.write(sent)
    assert await reader.read() == answer
    writer.close()


async def test_a_handshake_may_arrive_octet_by_octet(sandbox: Sandbox) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", sandbox.socks_port)
    writer.write(b"\x05")
    await writer.drain()
    writer.write(b"\x01\x00")
    assert await reader.readexactly(2) == b"\x05\x00"
    address = socket.inet_aton(address_of(sandbox.simulation.world, "oldpost"))
    writer.write(b"\x05\x01\x00\x01" + address + b"\x00\x19QUIT\r\n")
    assert (await reader.read())[10:] == b"220 mail.oldpost-hosting.com ESMTP Exim 4.98 ready\r\n221 2.0.0 Bye\r\n"
    writer.close()


async def test_a_black_hole_never_answers_the_connect(sandbox: Sandbox) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", sandbox.socks_port)
    address = socket.inet_aton(address_of(sandbox.simulation.world, "black_hole"))
    writer.write(b"\x05\x01\x00\x05\x01\x00\x01" + address + b"\x00\x19")
    writer.write_eof()
    assert await reader.read() == b"\x05\x00"
    writer.close()


async def test_dropped_connections_end_without_a_word(sandbox: Sandbox) -> None:
    async with SmtpClient(sandbox, address_of(sandbox.simulation.world, "dropper")) as smtp:
        await smtp.reply()
        await smtp.say("EHLO client.example", "MAIL FROM:<>")
        with pytest.raises((asyncio.IncompleteReadError, ConnectionResetError)):
            await smtp.say("RCPT TO:<sam.birch@butterfingers.net>")


async def test_latency_delays_each_flush_once_and_keeps_the_order(tmp_path: Path) -> None:
    async with start_sandbox(SandboxOptions(data_dir=tmp_path, latency_ms=30)) as sandbox:
        loop = asyncio.get_running_loop()
        began = loop.time()
        async with SmtpClient(sandbox, address_of(sandbox.simulation.world, "northbeam")) as smtp:
            await smtp.reply()
            await smtp.say("EHLO client.example")
            replies = await smtp.say("MAIL FROM:<>", *["RCPT TO:<anna@harborquill.com>"] * 50, "QUIT")
        assert [reply[:9] for reply in replies] == ["250 2.1.0", *["250 2.1.5"] * 50, "221 2.0.0"]
        assert loop.time() - began >= 0.09


async def test_counters_know_connections_peaks_and_commands(sandbox: Sandbox) -> None:
    address = address_of(sandbox.simulation.world, "oldpost")
    counters = sandbox.simulation.stats.host(address)
    async with SmtpClient(sandbox, address) as first, SmtpClient(sandbox, address) as second:
        await first.reply()
        await second.reply()
        await first.say("EHLO client.example", "MAIL FROM:<>", "RCPT TO:<anna@mapletide.net>")
        assert (counters.connections, counters.open, counters.peak, counters.largest_flush) == (2, 2, 2, 3)
        sandbox.simulation.reset()
        assert (counters.connections, counters.open, counters.peak, counters.largest_flush) == (0, 2, 2, 0)
        assert await first.say("QUIT") + await second.say("QUIT") == ["221 2.0.0 Bye"] * 2
        assert await first.rest() + await second.rest() == b""
    assert counters.commands == {"QUIT": 2}


async def test_a_taken_port_is_an_error(sandbox: Sandbox, tmp_path: Path) -> None:
    options = SandboxOptions(data_dir=tmp_path / "other")
    for taken in (
        replace(options, dns_port=sandbox.dns_port),
        replace(options, socks_port=sandbox.socks_port),
        replace(options, mail_port=sandbox.mail_port),
        replace(options, http_port=sandbox.http_port),
    ):
        with pytest.raises(OSError, match=r"(?i)address already in use"):
            async with start_sandbox(taken):
                pass
