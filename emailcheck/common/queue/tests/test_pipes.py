"""The queue's processes pass work on, whoever of them is killed."""

import multiprocessing
from collections.abc import Iterator
from multiprocessing.context import ForkProcess
from pathlib import Path

import pytest
from django_q import cluster

from emailcheck.common.queue.pipes import Pipe
from tests.stack import wait_until

FORK = multiprocessing.get_context("fork")


@pytest.fixture
def readers() -> Iterator[list[ForkProcess]]:
    started: list[ForkProcess] = []
    yield started
    for reader in started:
        reader.kill()
        reader.join()


@pytest.fixture
def pipes() -> Iterator[list[Pipe]]:
    """Two without a limit, and one for two items."""
    made = [Pipe(), Pipe(), Pipe(2)]
    yield made
    for pipe in made:
        pipe._in.close()
        pipe._out.close()


def pass_on(source: Pipe, target: Pipe) -> None:
    while True:
        target.put(source.get())


def read_item(readers: list[ForkProcess], source: Pipe, target: Pipe) -> ForkProcess:
    """A process that waits for work."""
    reader = FORK.Process(target=pass_on, args=(source, target))
    reader.start()
    readers.append(reader)
    wait_until(lambda: is_waiting(reader), 10)
    return reader


def is_waiting(reader: ForkProcess) -> bool:
    """Whether it sleeps."""
    return Path(f"/proc/{reader.pid}/stat").read_text().rpartition(")")[2].split()[0] == "S"


def test_a_reader_killed_while_it_waits_takes_nothing_along(readers: list[ForkProcess], pipes: list[Pipe]) -> None:
    work, done, _ = pipes
    first = read_item(readers, work, done)
    first.kill()
    first.join()
    read_item(readers, work, done)
    for number in range(3):
        work.put({"number": number})
    assert [done.get() for _ in range(3)] == [{"number": 0}, {"number": 1}, {"number": 2}]
    assert (work.empty(), done.empty(), work.qsize()) == (True, True, 0)


def test_each_item_goes_to_one_reader(readers: list[ForkProcess], pipes: list[Pipe]) -> None:
    _, done, work = pipes
    for _ in range(3):
        read_item(readers, work, done)
    for number in range(200):
        work.put(number)
    assert sorted(done.get() for _ in range(200)) == list(range(200))
    assert done.empty()


def test_a_full_one_has_no_room(pipes: list[Pipe]) -> None:
    pipe = pipes[2]
    pipe.put("a")
    pipe.put("b")
    assert (pipe.qsize(), pipe._room.acquire(block=False)) == (2, False)
    assert (pipe.get(), pipe.qsize(), pipe.get(), pipe.empty()) == ("a", 1, "b", True)


def test_the_queue_uses_it() -> None:
    assert vars(cluster)["Queue"] is Pipe
