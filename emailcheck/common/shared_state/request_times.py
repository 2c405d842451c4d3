"""When callers' latest accepted requests came, for `limits` from PyPI: in Redis, or in a file of this machine."""

import time
from functools import lru_cache
from pathlib import Path

from limits.storage import MovingWindowSupport, RedisStorage, Storage

from emailcheck.common.shared_state.embedded import EmbeddedState

_SCHEMA = """
CREATE TABLE IF NOT EXISTS requests (key TEXT, at REAL, until REAL);
CREATE INDEX IF NOT EXISTS requests_of_key ON requests (key, at);
"""
_WAIT_S = 5.0


class EmbeddedStorage(Storage, MovingWindowSupport):
    """Moving windows in a file, exact over all processes of this machine; there are no counters to increase."""

    STORAGE_SCHEME = None
    base_exceptions = ()

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._state = EmbeddedState(path, _SCHEMA, wait_s=_WAIT_S)

    def acquire_entry(self, key: str, limit: int, expiry: int, amount: int = 1) -> bool:
        """Count `amount` requests, unless that makes more than `limit` in the last `expiry` seconds."""
        with self._state.writing() as rows:
            now = time.time()
            found = "SELECT count(*) FROM requests WHERE key = ? AND at > ?"
            taken = int(rows.execute(found, (key, now - expiry)).fetchone()[0])
            passed = taken + amount <= limit
            if passed:
                rows.execute("DELETE FROM requests WHERE key = ? AND at <= ?", (key, now - expiry))
                rows.executemany("INSERT INTO requests VALUES (?, ?, ?)", [(key, now, now + expiry)] * amount)
        return passed

    def get_moving_window(self, key: str, limit: int, expiry: int) -> tuple[float, int]:
        """When the oldest request of the last `expiry` seconds came (now, if there is none), and how many did."""
        now = time.time()
        found = "SELECT coalesce(min(at), ?), count(*) FROM requests WHERE key = ? AND at > ?"
        with self._state.reading() as rows:
            oldest, taken = rows.execute(found, (now, key, now - expiry)).fetchone()
        return oldest, taken

    def clear(self, key: str) -> None:
        """Forget the requests of a caller."""
        with self._state.writing() as rows:
            rows.execute("DELETE FROM requests WHERE key = ?", (key,))

    def reset(self) -> int:
        """Forget those that count no more; answers how many."""
        with self._state.writing() as rows:
            return rows.execute("DELETE FROM requests WHERE until <= ?", (time.time(),)).rowcount

    def check(self) -> bool:
        """Whether the file can be read."""
        with self._state.reading() as rows:
            return bool(rows.execute("SELECT 1").fetchone())

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        """Refused."""
        raise NotImplementedError

    def get(self, key: str) -> int:
        """Refused."""
        raise NotImplementedError

    def get_expiry(self, key: str) -> float:
        """Refused."""
        raise NotImplementedError


@lru_cache(maxsize=2)
def find_embedded(path: Path) -> EmbeddedStorage:
    """The one of this process for a file."""
    return EmbeddedStorage(path)


@lru_cache(maxsize=2)
def find_redis(url: str) -> RedisStorage:
    """The one of this process for a Redis. Its methods raise `RedisError` while that does not answer."""
    return RedisStorage(url, key_prefix="limits", socket_timeout=1, socket_connect_timeout=1)
