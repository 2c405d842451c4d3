"""Places at mail operators that the product's processes share, so that together they keep to an operator's limits.

The web process and every worker have an engine each. `FilePlaces` makes their limits one on a machine, `RedisPlaces`
on all machines. The gate of an engine stands before them and counts within the process.
"""

import asyncio
import fcntl
import hashlib
import logging
import os
import random
import struct
import uuid
from collections import defaultdict
from collections.abc import Coroutine
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from django.conf import settings
from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.commands.core import AsyncScript
from redis.exceptions import RedisError

log = logging.getLogger(__name__)

# Bytes of the file that belong to one operator: a place each, and one more for those who wait.
_BYTES = 64
_WAITING = _BYTES - 1
_FIRST_LOOK_S, _LAST_LOOK_S = 0.005, 0.1


class FilePlaces:
    """Places as locked bytes of a file, exact between all processes of a machine that open it.

    A place at an operator is a byte; who has it holds an open-file-description lock on it (fcntl(2), F_OFD_SETLK). The
    kernel frees the locks of a process that dies, and each lock costs a microsecond. The file stays empty. Operators
    share places when 48 bits of their names' hashes are equal.
    """

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        self._taken: dict[str, list[int]] = defaultdict(list)
        self._waiting: dict[str, int] = defaultdict(int)

    async def take(self, operator: str, places: int) -> None:
        """Wait for a place. Who comes while others wait lets them go first."""
        if not self.is_wanted(operator) and self._try(operator, places):
            return
        self._wait(operator, 1)
        pause = _FIRST_LOOK_S
        try:
            while True:
                await asyncio.sleep(pause * random.uniform(0.5, 1.5))
                if self._try(operator, places):
                    return
                pause = min(pause * 1.5, _LAST_LOOK_S)
        finally:
            self._wait(operator, -1)

    def give_back(self, operator: str) -> None:
        """Unlock one of the bytes."""
        self._lock(fcntl.F_UNLCK, self._taken[operator].pop())
        if not self._taken[operator]:
            del self._taken[operator]

    def is_wanted(self, operator: str) -> bool:
        """Whether another process has locked the byte of those who wait."""
        asked = _lock_of(fcntl.F_WRLCK, _start(operator) + _WAITING)
        answer = fcntl.fcntl(self._file, fcntl.F_OFD_GETLK, asked)
        return bool(_FLOCK.unpack(answer)[0] != fcntl.F_UNLCK)

    async def aclose(self) -> None:
        """Close the file, and with it give everything back."""
        os.close(self._file)

    def _try(self, operator: str, places: int) -> bool:
        start, mine = _start(operator), self._taken.get(operator, ())
        for place in range(start, start + min(places, _WAITING)):
            if place not in mine and self._lock(fcntl.F_WRLCK, place):
                self._taken[operator].append(place)
                return True
        return False

    def _wait(self, operator: str, change: int) -> None:
        """One more or one less waits here; the byte is locked as long as anybody does."""
        was, self._waiting[operator] = self._waiting[operator], self._waiting[operator] + change
        if not was:
            self._lock(fcntl.F_RDLCK, _start(operator) + _WAITING)
        elif not self._waiting[operator]:
            self._lock(fcntl.F_UNLCK, _start(operator) + _WAITING)
            del self._waiting[operator]

    def _lock(self, kind: int, place: int) -> bool:
        try:
            fcntl.fcntl(self._file, fcntl.F_OFD_SETLK, _lock_of(kind, place))
        except BlockingIOError:
            return False
        return True


_FLOCK = struct.Struct("hhqqi0q")  # struct flock of Linux on 64 bits: type, whence, start, length, pid


def _lock_of(kind: int, place: int) -> bytes:
    return _FLOCK.pack(kind, os.SEEK_SET, place, 1, 0)


def _start(operator: str) -> int:
    digest = hashlib.blake2b(operator.encode(), digest_size=6).digest()
    return int.from_bytes(digest) * _BYTES


LEASE_MS = 15_000
WAIT_MS = 1_000
_TEND_S = 1.0
_SULK_S = 5.0
_CONNECTIONS = 8
# KEYS: places, waiting. ARGV: holder, process, how many places, lease, patience, 1 for who comes newly. Times in ms of
# the server's clock. Answers 1 with a place taken, 0 with the process noted as waiting.
_TAKE = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
local behind = ARGV[6] == '1' and redis.call('ZCARD', KEYS[2]) > 0
if not behind and redis.call('ZCARD', KEYS[1]) < tonumber(ARGV[3]) then
  redis.call('ZADD', KEYS[1], now + ARGV[4], ARGV[1])
  redis.call('PEXPIRE', KEYS[1], ARGV[4])
  redis.call('ZREM', KEYS[2], ARGV[2])
  return 1
end
redis.call('ZADD', KEYS[2], now + ARGV[5], ARGV[2])
redis.call('PEXPIRE', KEYS[2], ARGV[5])
return 0
"""
# KEYS: places, waiting. ARGV: lease, process, holders. Renews the leases; answers how many other processes wait.
_RENEW = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for position = 3, #ARGV do redis.call('ZADD', KEYS[1], now + ARGV[1], ARGV[position]) end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
return redis.call('ZCARD', KEYS[2]) - (redis.call('ZSCORE', KEYS[2], ARGV[2]) and 1 or 0)
"""
# KEYS: places. ARGV: holder.
_END = "return redis.call('ZREM', KEYS[1], ARGV[1])"


class RedisPlaces:
    """Places as leases in Redis, exact between machines; behind those of the machine.

    A place is a member of a sorted set with the end of its lease as score, renewed every second while the session
    lives, by the server's clock; a process that dies or stands still for `lease_ms` loses its places. Without Redis
    the machine's own places count alone, and validation goes on.
    """

    def __init__(self, url: str, machine: FilePlaces, *, lease_ms: int = LEASE_MS) -> None:
        pool = BlockingConnectionPool.from_url(
            url,
            max_connections=_CONNECTIONS,
            timeout=5,
            socket_timeout=1,
            socket_connect_timeout=1,
            retry=Retry(NoBackoff(), 0),
        )
        self._redis = Redis(connection_pool=pool)
        self._take = self._redis.register_script(_TAKE)
        self._renew = self._redis.register_script(_RENEW)
        self._end = self._redis.register_script(_END)
        self._machine = machine
        self._lease_ms = lease_ms
        self._process = uuid.uuid4().hex
        self._held: dict[str, list[str]] = defaultdict(list)
        self._wanted: frozenset[str] = frozenset()
        self._tasks: set[asyncio.Task[None]] = set()
        self._tending = False
        self._silent_until = 0.0
        self._is_down = False

    async def take(self, operator: str, places: int) -> None:
        """Wait for a place on this machine, then for one of all machines'."""
        await self._machine.take(operator, places)
        holder = uuid.uuid4().hex
        with ExitStack() as undo:
            undo.callback(self._machine.give_back, operator)
            undo.callback(lambda: self._start(self._free(operator, holder)))
            await self._lease(operator, places, holder)
            undo.pop_all()
        self._held[operator].append(holder)
        if not self._tending:
            self._tending = True
            self._start(self._tend_leases())

    def give_back(self, operator: str) -> None:
        """Give the place back here at once, and in Redis in a moment."""
        holder = self._held[operator].pop()
        if not self._held[operator]:
            del self._held[operator]
        self._machine.give_back(operator)
        self._start(self._free(operator, holder))

    def is_wanted(self, operator: str) -> bool:
        """Whether another process waits, as far as was heard within the last second."""
        return operator in self._wanted or self._machine.is_wanted(operator)

    async def aclose(self) -> None:
        """Close connections and file; what is held in Redis comes free when its lease ends."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._redis.aclose()
        await self._redis.connection_pool.disconnect()
        await self._machine.aclose()

    async def _lease(self, operator: str, places: int, holder: str) -> None:
        pause, is_new = _FIRST_LOOK_S, 1
        while (
            await self._ask(self._take, operator, holder, self._process, places, self._lease_ms, WAIT_MS, is_new) == 0
        ):
            is_new = 0
            await asyncio.sleep(pause * random.uniform(0.5, 1.5))
            pause = min(pause * 1.5, _LAST_LOOK_S)

    async def _free(self, operator: str, holder: str) -> None:
        await self._ask(self._end, operator, holder)

    async def _tend_leases(self) -> None:
        """Renew what is held and hear who waits, as long as anything is held."""
        while self._held:
            await asyncio.sleep(_TEND_S)
            wanted = set()
            for operator in list(self._held):
                holders = tuple(self._held.get(operator, ()))
                if await self._ask(self._renew, operator, self._lease_ms, self._process, *holders):
                    wanted.add(operator)
                for holder in set(holders).difference(self._held.get(operator, ())):
                    await self._free(operator, holder)  # given back while it was renewed
            self._wanted = frozenset(wanted)
        self._tending = False

    async def _ask(self, script: AsyncScript, operator: str, *values: str | int) -> int | None:
        """The script's answer; None where Redis gives none, and for some seconds after that."""
        now = asyncio.get_running_loop().time()
        if now < self._silent_until:
            return None
        try:
            answer = int(await script(keys=_keys(operator), args=values))
        except (RedisError, OSError) as error:
            self._silent_until = now + _SULK_S
            if not self._is_down:
                log.warning("Redis does not answer (%s): sessions are counted on each machine for itself", error)
            self._is_down = True
            return None
        if self._is_down:
            log.warning("Redis answers again: sessions are counted over all machines")
        self._is_down = False
        return answer

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _keys(operator: str) -> tuple[str, str]:
    """The sorted sets of an operator; the braces keep them together in a cluster."""
    return f"emailcheck:places:{{{operator}}}", f"emailcheck:waiting:{{{operator}}}"


def shared_places() -> FilePlaces | RedisPlaces:
    """What the settings name: all machines' places where there is a Redis, else those of this machine."""
    machine = FilePlaces(settings.PLACES_FILE)
    return RedisPlaces(settings.REDIS_URL, machine) if settings.REDIS_URL else machine
