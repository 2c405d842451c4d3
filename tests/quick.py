"""What Django would do anew for every test, done once or only where there is something to do."""

import gc
import os
import sqlite3
from contextlib import closing
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.db import OperationalError, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.transaction import Atomic
from django.test import TestCase, TransactionTestCase

from billing.payments.paypal import client
from billing.payments.paypal.calls import Timing
from emailcheck.common.sqlite.queue import LogSync
from tests.stack import MIGRATED
from validation.engine import EngineConfig
from validation.verifier import checker

# Made with the tables, and the same for every test.
_KEPT = {"django_content_type", "auth_permission"}


def ask_paypal_again_at_once(patch: pytest.MonkeyPatch) -> None:
    """Who is refused for a moment asks again without a pause; the pauses have tests of their own."""
    patch.setattr(client, "Timing", partial(Timing, pause=lambda _: None))


def come_back_to_mail_hosts_soon(patch: pytest.MonkeyPatch) -> None:
    """A host that complains is left alone for a moment only; the engine's own tests say how long it really is."""
    patch.setattr(checker, "EngineConfig", partial(EngineConfig, backoff_s=0.02))


def leave_the_log_to_the_system(patch: pytest.MonkeyPatch) -> None:
    """A database of tests need not outlive a power cut: each commit would wait for the disk, as none does in tests on
    PostgreSQL. What tests of that need is in `emailcheck/common/sqlite/tests/test_log_sync.py` and `tests/abuse`."""
    patch.setattr(LogSync, "_sync_log", lambda _: None)


def act_on_commits(patch: pytest.MonkeyPatch) -> None:
    """A test's own transaction is none of the product's: what waits for a commit is done at the end of the outermost
    transaction in it."""
    leave, note = Atomic.__exit__, BaseDatabaseWrapper.on_commit

    def is_of_a_test(block: Any) -> bool:
        return bool(block._from_testcase)

    def is_outside(connection: BaseDatabaseWrapper) -> bool:
        return connection.in_atomic_block and all(map(is_of_a_test, connection.atomic_blocks))

    def leave_and_act(block: Atomic, *error: Any) -> None:
        leave(block, *error)
        connection = transaction.get_connection(block.using)
        if is_outside(connection) and not is_of_a_test(block):
            waiting, connection.run_on_commit = connection.run_on_commit, []
            for _, action, _ in waiting:
                action()

    def act_or_note(connection: BaseDatabaseWrapper, action: Any, robust: bool = False) -> None:
        action() if is_outside(connection) else note(connection, action, robust)

    patch.setattr(Atomic, "__exit__", leave_and_act)
    patch.setattr(BaseDatabaseWrapper, "on_commit", act_or_note)


def begin_with_a_migrated_database() -> None:
    """Where `COPIES` names one: `--reuse-db` takes it for its own, and what it lacks is migrated."""
    folder = os.environ.get("COPIES")
    if not folder or connections["default"].vendor != "sqlite":
        return
    migrated = Path(folder) / MIGRATED / "emailcheck.sqlite3"
    with (
        closing(sqlite3.connect(migrated)) as made,
        closing(sqlite3.connect(connections["default"].settings_dict["TEST"]["NAME"])) as ours,
    ):
        made.backup(ours)


def begin_again_when_the_file_is_busy(patch: pytest.MonkeyPatch) -> None:
    """Seen once in some 50,000 tests: SQLite refuses the transaction around a test that has not begun. What the test
    before has left behind is let go then; a second refusal fails."""
    begin = vars(TestCase)["_enter_atomics"].__func__

    def again(case: type[TestCase]) -> Any:
        try:
            return begin(case)
        except OperationalError:
            gc.collect()
            return begin(case)

    patch.setattr(TestCase, "_enter_atomics", classmethod(again))


def empty_tables_quickly(patch: pytest.MonkeyPatch) -> None:
    """After a test with real transactions, where Django's `flush` makes all permissions anew, and PostgreSQL files."""
    patch.setattr(TransactionTestCase, "_fixture_teardown", lambda _: empty_tables())


def empty_tables() -> None:
    """Forget every row but those that were made with the tables."""
    connection = connections["default"]
    statements = [f"DELETE FROM {connection.ops.quote_name(table)}" for table in sorted(_emptied())]
    if connection.vendor == "postgresql":  # takes them all in one go
        statements = ["; ".join(statements)]
    with transaction.atomic(), connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


@cache
def _emptied() -> frozenset[str]:
    models = apps.get_models(include_auto_created=True)
    return frozenset(one._meta.db_table for one in models if one._meta.managed and not one._meta.proxy) - _KEPT
