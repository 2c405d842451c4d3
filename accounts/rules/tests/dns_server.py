"""A name server that says what a test tells it to."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import dns.flags
import dns.message
import dns.rcode
import dns.rdatatype
import dns.rrset


class Zone:
    """TXT records by name, and names whose look-up fails; it knows no others. `meanwhile` happens before an answer."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.failing: set[str] = set()
        self.asked: list[str] = []
        self.meanwhile: Callable[[], object] = lambda: None

    def answer(self, wire: bytes) -> bytes:
        query = dns.message.from_wire(wire)
        response = dns.message.make_response(query)
        response.flags |= dns.flags.RA
        question = query.question[0]
        name = question.name.to_text(omit_final_dot=True)
        self.asked.append(name)
        self.meanwhile()
        if name in self.failing:
            response.set_rcode(dns.rcode.SERVFAIL)
        elif name in self.texts and question.rdtype == dns.rdatatype.TXT:
            response.answer = [dns.rrset.from_text(question.name, 60, "IN", "TXT", f'"{self.texts[name]}"')]
        else:
            response.set_rcode(dns.rcode.NXDOMAIN)
        return response.to_wire()


@contextmanager
def serving_zone(settings: Any) -> Iterator[Zone]:
    """A zone that our resolver asks."""
    zone = Zone()
    with socket.socket(type=socket.SOCK_DGRAM) as server:
        server.bind(("127.0.0.1", 0))
        thread = threading.Thread(target=_serve, args=(server, zone))
        thread.start()
        settings.VERIFIER_DNS = (server.getsockname(),)
        yield zone
        server.sendto(b"end", server.getsockname())
        thread.join()


def _serve(server: socket.socket, zone: Zone) -> None:
    while (received := server.recvfrom(4096))[0] != b"end":
        server.sendto(zone.answer(received[0]), received[1])
