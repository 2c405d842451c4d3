"""One run over a list: addresses stream in, lines stream out in the same order."""

import asyncio
import threading
import time
from collections.abc import (
    AsyncGenerator,
    AsyncIterable,
    Awaitable,
    Callable,
    Coroutine,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import aclosing
from typing import Any, BinaryIO, Protocol

from validation.engine.cli.list_reader import ReadAhead
from validation.engine.cli.ordered_spool import OrderedSpool
from validation.engine.cli.progress import Progress
from validation.engine.cli.retry_queue import RetryQueue
from validation.engine.jobs import Patience
from validation.engine.limits.shared_limits import Lane, WaitReport
from validation.engine.verifier import Verifier
from validation.engine.vocabulary import FollowUp, Verdict

_PIECE = 2**20  # bytes written at once
# Concurrent addresses. A slow reader leaves twice as many verdicts waiting, of up to 8 KB each.
_WINDOW = 10_000
_AT_ONCE = 500  # verdicts made into lines before the lines are written
_ASIDE = 50_000  # addresses that may wait for a second look; likewise in line before the list is read on
_PATIENCE_S = 10.0  # how long an address may stand in the engine's own line, where it counts as under way
_GATHER_S = 0.5  # those who are due within so long are asked for together

Arrival = tuple[int, Verdict]
Arrivals = AsyncGenerator[list[Arrival], None]


class Printer(Protocol):
    """Makes a line of a verdict."""

    def line(self, verdict: Verdict) -> bytes:
        """The line, with its end."""


class ListRun:
    """Checks a list and prints the verdicts in its order.

    `greylist_s` is the most seconds an address waits in all for greylisting hosts. An address that waits for a limit of
    ours stays in line until it is due, however long that takes.
    """

    def __init__(
        self,
        build: Callable[[], Verifier],
        addresses: Iterator[str],
        output: BinaryIO,
        printer: Printer,
        progress: Progress,
        *,
        greylist_s: float,
        patience_s: float = _PATIENCE_S,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._build = build
        self._addresses = addresses
        self._output = output
        self._printer = printer
        self._progress = progress
        self._greylist_s = greylist_s
        self._patience = Patience(Lane.SHORT, patience_s)  # nobody else is here for whom anything should be kept
        self._sleep = sleep
        self._clock = clock
        self._line = RetryQueue()
        self._line_moves = False
        self._may_read = asyncio.Event()
        self._waited: dict[int, float] = {}  # seconds, by index, for those who are put aside
        self._writing = threading.Lock()
        self._arrivals: asyncio.Queue[list[Arrival] | Exception | None] = asyncio.Queue(1)
        self._tasks: set[asyncio.Task[None]] = set()
        self._sources = 0

    async def run(self) -> None:
        """Check and print everything. Raises OSError for input and output.

        When cancelled, it prints the finished verdicts, without the gaps.
        """
        verifier = self._build()
        ahead = ReadAhead(self._addresses)

        def waits() -> list[WaitReport]:
            return self._line.add_to(verifier.groups.waits(), self._clock())

        report_task = asyncio.get_running_loop().create_task(self._progress.report_regularly(waits))
        try:
            with OrderedSpool() as lines:
                try:
                    await self._print_all(verifier, ahead, lines)
                except asyncio.CancelledError:
                    for piece in _join_lines(lines.rest()):
                        self._write(piece)
                    self._progress.finish(waits(), interrupted=True)
                    raise
            self._progress.finish(waits())
        finally:
            ahead.close()
            for task in (report_task, *self._tasks):
                task.cancel()
            await asyncio.gather(report_task, *self._tasks, return_exceptions=True)
            await verifier.aclose()

    async def _print_all(self, verifier: Verifier, addresses: AsyncIterable[str], lines: OrderedSpool) -> None:
        self._start(self._pause_if_crowded(verifier.verify_stream(addresses, window=_WINDOW, patience=self._patience)))
        while self._sources:
            arrived = await self._arrivals.get()
            if arrived is None:
                self._sources -= 1
            elif isinstance(arrived, Exception):
                raise arrived
            else:
                while arrived:
                    some, arrived[:_AT_ONCE] = arrived[:_AT_ONCE], []  # what is printed is let go of
                    await self._handle_verdicts(verifier, some, lines)
            self._arrivals.task_done()

    def _start(self, arrivals: Arrivals) -> None:
        """Start a task that fetches verdicts until the stream ends."""
        self._start_source(self._fetch(arrivals))

    def _start_source(self, source: Coroutine[Any, Any, None]) -> None:
        self._sources += 1
        task = asyncio.get_running_loop().create_task(source)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _fetch(self, arrivals: Arrivals) -> None:
        try:
            async with aclosing(arrivals):
                async for arrived in arrivals:
                    await self._arrivals.put(arrived)
                    await self._arrivals.join()  # nothing more is fetched before these are printed
        except Exception as error:
            await self._arrivals.put(error)
        await self._arrivals.put(None)

    async def _pause_if_crowded(self, arrivals: Arrivals) -> Arrivals:
        """Yield the verdicts of the list. Reading pauses while too many addresses stand in line."""
        async with aclosing(arrivals):
            async for arrived in arrivals:
                yield arrived
                if len(self._line) >= _ASIDE:
                    self._may_read.clear()
                    await self._may_read.wait()

    async def _handle_verdicts(self, verifier: Verifier, arrived: Iterable[Arrival], lines: OrderedSpool) -> None:
        """Print final verdicts in order. Set aside addresses that must be asked about again, or for the first time."""
        again: dict[int, tuple[str, FollowUp]] = {}
        for index, verdict in arrived:
            follow_up = verdict.follow_up
            if verdict.wait is not None:
                self._line.put(index, verdict.email, follow_up, verdict.wait, self._clock())
            elif follow_up is not None and self._is_worth_waiting(index, follow_up):
                again[index] = (verdict.email, follow_up)
                self._waited[index] = self._waited.get(index, 0.0) + follow_up.wait_s
            else:
                self._waited.pop(index, None)
                lines.put(index, self._printer.line(verdict))
                self._progress.done += 1
        if again:
            self._start(self._build_retry_stream(verifier, again))
        if len(self._line) and not self._line_moves:
            self._line_moves = True
            self._start_source(self._retry_due_entries(verifier))
        for piece in _join_lines(lines.due()):
            await asyncio.to_thread(self._write, piece)

    def _is_worth_waiting(self, index: int, follow_up: FollowUp) -> bool:
        waited = self._waited.get(index, 0.0)
        return waited + follow_up.wait_s <= self._greylist_s and len(self._waited) < _ASIDE

    async def _retry_due_entries(self, verifier: Verifier) -> None:
        """Check the addresses in line when they are due, until none waits."""
        while (due := self._line.next_at) is not None:
            await self._sleep(max(0.0, due - self._clock()) + _GATHER_S)
            some = self._line.pop_due(self._clock())
            follow_ups = {number: one.follow_up for number, one in enumerate(some) if one.follow_up is not None}
            self._start(self._verify_again(verifier, [(one.index, one.email) for one in some], follow_ups))
            self._may_read.set()
        self._line_moves = False
        await self._arrivals.put(None)

    async def _build_retry_stream(self, verifier: Verifier, again: Mapping[int, tuple[str, FollowUp]]) -> Arrivals:
        """Yield verdicts on greylisted addresses, asked about again by the same triplet after the wait."""
        await self._sleep(max(follow_up.wait_s for _, follow_up in again.values()))
        follow_ups = {number: follow_up for number, (_, follow_up) in enumerate(again.values())}
        stream = self._verify_again(verifier, [(index, email) for index, (email, _) in again.items()], follow_ups)
        async with aclosing(stream) as arrivals:
            async for arrived in arrivals:
                yield arrived

    async def _verify_again(
        self, verifier: Verifier, some: Sequence[tuple[int, str]], follow_ups: Mapping[int, FollowUp]
    ) -> Arrivals:
        """Yield verdicts by index in the list. `follow_ups` is keyed by position in `some`."""
        addresses = [email for _, email in some]
        stream = verifier.verify_stream(addresses, follow_ups=follow_ups, patience=self._patience)
        async with aclosing(stream) as arrivals:
            async for arrived in arrivals:
                yield [(some[number][0], verdict) for number, verdict in arrived]

    def _write(self, data: bytes) -> None:
        with self._writing:
            self._output.write(data)
            self._output.flush()


def _join_lines(lines: Iterator[bytes]) -> Iterator[bytes]:
    """Join lines into pieces of about a mebibyte."""
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
