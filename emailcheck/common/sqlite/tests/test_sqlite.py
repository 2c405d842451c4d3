"""The queue of those who write to a SQLite file."""

import fcntl
import multiprocessing
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.utils import ConnectionHandler

from emailcheck.common.sqlite.queue import Busy, WriterQueue
from emailcheck.env import parse_database

pytestmark = pytest.mark.django_db
FORK = multiprocessing.get_context("fork")
MORE = "UPDATE stock SET number = number + 1"


class Shop:
    """A database with one number; each thread that asks gets a connection of its own."""

    def __init__(self, file: Path) -> None:
        self.file, self.lock = file, Path(f"{file}-writers")
        self._handler = ConnectionHandler({"default": dict[str, Any](parse_database(f"sqlite:///{file}"))})
        self.run("CREATE TABLE stock (number INTEGER)")
        self.run("INSERT INTO stock VALUES (0)")

    @property
    def connection(self) -> BaseDatabaseWrapper:
        found: BaseDatabaseWrapper = self._handler["default"]
        return found

    def run(self, statement: str) -> None:
        with self.connection.cursor() as cursor:
            cursor.execute(statement)

    def number(self) -> int:
        with self.connection.cursor() as cursor:
            cursor.execute("SELECT number FROM stock")
            return int(cursor.fetchone()[0])

    def begin(self) -> None:
        self.run("BEGIN IMMEDIATE")

    def is_free(self) -> bool:
        """Whether another process could write now."""
        with self.lock.open("a") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
        return True


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    made = Shop(tmp_path / "shop.sqlite3")
    yield made
    made.connection.close()


def test_a_transaction_has_its_turn_until_it_is_committed_undone_or_closed(shop: Shop) -> None:
    assert shop.is_free()
    for end in (shop.connection.commit, shop.connection.rollback, shop.connection.close):
        shop.begin()
        assert not shop.is_free()
        shop.run(MORE)
        assert not shop.is_free()
        end()
        assert shop.is_free()
    assert shop.number() == 1


def test_a_write_by_itself_has_its_turn_and_a_read_needs_none(shop: Shop) -> None:
    shop.run(MORE)
    assert shop.is_free()
    with shop.lock.open("a") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        assert shop.number() == 1
        shop.connection.close()
        shop.connection.settings_dict["OPTIONS"]["timeout"] = 0.01
        for write in (MORE, "DELETE FROM stock", "BEGIN IMMEDIATE"):
            with pytest.raises(OperationalError, match="database is locked"):
                shop.run(write)
    shop.run(MORE)
    assert shop.number() == 2


def test_a_statement_that_fails_gives_its_turn_back(shop: Shop) -> None:
    for wrong in ("INSERT INTO nowhere VALUES (1)", "BEGIN NONSENSE"):
        with pytest.raises(OperationalError):
            shop.run(wrong)
        assert shop.is_free()


def test_sixteen_threads_and_three_processes_lose_nothing(shop: Shop) -> None:
    def more(_: int) -> None:
        for _ in range(10):
            shop.begin()
            shop.run(MORE)
            shop.connection.commit()
            shop.run(MORE)
        shop.connection.close()

    shop.connection.close()
    others = [FORK.Process(target=more, args=(0,)) for _ in range(3)]
    for other in others:
        other.start()
    with ThreadPoolExecutor(16) as pool:
        list(pool.map(more, range(16)))
    for other in others:
        other.join()
    assert [other.exitcode for other in others] == [0, 0, 0]
    assert shop.number() == 20 * 19
    assert shop.is_free()


def test_a_process_that_dies_in_its_turn_keeps_nobody(shop: Shop) -> None:
    def die() -> None:
        shop.begin()
        os._exit(1)

    shop.connection.close()
    other = FORK.Process(target=die)
    other.start()
    other.join()
    shop.run(MORE)
    assert shop.number() == 1


def test_a_forked_process_does_not_believe_that_it_has_the_turn_of_its_parent(tmp_path: Path) -> None:
    queue = WriterQueue(str(tmp_path / "lock"))
    queue.enter(seconds=1)

    def child() -> None:
        try:
            queue.enter(seconds=0.01)
        except Busy:
            os._exit(7)

    other = FORK.Process(target=child)
    other.start()
    other.join()
    assert other.exitcode == 7
    with pytest.raises(Busy):
        queue.enter(seconds=0.01)
    queue.leave()
    queue.enter(seconds=1)
    queue.leave()


def test_the_product_uses_it() -> None:
    connection = transaction.get_connection()
    if connection.vendor == "sqlite":
        assert type(connection).__module__ == "emailcheck.common.sqlite.base"
