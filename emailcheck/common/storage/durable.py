"""Whether the database keeps what it acknowledged: a system check."""

from collections.abc import Sequence
from typing import Any

from django.core import checks
from django.db import connections


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
