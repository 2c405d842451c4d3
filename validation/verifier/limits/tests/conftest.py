"""A Redis, and processes of machines that use it."""

import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from validation.verifier.limits.machine_file import MachineLimits
from validation.verifier.limits.redis_leases import RedisLimits, Times
from validation.verifier.limits.shares import NO_SHARE, Share
from validation.verifier.limits.tests.processes import AT_ONCE, Server, Start


@pytest.fixture
def server() -> Iterator[Server]:
    with tempfile.TemporaryDirectory() as folder:
        found = Server(folder)
        yield found
        found.client.close()
        found.kill()


@pytest.fixture
async def start(server: Server, tmp_path: Path) -> AsyncIterator[Start]:
    """Starts a process on a machine."""
    begun: list[RedisLimits] = []

    def begin(machine: str, times: Times = AT_ONCE, share: Callable[[], Share] = lambda: NO_SHARE) -> RedisLimits:
        begun.append(RedisLimits(server.url, MachineLimits(tmp_path / machine), share, times=times))
        return begun[-1]

    yield begin
    for limits in begun:
        await limits.aclose()
