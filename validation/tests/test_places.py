"""Places at operators that processes share. Two gates on one file stand for two processes: the kernel tells open files
apart, not processes."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
import redis

from tests.redis_server import needs_redis, running_redis
from validation.engine.gate import SLICE_S, Places, SessionGate
from validation.file_places import FilePlaces
from validation.redis_places import RedisPlaces

PATIENCE_S = 30.0
MX = "mx.example.net"


async def soon(true: Callable[[], bool]) -> None:
    for _ in range(3_000):
        if true():
            return
        await asyncio.sleep(0.01)
    raise TimeoutError


@pytest.fixture
def pair(tmp_path: Path) -> tuple[FilePlaces, FilePlaces]:
    return FilePlaces(tmp_path / "places"), FilePlaces(tmp_path / "places")


@pytest.fixture
def redis_url(tmp_path: Path) -> Iterator[str]:
    with running_redis(tmp_path) as (url, _):
        yield url


@pytest.fixture
async def distant_pair(redis_url: str, tmp_path: Path) -> AsyncIterator[tuple[RedisPlaces, RedisPlaces]]:
    """Two machines: a file each, one Redis."""
    pair = [RedisPlaces(redis_url, FilePlaces(tmp_path / name), lease_ms=2_000) for name in ("one", "two")]
    yield pair[0], pair[1]
    for places in pair:
        await places.aclose()


async def test_there_are_as_many_places_as_the_operator_has(pair: tuple[FilePlaces, FilePlaces]) -> None:
    one, two = pair
    await one.take(MX, 2)
    await two.take(MX, 2)
    third = asyncio.ensure_future(two.take(MX, 2))
    await soon(lambda: one.is_wanted(MX))
    assert (third.done(), two.is_wanted(MX), one.is_wanted("mx.other.net")) == (False, False, False)
    one.give_back(MX)
    await asyncio.wait_for(third, PATIENCE_S)
    assert (one.is_wanted(MX), two.is_wanted(MX)) == (False, False)


async def test_operators_do_not_share_places(pair: tuple[FilePlaces, FilePlaces]) -> None:
    await pair[0].take(MX, 1)
    await asyncio.wait_for(pair[1].take("mx.other.net", 1), PATIENCE_S)
    assert [places.is_wanted(MX) for places in pair] == [False, False]


async def test_who_stops_waiting_is_not_waited_for(pair: tuple[FilePlaces, FilePlaces]) -> None:
    one, two = pair
    await one.take(MX, 1)
    waiting = asyncio.ensure_future(two.take(MX, 1))
    await soon(lambda: one.is_wanted(MX))
    waiting.cancel()
    await soon(waiting.done)
    assert not one.is_wanted(MX)
    one.give_back(MX)
    await asyncio.wait_for(one.take(MX, 1), PATIENCE_S)


async def test_who_comes_while_another_waits_lets_it_go_first(pair: tuple[FilePlaces, FilePlaces]) -> None:
    one, two = pair
    await one.take(MX, 1)
    waiting = asyncio.ensure_future(two.take(MX, 1))
    await soon(lambda: one.is_wanted(MX))
    one.give_back(MX)
    again = asyncio.ensure_future(one.take(MX, 1))
    await asyncio.sleep(0)
    assert not again.done()
    await asyncio.wait([waiting, again], return_when=asyncio.FIRST_COMPLETED)
    first = two if waiting.done() else one
    first.give_back(MX)
    await asyncio.wait_for(asyncio.gather(waiting, again), PATIENCE_S)


async def test_a_busy_session_makes_way_after_its_time(pair: tuple[FilePlaces, FilePlaces]) -> None:
    one, two = pair
    gate, now = SessionGate(10, one), asyncio.get_running_loop().time()
    await gate.enter(MX, 1)
    assert not gate.is_time_to_go(MX, now - SLICE_S)
    waiting = asyncio.ensure_future(two.take(MX, 1))
    await soon(lambda: gate.is_time_to_go(MX, now - SLICE_S))
    assert not gate.is_time_to_go(MX, now + 1)
    gate.leave(MX)
    await asyncio.wait_for(waiting, PATIENCE_S)


async def test_an_idle_session_makes_way_at_once(pair: tuple[FilePlaces, FilePlaces]) -> None:
    one, two = pair
    gate = SessionGate(10, one)
    await gate.enter(MX, 1)
    idle = asyncio.ensure_future(_idle_then_leave(gate))
    await asyncio.wait_for(two.take(MX, 1), PATIENCE_S)
    await idle
    assert not two.is_wanted(MX)


async def _idle_then_leave(gate: SessionGate) -> None:
    await gate.idle(MX, asyncio.get_running_loop().create_future(), 600)
    gate.leave(MX)


async def test_who_gives_up_before_the_last_gate_leaves_nothing_taken(pair: tuple[FilePlaces, FilePlaces]) -> None:
    one, two = pair
    gate = SessionGate(1, one)
    await gate.enter("mx.other.net", 1)
    waiting = asyncio.ensure_future(gate.enter(MX, 1))
    await asyncio.sleep(0.01)
    waiting.cancel()
    await soon(waiting.done)
    await asyncio.wait_for(two.take(MX, 1), PATIENCE_S)
    assert not two.is_wanted(MX)


async def test_processes_share_what_an_operator_may_be_asked(pair: tuple[FilePlaces, FilePlaces]) -> None:
    one, two = (places.allowance(MX, 60) for places in pair)
    assert two.wait_s(0.0) == 0.0
    one.spend(59, 0.0)
    assert two.wait_s(0.0) == 0.0
    two.spend(11, 0.0)
    assert [round(rate.wait_s(0.0)) for rate in (one, two)] == [11, 11]
    assert pair[0].allowance("mx.other.net", 60).wait_s(0.0) == 0.0


async def test_without_a_limit_nothing_is_counted(pair: tuple[FilePlaces, FilePlaces]) -> None:
    rate = pair[0].allowance(MX, 0)
    rate.spend(1_000_000, 1.0)
    assert rate.wait_s(1.0) == 0.0


async def test_a_clock_that_was_set_back_holds_nobody_up_for_long(pair: tuple[FilePlaces, FilePlaces]) -> None:
    pair[0].owe(MX, 86_400.0)
    assert pair[1].debt_s(MX) == 120.0
    assert pair[1].allowance(MX, 60).wait_s(0.0) <= 61.0


@needs_redis
async def test_machines_share_what_an_operator_may_be_asked(
    distant_pair: tuple[Places, Places], redis_url: str
) -> None:
    client = redis.Redis.from_url(redis_url)
    now = asyncio.get_running_loop().time
    one, two = (places.allowance(MX, 60) for places in distant_pair)
    one.spend(70, now())
    assert 0 < one.wait_s(now()) <= 11
    await soon(lambda: client.get(f"emailcheck:rate:{{{MX}}}") is not None)
    client.close()
    two.spend(1, now())
    await soon(lambda: two.wait_s(now()) > 0)


@needs_redis
async def test_machines_share_places(distant_pair: tuple[Places, Places]) -> None:
    one, two = distant_pair
    await one.take(MX, 1)
    waiting = asyncio.ensure_future(two.take(MX, 1))
    await soon(lambda: one.is_wanted(MX))
    assert not waiting.done()
    one.give_back(MX)
    await asyncio.wait_for(waiting, PATIENCE_S)


@needs_redis
async def test_a_lease_is_renewed_while_the_session_lives(distant_pair: tuple[Places, Places], redis_url: str) -> None:
    await distant_pair[0].take(MX, 1)
    client = redis.Redis.from_url(redis_url)
    key = f"emailcheck:places:{{{MX}}}"
    first = str(client.pexpiretime(key))
    await soon(lambda: str(client.pexpiretime(key)) > first)
    assert client.exists(key)
    client.close()


@needs_redis
async def test_redis_that_is_away_is_named_once_and_stops_nobody(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with running_redis(tmp_path) as (url, server):
        server.kill()
        server.wait()
        one, two = (RedisPlaces(url, FilePlaces(tmp_path / "places")) for _ in range(2))
        with caplog.at_level(logging.WARNING):
            await one.take(MX, 1)
            waiting = asyncio.ensure_future(two.take(MX, 1))
            await soon(lambda: one.is_wanted(MX))
            one.give_back(MX)
            await asyncio.wait_for(waiting, PATIENCE_S)
        await one.aclose()
        await two.aclose()
    assert [record.message.partition(" (")[0] for record in caplog.records] == ["Redis does not answer"] * 2
