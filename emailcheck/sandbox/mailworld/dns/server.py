"""The simulated name server: UDP and TCP on one port (RFC 1035, RFC 7766)."""

import asyncio
import struct
from collections import Counter
from typing import cast

import dns.exception
import dns.flags
import dns.message
import dns.name
import dns.rcode
import dns.rdatatype

from emailcheck.sandbox.mailworld.dns.zone import Zone

_HEADER = 12
_MAX_UDP = 1232
_PLAIN_UDP = 512
_MAX_CACHED = 50_000


class Responder:
    """Answers wire-format questions, each distinct one built only once.

    A cached answer differs from the next one only in its id and in the letter case of the name asked for,
    so these are copied from the question.
    """

    def __init__(self, zone: Zone) -> None:
        self._zone = zone
        self._cache: dict[tuple[bytes, bytes, bytes, bool], bytes | None] = {}
        self.questions: Counter[str] = Counter()

    def respond(self, wire: bytes, *, tcp: bool) -> bytes | None:
        """The response, or None for what gets none (not a query, or a name server that is silent)."""
        end = _find_question_end(wire)
        if end is None:
            return None
        question = wire[_HEADER:end]
        self.questions[dns.rdatatype.to_text(dns.rdatatype.RdataType.make(int.from_bytes(question[-4:-2])))] += 1
        key = (wire[2:_HEADER], question.lower(), wire[end:], tcp)
        if key not in self._cache:
            if len(self._cache) >= _MAX_CACHED:
                self._cache.clear()
            self._cache[key] = self._build(wire, tcp=tcp)
        cached = self._cache[key]
        return cached and wire[:2] + cached[2:_HEADER] + question + cached[end:]

    def point(self, name: str, *addresses: str) -> None:
        """Let a name have other addresses from now on."""
        self._zone.point(name, addresses)
        self.forget()

    def forget(self) -> None:
        """Build every answer anew: the zone has changed."""
        self._cache.clear()

    def _build(self, wire: bytes, *, tcp: bool) -> bytes | None:
        try:
            query = dns.message.from_wire(wire)
            response = dns.message.make_response(query, recursion_available=True, our_payload=_MAX_UDP)
        except dns.exception.DNSException:
            return None
        asked = query.question[0]
        name = asked.name.to_text(omit_final_dot=True).lower()
        found = self._zone.lookup(name, dns.rdatatype.to_text(asked.rdtype))
        if found.dropped:
            return None
        response.set_rcode(found.rcode)
        response.answer, response.authority = found.answer, found.authority
        if tcp:
            return response.to_wire(max_size=65_535)
        size = min(query.payload, _MAX_UDP) if query.edns >= 0 else _PLAIN_UDP
        return _truncate_response(response, max(size, _PLAIN_UDP))


def _find_question_end(wire: bytes) -> int | None:
    """Where the only question ends, or None when this is not a query with one question."""
    if len(wire) < _HEADER or wire[2] & 0x80 or wire[4:6] != b"\x00\x01":
        return None
    position = _HEADER
    while position < len(wire) and wire[position]:
        position += wire[position] + 1
    end = position + 5
    return end if end <= len(wire) else None


def _truncate_response(response: dns.message.Message, size: int) -> bytes:
    """The response in at most `size` octets; too big, it says so and the client comes back by TCP."""
    try:
        return response.to_wire(max_size=size)
    except dns.exception.TooBig:
        response.answer, response.authority = [], []
        response.flags |= dns.flags.TC
        return response.to_wire(max_size=size)


class DnsDatagrams(asyncio.DatagramProtocol):
    """DNS over UDP."""

    transport: asyncio.DatagramTransport

    def __init__(self, responder: Responder) -> None:
        self._responder = responder

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.DatagramTransport, transport)

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        answer = self._responder.respond(data, tcp=False)
        if answer:
            self.transport.sendto(answer, addr)


class DnsStream(asyncio.Protocol):
    """DNS over TCP: each message behind two octets of length."""

    transport: asyncio.Transport

    def __init__(self, responder: Responder) -> None:
        self._responder = responder
        self._buffer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while len(self._buffer) >= 2:
            (length,) = struct.unpack_from("!H", self._buffer)
            if len(self._buffer) < length + 2:
                return
            wire, self._buffer = self._buffer[2 : length + 2], self._buffer[length + 2 :]
            answer = self._responder.respond(wire, tcp=True)
            if answer:
                self.transport.write(struct.pack("!H", len(answer)) + answer)
