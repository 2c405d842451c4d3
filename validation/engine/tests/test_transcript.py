"""Rule 9 over ten thousand probes through real sockets: everything that went over the wire, octet by octet."""

import asyncio
import random
import re
from dataclasses import dataclass, field

from validation.engine.knowledge.domains import DomainLists
from validation.engine.tests.world import Host, World, all_verdicts

_ALLOWED = re.compile(
    rb"EHLO [\w.-]+|MAIL FROM:<[\w.@-]*>(?: SMTPUTF8)?|RCPT TO:<[^\x00-\x1f\x7f]+@[a-z0-9.-]+>|RSET|QUIT"
)
_WORDS = ("DATA", "VRFY", "EXPN", "QUIT", "RSET", "data", "MAIL FROM:", "RCPT TO:<x@y.com>")
_INJECTED = ("\r\n", "\n", "\r", "\0", "\r\nDATA\r\n", "\r\nVRFY root\r\n", "\x0b", "\x85", "\u2028")
HOSTS = 8
PROBES = 10_000


@dataclass
class RecordingHost(Host):
    """A host that keeps what every connection sent, whole."""

    connections_sent: list[bytearray] = field(default_factory=list)

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        sent = bytearray()
        self.connections_sent.append(sent)
        await super()._talk(_Tee(reader, sent), writer)


class _Tee(asyncio.StreamReader):
    """Reads on behalf of somebody and keeps a copy."""

    def __init__(self, inner: asyncio.StreamReader, copy: bytearray) -> None:
        super().__init__()
        self._inner = inner
        self._copy = copy

    async def read(self, n: int = -1) -> bytes:
        data = await self._inner.read(n)
        self._copy += data
        return data


def addresses(rng: random.Random) -> list[str]:
    """Ten thousand usable addresses, some made of commands, and a thousand that would end a line."""
    domains = [f"shop-{number}.com" for number in range(400)]
    plain = [f"user{number}@{rng.choice(domains)}" for number in range(PROBES - 1000)]
    odd = [f'"{rng.choice(_WORDS)} {number}"@{rng.choice(domains)}' for number in range(500)]
    foreign = [f"jösé{number}@{rng.choice(domains)}" for number in range(500)]
    quotes = ['"{}{}{}"@shop-1.com', "{}{}{}@shop-1.com", "a{1}{2}@shop-{0}.com", "a@shop-1.com{1}RCPT{0}{2}"]
    ends_line = [rng.choice(quotes).format(number, rng.choice(_INJECTED), rng.choice(_WORDS)) for number in range(1000)]
    mixed = [*plain, *odd, *foreign, *ends_line]
    rng.shuffle(mixed)
    return mixed


async def test_rule_9_ten_thousand_probes_and_nothing_but_envelopes(knowledge: DomainLists) -> None:
    world = World(knowledge)
    hosts = [RecordingHost(accepts_all=number % 2 == 0) for number in range(HOSTS)]
    hosts[0].extensions = ("8BITMIME", "SMTPUTF8")  # one that is asked step by step
    for number, host in enumerate(hosts):
        await world.host(f"mx{number}.com", f"11.0.0.{number + 1}", host)
    for number in range(400):
        world.dns.mx(f"shop-{number}.com", f"mx{number % HOSTS}.com")
    verifier = world.verifier()
    verdicts = await all_verdicts(verifier, addresses(random.Random(9)))
    await verifier.aclose()
    await world.aclose()

    assert sum(verdict.smtp_valid is not None for verdict in verdicts) == PROBES
    sent = [bytes(connection) for host in hosts for connection in host.connections_sent]
    lines = [line for connection in sent for line in connection.removesuffix(b"\r\n").split(b"\r\n")]
    assert sum(line.startswith(b"RCPT") for line in lines) >= PROBES
    assert [line for line in lines if not _ALLOWED.fullmatch(line)] == []
    assert [connection[-40:] for connection in sent if not connection.endswith(b"\r\nQUIT\r\n")] == []
    assert sum(line == b"QUIT" for line in lines) == len(sent)
    stripped = b"".join(sent).replace(b"\r\n", b"")
    assert not {octet for octet in stripped if octet < 0x20 or octet == 0x7F}
