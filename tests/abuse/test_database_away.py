"""A database that is away or locked: 503 with a code, nothing is changed, and the same key works after it."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from rest_framework.test import APIClient

from accounts.users.models import User
from billing.ledger import services as ledger
from conftest import make_user
from emailcheck.common import testing
from emailcheck.common.api.models import IdempotentCall
from emailcheck.common.sqlite.queue import find_queue
from tests.abuse.calls import NAMES, call, changed, client_that_is_answered, told
from tests.paypal import Buyer
from tests.stack import wait_until
from tests.world import Sandbox
from validation.batches.models import Batch

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres, pytest.mark.finding("I2")]
AWAY = (503, "DATABASE_UNAVAILABLE", "5")
on_sqlite = pytest.mark.skipif(connection.vendor != "sqlite", reason="a server is locked by nobody")


@pytest.fixture
def user(world: Sandbox, buyer: Buyer) -> User:
    return make_user("alice@alder.com", "Alice Alder")


@pytest.fixture
def api(user: User) -> APIClient:
    return client_that_is_answered(user)


@contextmanager
def connected_with(**changes: Any) -> Iterator[None]:
    """In this block connections are made by other settings."""
    before = dict(connection.settings_dict)
    connection.close()
    connection.settings_dict.update(changes)
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict.update(before)


def away() -> Any:
    """Nothing is where the database was."""
    part = "NAME" if connection.vendor == "sqlite" else "HOST"
    return connected_with(**{part: "/nowhere/at/all"})


def impatient() -> Any:
    """Nobody waits for a lock on the file."""
    patience = {"timeout": 0.1} if connection.vendor == "sqlite" else {}
    return connected_with(OPTIONS={**connection.settings_dict["OPTIONS"], **patience})


@pytest.mark.parametrize("name", NAMES)
def test_a_call_to_a_database_that_is_away_changes_nothing_and_works_after_it(api: APIClient, name: str) -> None:
    before = changed()
    with away():
        assert [told(call(api, name)) for _ in range(2)] == [AWAY, AWAY]
    assert changed() == before
    assert call(api, name).status_code == 200
    assert call(api, name)["Idempotent-Replayed"] == "true"
    assert ledger.reconcile_ledger() == []


def test_a_page_says_that_the_database_is_away() -> None:
    browser = Client(raise_request_exception=False)
    with away():
        page = browser.get("/status")
        link = browser.get("/api/auth/verify-email", {"token": "nonsense"})
    assert (page.status_code, page["Retry-After"]) == (503, "5")
    assert "<h1>The database does not answer</h1>" in page.text
    assert "Please try again shortly." in page.text
    assert told(link) == AWAY


@on_sqlite
@pytest.mark.parametrize("holder", ["another program", "a writer of ours"])
def test_a_locked_file_is_answered_in_time(api: APIClient, holder: str) -> None:
    before, file = changed(), str(connection.settings_dict["NAME"])
    with impatient():
        if holder == "another program":
            with closing(sqlite3.connect(file, isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")
                answers = [told(call(api, name)) for name in NAMES]
        else:
            queue = find_queue(file)
            queue.enter(seconds=5)
            try:
                answers = testing.run_sixteen(lambda number: told(call(api, NAMES[number % 4])))
            finally:
                queue.leave()
    assert set(answers) == {AWAY}
    assert changed() == before
    assert [call(api, name).status_code for name in NAMES] == [200] * 4


class _LosesTheServer:
    """Ends the connection before the statement that begins so, once."""

    def __init__(self, begins: str) -> None:
        self._begins, self.did = begins, False

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.startswith(self._begins) and not self.did:
            self.did = True
            connection.connection.close()
        return execute(sql, params, many, context)


@pytest.mark.skipif(connection.vendor != "postgresql", reason="a file is not lost between two statements")
def test_a_key_is_free_again_when_the_server_was_lost_before_anything_was_committed(api: APIClient) -> None:
    before = changed()
    loses = _LosesTheServer('INSERT INTO "validation_batch"')
    with connection.execute_wrapper(loses):
        assert told(call(api, "bulk")) == AWAY
    assert loses.did
    later_is_done()
    assert changed() == before
    assert call(api, "bulk").status_code == 200
    assert Batch.objects.count() == 1


def later_is_done() -> None:
    """Wait for what the process notes once the database takes it."""
    wait_until(lambda: not IdempotentCall.objects.exists(), 10)
