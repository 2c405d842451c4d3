"""What a process rests on is asked once a second at most, and waited for a moment."""

import asyncio
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from emailcheck.common.server import bounds
from emailcheck.common.server.readiness import DatabaseCheck, Part, Readiness, State


def look(*parts: Part, times: int = 1) -> list[State]:
    async def ask() -> list[State]:
        readiness = Readiness(asyncio.get_running_loop(), parts)
        return await asyncio.gather(*[readiness.look() for _ in range(times)])

    return asyncio.run(ask())


def answer(*names: str) -> Callable[[], Sequence[str]]:
    return lambda: names


def fail() -> Sequence[str]:
    raise ConnectionError


@pytest.mark.spec("SCA-003")
def test_what_is_needed_makes_it_unready_and_the_rest_is_named_as_degraded() -> None:
    needed = Part("database", answer("migrations"), is_needed=True)
    assert look(needed, Part("redis", fail, is_needed=False)) == [State(("migrations",), ("redis",))]
    assert look(Part("database", fail, is_needed=True), Part("files", answer(), is_needed=False)) == [
        State(("database",))
    ]


@pytest.mark.spec("SCA-003")
def test_a_party_that_does_not_answer_is_away_and_asked_by_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "READY_WITHIN_S", 0.05)
    monkeypatch.setattr(bounds, "READY_FOR_S", 0.0)
    comes_back, asked = threading.Event(), list[str]()

    def hang() -> Sequence[str]:
        asked.append("once")
        comes_back.wait(60)
        return ()

    part = Part("database", hang, is_needed=True)

    async def ask() -> list[State]:
        readiness = Readiness(asyncio.get_running_loop(), [part])
        away = [await readiness.look() for _ in range(3)]
        comes_back.set()
        assert part.asked is not None
        await part.asked
        return [*away, await readiness.look()]

    assert asyncio.run(ask()) == [State(("database",))] * 3 + [State()]
    assert asked == ["once"] * 2


@pytest.mark.spec("SCA-003")
def test_a_thousand_who_ask_cost_one_look() -> None:
    asked = list[str]()

    def note() -> Sequence[str]:
        asked.append("once")
        return ()

    assert look(Part("database", note, is_needed=True), times=1_000) == [State()] * 1_000
    assert asked == ["once"]


@pytest.mark.spec("SCA-003")
@pytest.mark.django_db(transaction=True)
def test_the_database_has_the_migrations_of_this_version_and_may_have_newer_ones() -> None:
    check, recorder = DatabaseCheck(), MigrationRecorder(connection)
    with ThreadPoolExecutor(1) as thread:  # its connection is of one thread

        def run() -> Sequence[str]:
            return thread.submit(check).result()

        recorder.record_applied("billing", "9999_of_a_newer_version")
        newer = run()
        recorder.record_unapplied("common", "0004_leases")
        older = run()
        recorder.record_applied("common", "0004_leases")
        recorder.record_unapplied("billing", "9999_of_a_newer_version")
        assert (newer, older, run()) == ((), ("migrations",), ())
        thread.submit(check._connection.close).result()


@pytest.mark.spec("SCA-003")
@pytest.mark.django_db(transaction=True)
def test_a_database_that_fails_is_away_and_a_connection_that_was_cut_is_made_anew() -> None:
    check = DatabaseCheck()
    rename = "ALTER TABLE {} RENAME TO {}"
    with ThreadPoolExecutor(1) as thread, connection.cursor() as cursor:
        assert thread.submit(check).result() == ()
        cursor.execute(rename.format("django_migrations", "away"))
        failed = thread.submit(check).exception()
        cursor.execute(rename.format("away", "django_migrations"))
        assert (failed is not None, thread.submit(check).result()) == (True, ())
        thread.submit(check._connection.connection.close).result()
        assert thread.submit(check).result() == ()
        thread.submit(check._connection.close).result()
