"""Processes of several machines that share their limits by a real Redis."""

import asyncio
import subprocess
from collections.abc import Callable

import redis

from tests.stack import wait_until
from validation.engine.limits.shared_limits import Lane, LimitRequest, PairLimits
from validation.verifier.limits.redis_leases import RedisLimits, Times

PAIR = "direct|yahoo"
AT_ONCE = Times(young_s=0.0)


class Server:
    """A Redis on a file, that dies and comes back empty."""

    def __init__(self, folder: str) -> None:
        self._socket = f"{folder}/redis"
        self.url = f"unix://{self._socket}?db=0"
        self.client = redis.Redis.from_url(self.url)
        self.start()

    def start(self) -> None:
        """A new one, that answers."""
        command = ["redis-server", "--port", "0", "--unixsocket", self._socket, "--save", ""]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        wait_until(self._answers, 60)

    def kill(self) -> None:
        """It is gone at once."""
        self._process.kill()
        self._process.wait()

    def _answers(self) -> bool:
        try:
            return bool(self.client.ping())
        except redis.ConnectionError:
            return False


Start = Callable[..., RedisLimits]


async def take(process: RedisLimits, sessions: int, limits: PairLimits, lane: Lane = Lane.LONG) -> int:
    return (await process.exchange([LimitRequest(PAIR, limits, lane, sessions)]))[0].sessions


async def soon(true: Callable[[], bool]) -> None:
    for _ in range(3_000):
        if true():
            return
        await asyncio.sleep(0.01)
    raise TimeoutError
