"""Statements that are executed together, without a turn of this process between them."""

from collections.abc import Sequence
from itertools import chain
from typing import Any, NamedTuple

from django.db import connection, transaction

Rows = list[tuple[Any, ...]]


class Statement(NamedTuple):
    """A statement with `%s` where its values go."""

    sql: str
    values: Sequence[Any]


def execute_together(statements: Sequence[Statement]) -> list[Rows]:
    """Execute some in their order, all or none of them; answers the rows of each, and none of one that gives none.

    On PostgreSQL they are one message, and outside a transaction also one transaction (PostgreSQL 16, 55.2.2.1): what
    they lock is free again when they have been executed, however long this process waits for its next turn.
    """
    if connection.vendor == "postgresql":
        return _send_as_one(statements)
    with transaction.atomic(savepoint=False), connection.cursor() as cursor:
        found = []
        for sql, values in statements:
            cursor.execute(sql, values)
            found.append(_fetch_rows(cursor))
    return found


def _send_as_one(statements: Sequence[Statement]) -> list[Rows]:
    with connection.cursor() as cursor:
        cursor.execute(
            "; ".join(one.sql for one in statements), list(chain.from_iterable(one.values for one in statements))
        )
        found = [_fetch_rows(cursor)]
        while cursor.nextset():
            found.append(_fetch_rows(cursor))
    return found


def _fetch_rows(cursor: Any) -> Rows:
    return cursor.fetchall() if cursor.description else []
