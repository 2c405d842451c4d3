"""Columns that migrations add without building the table anew, which SQLite would do for hours with a large one."""

from django.db import migrations, models


def actor_columns(table: str, model: str) -> list[migrations.SeparateDatabaseAndState]:
    """The columns `staff_name` and `staff_email` of `accounts.activity.actors.StaffAct`, empty, for a table that is
    there."""
    return [_text_column(table, model, "staff_name", 150), _text_column(table, model, "staff_email", 254)]


def _text_column(table: str, model: str, name: str, characters: int) -> migrations.SeparateDatabaseAndState:
    field = models.CharField(blank=True, db_default="", default="", editable=False, max_length=characters)
    return migrations.SeparateDatabaseAndState(
        database_operations=[
            migrations.RunSQL(
                f"ALTER TABLE {table} ADD COLUMN {name} varchar({characters}) DEFAULT '' NOT NULL",
                f"ALTER TABLE {table} DROP COLUMN {name}",
            )
        ],
        state_operations=[migrations.AddField(model_name=model, name=name, field=field)],
    )
