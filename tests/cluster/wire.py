"""HTTP/1.1 for many small calls on kept connections: a client that takes little time from the cluster beside it."""

import asyncio
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

_WITHIN_S = 60.0
_KEPT_S = 5.0  # less than any server keeps them
_Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@dataclass(frozen=True, slots=True)
class WireAnswer:
    """An answer: `headers` by their names in small letters; `body` is what JSON holds, else empty."""

    status: int
    headers: dict[str, str]
    body: dict[str, Any]


class Wire:
    """Connections to one address; as many as there are calls at once."""

    def __init__(self, address: str) -> None:
        url = urlsplit(address)
        self._host, self._port = url.hostname or "", url.port or 80
        self._idle: list[tuple[float, _Connection]] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        for _, (_, writer) in self._idle:
            writer.close()

    async def post(self, path: str, body: Mapping[str, Any], headers: Mapping[str, str]) -> WireAnswer:
        """Send a call. Raises `OSError` or `EOFError` when its connection breaks, `TimeoutError` after a minute."""
        content = json.dumps(body).encode()
        lines = {"Host": self._host, "Content-Type": "application/json", "Content-Length": len(content), **headers}
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        async with asyncio.timeout(_WITHIN_S):
            reader, writer = await self._connect()
            try:
                writer.write(f"POST {path} HTTP/1.1\r\n{head}\r\n".encode() + content)
                answer = await _read_answer(reader)
            except BaseException:
                writer.close()
                raise
        if answer.headers.get("connection") == "close":
            writer.close()
        else:
            self._idle.append((time.monotonic(), (reader, writer)))
        return answer

    async def _connect(self) -> _Connection:
        while self._idle:
            since, (reader, writer) = self._idle.pop()
            if time.monotonic() < since + _KEPT_S and not reader.at_eof():
                return reader, writer
            writer.close()
        return await asyncio.open_connection(self._host, self._port)


async def _read_answer(reader: asyncio.StreamReader) -> WireAnswer:
    first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").splitlines()
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines if line)}
    content = await reader.readexactly(int(headers.get("content-length", 0)))
    is_json = headers.get("content-type", "").startswith("application/json")
    return WireAnswer(int(first.split()[1]), headers, json.loads(content) if is_json else {})
