"""Statements that are executed together are one transaction, in one and outside of one."""

from contextlib import nullcontext

import pytest
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext

from emailcheck.common.storage.statements import Statement, execute_together
from emailcheck.common.web.models import ReleasedFile

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]
TABLE = ReleasedFile._meta.db_table


def take(name: str) -> Statement:
    return Statement(f"INSERT INTO {TABLE} (name, content) VALUES (%s, %s) RETURNING name", [name, b"me"])


@pytest.mark.parametrize("is_inside", [False, True])
def test_each_gives_its_rows_and_all_are_kept(*, is_inside: bool) -> None:
    with transaction.atomic() if is_inside else nullcontext():
        found = execute_together(
            [
                take("a; b %"),
                Statement(f"UPDATE {TABLE} SET content = %s WHERE name = %s", [b"you", "a; b %"]),
                Statement(f"SELECT name FROM {TABLE} WHERE name = %s", ["nobody"]),
                take("c"),
                Statement(f"SELECT count(*), max(name) FROM {TABLE}", []),
            ]
        )
    assert found == [[("a; b %",)], [], [], [("c",)], [(2, "c")]]
    kept = [(file.name, bytes(file.content)) for file in ReleasedFile.objects.order_by("name")]
    assert kept == [("a; b %", b"you"), ("c", b"me")]


@pytest.mark.parametrize("is_inside", [False, True])
def test_one_that_fails_undoes_those_before_it(*, is_inside: bool) -> None:
    with pytest.raises(DatabaseError), transaction.atomic() if is_inside else nullcontext():
        execute_together([take("a"), take("b"), take("a"), take("c")])
    assert not ReleasedFile.objects.exists()
    assert execute_together([take("a")]) == [[("a",)]]


def test_postgresql_gets_them_at_once() -> None:
    with CaptureQueriesContext(connection) as sent:
        execute_together([take("a"), take("b")])
    assert sum("INSERT" in one["sql"] for one in sent) == (1 if connection.vendor == "postgresql" else 2)
