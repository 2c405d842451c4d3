"""Who is answered next, and who is refused: the clock is an argument, and threads wait until they are let go."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest

from emailcheck.common.server import bounds
from emailcheck.common.server.threads import Threads


@dataclass(eq=False)
class Held:
    """A request that its thread works on until `go` is set."""

    last: bool = False
    came: float = 0.0
    go: threading.Event = field(default_factory=threading.Event)
    begun: threading.Event = field(default_factory=threading.Event)
    refused: bool = False
    ended: bool = False

    def work(self) -> Callable[[], None]:
        self.begun.set()
        self.go.wait(30)
        return self.end

    def end(self) -> None:
        self.ended = True

    def clean_up(self) -> None:
        self.go.clear()

    def refuse(self) -> None:
        self.refused = True


@pytest.fixture
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    made = asyncio.new_event_loop()
    yield made
    made.close()


def run_until(loop: asyncio.AbstractEventLoop, true: Callable[[], bool]) -> None:
    until = time.monotonic() + 30
    while not true():
        assert time.monotonic() < until
        loop.call_soon(loop.stop)
        loop.run_forever()


@pytest.mark.finding("C8")
def test_what_is_refused_last_waits_longer_and_goes_first(loop: asyncio.AbstractEventLoop) -> None:
    threads, busy = Threads(loop, 1), Held()
    threads.submit(busy)
    page, check = Held(), Held(last=True)
    for job in (page, check):
        threads.submit(job)
    threads.refuse_late(page.came + bounds.WAIT_S)
    assert (page.refused, check.refused) == (False, False)
    threads.refuse_late(page.came + (bounds.WAIT_S + bounds.WAIT_LAST_S) / 2)
    assert (page.refused, check.refused, threads.refused) == (True, False, 1)
    later = Held()
    threads.submit(later)
    busy.go.set()
    check.go.set()
    run_until(loop, lambda: check.ended)
    assert not later.ended
    later.go.set()
    run_until(loop, lambda: later.ended and threads.idle)
    threads.refuse_late(later.came + 60)
    assert (check.refused, later.refused, threads.refused) == (False, False, 1)


@pytest.mark.finding("C8")
def test_checks_never_take_the_last_thread(loop: asyncio.AbstractEventLoop) -> None:
    threads, checks, page = Threads(loop, 4), [Held(last=True) for _ in range(4)], Held()
    for job in [*checks, page]:
        threads.submit(job)
    for job in [*checks[:3], page]:
        assert job.begun.wait(30)
    assert not checks[3].begun.is_set()
    for job in [*checks, page]:
        job.go.set()
    run_until(loop, lambda: threads.idle and all(job.ended for job in [*checks, page]))


def test_a_request_whose_caller_went_away_is_not_worked_on(loop: asyncio.AbstractEventLoop) -> None:
    threads, busy, gone = Threads(loop, 1), Held(), Held()
    threads.submit(busy)
    threads.submit(gone)
    assert busy.begun.wait(30)
    assert (threads.withdraw(gone), threads.withdraw(gone), threads.withdraw(busy)) == (True, False, False)
    busy.go.set()
    run_until(loop, lambda: threads.idle)
    assert not gone.begun.is_set()
