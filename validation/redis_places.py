"""Places at mail operators that all machines share: leases in Redis."""

import asyncio
import logging
import random
import uuid
from collections import defaultdict
from collections.abc import Callable, Coroutine, Sequence
from contextlib import ExitStack
from typing import Any

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.commands.core import AsyncScript
from redis.exceptions import RedisError

from validation.engine.gate import Rate
from validation.file_places import MINUTE_S, FilePlaces, wait_of

log = logging.getLogger(__name__)

_FIRST_LOOK_S, _LAST_LOOK_S = 0.005, 0.1
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


# KEYS: when the allowance is full again. ARGV: by how much that is put off. Answers in how many ms it is full.
_OWE = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local full_at = math.max(now, tonumber(redis.call('GET', KEYS[1]) or 0)) + ARGV[1]
redis.call('SET', KEYS[1], full_at, 'PX', math.max(1, math.ceil(full_at - now)))
return math.ceil(full_at - now)
"""


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
        self._owe = self._redis.register_script(_OWE)
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

    def allowance(self, operator: str, per_minute: int) -> Rate:
        """What all machines together may ask an operator for; nothing is counted without a limit."""
        machine = self._machine.allowance(operator, per_minute)
        return RedisAllowance(self, machine, operator, per_minute) if per_minute else machine

    def owe(self, operator: str, seconds: float, told: Callable[[float], None]) -> None:
        """Put off when an operator's allowance is full, and tell in how many seconds that is, where Redis answers."""
        self._start(self._count(operator, seconds, told))

    async def _count(self, operator: str, seconds: float, told: Callable[[float], None]) -> None:
        answer = await self._ask(self._owe, _rate_key(operator), round(seconds * 1000))
        if answer is not None:
            told(answer / 1000)

    async def aclose(self) -> None:
        """Close connections and file; what is held in Redis comes free when its lease ends."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._redis.aclose()
        await self._redis.connection_pool.disconnect()
        await self._machine.aclose()

    async def _lease(self, operator: str, places: int, holder: str) -> None:
        keys, pause, is_new = _keys(operator), _FIRST_LOOK_S, 1
        while await self._ask(self._take, keys, holder, self._process, places, self._lease_ms, WAIT_MS, is_new) == 0:
            is_new = 0
            await asyncio.sleep(pause * random.uniform(0.5, 1.5))
            pause = min(pause * 1.5, _LAST_LOOK_S)

    async def _free(self, operator: str, holder: str) -> None:
        await self._ask(self._end, _keys(operator), holder)

    async def _tend_leases(self) -> None:
        """Renew what is held and hear who waits, as long as anything is held."""
        while self._held:
            await asyncio.sleep(_TEND_S)
            wanted = set()
            for operator in list(self._held):
                holders = tuple(self._held.get(operator, ()))
                if await self._ask(self._renew, _keys(operator), self._lease_ms, self._process, *holders):
                    wanted.add(operator)
                for holder in set(holders).difference(self._held.get(operator, ())):
                    await self._free(operator, holder)  # given back while it was renewed
            self._wanted = frozenset(wanted)
        self._tending = False

    async def _ask(self, script: AsyncScript, keys: Sequence[str], *values: str | int) -> int | None:
        """The script's answer; None where Redis gives none, and for some seconds after that."""
        now = asyncio.get_running_loop().time()
        if now < self._silent_until:
            return None
        try:
            answer = int(await script(keys=keys, args=values))
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


def _rate_key(operator: str) -> tuple[str]:
    return (f"emailcheck:rate:{{{operator}}}",)


class RedisAllowance:
    """Recipients a minute over all machines, as far as the last answer of Redis knows; behind those of the machine.

    Counting waits for nobody, so that the limit is passed by at most what is under way at that moment.
    """

    def __init__(self, places: RedisPlaces, machine: Rate, operator: str, per_minute: int) -> None:
        self._places = places
        self._machine = machine
        self._operator = operator
        self._each_s = MINUTE_S / per_minute
        self._full_at = 0.0

    def spend(self, count: int, now: float) -> None:
        """So many recipients are asked for."""
        self._machine.spend(count, now)
        self._places.owe(self._operator, count * self._each_s, self._note)

    def wait_s(self, now: float) -> float:
        """How long to wait before asking for anybody else."""
        return max(self._machine.wait_s(now), wait_of(self._full_at - now, self._each_s))

    def _note(self, debt_s: float) -> None:
        self._full_at = asyncio.get_running_loop().time() + debt_s
