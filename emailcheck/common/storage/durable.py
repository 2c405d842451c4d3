"""The answer to a change is sent when all that it may contain is on the disk.

What a call commits itself is there before its transaction ends. What it has only read may be the commit of somebody
else whose sync is still under way: SQLite shows it before (PostgreSQL after). An answer that repeats an earlier one, or
says that something was done already, would promise what a power cut could take.
"""

from collections.abc import Callable, Sequence
from typing import Any

from django.core import checks
from django.db import connection, connections
from django.http import HttpRequest
from django.http.response import HttpResponseBase

_ONLY_READ = ("GET", "HEAD", "OPTIONS", "TRACE")


class DurableAnswersMiddleware:
    """Waits for the log of the database where a call was more than a question."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if request.method not in _ONLY_READ:
            await_durable()
        return response


def await_durable() -> None:
    """Return when every commit that could be read before this call is on the disk."""
    wait = getattr(connection, "await_durable", None)
    if wait is not None:
        wait()


def check_durability(databases: Sequence[str] | None, **_: Any) -> list[checks.CheckMessage]:
    """Warn of a PostgreSQL server that answers a commit before it is on its disk: a system check of `serve` and
    `migrate`."""
    return [
        checks.Warning(
            f"PostgreSQL runs with {name}=off: a power cut takes lists and payments that were acknowledged.",
            hint=f"Set {name} to on.",
            id="common.W001",
        )
        for alias in databases or ()
        if connections[alias].vendor == "postgresql"
        for name in ("fsync", "synchronous_commit")
        if _read_setting(alias, name) == "off"
    ]


def _read_setting(alias: str, name: str) -> str:
    with connections[alias].cursor() as cursor:
        cursor.execute(f"SHOW {name}")
        value: str = cursor.fetchone()[0]
    return value
