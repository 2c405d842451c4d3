"""Time that passes only when everybody waits, and connections without sockets: hours of patience in milliseconds."""

import asyncio
import selectors
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, TypeVar

from validation.engine.egress.connectors import Speaker

Result = TypeVar("Result")


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock jumps to the next timer when there is nothing else to do."""

    def __init__(self) -> None:
        self.now = 0.0
        super().__init__(_Jumping(self))

    def time(self) -> float:
        return self.now


class SlowLoop(VirtualLoop):
    """The loop of a machine that is slow: every look at its clock takes a moment."""

    def time(self) -> float:
        self.now += 0.002
        return self.now


class _Jumping(selectors.DefaultSelector):
    def __init__(self, loop: VirtualLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        events = super().select(0)
        if not events:
            assert timeout is not None, "everybody waits for ever"
            self._loop.now += timeout
        return events


def run(
    work: Coroutine[Any, Any, Result], loop_factory: Callable[[], VirtualLoop] = VirtualLoop
) -> tuple[Result, float]:
    """Run something; answers how many virtual seconds it took, too."""
    with asyncio.Runner(loop_factory=loop_factory) as runner:
        return runner.run(work), runner.get_loop().time()


class LoopClock:
    """The running loop's clock."""

    def monotonic(self) -> float:
        return asyncio.get_running_loop().time()

    def time(self) -> float:
        return asyncio.get_running_loop().time()


Chunk = tuple[float, bytes]  # seconds after the one before, and what comes then


class ScriptedConnector:
    """Whoever connects hears the same chunks at the same pace, whatever he says; `ends` closes behind them."""

    name = "direct"
    key = "direct"

    def __init__(self, chunks: Sequence[Chunk], *, ends: bool) -> None:
        self.chunks = chunks
        self.ends = ends
        self.written: list[bytes] = []
        self.transports: list[_Transport] = []

    async def connect(self, factory: Callable[[], Speaker], ip: str, port: int) -> Speaker:
        protocol = factory()
        self.transports.append(_Transport(self, protocol))
        protocol.connection_made(self.transports[-1])
        return protocol


class _Transport(asyncio.Transport):
    _start_tls_compatible = True

    def __init__(self, connector: ScriptedConnector, protocol: asyncio.BaseProtocol) -> None:
        super().__init__()
        self._connector = connector
        self._protocol = protocol
        self._closed = False
        loop = asyncio.get_running_loop()
        at = 0.0
        for delay, data in connector.chunks:
            at += delay
            loop.call_later(at, self._hear, data)
        if connector.ends:
            loop.call_later(at, self.abort)

    def _hear(self, data: bytes) -> None:
        protocol = self._protocol
        if self._closed or not data:
            return
        if isinstance(protocol, asyncio.BufferedProtocol):  # the TLS layer
            memoryview(protocol.get_buffer(len(data)))[: len(data)] = data
            protocol.buffer_updated(len(data))
        elif isinstance(protocol, asyncio.Protocol):
            protocol.data_received(data)

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self._connector.written.append(bytes(data))

    def is_closing(self) -> bool:
        return self._closed

    def close(self) -> None:
        self.abort()

    def abort(self) -> None:
        if not self._closed:
            self._closed = True
            asyncio.get_running_loop().call_soon(self._protocol.connection_lost, None)

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        self._protocol = protocol

    def get_protocol(self) -> asyncio.BaseProtocol:
        return self._protocol

    def pause_reading(self) -> None:
        """Nothing to pause."""

    def resume_reading(self) -> None:
        """Nothing to resume."""


class TalkingConnector:
    """A world of mail hosts that answer in virtual time: every recipient by `answer`, each flush after `delay_s`; a
    flush in which a recipient has the answer "" not at all.

    `asked` holds the time and the address of every RCPT; `open` and `most_open` count sessions.
    """

    def __init__(self, answer: Callable[[str], str], name: str = "direct", *, delay_s: float = 0.02) -> None:
        self.name = self.key = name
        self.answer = answer
        self.delay_s = delay_s
        self.asked: list[tuple[float, str]] = []
        self.open = self.most_open = self.connections = 0

    async def connect(self, factory: Callable[[], Speaker], ip: str, port: int) -> Speaker:
        await asyncio.sleep(self.delay_s)
        protocol = factory()
        self.connections += 1
        self.open += 1
        self.most_open = max(self.most_open, self.open)
        transport = _TalkingTransport(self, protocol)
        protocol.connection_made(transport)
        transport.hear_later("220 mx ESMTP\r\n")
        return protocol

    def most_in(self, seconds: float) -> int:
        """The most recipients that were asked for in any stretch of so many seconds."""
        times, first, most = [at for at, _ in self.asked], 0, 0
        for last, at in enumerate(times):
            while times[first] <= at - seconds:
                first += 1
            most = max(most, last - first + 1)
        return most


class _TalkingTransport(asyncio.Transport):
    def __init__(self, world: TalkingConnector, protocol: asyncio.Protocol) -> None:
        super().__init__()
        self._world = world
        self._protocol = protocol
        self._closed = False

    def hear_later(self, text: str) -> None:
        asyncio.get_running_loop().call_later(self._world.delay_s, self._hear, text.encode())

    def _hear(self, data: bytes) -> None:
        if not self._closed:
            self._protocol.data_received(data)

    def write(self, data: bytes | bytearray | memoryview) -> None:
        lines = bytes(data).decode().split("\r\n")[:-1]
        replies = [self._reply(line) for line in lines]
        if all(replies):
            self.hear_later("".join(f"{reply}\r\n" for reply in replies))
        if "QUIT" in lines:
            asyncio.get_running_loop().call_later(2 * self._world.delay_s, self.abort)

    def _reply(self, line: str) -> str:
        if line.startswith("EHLO"):
            return "250-mx\r\n250 PIPELINING"
        if line.startswith("RCPT"):
            address = line.partition("<")[2].rstrip(">")
            self._world.asked.append((asyncio.get_running_loop().time(), address))
            return self._world.answer(address)
        return "221 Bye" if line == "QUIT" else "250 Ok"

    def is_closing(self) -> bool:
        return self._closed

    def close(self) -> None:
        self.abort()

    def abort(self) -> None:
        if not self._closed:
            self._closed = True
            self._world.open -= 1
            asyncio.get_running_loop().call_soon(self._protocol.connection_lost, None)

    def pause_reading(self) -> None:
        """Nothing to pause."""

    def resume_reading(self) -> None:
        """Nothing to resume."""
