"""Whether the tables of a database are those of this edition."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from django.core import checks
from django.db import connection, connections
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

# Some that have since been squashed. A newer database has unknown ones too, and is not refused for that.
_SQUASHED = {
    ("accounts", "0002_family_of_refresh_secrets"),
    ("billing", "0002_credited_mailboxes"),
    ("common", "0002_mail_and_limits"),
    ("validation", "0002_chunks_by_state"),
}


def check_schema_age(databases: Sequence[str] | None, **_: Any) -> list[checks.CheckMessage]:
    """An error for each database with migrations that were squashed: a system check of `serve` and `migrate`, which
    change nothing then."""
    return [
        checks.Error(
            "This database was made by an earlier edition of EmailCheck, whose tables are not those of this one.",
            hint="Nothing was changed. To keep its data, go back to that edition. To begin anew, remove them with "
            "`make clean-data`, or set DATABASE_URL to an empty database.",
            id="common.E001",
        )
        for alias in databases or ()
        if _SQUASHED & set(MigrationRecorder(connections[alias]).applied_migrations())
    ]


@lru_cache(maxsize=1)
def list_needed_migrations() -> frozenset[tuple[str, str]]:
    """The migrations of this edition, each by its app and name."""
    return frozenset(MigrationLoader(None).disk_migrations)


def count_missing_migrations() -> int:
    """How many migrations of this edition the database has not had. A newer database has them all."""
    return len(list_needed_migrations() - MigrationRecorder(connection).applied_migrations().keys())
