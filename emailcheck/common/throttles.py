"""The one limiter: never more than N accepted in any period, counted over all processes.

The times of the last accepted requests are kept, in Redis where there is one (also while it answers), else in a row of
the database that is locked meanwhile. Counters in fixed windows, and token buckets, let up to twice as many pass.
"""

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from math import ceil
from typing import Any

from django.conf import settings
from django.db import transaction
from redis import Redis
from redis.exceptions import RedisError

from emailcheck.common import ids, sealing
from emailcheck.common.errors import TooMany
from emailcheck.common.models import RecentRequests

log = logging.getLogger(__name__)
EXCEEDED = "Rate limit exceeded"

# KEYS: the times. ARGV: now and how long a time counts, in seconds; how many may pass; a name for this request.
# Answers whether it passed, how many have passed, and when the oldest of those did.
_TAKE = """
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[1] - ARGV[2])
local taken = redis.call('ZCARD', KEYS[1])
local passed = 0
if taken < tonumber(ARGV[3]) then
  redis.call('ZADD', KEYS[1], ARGV[1], ARGV[4])
  redis.call('EXPIRE', KEYS[1], ARGV[2])
  passed = 1
  taken = taken + 1
end
local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
return {passed, taken, oldest[2]}
"""


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `requests` in any `seconds`; `name` says of what."""

    name: str
    requests: int
    seconds: int


@dataclass(frozen=True, slots=True)
class Answer:
    """Whether a request passes, how many more would now, and in how many seconds one more will."""

    limit: Limit
    passed: bool
    remaining: int
    reset_s: int

    @property
    def headers(self) -> Mapping[str, str]:
        """`RateLimit` and its policy (draft-ietf-httpapi-ratelimit-headers-10), and the older names."""
        limit = self.limit
        return {
            "RateLimit-Policy": f'"{limit.name}";q={limit.requests};w={limit.seconds}',
            "RateLimit": f'"{limit.name}";r={self.remaining};t={self.reset_s}',
            "X-RateLimit-Limit": str(limit.requests),
            "X-RateLimit-Remaining": str(self.remaining),
            "X-RateLimit-Reset": str(self.reset_s),
        }


def take(limit: Limit, who: str) -> Answer:
    """Count a request of `who`, when it passes."""
    key = _key(limit, who)
    now = time.time()
    try:
        passed, taken, oldest = _of_redis(limit, key, now) if settings.REDIS_URL else _of_database(limit, key, now)
    except RedisError:
        log.warning("Redis does not answer: limits are kept in the database")
        passed, taken, oldest = _of_database(limit, key, now)
    return Answer(limit, passed, limit.requests - taken, max(1, ceil(oldest + limit.seconds - now)))


def demand(limit: Limit, who: str) -> Answer:
    """Count a request of `who`. Raises `TooMany` when it does not pass."""
    answer = take(limit, who)
    if not answer.passed:
        raise refusal(answer)
    return answer


def refusal(answer: Answer) -> TooMany:
    """The error of a request that did not pass."""
    error = TooMany(EXCEEDED, retry_after=answer.reset_s)
    error.headers = {**error.headers, **answer.headers}
    return error


def forgive(limit: Limit, who: str) -> None:
    """Count nothing of what `who` has done so far."""
    key = _key(limit, who)
    RecentRequests.objects.filter(pk=key).delete()
    if settings.REDIS_URL:
        try:
            _redis(settings.REDIS_URL).delete(f"limit:{key}")
        except RedisError:
            log.warning("Redis does not answer: a limit is not lifted")


def forget_old() -> None:
    """Delete what counts no more."""
    RecentRequests.objects.filter(forget_at__lt=datetime.now(UTC)).delete()


def _of_database(limit: Limit, key: str, now: float) -> tuple[bool, int, float]:
    forget_at = datetime.fromtimestamp(now + limit.seconds, UTC)
    with transaction.atomic():
        RecentRequests.objects.bulk_create([RecentRequests(pk=key, forget_at=forget_at)], ignore_conflicts=True)
        row = RecentRequests.objects.select_for_update().get(pk=key)
        row.times = [at for at in row.times if at > now - limit.seconds]
        passed = len(row.times) < limit.requests
        if passed:
            row.times.append(now)
            row.forget_at = forget_at
            row.save(update_fields=["times", "forget_at"])
    return passed, len(row.times), row.times[0]


def _of_redis(limit: Limit, key: str, now: float) -> tuple[bool, int, float]:
    script = _script(settings.REDIS_URL)
    passed, taken, oldest = script(keys=[f"limit:{key}"], args=[now, limit.seconds, limit.requests, ids.new("r")])
    return bool(passed), taken, float(oldest)


@lru_cache(maxsize=2)
def _redis(url: str) -> Redis:
    return Redis.from_url(url, socket_timeout=1, socket_connect_timeout=1)


@lru_cache(maxsize=2)
def _script(url: str) -> Callable[..., Any]:
    return _redis(url).register_script(_TAKE)


def _key(limit: Limit, who: str) -> str:
    return sealing.keyed_hash(f"{limit.name} {who}", purpose="limits")
