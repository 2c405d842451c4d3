"""What becomes of sessions while the line to a Redis that lives on is cut, or loses an answer."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.redis_server import needs_redis
from validation.engine.limits.shared_limits import Lane, PairLimits
from validation.verifier.limits.machine_file import MachineLimits
from validation.verifier.limits.redis_leases import RedisLimits, Times
from validation.verifier.limits.shares import NO_SHARE
from validation.verifier.limits.tests.processes import PAIR, Server, Start, soon, take

pytestmark = needs_redis


class Line:
    """A line to a server that can be cut, as a cable is: it stays open, and nothing comes through."""

    def __init__(self, server: Server) -> None:
        self._socket = server.url.removeprefix("unix://").partition("?")[0]
        self.asks = asyncio.Event()
        self.asks.set()
        self.answers_lost = 0
        self._ends = list[asyncio.StreamWriter]()

    async def open(self) -> str:
        """Its URL."""
        self._listener = await asyncio.start_server(self._pass_on, "127.0.0.1", 0)
        return f"redis://127.0.0.1:{self._listener.sockets[0].getsockname()[1]}/0"

    async def close(self) -> None:
        self._listener.close()
        for end in self._ends:
            end.close()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        back_reader, back_writer = await asyncio.open_unix_connection(self._socket)
        self._ends += [writer, back_writer]
        await asyncio.gather(self._copy_asks(reader, back_writer), self._copy_answers(back_reader, writer))

    async def _copy_asks(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65_536):
            await self.asks.wait()
            writer.write(data)
        writer.close()

    async def _copy_answers(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65_536):
            if self.answers_lost and not data.startswith(b"+"):
                self.answers_lost -= 1
                break
            writer.write(data)
        writer.close()


@pytest.fixture
async def line(server: Server) -> AsyncIterator[Line]:
    made = Line(server)
    yield made
    await made.close()


@pytest.mark.spec("SCA-004")
@pytest.mark.parametrize("asker", ["itself", "another"])
async def test_sessions_that_ended_while_a_line_was_cut_are_free_again(
    line: Line, start: Start, tmp_path: Path, asker: str
) -> None:
    """The server lives on, and with it what it believes a process holds."""
    times, limits = Times(young_s=0.0, gap_s=60.0, timeout_s=0.2, look_s=0.05), PairLimits(3)
    process = RedisLimits(await line.open(), MachineLimits(tmp_path / "one"), lambda: NO_SHARE, times=times)
    assert await take(process, 3, limits) == 3
    line.asks.clear()
    await soon(lambda: not process.is_reaching)
    for _ in range(3):
        process.give_back(PAIR, Lane.LONG)
    tried = process.calls
    await soon(lambda: process.calls >= tried + 3)  # what it said of them came to nobody
    line.asks.set()
    await soon(lambda: process.is_reaching)
    assert await take(process if asker == "itself" else start("two"), 3, limits) == 3
    await process.aclose()


@pytest.mark.spec("SCA-004")
@pytest.mark.parametrize("lost", [1, 2])
async def test_sessions_of_an_answer_that_was_lost_are_free_again(
    line: Line, start: Start, tmp_path: Path, lost: int
) -> None:
    times, limits = Times(young_s=0.0, gap_s=60.0, timeout_s=0.2, look_s=0.05), PairLimits(3)
    process = RedisLimits(await line.open(), MachineLimits(tmp_path / "one"), lambda: NO_SHARE, times=times)
    assert await take(process, 1, limits) == 1
    line.answers_lost = lost
    given = await take(process, 2, limits)
    assert (given, process.is_reaching) == ((2, True) if lost == 1 else (0, False))
    await soon(lambda: process.is_reaching)
    assert await take(process, 2 - given, limits) == 2 - given
    assert await take(start("two"), 1, limits) == 0
    await process.aclose()
