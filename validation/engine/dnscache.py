"""Facts of the domain name system, asked once: real times to live, one question at a time, stale rather than nothing.

RFC 2308 (negative caching) and RFC 8767 (serving stale data when no server can be reached).
"""

import asyncio
from dataclasses import replace

from validation.engine.clock import Clock
from validation.engine.dns import Answer, Found, RecordType, Resolver

STALE_FOR = 86_400.0
STALE_TTL = 30.0  # RFC 8767 section 5: how long a stale answer counts before the next attempt


class CachingResolver:
    """A resolver that remembers. Callers asking the same thing at once share one question."""

    def __init__(self, inner: Resolver, *, clock: Clock, size: int = 200_000) -> None:
        self._inner = inner
        self._clock = clock
        self._size = size
        self._known: dict[tuple[str, RecordType], Answer] = {}
        self._asking: dict[tuple[str, RecordType], asyncio.Task[Answer]] = {}

    async def lookup(self, name: str, kind: RecordType) -> Answer:
        """The records of `kind` at `name`, from memory while they live."""
        key = (name, kind)
        known = self._known.get(key)
        if known is not None and known.expires_at > self._clock.time():
            return known
        task = self._asking.get(key)
        if task is None:
            task = asyncio.get_running_loop().create_task(self._ask(key, known))
            self._asking[key] = task
            task.add_done_callback(lambda _: self._asking.pop(key, None))
        return await asyncio.shield(task)

    async def _ask(self, key: tuple[str, RecordType], known: Answer | None) -> Answer:
        answer = await self._inner.lookup(*key)
        now = self._clock.time()
        if answer.found is Found.FAILED:
            if known is None or known.expires_at + STALE_FOR < now:
                return answer
            answer = replace(known, stale=True, time_ms=answer.time_ms)
            self._known[key] = replace(answer, expires_at=now + STALE_TTL)
            return answer
        self._known.pop(key, None)
        self._known[key] = answer
        if len(self._known) > self._size:
            del self._known[next(iter(self._known))]
        return answer
