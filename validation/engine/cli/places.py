"""A stricter limit of sessions at one operator than the operator's profile sets."""

import asyncio
from collections import Counter

from validation.engine.gate import Unshared


class AtMost(Unshared):
    """At most so many sessions at each operator, in one process."""

    def __init__(self, sessions: int) -> None:
        self._sessions = sessions
        self._places: dict[str, asyncio.Semaphore] = {}
        self._wanted: Counter[str] = Counter()

    async def take(self, operator: str, places: int) -> None:
        """Wait for a place at the operator."""
        semaphore = self._places.setdefault(operator, asyncio.Semaphore(min(self._sessions, places)))
        self._wanted[operator] += 1
        try:
            await semaphore.acquire()
        finally:
            self._wanted[operator] -= 1

    def give_back(self, operator: str) -> None:
        """Give a place back."""
        self._places[operator].release()

    def is_wanted(self, operator: str) -> bool:
        """Whether somebody waits for a place."""
        return self._wanted[operator] > 0
