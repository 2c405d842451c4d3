"""How many sessions are open at once: to one operator, and altogether.

The places at an operator may be shared with other processes: `Places` is what the gate needs of them. A command line
or a test, alone on its machine, has nobody to share with.
"""

import asyncio
from collections import Counter
from contextlib import ExitStack
from typing import Protocol

from validation.engine.pace import Allowance

SLICE_S = 2.0
LOOK_S = 0.1


class Rate(Protocol):
    """How many recipients an operator may still be asked for; `now` is the loop's clock."""

    def spend(self, count: int, now: float) -> None:
        """So many recipients are asked for."""

    def wait_s(self, now: float) -> float:
        """How long to wait before asking for anybody else."""


class Places(Protocol):
    """The places at operators that several processes share."""

    async def take(self, operator: str, places: int) -> None:
        """Wait for one of `places` places at the operator. Takes none when cancelled; never fails."""

    def give_back(self, operator: str) -> None:
        """Give a place back. What was ever taken comes free by itself when the process dies."""

    def is_wanted(self, operator: str) -> bool:
        """Whether another process waits for a place at the operator. Asked often: must not block."""

    def allowance(self, operator: str, per_minute: int) -> Rate:
        """What all who share the places may ask the operator for in a minute; 0 is no limit. Must not block."""


class Unshared:
    """Places that nobody else wants."""

    async def take(self, operator: str, places: int) -> None:
        """The process's own count is enough."""

    def give_back(self, operator: str) -> None:
        """Nobody waits."""

    def is_wanted(self, operator: str) -> bool:
        """Nobody does."""
        return False

    def allowance(self, operator: str, per_minute: int) -> Rate:
        """A count of its own."""
        return Allowance(per_minute)


class SessionGate:
    """Places for sessions.

    An idle session gives its place up when somebody needs it, here or in another process; one that is busy does so
    after `SLICE_S` seconds, so that a long list never keeps a short one from an operator.
    """

    def __init__(self, total: int, shared: Places | None = None) -> None:
        self._total = asyncio.Semaphore(total)
        self._shared = shared or Unshared()
        self._operators: dict[str, asyncio.Semaphore] = {}
        self._users: Counter[str] = Counter()
        self._waiting: Counter[str] = Counter()
        self._idle: dict[asyncio.Future[None], str] = {}
        self._look: asyncio.TimerHandle | None = None

    async def enter(self, operator: str, places: int) -> None:
        """Take a place with one of `places` sessions at the operator, and one of all."""
        semaphore = self._operators.setdefault(operator, asyncio.Semaphore(places))
        self._users[operator] += 1
        with ExitStack() as undo:
            undo.callback(self._forget, operator)
            await self._take_here(semaphore, operator)
            undo.callback(semaphore.release)
            await self._shared.take(operator, places)
            undo.callback(self._shared.give_back, operator)
            self._make_room(self._total, None)
            await self._total.acquire()
            undo.pop_all()

    def leave(self, operator: str) -> None:
        """Give the place back."""
        self._shared.give_back(operator)
        self._operators[operator].release()
        self._total.release()
        self._forget(operator)

    def is_time_to_go(self, operator: str, since: float) -> bool:
        """Whether a session that began at `since` (the loop's clock) has had its time and others wait."""
        if asyncio.get_running_loop().time() - since < SLICE_S:
            return False
        return self._waiting[operator] > 0 or self._shared.is_wanted(operator)

    async def idle(self, operator: str, work: "asyncio.Future[None]", seconds: float) -> None:
        """Keep an open session waiting for `work`, until `seconds` have passed or somebody needs the place."""
        if self._total.locked() or self._operators[operator].locked() or self._shared.is_wanted(operator):
            return
        self._idle[work] = operator
        self._look_out()
        try:
            await asyncio.wait([work], timeout=seconds)
        finally:
            del self._idle[work]

    async def _take_here(self, semaphore: asyncio.Semaphore, operator: str) -> None:
        self._make_room(semaphore, operator)
        self._waiting[operator] += 1
        try:
            await semaphore.acquire()
        finally:
            self._waiting[operator] -= 1

    def _forget(self, operator: str) -> None:
        self._users[operator] -= 1
        if not self._users[operator]:
            del self._users[operator], self._operators[operator], self._waiting[operator]

    def _make_room(self, semaphore: asyncio.Semaphore, operator: str | None) -> None:
        if not semaphore.locked():
            return
        for future, owner in self._idle.items():
            if not future.done() and operator in (None, owner):
                future.set_result(None)
                return

    def _look_out(self) -> None:
        """While sessions are idle, look every moment whether another process wants their places."""
        if self._look is None:
            self._look = asyncio.get_running_loop().call_later(LOOK_S, self._give_way)

    def _give_way(self) -> None:
        self._look = None
        if not self._idle:
            return
        wanted = {operator for operator in set(self._idle.values()) if self._shared.is_wanted(operator)}
        for future, operator in self._idle.items():
            if operator in wanted and not future.done():
                future.set_result(None)
        self._look_out()
