"""One connection to Redis, and the script that exchanges a process's leases for its requests."""

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from redis.asyncio import ConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from validation.engine.limits.shared_limits import LEAD_S, SAVED_S, SHORT_SHARE, LimitRequest

log = logging.getLogger(__name__)

Item = dict[str, Any]
_HERE = Path(__file__).parent
GIVE_RECIPIENTS_SCRIPT = (_HERE / "give_recipients.lua").read_text()
_SCRIPT = GIVE_RECIPIENTS_SCRIPT + (_HERE / "redis_limits.lua").read_text()
_PREFIX = "emailcheck:{limits}:"
_ITEMS = 250
"""Items of one run of the script, which blocks other clients of this Redis for a few milliseconds."""


class RedisUnavailable(Exception):
    """Redis does not answer."""


@dataclass(frozen=True, slots=True)
class Answers:
    """The answer of Redis: its epoch, the seconds until it grants anything, and an answer to each item."""

    epoch: str
    young_s: float
    items: list[Any]


class RedisCalls:
    """Calls of the script, one after the other. `common`: the arguments of every call."""

    def __init__(self, url: str, timeout_s: float, common: Item) -> None:
        pool = ConnectionPool.from_url(
            url,
            max_connections=1,
            socket_timeout=timeout_s,
            socket_connect_timeout=timeout_s,
            retry=Retry(NoBackoff(), 0),
            decode_responses=True,
        )
        self._redis = Redis(connection_pool=pool)
        self._common = common
        self.made = 0

    async def exchange(self, items: Sequence[Item]) -> Answers:
        """The answers to all items, in one round trip. Tries once more with a new connection.

        Then raises `RedisUnavailable`. The first try may have been executed all the same; its grants end with their
        lease.
        """
        try:
            return await self._try(items)
        except (RedisError, OSError):
            log.debug("trying Redis once more")
        try:
            return await self._try(items)
        except (RedisError, OSError) as error:
            raise RedisUnavailable(str(error)) from error

    async def aclose(self) -> None:
        """Close the connection."""
        await self._redis.aclose()
        await self._redis.connection_pool.disconnect()

    async def _try(self, items: Sequence[Item]) -> Answers:
        pipe = self._redis.pipeline(transaction=False)
        for first in range(0, max(1, len(items)), _ITEMS):
            self.made += 1
            self._queue(pipe, items[first : first + _ITEMS])
        try:
            replies = await pipe.execute()
        except RuntimeError as error:  # what uvloop raises where the connection was reset before it is written to
            await self._redis.connection_pool.disconnect()
            raise ConnectionError(str(error)) from error
        except BaseException:
            await self._redis.connection_pool.disconnect()
            raise
        answers = [answer for reply in replies for answer in reply[2:]]
        return Answers(replies[-1][0], max(float(reply[1]) for reply in replies), answers)

    def _queue(self, pipe: Any, items: Sequence[Item]) -> None:
        keys: dict[str, int] = {}
        sent = [{**item, "key": keys.setdefault(item["key"], len(keys) + 3)} for item in items]
        arguments = json.dumps({**self._common, "call": self.made, "items": sent})
        names = ["epoch", f"calls:{self._common['process']}", *keys]
        pipe.eval(_SCRIPT, len(names), *(f"{_PREFIX}{name}" for name in names), arguments)


def to_item(ask: LimitRequest, wanted: int, within_s: float, *, is_polite: bool, held: Mapping[str, int]) -> Item:
    """The item of a request: so many sessions, and times that start within so many seconds. `held`: the sessions that
    the process has of the pair, in the first item of a call about it.
    """
    limits = ask.limits
    return {
        **held,
        "key": f"pair:{ask.pair}",
        "lane": str(ask.lane),
        "sessions": limits.sessions,
        "kept": limits.reserved,
        "asked": ask.sessions,
        "wanted": wanted,
        "is_polite": is_polite,
        "recipients": ask.recipients,
        "within_s": within_s,
        "per_s": limits.per_s,
        "burst": limits.burst,
        "per_day": limits.per_day,
        "lead_s": LEAD_S,
        "saved_s": SAVED_S,
        "short_share": SHORT_SHARE,
    }
