"""Clients for the tests: a clock to turn by hand, a dialogue without sockets, and SMTP through SOCKS5."""

import asyncio
import ipaddress
import ssl
from types import TracebackType
from typing import Self

from emailcheck.sandbox import Sandbox
from emailcheck.sandbox.mailworld.scenario.world import World, encode_a_labels
from emailcheck.sandbox.mailworld.smtp.conversation import Conversation, NextStep, ServerTurn
from emailcheck.sandbox.mailworld.smtp.mail_hosts import MailHosts


class Clock:
    """Seconds that pass only when told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def address_of(world: World, operator: str, host: int = 0) -> str:
    """The first address of one of an operator's hosts."""
    return world.operators[operator].hosts[host].addresses[0]


def unverified_tls() -> ssl.SSLContext:
    """A client context that takes any certificate."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


class Dialogue:
    """A session with a host, without sockets: its replies are kept line by line."""

    def __init__(self, hosts: MailHosts, address: str, source: str = "192.0.2.7") -> None:
        self.conversation: Conversation
        self.conversation, visit = hosts.open(address, source)
        self.counters, self.end = visit.counters, visit.end
        self.then = NextStep.KEEP
        self.greeting = self._lines(self.conversation.greet())

    def say(self, *commands: str) -> list[str]:
        """Send commands in one flush; answers the lines of all replies."""
        flush = "".join(f"{command}\r\n" for command in commands)
        return self._lines(self.conversation.receive(flush.encode()))

    def recipient(self, address: str, options: str = "") -> list[str]:
        """EHLO, MAIL FROM the null sender and RCPT TO; answers the last reply's lines."""
        for command in ("EHLO client.example", f"MAIL FROM:<>{options}"):
            self.say(command)
        return self.say(f"RCPT TO:<{address}>")

    def outcome(self, address: str) -> str:
        """The code that decides about an address: the first that is not a plain yes, empty for silence."""
        local, _, domain = address.rpartition("@")
        option = "" if local.isascii() else " SMTPUTF8"
        self.say("STARTTLS")
        if self.then is NextStep.START_TLS:
            self.conversation.secured()
        recipient = f"RCPT TO:<{local}@{encode_a_labels(domain)}>"
        stages = [self.greeting, self.say(f"MAIL FROM:<>{option}"), self.say(recipient)]
        codes = [lines[-1][:4].strip() if lines else "" for lines in stages]
        return next((code for code in codes if code not in {"220", "250"}), codes[-1])

    def _lines(self, turn: ServerTurn) -> list[str]:
        self.then = turn.then
        return turn.data.decode().splitlines()


class SmtpClient:
    """SMTP over a SOCKS5 connection: `async with SmtpClient(sandbox, address) as smtp`."""

    def __init__(self, sandbox: Sandbox, address: str, port: int = 25, user: str = "") -> None:
        self._sandbox, self._ip, self._port, self._user = sandbox, ipaddress.ip_address(address), port, user.encode()
        self.answer = -1

    async def __aenter__(self) -> Self:
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._sandbox.socks_port)
        kind = {4: b"\x01", 6: b"\x04"}[self._ip.version]
        login = b"\x05\x02\x00\x02\x01" + bytes((len(self._user),)) + self._user + b"\x01x"
        self._writer.write(login if self._user else b"\x05\x01\x00")
        self._writer.write(b"\x05\x01\x00" + kind + self._ip.packed + self._port.to_bytes(2))
        welcome = b"\x05\x02\x01\x00" if self._user else b"\x05\x00"
        assert await self._reader.readexactly(len(welcome)) == welcome
        self.answer = (await self._reader.readexactly(10))[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._writer.transport.abort()

    async def reply(self) -> str:
        """The next reply, its lines joined by a line feed."""
        lines = [await self._line()]
        while lines[-1][3:4] == "-":
            lines.append(await self._line())
        return "\n".join(lines)

    async def say(self, *commands: str) -> list[str]:
        """Send commands in one flush and wait for as many replies."""
        self._writer.write("".join(f"{command}\r\n" for command in commands).encode())
        return [await self.reply() for _ in commands]

    async def start_tls(self) -> None:
        """The TLS handshake, whatever the certificate is worth."""
        await self._writer.start_tls(unverified_tls())

    async def rest(self) -> bytes:
        """Everything until the connection ends."""
        return await self._reader.read()

    async def _line(self) -> str:
        return (await self._reader.readuntil(b"\r\n")).decode().rstrip("\r\n")
