"""Questions to the domain name system: what an answer is, and how to get one by UDP and TCP.

`Resolver` is the border: the verifier asks nothing else. `WireResolver` speaks to configured recursive resolvers
with dnspython's messages; caching stands in front of it (`dnscache`).
"""

import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum, StrEnum
from typing import Protocol

import dns.exception
import dns.flags
import dns.message
import dns.name
import dns.rcode
import dns.rdatatype
import dns.rdtypes.ANY.MX
import dns.resolver
import dns.rrset

from validation.engine.clock import Clock

MAX_ALIASES = 8
NEGATIVE_TTL = 60.0  # where a negative answer carries no SOA (RFC 2308 section 5)
MAX_TTL = 86_400.0
_QUERIES_PER_SOCKET = 200
_EDNS_PAYLOAD = 1232


class RecordType(StrEnum):
    """The records a verifier asks for."""

    MX = "MX"
    A = "A"
    AAAA = "AAAA"


class Found(Enum):
    """How a question was answered. FAILED says nothing about the name: the failure is ours or the path's."""

    RECORDS = "records"
    NO_DATA = "no data"
    NO_NAME = "no such name"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer. `records` are addresses, or (preference, host) pairs for MX; times are epoch seconds."""

    found: Found
    records: tuple[str, ...] = ()
    exchanges: tuple[tuple[int, str], ...] = ()
    expires_at: float = 0.0
    detail: str = ""
    stale: bool = False
    time_ms: float = 0.0


class Resolver(Protocol):
    """Answers questions. It never raises for a failed look-up, it says FAILED."""

    async def lookup(self, name: str, kind: RecordType) -> Answer:
        """The records of `kind` at `name` (A-labels), aliases followed."""


class _Datagrams(asyncio.DatagramProtocol):
    """One UDP socket to one server: many questions under way, told apart by id and question."""

    def __init__(self) -> None:
        self.waiting: dict[int, tuple[dns.message.Message, asyncio.Future[dns.message.Message]]] = {}
        self.asked = 0

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        entry = self.waiting.get(int.from_bytes(data[:2], "big"))
        if entry is None or entry[1].done():
            return
        query, future = entry
        try:
            message = dns.message.from_wire(data, ignore_trailing=True, raise_on_truncation=False)
            if query.is_response(message):
                future.set_result(message)
        except (dns.exception.DNSException, ValueError):
            return

    def error_received(self, exc: Exception) -> None:
        for _, future in self.waiting.values():
            if not future.done():
                future.set_exception(OSError(str(exc)))


class WireResolver:
    """Asks recursive resolvers: UDP first, TCP where the answer was cut, the next server where one fails."""

    def __init__(
        self,
        servers: Sequence[tuple[str, int]],
        *,
        clock: Clock,
        rng: random.Random,
        attempt_s: float = 2.0,
        attempts: int = 3,
    ) -> None:
        self._servers = tuple(servers) or system_servers()
        self._clock = clock
        self._random = rng
        self._attempt_s = attempt_s
        self._attempts = attempts
        self._sockets: dict[tuple[str, int], tuple[asyncio.DatagramTransport, _Datagrams]] = {}
        self._retired: list[tuple[asyncio.DatagramTransport, _Datagrams]] = []

    async def lookup(self, name: str, kind: RecordType) -> Answer:
        """Ask, following aliases that the resolver left unfollowed."""
        started = self._clock.monotonic()
        answer, target, ttl = Answer(Found.FAILED, detail="too many aliases"), name, MAX_TTL
        for _ in range(MAX_ALIASES):
            message = await self._ask(target, kind)
            if isinstance(message, str):
                answer = Answer(Found.FAILED, detail=message)
                break
            answer, alias, ttl = self._read(message, target, kind, ttl)
            if alias is None:
                break
            target = alias
        return _timed(answer, self._clock.monotonic() - started)

    async def aclose(self) -> None:
        """Close the sockets."""
        for transport, _ in [*self._sockets.values(), *self._retired]:
            transport.close()
        self._sockets.clear()
        self._retired.clear()

    async def _ask(self, name: str, kind: RecordType) -> dns.message.Message | str:
        """The first usable message, or what went wrong last."""
        try:
            query = dns.message.make_query(name, kind, use_edns=0, payload=_EDNS_PAYLOAD)
        except dns.exception.DNSException:
            return "the name cannot be asked for"
        trouble = "no answer"
        for attempt in range(max(self._attempts, len(self._servers))):
            server = self._servers[attempt % len(self._servers)]
            query.id = self._random.getrandbits(16)
            try:
                async with asyncio.timeout(self._attempt_s):
                    message = await self._exchange(query, server)
            except (OSError, EOFError, dns.exception.DNSException) as error:
                trouble = "timeout" if isinstance(error, TimeoutError) else "resolver unreachable"
                continue
            if message.rcode() in (dns.rcode.NOERROR, dns.rcode.NXDOMAIN):
                return message
            trouble = dns.rcode.to_text(message.rcode())
        return trouble

    async def _exchange(self, query: dns.message.Message, server: tuple[str, int]) -> dns.message.Message:
        message = await self._by_udp(query, server)
        return await _by_tcp(query, server) if message.flags & dns.flags.TC else message

    async def _by_udp(self, query: dns.message.Message, server: tuple[str, int]) -> dns.message.Message:
        transport, protocol = await self._socket(server)
        while query.id in protocol.waiting:
            query.id = self._random.getrandbits(16)
        future: asyncio.Future[dns.message.Message] = asyncio.get_running_loop().create_future()
        protocol.waiting[query.id] = (query, future)
        protocol.asked += 1
        try:
            transport.sendto(query.to_wire())
            return await future
        finally:
            del protocol.waiting[query.id]

    async def _socket(self, server: tuple[str, int]) -> tuple[asyncio.DatagramTransport, _Datagrams]:
        """A socket on a random port, renewed often so that answers are hard to forge (RFC 5452)."""
        pair = self._sockets.get(server)
        if pair is not None and pair[1].asked < _QUERIES_PER_SOCKET and not pair[0].is_closing():
            return pair
        if pair is not None:
            self._retired.append(pair)
        fresh = await asyncio.get_running_loop().create_datagram_endpoint(_Datagrams, remote_addr=server)
        self._sockets[server] = fresh
        for old in [old for old in self._retired if not old[1].waiting]:
            old[0].close()
            self._retired.remove(old)
        return fresh

    def _read(
        self, message: dns.message.Message, name: str, kind: RecordType, ttl: float
    ) -> tuple[Answer, str | None, float]:
        """The answer in a message, or the alias to ask for next with the shortest time to live so far."""
        target = dns.name.from_text(name)
        for _ in range(MAX_ALIASES):
            alias = _find(message, target, dns.rdatatype.CNAME)
            if alias is None:
                break
            ttl = min(ttl, alias.ttl)
            target = alias[0].target
        else:
            return Answer(Found.FAILED, detail="too many aliases"), None, ttl
        now = self._clock.time()
        rrset = _find(message, target, dns.rdatatype.from_text(kind))
        if rrset is not None:
            return _answer_with(rrset, now + min(ttl, rrset.ttl)), None, ttl
        if target != dns.name.from_text(name) and not message.authority and message.rcode() == dns.rcode.NOERROR:
            return Answer(Found.FAILED), target.to_text(omit_final_dot=True), ttl
        found = Found.NO_NAME if message.rcode() == dns.rcode.NXDOMAIN else Found.NO_DATA
        return Answer(found, expires_at=now + min(ttl, _negative_ttl(message))), None, ttl


def system_servers() -> tuple[tuple[str, int], ...]:
    """The resolvers of this machine, or the one on this host where none is configured."""
    try:
        return tuple((str(server), 53) for server in dns.resolver.Resolver().nameservers)
    except dns.exception.DNSException:
        return (("127.0.0.1", 53),)


async def _by_tcp(query: dns.message.Message, server: tuple[str, int]) -> dns.message.Message:
    reader, writer = await asyncio.open_connection(*server)
    try:
        wire = query.to_wire()
        writer.write(len(wire).to_bytes(2, "big") + wire)
        length = int.from_bytes(await reader.readexactly(2), "big")
        message = dns.message.from_wire(await reader.readexactly(length), ignore_trailing=True)
    finally:
        writer.close()
    if not query.is_response(message):
        raise OSError("answer to another question")
    return message


def _find(message: dns.message.Message, name: dns.name.Name, kind: dns.rdatatype.RdataType) -> dns.rrset.RRset | None:
    for rrset in message.answer:
        if rrset.rdtype == kind and rrset.name == name and len(rrset):
            return rrset
    return None


def _answer_with(rrset: dns.rrset.RRset, expires_at: float) -> Answer:
    if rrset.rdtype != dns.rdatatype.MX:
        return Answer(Found.RECORDS, tuple(sorted(record.address for record in rrset)), (), expires_at)
    exchanges = sorted(
        (record.preference, record.exchange.to_text(omit_final_dot=record.exchange != dns.name.root).lower())
        for record in rrset
        if isinstance(record, dns.rdtypes.ANY.MX.MX)
    )
    return Answer(Found.RECORDS, (), tuple(exchanges), expires_at)


def _negative_ttl(message: dns.message.Message) -> float:
    """RFC 2308 section 5: the smaller of the SOA's own time to live and its MINIMUM field."""
    for rrset in message.authority:
        if rrset.rdtype == dns.rdatatype.SOA and len(rrset):
            return float(min(rrset.ttl, rrset[0].minimum))
    return NEGATIVE_TTL


def _timed(answer: Answer, seconds: float) -> Answer:
    return replace(answer, time_ms=seconds * 1000)
