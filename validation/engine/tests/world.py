"""A mail internet of a few hosts for tests: real sockets on loopback, reached through an injected connector."""

import asyncio
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from validation.engine import EngineConfig, Verdict
from validation.engine.dns.resolver import Answer, Found, RecordType
from validation.engine.egress.addresses import Egress
from validation.engine.egress.connectors import Connector, Speaker
from validation.engine.knowledge.domains import DomainLists
from validation.engine.verifier import Verifier

NOW = 1_800_000_000.0
FOREVER = NOW + 1e9
UNKNOWN_USER = "550 5.1.1 <{address}>: Recipient address rejected: User unknown"
# Time enough for a machine that is busy with something else, where waiting is not what is tested.
STEADY = EngineConfig(
    greeting_s=10.0, reply_s=10.0, stall_s=8.0, connect_s=10.0, idle_s=0.2, backoff_s=0.001, address_s=30.0
)
# For hosts that never answer.
IMPATIENT = replace(STEADY, greeting_s=0.3, reply_s=0.3, stall_s=0.2, connect_s=0.5, address_s=2.0)
_RANDOM = re.compile(r"[a-z0-9]{18}@")


class FakeClock:
    """A clock that moves when told."""

    def __init__(self) -> None:
        self.now = NOW

    def monotonic(self) -> float:
        return self.now

    def time(self) -> float:
        return self.now


@dataclass
class Host:
    """How one mail host behaves. `mailboxes` exist; `special` maps local parts to replies; `others` is for the rest."""

    greeting: str = "220 mx.test ESMTP"
    extensions: Sequence[str] = ("PIPELINING", "8BITMIME", "SMTPUTF8")
    ehlo: str | None = None
    too_many: str = "421 4.7.0 Too many connections"
    helo: str = "250 mx.test"
    mail: str | Callable[[str], str] = "250 2.1.0 Ok"
    mailboxes: Sequence[str] = ("alice",)
    special: dict[str, str] = field(default_factory=dict)
    others: str = UNKNOWN_USER
    accepts_all: bool = False
    recipients: int = 1000
    session_recipients: int = 1000
    sessions: int = 1000
    silent_after: str | None = None
    raw: bytes | None = None
    log: list[str] = field(default_factory=list)
    flushes: list[bytes] = field(default_factory=list)
    connections: int = 0
    most_open: int = 0
    open_now: int = 0
    quits: int = 0

    def answer(self, address: str) -> str:
        """The reply to RCPT."""
        local = address.rpartition("@")[0]
        if local in self.special:
            return self.special[local].format(address=address)
        if local in self.mailboxes or self.accepts_all:
            return "250 2.1.5 Ok"
        return self.others.format(address=address)

    @property
    def recipients_asked(self) -> list[str]:
        """Who was asked for, random recipients as the word `random`."""
        asked = [line.partition("<")[2].rstrip(">") for line in self.log if line.startswith("RCPT")]
        return ["random" if _RANDOM.match(address) else address for address in asked]

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection."""
        self.connections += 1
        self.open_now += 1
        self.most_open = max(self.most_open, self.open_now)
        try:
            await self._talk(reader, writer)
        except ConnectionError:
            pass
        finally:
            self.open_now -= 1
            writer.close()

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.raw is not None:
            writer.write(self.raw)
            await reader.read()
            return
        if self.open_now > self.sessions:
            writer.write(_lines(self.too_many))
            return
        writer.write(_lines(self.greeting))
        session = _Session(self)
        while data := await reader.read(65536):
            self.flushes.append(data)
            for line in data.split(b"\r\n")[:-1]:
                self.log.append(line.decode())
                reply = session.reply(line.decode())
                if reply:
                    writer.write(_lines(reply))
                if reply.startswith(("221", "421")):
                    await writer.drain()
                    return


class _Session:
    """What a host remembers of one connection."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._in_transaction = 0
        self._in_session = 0
        self._silent = False

    def reply(self, line: str) -> str:
        verb = line.split(" ", 1)[0].upper()
        if self._silent:
            return ""
        self._silent = verb == self._host.silent_after
        return self._reply_to(verb, line)

    def _reply_to(self, verb: str, line: str) -> str:
        host = self._host
        if verb == "EHLO":
            return host.ehlo or "\n".join(["250-mx.test", *(f"250-{name}" for name in host.extensions), "250 HELP"])
        if verb == "MAIL":
            self._in_transaction = 0
            return host.mail if isinstance(host.mail, str) else host.mail(line)
        if verb == "RCPT":
            return self._recipient(line.partition("<")[2].rstrip(">"))
        if verb == "QUIT":
            host.quits += 1
            return "221 Bye"
        return {"HELO": host.helo, "RSET": "250 Ok"}.get(verb, "502 5.5.1 not implemented")

    def _recipient(self, address: str) -> str:
        host = self._host
        if self._in_session >= host.session_recipients:
            return "421 4.7.0 Too many recipients in this session"
        if self._in_transaction >= host.recipients:
            return "452 4.5.3 Too many recipients"
        self._in_transaction += 1
        self._in_session += 1
        return host.answer(address)


def _lines(text: str) -> bytes:
    return text.replace("\n", "\r\n").encode() + b"\r\n"


class FakeResolver:
    """Answers from a table; what is not in it does not exist."""

    def __init__(self, clock: FakeClock) -> None:
        self._clock = clock
        self.table: dict[tuple[str, RecordType], Answer] = {}
        self.asked: list[tuple[str, str]] = []

    def mx(self, domain: str, *hosts: str, ttl: float = 300) -> None:
        """MX records, most preferred first; `10 name` gives a preference."""
        pairs = tuple(_preference(position, host) for position, host in enumerate(hosts))
        self.table[(domain, RecordType.MX)] = Answer(Found.RECORDS, (), tuple(sorted(pairs)), self._clock.now + ttl)

    def address(self, host: str, *ips: str, kind: RecordType = RecordType.A) -> None:
        """Address records."""
        self.table[(host, kind)] = Answer(Found.RECORDS, ips, (), FOREVER)

    def put(self, name: str, kind: RecordType, found: Found) -> None:
        """An answer without records."""
        self.table[(name, kind)] = Answer(found, expires_at=self._clock.now + 60, detail="SERVFAIL")

    async def lookup(self, name: str, kind: RecordType) -> Answer:
        self.asked.append((name, kind.value))
        await asyncio.sleep(0)
        known = self.table.get((name, kind))
        if known is not None:
            return known
        exists = any(key[0] == name for key in self.table)
        return Answer(Found.NO_DATA if exists else Found.NO_NAME, expires_at=self._clock.now + 60)


def _preference(position: int, host: str) -> tuple[int, str]:
    number, space, name = host.partition(" ")
    return (int(number), name) if space else (position * 10 + 10, host)


class FakeConnector:
    """Takes the test's public addresses to servers on loopback."""

    def __init__(self, world: "World", name: str = "direct") -> None:
        self._world = world
        self.name = self.key = name
        self.dialled: list[str] = []

    async def connect(self, factory: Callable[[], Speaker], ip: str, port: int) -> Speaker:
        self.dialled.append(ip)
        port = self._world.ports.get((self.name, ip)) or self._world.ports.get(("", ip)) or 1
        _, protocol = await asyncio.get_running_loop().create_connection(factory, "127.0.0.1", port)
        return protocol


class World:
    """Hosts, names, a clock and a verifier that sees nothing else."""

    def __init__(self, knowledge: DomainLists) -> None:
        self.clock = FakeClock()
        self.dns = FakeResolver(self.clock)
        self.ports: dict[tuple[str, str], int] = {}
        self.connector = FakeConnector(self)
        self._knowledge = knowledge
        self._servers: list[asyncio.Server] = []
        self._verifiers: list[Verifier] = []

    async def host(self, name: str, ip: str, host: Host | None = None, route: str = "") -> Host:
        """Start a mail host under a name and a public address."""
        host = host or Host()
        server = await asyncio.start_server(host.serve, "127.0.0.1", 0)
        self._servers.append(server)
        self.ports[(route, ip)] = server.sockets[0].getsockname()[1]
        self.dns.address(name, ip)
        return host

    async def domain(self, domain: str, host: Host | None = None, ip: str = "11.0.0.1") -> Host:
        """A domain with one mail host."""
        self.dns.mx(domain, f"mx.{domain}")
        return await self.host(f"mx.{domain}", ip, host)

    def verifier(self, *connectors: Connector, config: EngineConfig = STEADY) -> Verifier:
        """A verifier on this world."""
        verifier = Verifier(
            config,
            resolver=self.dns,
            egresses=[Egress.by(connector) for connector in connectors or (self.connector,)],
            knowledge=self._knowledge,
            clock=self.clock,
            rng=random.Random(7),
        )
        self._verifiers.append(verifier)
        return verifier

    async def verdict(self, address: str, config: EngineConfig = STEADY) -> Verdict:
        """The verdict of a fresh verifier."""
        return await self.verifier(config=config).verify(address)

    async def aclose(self) -> None:
        """Stop everything."""
        for verifier in self._verifiers:
            await verifier.aclose()
        for server in self._servers:
            server.close()
            await server.wait_closed()


async def all_verdicts(verifier: Verifier, addresses: Sequence[str]) -> list[Verdict]:
    """The verdicts in the order of the addresses."""
    found = {index: verdict async for index, verdict in verifier.verify_many(addresses)}
    return [found[index] for index in range(len(addresses))]
