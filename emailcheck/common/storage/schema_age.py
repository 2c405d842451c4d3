"""Refuses a database that an earlier edition made, whose migrations are not those of this one."""

from collections.abc import Sequence
from sysconfig import get_path
from typing import Any

from django.apps import apps
from django.core import checks
from django.db import connections
from django.db.migrations.loader import MigrationLoader


def check_schema_age(databases: Sequence[str] | None, **_: Any) -> list[checks.CheckMessage]:
    """An error for each database with applied migrations of ours that are not on the disk: a system check of `serve`
    and `migrate`, which change nothing then."""
    return [
        checks.Error(
            "This database was made by an earlier edition of EmailCheck, whose tables are not those of this one.",
            hint="Remove its data with `make clean-data`, or set DATABASE_URL to an empty database.",
            id="common.E001",
        )
        for alias in databases or ()
        if _list_unknown_migrations(alias)
    ]


def _list_unknown_migrations(alias: str) -> list[tuple[str, str]]:
    """App label and name."""
    loader = MigrationLoader(connections[alias])
    ours = {app.label for app in apps.get_app_configs() if not app.path.startswith(get_path("purelib"))}
    return sorted(key for key in loader.applied_migrations if key[0] in ours and key not in loader.disk_migrations)
