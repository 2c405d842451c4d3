"""How many sessions are open at once: to one operator, and altogether."""

import asyncio
from collections import Counter


class SessionGate:
    """Places for sessions. An idle session gives its place up when another needs it."""

    def __init__(self, total: int) -> None:
        self._total = asyncio.Semaphore(total)
        self._operators: dict[str, asyncio.Semaphore] = {}
        self._users: Counter[str] = Counter()
        self._idle: dict[asyncio.Future[None], str] = {}

    async def enter(self, operator: str, places: int) -> None:
        """Take a place with one of `places` sessions at the operator, and one of all."""
        semaphore = self._operators.setdefault(operator, asyncio.Semaphore(places))
        self._users[operator] += 1
        self._make_room(semaphore, operator)
        try:
            await semaphore.acquire()
            self._make_room(self._total, None)
            try:
                await self._total.acquire()
            except asyncio.CancelledError:
                semaphore.release()
                raise
        except asyncio.CancelledError:
            self._forget(operator)
            raise

    def leave(self, operator: str) -> None:
        """Give the place back."""
        self._operators[operator].release()
        self._total.release()
        self._forget(operator)

    async def idle(self, operator: str, work: "asyncio.Future[None]", seconds: float) -> None:
        """Keep an open session waiting for `work`, until `seconds` have passed or somebody needs the place."""
        if self._total.locked() or self._operators[operator].locked():
            return
        self._idle[work] = operator
        try:
            await asyncio.wait([work], timeout=seconds)
        finally:
            del self._idle[work]

    def _forget(self, operator: str) -> None:
        self._users[operator] -= 1
        if not self._users[operator]:
            del self._users[operator], self._operators[operator]

    def _make_room(self, semaphore: asyncio.Semaphore, operator: str | None) -> None:
        if not semaphore.locked():
            return
        for future, owner in self._idle.items():
            if not future.done() and operator in (None, owner):
                future.set_result(None)
                return
