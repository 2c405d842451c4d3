"""Earlier verdicts are looked for by indexes that have the addresses, however many lists there are."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.users.models import User
from validation.batches.reuse.finding import Scope, note_verdicts
from validation.batches.reuse.keys import KnownTable
from validation.tests import stored

MANY = [f"row{number}@harborquill.com" for number in range(600)]


def plans_of(act: Callable[[], object]) -> list[str]:
    """How SQLite goes about each statement that reads results."""
    with CaptureQueriesContext(connection) as asked:
        act()
    read = [query["sql"] for query in asked.captured_queries if 'FROM "validation_result"' in query["sql"]]
    plans = []
    for statement in read:
        with connection.cursor() as cursor:
            cursor.execute("EXPLAIN QUERY PLAN " + statement.replace("%", "%%"))
            plans.append(" ".join(str(row[3]) for row in cursor.fetchall()))
    return plans


def look_for(alice: User, addresses: Sequence[str]) -> KnownTable:
    table = KnownTable(addresses)
    scope = Scope(alice.own_organisation, timezone.now() - timedelta(days=30), alice.pk)
    note_verdicts(table, lambda: addresses, scope)
    return table


@pytest.mark.spec("REP-045")
@pytest.mark.skipif("connection.vendor != 'sqlite'", reason="the plans are those of SQLite")
def test_lists_are_scanned_and_looked_into_by_the_index_of_addresses(alice: User) -> None:
    stored.finished(alice, [(address, "valid") for address in MANY])
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    found: list[Any] = []
    scanned = plans_of(lambda: found.append(look_for(alice, MANY)))
    assert "COVERING INDEX result_search_by_address" in scanned[0]
    assert "TEMP B-TREE" not in scanned[0]
    assert not any("SCAN validation_result" in plan for plan in scanned)
    looked_up = plans_of(lambda: found.append(look_for(alice, MANY[:2])))
    assert "INDEX result_search_by_address (batch_id=? AND category=? AND address=?)" in looked_up[0]
    assert [table.count(full_only=True) for table in found] == [600, 2]
