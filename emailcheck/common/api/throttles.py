"""The one limiter: never more than N accepted in any period, counted over all processes.

The times of the last accepted requests are stored: in Redis where there is one, and while it answers; else in a file
where the database is SQLite, in a locked row of any other. Counters in fixed windows, and token buckets, let up to
twice as many pass.
"""

import logging
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from math import ceil
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from redis import Redis
from redis.exceptions import RedisError

from emailcheck.common import ids, sealing
from emailcheck.common.errors import TooMany
from emailcheck.common.shared_state import rate_files
from emailcheck.common.shared_state.models import RecentRequests

log = logging.getLogger(__name__)
EXCEEDED = "Rate limit exceeded"
UNLIMITED = 2**31 - 1
"""Stands in the headers where there is no limit: the largest number that every client can read."""

# KEYS: the times. ARGV: now and how long a time counts, in seconds; how many may pass; a name for this request.
# Answers whether it passed, how many have passed, and when the oldest of those did.
_COUNT_SCRIPT = """
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
    """At most `requests` in any `seconds`; `name` says what is limited."""

    name: str
    requests: int
    seconds: int


@dataclass(frozen=True, slots=True)
class LimitResult:
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


LimitedCaller = tuple[Limit, str]
"""A limit, and who makes a request under it."""
Count = tuple[bool, int, float]
"""Whether a request passed, how many have, and when the oldest of those did, in seconds since 1970."""
_shown_limit: ContextVar[LimitResult | None] = ContextVar("told", default=None)


def count_request(limit: Limit, who: str) -> LimitResult:
    """Count a request of `who`, when it passes."""
    return count_under_all((limit, who))[0]


def count_under_all(*callers: LimitedCaller) -> list[LimitResult]:
    """Count one request under several limits, in this order, up to the first that it does not pass.

    The results end with that one; later limits are not counted, so that nobody can use up another's limit by
    refused requests.
    """
    keys, now = [_limit_key(*one) for one in callers], time.time()
    try:
        found = _count_in_redis(callers, keys, now) if settings.REDIS_URL else _count_locally(callers, keys, now)
    except RedisError:
        log.warning("Redis does not answer: limits are kept without it")
        found = _count_locally(callers, keys, now)
    return [
        LimitResult(limit, passed, limit.requests - taken, max(1, ceil(oldest + limit.seconds - now)))
        for (limit, _), (passed, taken, oldest) in zip(callers, found, strict=False)
    ]


def require_pass(limit: Limit, who: str) -> LimitResult:
    """Count a request of `who`. Raises `TooMany` when it does not pass."""
    return require_pass_all((limit, who))[0]


def require_pass_all(*callers: LimitedCaller) -> list[LimitResult]:
    """As `count_under_all`. Raises `TooMany` for the first limit that the request does not pass."""
    answers = count_under_all(*callers)
    if not answers[-1].passed:
        raise build_refusal(answers[-1])
    return answers


def set_shown_limit(answer: LimitResult) -> None:
    """Show a limit in the headers of the current request's answer."""
    _shown_limit.set(answer)


@contextmanager
def showing_limit() -> Iterator[Callable[[], Mapping[str, str]]]:
    """For one request: yields a function that returns the headers of the limit set meanwhile."""
    token = _shown_limit.set(None)
    try:
        yield lambda: shown.headers if (shown := _shown_limit.get()) else {}
    finally:
        _shown_limit.reset(token)


def build_unlimited(seconds: int) -> LimitResult:
    """The result of no limit, so that clients read the same headers."""
    return LimitResult(Limit("unlimited", UNLIMITED, seconds), passed=True, remaining=UNLIMITED, reset_s=seconds)


def build_refusal(answer: LimitResult, detail: str = EXCEEDED) -> TooMany:
    """The error of a request that did not pass."""
    error = TooMany(detail, retry_after=answer.reset_s)
    error.headers = {**error.headers, **answer.headers}
    return error


def reset_counts(*callers: LimitedCaller) -> None:
    """Reset these counts."""
    keys = [_limit_key(*one) for one in callers]
    if settings.LIMITS_DIR:
        for key in keys:
            rate_files.forget_requests(settings.LIMITS_DIR / key)
    else:
        _write_rows(_build_empty_rows(callers, keys, time.time()), "times")
    if settings.REDIS_URL:
        try:
            _connect_redis(settings.REDIS_URL).delete(*(f"limit:{key}" for key in keys))
        except RedisError:
            log.warning("Redis does not answer: a limit is not lifted")


def delete_old_counts() -> None:
    """Delete expired counts."""
    RecentRequests.objects.filter(expires_at__lt=datetime.now(UTC)).delete()
    if settings.LIMITS_DIR:
        rate_files.forget_idle(settings.LIMITS_DIR)


def _count_locally(callers: Sequence[LimitedCaller], keys: list[str], now: float) -> list[Count]:
    directory = settings.LIMITS_DIR
    return _count_in_files(directory, callers, keys, now) if directory else _count_in_database(callers, keys, now)


def _count_in_files(directory: Path, callers: Sequence[LimitedCaller], keys: list[str], now: float) -> list[Count]:
    def count(limit: Limit, key: str) -> Count:
        return rate_files.count_request(directory / key, requests=limit.requests, seconds=limit.seconds, now=now)

    return _count_until_refused(count, callers, keys)


def _count_in_database(callers: Sequence[LimitedCaller], keys: list[str], now: float) -> list[Count]:
    """All rows are created before any is locked, and locked in one order, which excludes deadlocks."""
    while (counts := _count_in_rows(callers, keys, now)) is None:
        RecentRequests.objects.bulk_create(_build_empty_rows(callers, keys, now), ignore_conflicts=True)
    return counts


@transaction.atomic
def _count_in_rows(callers: Sequence[LimitedCaller], keys: list[str], now: float) -> list[Count] | None:
    """None while there is not a row for each of the keys."""
    mine = RecentRequests.objects.select_for_update().filter(pk__in=keys).order_by("pk")
    rows = {row.key: row for row in mine}
    if len(rows) < len(set(keys)):
        return None
    counts = _count_until_refused(lambda limit, key: _count_in_row(limit, rows[key], now), callers, keys)
    _write_rows(rows.values(), "times", "expires_at")
    return counts


def _build_empty_rows(callers: Sequence[LimitedCaller], keys: list[str], now: float) -> list[RecentRequests]:
    rows = {
        key: RecentRequests(key=key, expires_at=datetime.fromtimestamp(now + limit.seconds, UTC))
        for (limit, _), key in zip(callers, keys, strict=True)
    }
    return [rows[key] for key in sorted(rows)]


def _write_rows(rows: Iterable[RecentRequests], *fields: str) -> None:
    RecentRequests.objects.bulk_create(
        sorted(rows, key=lambda row: row.key), update_conflicts=True, unique_fields=["key"], update_fields=fields
    )


def _count_in_row(limit: Limit, row: RecentRequests, now: float) -> Count:
    row.times = [at for at in row.times if at > now - limit.seconds]
    passed = len(row.times) < limit.requests
    if passed:
        row.times.append(now)
        row.expires_at = datetime.fromtimestamp(now + limit.seconds, UTC)
    return passed, len(row.times), row.times[0]


def _count_in_redis(callers: Sequence[LimitedCaller], keys: list[str], now: float) -> list[Count]:
    script = _register_script(settings.REDIS_URL)

    def count(limit: Limit, key: str) -> Count:
        found = script(keys=[f"limit:{key}"], args=[now, limit.seconds, limit.requests, ids.generate_id("r")])
        return bool(found[0]), int(found[1]), float(found[2])

    return _count_until_refused(count, callers, keys)


def _count_until_refused(
    count: Callable[[Limit, str], Count], callers: Sequence[LimitedCaller], keys: list[str]
) -> list[Count]:
    counts: list[Count] = []
    for (limit, _), key in zip(callers, keys, strict=True):
        counts.append(count(limit, key))
        if not counts[-1][0]:
            break
    return counts


@lru_cache(maxsize=2)
def _connect_redis(url: str) -> Redis:
    return Redis.from_url(url, socket_timeout=1, socket_connect_timeout=1)


@lru_cache(maxsize=2)
def _register_script(url: str) -> Callable[..., Any]:
    return _connect_redis(url).register_script(_COUNT_SCRIPT)


def _limit_key(limit: Limit, who: str) -> str:
    return sealing.keyed_hash(f"{limit.name} {who}", purpose="limits")
