"""A database that a version made which did not know organisations, brought to this one; run by
`test_organisation_migration` in a process of its own, on a database of its own. Prints what it found as JSON."""

import json
import sys
from typing import Any

from django.apps.registry import Apps
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

from adminpanel.tests.rows import make_rows

BEFORE = (
    ("common", None),
    ("accounts", "0001_initial"),
    ("billing", "0002_leases"),
    ("validation", "0004_latest_replies"),
    ("quotes", "0001_initial"),
    ("crm", "0001_initial"),
)
CUT_OFF = (
    ("accounts", "0003_keys_of_organisations"),
    ("billing", "0003_organisations"),
    ("quotes", "0002_organisations"),
    ("validation", "0005_organisations"),
    ("validation", "0007_name_makers"),
    ("accounts", "0008_stamp_staff_lines"),
)
MADE_BY_SOMEBODY = ("accounts_apikey", "validation_batch", "validation_webhook")
_ACCOUNT = (
    "INSERT INTO accounts_user (password, is_superuser, email, name, company, role, is_active, created_at) "
    "VALUES ('!', false, 'late@elm.org', 'Late', 'Elm', 'user', true, CURRENT_TIMESTAMP)"
)
_KEPT = "UPDATE accounts_user SET results_days = 7, address = '1 Quay' WHERE email = 'late@elm.org'"


def main() -> None:
    apps = make_old_database()
    before = read_tables(apps)
    for app, name in CUT_OFF:
        call_command("migrate", app, name, verbosity=0)
        MigrationRecorder(connection).record_unapplied(app, name)  # as if the power went before it was noted
    call_command("migrate", verbosity=0)
    found: dict[str, Any] = {"differ": [table for table, rows in before.items() if read_rows(table, rows) != rows[1]]}
    found["tables"] = {table: len(rows) for table, (_, rows) in before.items()}
    found["organisations"] = query(
        "SELECT COUNT(*) FROM accounts_organisation o JOIN accounts_user u ON o.id = u.id AND o.holder_id = u.id "
        "JOIN accounts_membership m ON m.organisation_id = o.id AND m.user_id = u.id AND m.role = 'owner' "
        "WHERE o.company = u.company AND o.results_days = u.results_days AND o.created_at = u.created_at"
    )[0][0]
    found["people"] = query("SELECT COUNT(*) FROM accounts_user")[0][0]
    found["makers"] = {
        table: query(f"SELECT COUNT(*) FROM {table} WHERE maker_id = user_id")[0][0] for table in MADE_BY_SOMEBODY
    }
    connection.check_constraints()
    if connection.vendor == "postgresql":
        found["unchecked"] = query("SELECT COUNT(*) FROM pg_constraint WHERE NOT convalidated")[0][0]
        found["late"] = register_as_before()
    sys.stdout.write(json.dumps(found))


def make_old_database() -> Apps:
    """The database as it was, with three rows in each table that has to do with accounts."""
    for app, name in BEFORE:
        call_command("migrate", *filter(None, (app, name)), verbosity=0)
    loader = MigrationExecutor(connection).loader
    targets = [(app, name) for app, name in BEFORE if name]
    apps: Apps = loader.project_state(targets).apps
    for model in list_models(apps):
        make_rows(model, 3)
    return apps


def list_models(apps: Apps) -> list[Any]:
    ours = {"accounts", "billing", "validation", "quotes", "crm"}
    return [model for model in apps.get_models() if model._meta.app_label in ours]


def read_tables(apps: Apps) -> dict[str, tuple[list[str], list[tuple[Any, ...]]]]:
    """By table: its columns and rows."""
    found = {}
    for model in list_models(apps):
        columns = [field.column for field in model._meta.concrete_fields]
        found[model._meta.db_table] = (columns, read_rows(model._meta.db_table, (columns, [])))
    return found


def read_rows(table: str, like: tuple[list[str], Any]) -> list[tuple[Any, ...]]:
    columns = ", ".join(f'"{column}"' for column in like[0])
    return query(f'SELECT {columns} FROM "{table}" ORDER BY 1')


def query(statement: str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


def register_as_before() -> list[Any]:
    """What an account gets that is written, and changed, by a version that still runs."""
    with connection.cursor() as cursor:
        cursor.execute(_ACCOUNT)
        cursor.execute(_KEPT)
    found = query(
        "SELECT o.company, o.address, o.results_days, m.role FROM accounts_organisation o JOIN accounts_user u "
        "ON u.id = o.id JOIN accounts_membership m ON m.organisation_id = o.id WHERE u.email = 'late@elm.org'"
    )
    return list(found[0])


if __name__ == "__main__":
    import django

    django.setup()
    main()
