"""Days of a history and recommendations of a long list are ranges of an index, however many results there are."""

from typing import Any

from django.db import migrations, models

from emailcheck.common.storage.migration_steps import AddIndexBeside


def tell_planner(apps: Any, schema_editor: Any) -> None:
    """Let PostgreSQL count how many of each category are safe: without it, it expects them among the unknown too, and
    reads all of these in the order of a page. It counts at its next ANALYZE."""
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(
            "CREATE STATISTICS IF NOT EXISTS result_safe_in_category (mcv) ON category, safe_to_send "
            "FROM validation_result"
        )


def forget(apps: Any, schema_editor: Any) -> None:
    """The way back."""
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("DROP STATISTICS IF EXISTS result_safe_in_category")


class Migration(migrations.Migration):
    atomic = False
    dependencies = [
        ("validation", "0010_reuse"),
    ]

    operations = [
        AddIndexBeside(
            "result",
            models.Index(fields=["organisation", "category", "-created_at", "-id"], name="result_history_day"),
        ),
        AddIndexBeside(
            "result",
            models.Index(
                fields=["batch", "category", "safe_to_send", "position"],
                condition=models.Q(category__in=["catch_all", "unknown"]),
                name="result_undecided",
            ),
        ),
        migrations.RunPython(tell_planner, forget),
    ]
