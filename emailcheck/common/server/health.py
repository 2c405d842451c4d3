"""Answers to who asks after this process, such as a balancer: on the event loop, before any application.

    GET /livez   200 while the process turns
    GET /readyz  200 when it can be sent requests, else 503, with the names of what is not

Nobody is signed in, counted, logged, redirected or refused for a Host header here.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from emailcheck.common.server.readiness import State

LIVE, READY = "/livez", "/readyz"
ENDING = State(("stopping",))


class Asked(Protocol):
    """A request, as seen from here."""

    environ: dict[str, Any]

    def answer_json(self, status: int, body: dict[str, Any]) -> None:
        """Answer it without the application."""


class Health:
    """Of one process. `look` finds its state, `is_ending` says whether it was told to end."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        look: Callable[[], Awaitable[State]],
        is_ending: Callable[[], bool],
    ) -> None:
        self._loop, self._look, self._is_ending = loop, look, is_ending
        self._answering: set[asyncio.Task[None]] = set()

    def try_to_answer(self, asked: Asked) -> bool:
        """Answer a request that asks after the process, now or soon; whether it does."""
        path = asked.environ["PATH_INFO"]
        if path not in (LIVE, READY) or asked.environ["REQUEST_METHOD"] not in ("GET", "HEAD"):
            return False
        if path == LIVE:
            asked.answer_json(200, {"live": True})
        elif self._is_ending():
            _answer_state(asked, ENDING)
        else:
            task = self._loop.create_task(self._answer_when_known(asked))
            self._answering.add(task)
            task.add_done_callback(self._answering.discard)
        return True

    async def _answer_when_known(self, asked: Asked) -> None:
        state = await self._look()
        _answer_state(asked, ENDING if self._is_ending() else state)


def _answer_state(asked: Asked, state: State) -> None:
    is_ready = not state.not_ready
    body = {"ready": is_ready, "not_ready": [*state.not_ready], "degraded": [*state.degraded]}
    asked.answer_json(200 if is_ready else 503, body)
