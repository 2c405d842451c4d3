"""Whether something was changed for good meanwhile."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection

_WRITES = ("INSERT", "UPDATE", "DELETE", "WITH")


class Changes:
    """What this thread has changed in the database since it began to count."""

    def __init__(self) -> None:
        self.are_committed = False

    def __call__(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        done = execute(sql, params, many, context)
        if sql.lstrip()[:6].upper().startswith(_WRITES):
            connection.on_commit(self._note)
        return done

    def _note(self) -> None:
        self.are_committed = True


@contextmanager
def watching_changes() -> Iterator[Changes]:
    """What is committed in this block; a transaction that is undone changed nothing."""
    changes = Changes()
    with connection.execute_wrapper(changes):
        yield changes
