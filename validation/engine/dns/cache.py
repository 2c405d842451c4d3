"""A caching resolver: real times to live, one query at a time for a question, stale data rather than none.

RFC 2308 (negative caching) and RFC 8767 (serving stale data when no server can be reached).
"""

import asyncio
from collections import OrderedDict
from dataclasses import dataclass, replace

from validation.engine.clock import Clock
from validation.engine.dns.resolver import Answer, Found, RecordType, Resolver

STALE_FOR = 86_400.0
STALE_TTL = 30.0  # RFC 8767 section 5: how long a stale answer counts before the next attempt

_Key = tuple[str, RecordType]


@dataclass(slots=True)
class _Entry:
    """An answer, until when it is fresh, and until when it may be served stale."""

    answer: Answer
    counts_until: float
    useful_until: float


class CachingResolver:
    """A resolver that caches recent answers. Callers with the same question at once share one query."""

    def __init__(self, inner: Resolver, *, clock: Clock, size: int = 100_000) -> None:
        self._inner = inner
        self._clock = clock
        self._size = size
        self._known: OrderedDict[_Key, _Entry] = OrderedDict()
        self._asking: dict[_Key, asyncio.Task[Answer]] = {}

    async def lookup(self, name: str, kind: RecordType) -> Answer:
        """The records of `kind` at `name`, from the cache while they live."""
        key = (name, kind)
        answer = self._recall(key)
        if answer is not None:
            return answer
        asking = self._asking.get(key)
        if asking is None:
            asking = self._asking[key] = asyncio.get_running_loop().create_task(self._query(key))
        return await asyncio.shield(asking)

    async def aclose(self) -> None:
        """Cancel the queries under way; they outlive their callers."""
        asking = list(self._asking.values())
        for question in asking:
            question.cancel()
        await asyncio.gather(*asking, return_exceptions=True)

    def _recall(self, key: _Key) -> Answer | None:
        entry = self._known.get(key)
        if entry is None or entry.counts_until <= self._clock.time():
            return None
        self._known.move_to_end(key)  # the last to be forgotten
        return entry.answer

    async def _query(self, key: _Key) -> Answer:
        """Query on behalf of all waiting callers, even if the first of them leaves."""
        try:
            return self._store(key, await self._inner.lookup(*key))
        finally:
            del self._asking[key]

    def _store(self, key: _Key, answer: Answer) -> Answer:
        """Store an answer. After a failed query the last answer stays fresh a little longer."""
        now = self._clock.time()
        if answer.found is not Found.FAILED:
            self._known[key] = _Entry(answer, answer.expires_at, answer.expires_at + STALE_FOR)
            self._known.move_to_end(key)
            if len(self._known) > self._size:
                self._known.popitem(last=False)
            return answer
        entry = self._known.get(key)
        if entry is None or entry.useful_until < now:
            return answer
        entry.answer = replace(entry.answer, stale=True, time_ms=answer.time_ms)
        entry.counts_until = now + STALE_TTL
        return entry.answer
