"""Raw sockets: callers who send what they like, as slowly as they like, from an address of their own.

All of 127.0.0.0/8 is this machine, so that callers can have different addresses.
"""

import selectors
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

VISITOR, ABUSER, OTHER, PROXY = "127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.9"
HOST = "Host: 127.0.0.1\r\n"
LANDING = f"GET / HTTP/1.1\r\n{HOST}\r\n"


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back; `seconds` from the first octet that was sent to the last that was read."""

    status: int
    headers: dict[str, str]
    body: bytes
    seconds: float


@dataclass(slots=True)
class Caller:
    """One connection from `source`."""

    port: int
    source: str = VISITOR
    receive_buffer: int = 0
    connection: socket.socket = field(init=False)
    rest: bytes = b""
    asked_at: float = 0.0

    def __post_init__(self) -> None:
        self.connection = socket.socket()
        if self.receive_buffer:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, self.receive_buffer)
        self.connection.bind((self.source, 0))
        self.connection.settimeout(60)
        try:
            self.connection.connect(("127.0.0.1", self.port))
        except ConnectionError:
            self.connection.close()
            raise

    def send(self, text: str | bytes) -> None:
        self.connection.sendall(text.encode() if isinstance(text, str) else text)

    def ask(self, text: str | bytes) -> Answer:
        """Send a request and read its answer."""
        begun = time.monotonic()
        self.send(text)
        return self.read(begun)

    def read(self, begun: float | None = None) -> Answer:
        """The next answer. Raises `ConnectionError` when there is none."""
        begun = time.monotonic() if begun is None else begun
        while (answer := self._whole(begun)) is None:
            self._read_on()
        return answer

    def ask_later(self, text: str | bytes) -> None:
        """Send a request; its answer is read when it is there."""
        self.asked_at = time.monotonic()
        self.send(text)

    def read_what_came(self) -> Answer | None:
        """Read once; the answer to `ask_later` when it is whole."""
        self._read_on()
        return self._whole(self.asked_at)

    def is_ended(self, within: float = 0.0) -> bool:
        """Whether the other side ends the connection within so many seconds; what it says before is thrown away."""
        until = time.monotonic() + within
        with selectors.DefaultSelector() as waiting:
            waiting.register(self.connection, selectors.EVENT_READ)
            while waiting.select(max(0.0, until - time.monotonic())):
                try:
                    if not self.connection.recv(65_536):
                        return True
                except ConnectionError:
                    return True
        return False

    def close(self) -> None:
        self.connection.close()

    def _whole(self, begun: float) -> Answer | None:
        """The next answer when all of it was read."""
        head, end, rest = self.rest.partition(b"\r\n\r\n")
        line, *lines = head.decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (one.partition(":") for one in lines)}
        size = int(headers.get("content-length", "0"))
        if not end or len(rest) < size:
            return None
        self.rest = rest[size:]
        return Answer(int(line.split()[1]), headers, rest[:size], time.monotonic() - begun)

    def _read_on(self) -> None:
        read = self.connection.recv(65_536)
        if not read:
            raise ConnectionError("the connection ended before the answer did")
        self.rest += read


@contextmanager
def many(port: int, count: int, text: str | bytes = b"", source: str = ABUSER) -> Iterator[list[Caller]]:
    """So many connections that have sent this much and say no more."""
    callers = [Caller(port, source) for _ in range(count)]
    try:
        for caller in callers:
            caller.send(text)
        yield callers
    finally:
        for caller in callers:
            caller.close()


def visit(port: int, text: str | bytes = LANDING, source: str = VISITOR, patience: float = 60.0) -> Answer:
    """One request on a connection of its own. Raises `OSError` when the answer does not come in so many seconds."""
    caller = Caller(port, source)
    caller.connection.settimeout(patience)
    try:
        return caller.ask(text)
    finally:
        caller.close()


def flood(port: int, callers: int, seconds: float, text: str = LANDING) -> list[Answer]:
    """So many callers who ask again whenever they are answered. What they got, in the order of its coming."""
    return [answer for _, answer in flood_with(port, [text] * callers, seconds)]


def flood_with(port: int, texts: list[str], seconds: float) -> list[tuple[int, Answer]]:
    """A caller for each text, who asks again whenever answered. Who got what, in the order of its coming."""
    got: list[tuple[int, Answer]] = []
    with many(port, len(texts)) as connections, selectors.DefaultSelector() as waiting:
        until = time.monotonic() + seconds
        for number, one in enumerate(connections):
            one.ask_later(texts[number])
            waiting.register(one.connection, selectors.EVENT_READ, number)
        while time.monotonic() < until:
            for found, _ in waiting.select(1):
                one = connections[found.data]
                if (answer := one.read_what_came()) is not None:
                    got.append((found.data, answer))
                    one.ask_later(texts[found.data])
    return got
