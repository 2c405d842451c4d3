"""The one limiter: never more than N accepted in any period, counted over all processes.

The times of the last accepted requests are stored, for `limits` from PyPI: in Redis where there is one, and while it
answers; else in a file of this machine. Counters in fixed windows, and token buckets, let up to twice as many
pass.
"""

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from pathlib import Path

from django.conf import settings
from limits.storage import MovingWindowSupport, RedisStorage
from redis.exceptions import RedisError

from emailcheck.common import secrecy
from emailcheck.common.errors import TooMany
from emailcheck.common.shared_state.files import EmbeddedState

log = logging.getLogger(__name__)
EXCEEDED = "Rate limit exceeded"
UNLIMITED = 2**31 - 1
"""Stands in the headers where there is no limit: the largest number that every client can read."""
_SCHEMA = """
CREATE TABLE IF NOT EXISTS requests (key TEXT, at REAL, until REAL);
CREATE INDEX IF NOT EXISTS requests_of_key ON requests (key, at);
CREATE INDEX IF NOT EXISTS requests_until ON requests (until, at);
"""
_WAIT_S = 5.0
_SLICE, _PAUSE_S = 1_000, 0.01
"""So many are deleted while callers wait, who come in between."""
_OVER = ("until <= :now", "until > :now AND at > :now")
"""What counts no more: what is past, and what came while the clock of the machine was ahead."""


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
_shown_limit: ContextVar[LimitResult | None] = ContextVar("told", default=None)


def count_request(limit: Limit, who: str) -> LimitResult:
    """Count a request of `who`, when it passes."""
    return count_under_all((limit, who))[0]


def count_under_all(*callers: LimitedCaller) -> list[LimitResult]:
    """Count one request under several limits, in this order, up to the first that it does not pass.

    The results end with that one; later limits are not counted, so that nobody can use up another's limit by
    refused requests.
    """
    if settings.REDIS_URL:
        try:
            return _count_in(find_redis(settings.REDIS_URL), callers)
        except RedisError:
            log.warning("Redis does not answer: limits are kept without it")
    return _count_in(find_embedded(settings.LIMITS_FILE), callers)


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
    embedded = find_embedded(settings.LIMITS_FILE)
    for key in keys:
        embedded.clear(key)
    if settings.REDIS_URL:
        try:
            for key in keys:
                find_redis(settings.REDIS_URL).clear(key)
        except RedisError:
            log.warning("Redis does not answer: a limit is not lifted")


def delete_old_counts() -> None:
    """Delete expired counts of this machine; Redis does so itself."""
    find_embedded(settings.LIMITS_FILE).reset()


def _count_in(storage: MovingWindowSupport, callers: Sequence[LimitedCaller]) -> list[LimitResult]:
    answers: list[LimitResult] = []
    for limit, who in callers:
        answers.append(_count_one(storage, limit, _limit_key(limit, who)))
        if not answers[-1].passed:
            break
    return answers


def _count_one(storage: MovingWindowSupport, limit: Limit, key: str) -> LimitResult:
    passed = storage.acquire_entry(key, limit.requests, limit.seconds)
    oldest, taken = storage.get_moving_window(key, limit.requests, limit.seconds)
    reset_s = ceil(round(oldest + limit.seconds - time.time(), 3))  # Redis writes times with four decimals
    return LimitResult(limit, passed, limit.requests - taken if passed else 0, max(1, reset_s))


def _limit_key(limit: Limit, who: str) -> str:
    return secrecy.keyed_hash(f"{limit.name} {who}", purpose="limits")


class EmbeddedStorage(MovingWindowSupport):
    """Moving windows in a file, exact over all processes of this machine."""

    base_exceptions = ()
    wrap_exceptions = False

    def __init__(self, path: Path) -> None:
        self._state = EmbeddedState(path, _SCHEMA, wait_s=_WAIT_S)

    def acquire_entry(self, key: str, limit: int, expiry: int, amount: int = 1) -> bool:
        """Count `amount` requests, unless that makes more than `limit` in the last `expiry` seconds."""
        with self._state.writing() as rows:
            now = time.time()
            found = "SELECT count(*) FROM requests WHERE key = ? AND at > ? AND at <= ?"
            taken = int(rows.execute(found, (key, now - expiry, now)).fetchone()[0])
            passed = taken + amount <= limit
            if passed:
                over = "DELETE FROM requests WHERE key = ? AND (at <= ? OR at > ?)"
                rows.execute(over, (key, now - expiry, now))
                rows.executemany("INSERT INTO requests VALUES (?, ?, ?)", [(key, now, now + expiry)] * amount)
        return passed

    def get_moving_window(self, key: str, limit: int, expiry: int) -> tuple[float, int]:
        """When the oldest request of the last `expiry` seconds came (now, if there is none), and how many did."""
        found = "SELECT coalesce(min(at), ?), count(*) FROM requests WHERE key = ? AND at > ? AND at <= ?"
        with self._state.reading() as rows:
            now = time.time()
            oldest, taken = rows.execute(found, (now, key, now - expiry, now)).fetchone()
        return oldest, taken

    def clear(self, key: str) -> None:
        """Forget the requests of a caller."""
        with self._state.writing() as rows:
            rows.execute("DELETE FROM requests WHERE key = ?", (key,))

    def reset(self) -> int:
        """Forget those that count no more, some at a time; answers how many."""
        return sum(self._delete_over(over) for over in _OVER)

    def _delete_over(self, over: str) -> int:
        found = f"DELETE FROM requests WHERE rowid IN (SELECT rowid FROM requests WHERE {over} LIMIT {_SLICE})"
        deleted = 0
        while True:
            with self._state.writing() as rows:
                number = rows.execute(found, {"now": time.time()}).rowcount
            deleted += number
            if number < _SLICE:
                return deleted
            time.sleep(_PAUSE_S)


@lru_cache(maxsize=2)
def find_embedded(path: Path) -> EmbeddedStorage:
    """The one of this process for a file."""
    return EmbeddedStorage(path)


@lru_cache(maxsize=2)
def find_redis(url: str) -> RedisStorage:
    """The one of this process for a Redis. Its methods raise `RedisError` while that does not answer."""
    return RedisStorage(url, key_prefix="limits", socket_timeout=1, socket_connect_timeout=1)
