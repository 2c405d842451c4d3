"""Rows belong to organisations, by the column that named the account, which has the same number."""

from importlib import import_module
from typing import Any

from django.db import migrations, models

from emailcheck.common.storage.migration_steps import AddIndexBeside, MoveForeignKey

_before = import_module("accounts.migrations.0002_organisations")


def add_trigger(apps: Any, schema_editor: Any) -> None:
    """A version that does not know makers writes keys whose account made them."""
    _before.create_trigger(
        schema_editor,
        "maker_of_key",
        "INSERT ON accounts_apikey",
        (
            "UPDATE accounts_apikey SET maker_id = NEW.user_id WHERE id = NEW.id AND maker_id IS NULL "
            "AND EXISTS (SELECT 1 FROM accounts_user u WHERE u.id = NEW.user_id)",
        ),
    )


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("accounts", "0002_organisations")]

    operations = [
        # Each step may run again, so that a migration that was cut off goes on.
        AddIndexBeside("activity", models.Index(fields=["organisation", "-id"], name="activity_of_organisation")),
        migrations.RunPython(_before.make_organisations, elidable=False),
        MoveForeignKey(
            "apikey",
            "user",
            "organisation",
            models.ForeignKey(
                db_column="user_id", on_delete=models.CASCADE, related_name="api_keys", to="accounts.organisation"
            ),
        ),
        MoveForeignKey(
            "apirequest",
            "user",
            "organisation",
            models.ForeignKey(
                db_column="user_id",
                db_constraint=False,
                db_index=False,
                on_delete=models.CASCADE,
                related_name="+",
                to="accounts.organisation",
            ),
        ),
        migrations.RunPython(add_trigger, elidable=False),
        # The columns stay for versions that do not know organisations; a later migration drops them.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                *(migrations.RemoveField("user", name) for name in ("company", "address", "vat_id")),
                migrations.RemoveField("user", "uploads_days"),
                migrations.RemoveField("user", "results_days"),
                migrations.RemoveField("user", "use_providers"),
            ]
        ),
    ]
