"""One run over a list: addresses stream in, lines stream out in the same order."""

import asyncio
import threading
from collections.abc import AsyncGenerator, AsyncIterable, Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import aclosing
from typing import BinaryIO, Protocol

from validation.engine.cli.progress import Progress
from validation.engine.cli.reading import ReadAhead
from validation.engine.cli.spool import InOrder
from validation.engine.verifier import Verifier
from validation.engine.vocabulary import FollowUp, Verdict

_PIECE = 2**20  # bytes written at once
# Addresses under way at once. Whoever reads slowly makes twice as many verdicts wait, of up to 8 KB each.
_WINDOW = 10_000
_AT_ONCE = 500  # verdicts made into lines before the lines are written
_ASIDE = 50_000  # addresses that may wait for a second look

Arrival = tuple[int, Verdict]


class Printer(Protocol):
    """Makes a line of a verdict."""

    def line(self, verdict: Verdict) -> bytes:
        """The line, with its end."""


class ListRun:
    """Checks a list. `greylist_s` is how many seconds an address may wait in all for hosts that say come back later."""

    def __init__(
        self,
        build: Callable[[], Verifier],
        addresses: Iterator[str],
        output: BinaryIO,
        printer: Printer,
        progress: Progress,
        *,
        greylist_s: float,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._build = build
        self._addresses = addresses
        self._output = output
        self._printer = printer
        self._progress = progress
        self._greylist_s = greylist_s
        self._sleep = sleep
        self._waited: dict[int, float] = {}  # seconds, by index, for those who are put aside
        self._writing = threading.Lock()
        self._arrivals: asyncio.Queue[list[Arrival] | Exception | None] = asyncio.Queue(1)
        self._tasks: set[asyncio.Task[None]] = set()
        self._sources = 0

    async def go(self) -> None:
        """Check and print everything. Raises OSError for the input and the output. When cancelled, prints what is
        finished, gaps left out."""
        verifier = self._build()
        ahead = ReadAhead(self._addresses)
        telling = asyncio.get_running_loop().create_task(self._progress.keep_telling())
        try:
            with InOrder() as lines:
                try:
                    await self._all(verifier, ahead, lines)
                except asyncio.CancelledError:
                    for piece in _pieces(lines.rest()):
                        self._write(piece)
                    self._progress.finish(interrupted=True)
                    raise
            self._progress.finish()
        finally:
            ahead.close()
            for task in (telling, *self._tasks):
                task.cancel()
            await asyncio.gather(telling, *self._tasks, return_exceptions=True)
            await verifier.aclose()

    async def _all(self, verifier: Verifier, addresses: AsyncIterable[str], lines: InOrder) -> None:
        self._start(verifier.verify_stream(addresses, window=_WINDOW))
        while self._sources:
            arrived = await self._arrivals.get()
            if arrived is None:
                self._sources -= 1
            elif isinstance(arrived, Exception):
                raise arrived
            else:
                while arrived:
                    some, arrived[:_AT_ONCE] = arrived[:_AT_ONCE], []  # what is printed is let go of
                    await self._take(verifier, some, lines)
            self._arrivals.task_done()

    def _start(self, arrivals: AsyncGenerator[list[Arrival], None]) -> None:
        """Fetch verdicts until there are no more."""
        self._sources += 1
        task = asyncio.get_running_loop().create_task(self._fetch(arrivals))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _fetch(self, arrivals: AsyncGenerator[list[Arrival], None]) -> None:
        try:
            async with aclosing(arrivals):
                async for arrived in arrivals:
                    await self._arrivals.put(arrived)
                    await self._arrivals.join()  # nothing more is fetched before these are printed
        except Exception as error:
            await self._arrivals.put(error)
        await self._arrivals.put(None)

    async def _take(self, verifier: Verifier, arrived: Iterable[Arrival], lines: InOrder) -> None:
        """Print what is final, as far as its turn has come; put aside who is to be asked again."""
        again: dict[int, tuple[str, FollowUp]] = {}
        for index, verdict in arrived:
            follow_up = verdict.follow_up
            if follow_up is not None and self._is_worth_waiting(index, follow_up):
                again[index] = (verdict.email, follow_up)
                self._waited[index] = self._waited.get(index, 0.0) + follow_up.wait_s
            else:
                self._waited.pop(index, None)
                lines.put(index, self._printer.line(verdict))
                self._progress.done += 1
        if again:
            self._start(self._later(verifier, again))
        for piece in _pieces(lines.due()):
            await asyncio.to_thread(self._write, piece)

    def _is_worth_waiting(self, index: int, follow_up: FollowUp) -> bool:
        waited = self._waited.get(index, 0.0)
        return waited + follow_up.wait_s <= self._greylist_s and len(self._waited) < _ASIDE

    async def _later(
        self, verifier: Verifier, again: Mapping[int, tuple[str, FollowUp]]
    ) -> AsyncGenerator[list[Arrival], None]:
        """The verdicts on some addresses that were turned away, asked again by the same triplet after the wait."""
        await self._sleep(max(follow_up.wait_s for _, follow_up in again.values()))
        places = list(again)
        addresses = [email for email, _ in again.values()]
        follow_ups = {number: follow_up for number, (_, follow_up) in enumerate(again.values())}
        async with aclosing(verifier.verify_stream(addresses, follow_ups=follow_ups)) as arrivals:
            async for arrived in arrivals:
                yield [(places[number], verdict) for number, verdict in arrived]

    def _write(self, data: bytes) -> None:
        with self._writing:
            self._output.write(data)
            self._output.flush()


def _pieces(lines: Iterator[bytes]) -> Iterator[bytes]:
    """The lines in pieces of a size that is good to write."""
    held: list[bytes] = []
    size = 0
    for line in lines:
        held.append(line)
        size += len(line)
        if size >= _PIECE:
            yield b"".join(held)
            held, size = [], 0
    if held:
        yield b"".join(held)
