"""A recursive name server for the generated world: answers are put together before the run, and questions counted."""

import asyncio
from collections.abc import Iterable
from ipaddress import IPv4Address
from typing import cast

from benchmarks.engine.model import Rcode, Zone

_A, _NS, _CNAME, _SOA, _MX = 1, 2, 5, 6, 15
_TTL = 3600
_NEGATIVE_TTL = 300
_HEAD = 12
_NOERROR, _SERVFAIL, _NXDOMAIN = 0x8180, 0x8182, 0x8183
_QUESTION_NAME = b"\xc0\x0c"  # a pointer to the name in the question


class NameServer(asyncio.DatagramProtocol):
    """Answers A and MX questions by UDP; everything else about a known name has no data. `asked` counts."""

    def __init__(self, zone: Zone) -> None:
        self.asked = 0
        self._answers = dict(_answers(zone))
        self._known = _known_names(zone)
        self._broken = {wire_name(name): code for name, code in zone.broken.items()}
        self._transport: asyncio.DatagramTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.DatagramTransport, transport)  # uvloop's is no subclass of asyncio's

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        self.asked += 1
        end = data.index(b"\0", _HEAD) + 1
        answer = self.answer(data[:2], data[_HEAD : end + 4], data[_HEAD:end].lower())
        if answer is not None and self._transport is not None:
            self._transport.sendto(answer, addr)

    def answer(self, ident: bytes, question: bytes, name: bytes) -> bytes | None:
        """The whole message for a question, or None where the server keeps silent."""
        found = self._answers.get((name, question[-3]))
        if found is not None:
            flags, counts, records = found
            return ident + flags + counts + question + records
        code = self._broken.get(name)
        if code is Rcode.SILENCE:
            return None
        if code is Rcode.FAILURE:
            return ident + _word(_SERVFAIL) + b"\0\1\0\0\0\0\0\0" + question
        rcode = _NOERROR if name in self._known else _NXDOMAIN
        return ident + _word(rcode) + b"\0\1\0\0\0\1\0\0" + question + _SOA_RECORD


def wire_name(name: str) -> bytes:
    """A domain name in wire form (RFC 1035 section 3.1)."""
    labels = [label.encode() for label in name.rstrip(".").split(".") if label]
    return b"".join(bytes([len(label)]) + label for label in labels) + b"\0"


def _word(number: int) -> bytes:
    return number.to_bytes(2, "big")


def _record(owner: bytes, kind: int, data: bytes, ttl: int = _TTL) -> bytes:
    return owner + _word(kind) + b"\0\1" + ttl.to_bytes(4, "big") + _word(len(data)) + data


_SOA_RECORD = _record(
    b"\0",
    _SOA,
    wire_name("ns.generated.net")
    + wire_name("host.generated.net")
    + b"\0\0\0\1" * 4
    + _NEGATIVE_TTL.to_bytes(4, "big"),
    _NEGATIVE_TTL,
)

_Prepared = tuple[bytes, bytes, bytes]


def _answers(zone: Zone) -> Iterable[tuple[tuple[bytes, int], _Prepared]]:
    for name, exchanges in zone.mx.items():
        yield (wire_name(name), _MX), _prepared([_mx(_QUESTION_NAME, exchange) for exchange in exchanges])
    for name, ips in zone.a.items():
        yield (wire_name(name), _A), _prepared([_a(_QUESTION_NAME, ip) for ip in ips])
    for name, target in zone.cname.items():
        alias = _record(_QUESTION_NAME, _CNAME, wire_name(target))
        owner = wire_name(target)
        exchanges, ips = zone.mx.get(target, ()), zone.a.get(target, ())
        yield (wire_name(name), _MX), _prepared([alias, *(_mx(owner, exchange) for exchange in exchanges)])
        yield (wire_name(name), _A), _prepared([alias, *(_a(owner, ip) for ip in ips)])


def _prepared(records: list[bytes]) -> _Prepared:
    return _word(_NOERROR), b"\0\1" + _word(len(records)) + b"\0\0\0\0", b"".join(records)


def _mx(owner: bytes, exchange: tuple[int, str]) -> bytes:
    preference, host = exchange
    return _record(owner, _MX, _word(preference) + wire_name(host))


def _a(owner: bytes, ip: str) -> bytes:
    return _record(owner, _A, IPv4Address(ip).packed)


def _known_names(zone: Zone) -> frozenset[bytes]:
    names = {*zone.mx, *zone.a, *zone.cname, *zone.empty}
    return frozenset(wire_name(name) for name in names)
