"""Lists of any length: a bounded window under way, back pressure, every index once."""

import asyncio
from collections.abc import AsyncIterator, Iterator

import pytest

from validation.engine import Category, Verdict
from validation.engine.tests.world import Host, World

NAMES = tuple(f"user{number}" for number in range(400))


async def _indices(stream: AsyncIterator[list[tuple[int, Verdict]]]) -> list[int]:
    return [index async for arrived in stream for index, _ in arrived]


async def test_every_index_of_a_stream_exactly_once(world: World) -> None:
    await world.domain("shop.com", Host(mailboxes=NAMES))
    source = (f"{name}@shop.com" for name in NAMES)
    assert sorted(await _indices(world.verifier().verify_stream(source, window=30))) == list(range(400))


async def test_no_more_than_the_window_is_read_before_somebody_fetches(world: World) -> None:
    await world.domain("shop.com", Host(mailboxes=NAMES))
    read = 0

    def source() -> Iterator[str]:
        nonlocal read
        for name in NAMES:
            read += 1
            yield f"{name}@shop.com"

    stream = world.verifier().verify_stream(source(), window=40)
    fetched = len(await anext(stream))
    for _ in range(20):
        await asyncio.sleep(0)
    assert read <= 41 + fetched
    await stream.aclose()


async def test_a_source_that_gives_addresses_slowly(world: World) -> None:
    host = await world.domain("shop.com", Host(mailboxes=NAMES))
    more = asyncio.Event()

    async def source() -> AsyncIterator[str]:
        yield "user1@shop.com"
        yield "user2@shop.com"
        await more.wait()
        yield "nobody@shop.com"

    verdicts: dict[int, Verdict] = {}
    async for arrived in world.verifier().verify_stream(source()):
        verdicts.update(arrived)
        more.set()
    assert [verdicts[index].category for index in range(3)] == [Category.VALID, Category.VALID, Category.INVALID]
    assert host.connections == 1


async def test_nobody_is_asked_for_a_caller_who_has_left(world: World) -> None:
    async def source() -> AsyncIterator[str]:
        yield "no address"
        yield "alice@shop.com"
        await asyncio.Event().wait()

    stream = world.verifier().verify_stream(source())
    assert [index for index, _ in await anext(stream)] == [0]
    await stream.aclose()
    for _ in range(20):
        await asyncio.sleep(0)
    assert world.dns.asked == []


async def test_what_a_source_raises_is_raised_after_what_came_before(world: World) -> None:
    def source() -> Iterator[str]:
        yield "no address"
        raise OSError("the disk is gone")

    stream = world.verifier().verify_stream(source())
    assert [index for index, _ in await anext(stream)] == [0]
    with pytest.raises(OSError, match="the disk is gone"):
        await anext(stream)


async def test_a_stream_without_addresses(world: World) -> None:
    assert await _indices(world.verifier().verify_stream([])) == []
    assert [pair async for pair in world.verifier().verify_many([])] == []


async def test_the_deadline_of_a_stream_counts_for_what_is_read_later(world: World) -> None:
    await world.domain("slow.com", Host(raw=b""))
    source = (f"user{number}@slow.com" for number in range(50))
    stream = world.verifier().verify_stream(source, window=10, deadline_s=0.05)
    verdicts = [verdict async for arrived in stream for _, verdict in arrived]
    assert [verdict.reason.value for verdict in verdicts] == ["timeout"] * 10 + ["not_asked"] * 40
