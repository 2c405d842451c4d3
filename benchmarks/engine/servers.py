"""The process of the simulated mail internet: `python -m benchmarks.engine.servers`, driven by lines of JSON.

The first line on standard input says which world to build and where to listen; each answer is one line on standard
output. `{"do": "start", "delay": 0.05}` forgets all counts and sets the delay of replies in seconds, `{"do": "stats"}`
answers the counts since then. The end of standard input ends the process.
"""

import asyncio
import contextlib
import json
import resource
import socket
import ssl
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import uvloop

from benchmarks.engine.certificate import write_certificate
from benchmarks.engine.difficult import DifficultConversation
from benchmarks.engine.dns_server import NameServer
from benchmarks.engine.model import Line, World
from benchmarks.engine.smtp_server import Conversation, Floor, Place
from benchmarks.engine.worlds import Recipe, build

_BACKLOG = 1024
_FILES = 65_536


@dataclass(frozen=True, slots=True)
class Listen:
    """Where to listen. `first_octet` replaces the 11 of the world's addresses: 127 where only loopback may be used."""

    dns_port: int = 53
    smtp_port: int = 25
    first_octet: int = 11


@dataclass(frozen=True, slots=True)
class Stats:
    """What the servers counted since the last start."""

    connections: int
    most_open: int
    commands: int
    forbidden: int
    dns_queries: int
    cpu_s: float


class MailInternet:
    """All servers of one world."""

    def __init__(self, world: World, listen: Listen) -> None:
        self._listen = listen
        with tempfile.TemporaryDirectory() as folder:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(write_certificate(Path(folder)))
        self.floor = Floor(world.replies, world.strangers, context)
        self.places = [Place(host) for host in world.hosts]
        self.names = NameServer(world.zone)
        self._cpu_before = 0.0
        self._kept: list[socket.socket] = []

    async def open(self) -> tuple[int, int]:
        """Listen everywhere. Answers the ports of the name server and the mail hosts."""
        loop = asyncio.get_running_loop()
        transport, _ = await loop.create_datagram_endpoint(
            lambda: self.names, local_addr=("127.0.0.1", self._listen.dns_port)
        )
        smtp_port = self._listen.smtp_port or _free_port()
        for place in self.places:
            if place.host.line is not Line.REFUSED:
                await self._listen_at(place, smtp_port)
        return int(transport.get_extra_info("sockname")[1]), smtp_port

    async def _listen_at(self, place: Place, port: int) -> None:
        ip = f"{self._listen.first_octet}.{place.host.ip.partition('.')[2]}"
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.setblocking(False)
        listener.bind((ip, port))
        if place.host.line is Line.LOST:
            self._fill_queue(listener, ip, port)
            return
        kind = DifficultConversation if place.host.manner.difficult else Conversation
        loop = asyncio.get_running_loop()
        await loop.create_server(lambda: kind(self.floor, place), sock=listener, backlog=_BACKLOG)

    def _fill_queue(self, listener: socket.socket, ip: str, port: int) -> None:
        """Nobody accepts and the queue is full, so that every further SYN is dropped: a host that is not there."""
        listener.listen(0)
        self._kept.append(listener)
        for _ in range(3):
            filler = socket.socket()
            filler.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                filler.connect((ip, port))
            self._kept.append(filler)

    def start(self, delay: float) -> None:
        """Forget all counts and triplets; from now on replies take `delay` seconds."""
        floor = self.floor
        floor.delay, floor.commands, floor.forbidden, self.names.asked = delay, 0, 0, 0
        for place in self.places:
            place.connections, place.most_open = 0, 0
            place.first_seen.clear()
        self._cpu_before = _cpu_s()

    def stats(self) -> Stats:
        """The counts."""
        return Stats(
            connections=sum(place.connections for place in self.places),
            most_open=max((place.most_open for place in self.places), default=0),
            commands=self.floor.commands,
            forbidden=self.floor.forbidden,
            dns_queries=self.names.asked,
            cpu_s=round(_cpu_s() - self._cpu_before, 3),
        )


async def serve(first_line: str) -> None:
    """Build the world, listen, and do what standard input says."""
    asked = json.loads(first_line)
    internet = MailInternet(build(Recipe(**asked["recipe"])), Listen(**asked["listen"]))
    dns_port, smtp_port = await internet.open()
    _tell({"dns_port": dns_port, "smtp_port": smtp_port})
    while line := await asyncio.to_thread(sys.stdin.readline):
        order = json.loads(line)
        if order["do"] == "start":
            internet.start(order["delay"])
            _tell({})
        else:
            _tell(asdict(internet.stats()))


def _tell(answer: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


def _free_port() -> int:
    """A port that is free on every loopback address."""
    with socket.socket() as probe:
        probe.bind(("", 0))
        return int(probe.getsockname()[1])


def _cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Run until standard input ends."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(_FILES, hard), hard))
    uvloop.run(serve(sys.stdin.readline()))


if __name__ == "__main__":
    main()
