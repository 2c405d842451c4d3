"""A shop's address for webhooks, which notes what comes and answers as it is told."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any


class Receiver:
    """Answers each delivery with the next of `statuses`, then with 200."""

    def __init__(self) -> None:
        self.url = ""
        self.statuses: list[int] = []
        self.got: list[tuple[dict[str, str], bytes]] = []
        self._news = asyncio.Condition()

    def events(self) -> list[Any]:
        return [json.loads(body) for _, body in self.got]

    def kinds(self) -> list[str]:
        return [event["event_type"] for event in self.events()]

    async def wait_for(self, count: int) -> None:
        """Until so many deliveries have come. Raises `TimeoutError`."""
        async with self._news:
            await asyncio.wait_for(self._news.wait_for(lambda: len(self.got) >= count), 60)

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:] if line)}
        body = await reader.readexactly(int(headers["content-length"]))
        async with self._news:  # before the answer, so that who hears of it finds it here
            self.got.append((headers, body))
            self._news.notify_all()
        status = self.statuses.pop(0) if self.statuses else 200
        writer.write(f"HTTP/1.1 {status} So\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode())
        await writer.drain()
        writer.close()
        await writer.wait_closed()


@asynccontextmanager
async def receiving() -> AsyncIterator[Receiver]:
    """A receiver that listens until the context is left."""
    receiver = Receiver()
    server = await asyncio.start_server(receiver.answer, "127.0.0.1", 0)
    receiver.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/webhooks/paypal"
    async with server:
        yield receiver
