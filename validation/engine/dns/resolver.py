"""DNS queries over UDP and TCP, and what an answer is.

`Resolver` is the interface that the verifier uses. `WireResolver` queries configured recursive resolvers. It reads
plain answers itself (`plain_messages`) and all others with dnspython. `cache` stands in front of it.
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
from validation.engine.dns import plain_messages

MAX_ALIASES = 8
NEGATIVE_TTL = 60.0  # where a negative answer carries no SOA (RFC 2308 section 5)
MAX_TTL = 86_400.0
_QUERIES_PER_SOCKET = 200


class RecordType(StrEnum):
    """The records a verifier asks for."""

    MX = "MX"
    A = "A"
    AAAA = "AAAA"


class Found(Enum):
    """The outcome of a query. FAILED says nothing about the name: the failure is ours or the network's."""

    RECORDS = "records"
    NO_DATA = "no data"
    NO_NAME = "no such name"
    FAILED = "failed"


_NUMBERS = {RecordType.MX: plain_messages.MX, RecordType.A: plain_messages.A, RecordType.AAAA: plain_messages.AAAA}
Response = plain_messages.PlainAnswer | dns.message.Message


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
    """Answers DNS questions. A failed look-up never raises; its answer is FAILED."""

    async def lookup(self, name: str, kind: RecordType) -> Answer:
        """The records of `kind` at `name` (A-labels), aliases followed."""


class _Question:
    """One query under way, with its plain encoding where it has one, and the future of its response."""

    def __init__(self, name: str, kind: RecordType, future: "asyncio.Future[Response]") -> None:
        self.plain = plain_messages.encode_question(name, _NUMBERS[kind])
        self.future = future
        self._name = name
        self._kind = kind

    def message(self, number: int) -> bytes:
        """The query as it goes over the wire. Raises DNSException for what is no name."""
        return plain_messages.encode_query(number, self.plain) if self.plain else self.query(number).to_wire()

    def query(self, number: int) -> dns.message.Message:
        """The query as dnspython knows it."""
        query = dns.message.make_query(self._name, self._kind, use_edns=0, payload=plain_messages.PAYLOAD)
        query.id = number
        return query

    def accept_datagram(self, data: bytes) -> None:
        """Read a datagram with the query's number. Datagrams that do not answer the query are dropped."""
        answer: Response | None = None
        if self.plain:
            answer = plain_messages.read_plain_answer(data, self.plain, _NUMBERS[self._kind])
        if answer is None:
            answer = self._read_closely(data)
        if answer is not None and not self.future.done():
            self.future.set_result(answer)

    def _read_closely(self, data: bytes) -> dns.message.Message | None:
        try:
            message = dns.message.from_wire(data, ignore_trailing=True, raise_on_truncation=False)
        except (dns.exception.DNSException, ValueError):
            return None
        return message if self.query(int.from_bytes(data[:2], "big")).is_response(message) else None


class _Datagrams(asyncio.DatagramProtocol):
    """One UDP socket to one server. Responses are matched to queries by number and question."""

    def __init__(self) -> None:
        self.waiting: dict[int, _Question] = {}
        self.queries_sent = 0

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        question = self.waiting.get(int.from_bytes(data[:2], "big"))
        if question is not None:
            question.accept_datagram(data)

    def error_received(self, exc: Exception) -> None:
        for question in self.waiting.values():
            _fail_future(question.future, OSError(str(exc)))


class WireResolver:
    """Queries recursive resolvers: UDP first, TCP for truncated answers, the next server after a failure."""

    def __init__(
        self,
        servers: Sequence[tuple[str, int]],
        *,
        clock: Clock,
        rng: random.Random,
        attempt_s: float = 2.0,
        attempts: int = 3,
    ) -> None:
        self._servers = tuple(servers) or list_system_servers()
        self._clock = clock
        self._random = rng
        self._attempt_s = attempt_s
        self._attempts = attempts
        self._sockets: dict[tuple[str, int], tuple[asyncio.DatagramTransport, _Datagrams]] = {}
        self._retired: list[tuple[asyncio.DatagramTransport, _Datagrams]] = []

    async def lookup(self, name: str, kind: RecordType) -> Answer:
        """Look a name up and follow aliases that the resolver left unfollowed."""
        started = self._clock.monotonic()
        target, ttl = name, MAX_TTL
        answer = Answer(Found.FAILED, detail="too many aliases")
        for _ in range(MAX_ALIASES):
            response = await self._query_servers(target, kind)
            if isinstance(response, str):
                answer = Answer(Found.FAILED, detail=response)
                break
            if isinstance(response, plain_messages.PlainAnswer):
                answer = self.read_plain(response, ttl)
                break
            answer, alias, ttl = self.read(response, target, kind, ttl)
            if alias is None:
                break
            target = alias
        return replace(answer, time_ms=(self._clock.monotonic() - started) * 1000)

    async def aclose(self) -> None:
        """Close the sockets."""
        for transport, _ in [*self._sockets.values(), *self._retired]:
            transport.close()
        self._sockets.clear()
        self._retired.clear()

    async def _query_servers(self, name: str, kind: RecordType) -> Response | str:
        """The first usable response, or a text that says what failed last."""
        if plain_messages.encode_question(name, _NUMBERS[kind]) is None and not _is_name(name):
            return "the name cannot be asked for"
        trouble = "no answer"
        for attempt in range(max(self._attempts, len(self._servers))):
            server = self._servers[attempt % len(self._servers)]
            try:
                response = await self._exchange(name, kind, server)
            except (OSError, EOFError, dns.exception.DNSException) as error:
                trouble = "timeout" if isinstance(error, TimeoutError) else "resolver unreachable"
                continue
            if isinstance(response, plain_messages.PlainAnswer):
                return response
            if response.rcode() in (dns.rcode.NOERROR, dns.rcode.NXDOMAIN):
                return response
            trouble = dns.rcode.to_text(response.rcode())
        return trouble

    async def _exchange(self, name: str, kind: RecordType, server: tuple[str, int]) -> Response:
        """One question to one server, within the time of one attempt. Raises OSError, EOFError and DNSException."""
        loop = asyncio.get_running_loop()
        transport, protocol = await self._open_socket(server)
        number = self._random.getrandbits(16)
        while number in protocol.waiting:
            number = self._random.getrandbits(16)
        question = _Question(name, kind, loop.create_future())
        protocol.waiting[number] = question
        protocol.queries_sent += 1
        timer = loop.call_later(self._attempt_s, _fail_future, question.future, TimeoutError())
        try:
            transport.sendto(question.message(number))
            response = await question.future
        finally:
            timer.cancel()
            del protocol.waiting[number]
        if isinstance(response, plain_messages.PlainAnswer) or not response.flags & dns.flags.TC:
            return response
        async with asyncio.timeout(self._attempt_s):
            return await _query_by_tcp(question.query(number), server)

    async def _open_socket(self, server: tuple[str, int]) -> tuple[asyncio.DatagramTransport, _Datagrams]:
        """A socket on a random port, renewed often so that answers are hard to forge (RFC 5452)."""
        pair = self._sockets.get(server)
        if pair is not None and pair[1].queries_sent < _QUERIES_PER_SOCKET and not pair[0].is_closing():
            return pair
        fresh = await asyncio.get_running_loop().create_datagram_endpoint(_Datagrams, remote_addr=server)
        replaced = self._sockets.get(server)
        if replaced is not None:
            self._retired.append(replaced)
        self._sockets[server] = fresh
        for old in [old for old in self._retired if not old[1].waiting]:
            old[0].close()
            self._retired.remove(old)
        return fresh

    def read_plain(self, plain: plain_messages.PlainAnswer, ttl: float = MAX_TTL) -> Answer:
        """The answer in a plain message; `ttl` is the shortest time to live of the aliases before it."""
        ttl = min(ttl, NEGATIVE_TTL if plain.ttl is None else plain.ttl)
        some = plain.addresses or plain.exchanges
        found = Found.RECORDS if some else Found.NO_DATA if plain.exists else Found.NO_NAME
        return Answer(found, plain.addresses, plain.exchanges, self._clock.time() + ttl)

    def read(
        self, message: dns.message.Message, name: str, kind: RecordType, ttl: float = MAX_TTL
    ) -> tuple[Answer, str | None, float]:
        """The answer in a message, or the alias to ask for next with the shortest time to live so far."""
        target = dns.name.from_text(name)
        for _ in range(MAX_ALIASES):
            alias = _find_rrset(message, target, dns.rdatatype.CNAME)
            if alias is None:
                break
            ttl = min(ttl, alias.ttl)
            target = alias[0].target
        else:
            return Answer(Found.FAILED, detail="too many aliases"), None, ttl
        now = self._clock.time()
        rrset = _find_rrset(message, target, dns.rdatatype.from_text(kind))
        if rrset is not None:
            return _build_answer(rrset, now + min(ttl, rrset.ttl)), None, ttl
        if target != dns.name.from_text(name) and not message.authority and message.rcode() == dns.rcode.NOERROR:
            return Answer(Found.FAILED), target.to_text(omit_final_dot=True), ttl
        found = Found.NO_NAME if message.rcode() == dns.rcode.NXDOMAIN else Found.NO_DATA
        return Answer(found, expires_at=now + min(ttl, _compute_negative_ttl(message))), None, ttl


def list_system_servers() -> tuple[tuple[str, int], ...]:
    """The resolvers of this machine, or the one on this host where none is configured."""
    try:
        return tuple((str(server), 53) for server in dns.resolver.Resolver().nameservers)
    except dns.exception.DNSException:
        return (("127.0.0.1", 53),)


async def _query_by_tcp(query: dns.message.Message, server: tuple[str, int]) -> dns.message.Message:
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


def _find_rrset(
    message: dns.message.Message, name: dns.name.Name, kind: dns.rdatatype.RdataType
) -> dns.rrset.RRset | None:
    for rrset in message.answer:
        if rrset.rdtype == kind and rrset.name == name and len(rrset):
            return rrset
    return None


def _build_answer(rrset: dns.rrset.RRset, expires_at: float) -> Answer:
    if rrset.rdtype != dns.rdatatype.MX:
        return Answer(Found.RECORDS, tuple(sorted(record.address for record in rrset)), (), expires_at)
    exchanges = sorted(
        (record.preference, record.exchange.to_text(omit_final_dot=record.exchange != dns.name.root).lower())
        for record in rrset
        if isinstance(record, dns.rdtypes.ANY.MX.MX)
    )
    return Answer(Found.RECORDS, (), tuple(exchanges), expires_at)


def _compute_negative_ttl(message: dns.message.Message) -> float:
    """RFC 2308 section 5: the smaller of the SOA's own time to live and its MINIMUM field."""
    for rrset in message.authority:
        if rrset.rdtype == dns.rdatatype.SOA and len(rrset):
            return float(min(rrset.ttl, rrset[0].minimum))
    return NEGATIVE_TTL


def _is_name(text: str) -> bool:
    try:
        dns.name.from_text(text)
    except dns.exception.DNSException:
        return False
    return True


def _fail_future(future: "asyncio.Future[Response]", error: Exception) -> None:
    if not future.done():
        future.set_exception(error)
