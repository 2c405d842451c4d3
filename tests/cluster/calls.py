"""Checks of single addresses, so many a second, which start in time whether earlier ones have been answered or not."""

import asyncio
import threading
import time
import uuid
from collections import Counter
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

import uvloop

from tests.cluster.wire import Wire

RATE = 50
ADDRESSES = (
    "anna.keller@gmail.com",
    "anna.keller@outlook.com",
    "anna.keller@fastmail.com",
    "someone@not-in-this-world.com",  # unknown: its credit comes back
)
_PATH = "/api/v1/validate/single"
_TRIED_FOR_S = 90.0


@dataclass(slots=True)
class Outcome:
    """What came of calls: the ids of results, milliseconds, failures by their kind, and the number of open questions:
    a call whose key is taken though nobody has its answer."""

    ids: list[int] = field(default_factory=list)
    took_ms: list[float] = field(default_factory=list)
    failures: Counter[str] = field(default_factory=Counter)
    unknown: int = 0


class CallsUnderWay:
    """Calls with a key until the context is left, then those under way are waited for.

    With `again` a call that has failed is repeated with its `Idempotency-Key`, when the answer said so; each failure
    counts nonetheless.
    """

    def __init__(self, address: str, key: str, *, rate: float = RATE, again: bool = True) -> None:
        self.outcome = Outcome()
        self._address, self._key, self._rate, self._again = address, key, rate, again
        self._ending = threading.Event()
        self._thread = threading.Thread(target=lambda: uvloop.run(self._run()), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._ending.set()
        self._thread.join(_TRIED_FOR_S * 2)

    async def _run(self) -> None:
        async with Wire(self._address) as wire, asyncio.TaskGroup() as calls:
            began, number = time.monotonic(), 0
            while not self._ending.is_set():
                calls.create_task(self._call(wire, ADDRESSES[number % len(ADDRESSES)]))
                number += 1
                await asyncio.sleep(max(0.0, began + number / self._rate - time.monotonic()))

    async def _call(self, wire: Wire, email: str) -> None:
        began = time.monotonic()
        headers = {"Authorization": f"Bearer {self._key}", "Idempotency-Key": uuid.uuid4().hex}
        while True:
            wait_s = 0.5
            try:
                answer = await wire.post(_PATH, {"email": email}, headers)
            except (OSError, EOFError, TimeoutError) as error:
                failure = type(error).__name__
            else:
                if answer.status == 200:
                    self.outcome.ids.append(answer.body["id"])
                    self.outcome.took_ms.append(1000 * (time.monotonic() - began))
                    return
                wait_s = float(answer.headers.get("retry-after", wait_s))
                failure = f"{answer.status} {answer.body.get('code', '')}".strip()
            if failure.endswith("IDEMPOTENCY_IN_FLIGHT") and time.monotonic() < began + 30:
                await asyncio.sleep(1)
                continue
            self.outcome.failures[failure] += 1
            if not self._again or time.monotonic() > began + _TRIED_FOR_S or "IN_FLIGHT" in failure:
                self.outcome.unknown += 1
                return
            await asyncio.sleep(wait_s)
