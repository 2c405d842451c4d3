"""The links of machines to what they share: TCP forwarders that can be cut. A program of its own:

    python -m tests.cluster.link '[["worker-1", 9021, 9002], …]'

Each link is a machine's name, a port here, and the port that it leads to. Lines of the standard input change all links
of a machine, and are answered by `done`; it ends with the end of the input.

    worker-1 cut        nothing passes either way and nothing is closed; connections that open stand still
    worker-1 refuse     connections are reset, new ones refused
    worker-1 mend       all is as before; what stood still goes on
"""

import asyncio
import json
import socket
import struct
import sys
from typing import cast

_HOST = "127.0.0.1"
_RESET = struct.pack("ii", 1, 0)


class Side(asyncio.Protocol):
    """One of the two connections of a forwarded one."""

    transport: asyncio.Transport
    peer: "Side | None" = None

    def __init__(self, link: "Link", first: "Side | None" = None) -> None:
        self.link, self.first = link, first
        self.early = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.link.sides.add(self)
        if self.first is None:
            if not self.link.is_cut:
                self.link.connect(self)
            return
        if self.first.transport.is_closing():
            self.transport.close()
            return
        self.peer, self.first.peer = self.first, self
        self.transport.write(self.first.early)

    def data_received(self, data: bytes) -> None:
        """What comes before the far connection is there waits for it."""
        if self.peer:
            self.peer.transport.write(data)
        else:
            self.early += data

    def pause_writing(self) -> None:
        if self.peer and self.peer.transport.is_reading():
            self.peer.transport.pause_reading()

    def resume_writing(self) -> None:
        if self.peer and not self.link.is_cut:
            self.peer.transport.resume_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        self.link.sides.discard(self)
        if self.peer:
            self.peer.transport.close()

    def reset(self) -> None:
        own: socket.socket = self.transport.get_extra_info("socket")
        own.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
        self.transport.abort()


class Link:
    """A port that leads to another."""

    def __init__(self, machine: str, port: int, target: int) -> None:
        self.machine, self.port, self.target = machine, port, target
        self.sides: set[Side] = set()
        self.is_cut = False
        self._server: asyncio.Server | None = None
        self._opening: set[asyncio.Task[None]] = set()

    async def listen(self) -> None:
        if self._server is None:
            loop = asyncio.get_running_loop()
            self._server = await loop.create_server(lambda: Side(self), _HOST, self.port, backlog=512)

    def connect(self, side: Side) -> None:
        """Open the far connection of one that has come."""
        task = asyncio.get_running_loop().create_task(self._connect(side))
        self._opening.add(task)
        task.add_done_callback(self._opening.discard)

    async def _connect(self, side: Side) -> None:
        try:
            await asyncio.get_running_loop().create_connection(lambda: Side(self, side), _HOST, self.target)
        except OSError:
            side.reset()

    async def change(self, state: str) -> None:
        self.is_cut = state == "cut"
        if state == "refuse":
            if self._server:
                self._server.close()
                self._server = None
            for side in list(self.sides):
                side.reset()
            return
        await self.listen()
        for side in list(self.sides):
            self._apply(side)

    def _apply(self, side: Side) -> None:
        if self.is_cut:
            if side.transport.is_reading():
                side.transport.pause_reading()
        elif side.peer is None:
            self.connect(side)
        elif not side.transport.is_closing():
            side.transport.resume_reading()


async def _serve(links: list[Link]) -> None:
    for link in links:
        await link.listen()
    commands = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(commands), sys.stdin)
    sys.stdout.write("done\n")
    sys.stdout.flush()
    while line := (await commands.readline()).decode():
        machine, state = line.split()
        for link in links:
            if link.machine == machine:
                await link.change(state)
        sys.stdout.write("done\n")
        sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(_serve([Link(*one) for one in json.loads(sys.argv[1])]))
