"""Lists and webhooks name who made them, and a list can be for few.

What there is was made by whoever answers for the organisation; written in slices while others read and write.
"""

from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import connections, migrations, models

_SLICE = 1_000
_HOLDER = "(SELECT o.holder_id FROM accounts_organisation o WHERE o.id = {table}.user_id)"


def name_makers(apps: Any, schema_editor: Any) -> None:
    """Of all lists and webhooks without a maker, a thousand at a time."""
    with connections[schema_editor.connection.alias].cursor() as cursor:
        for table in ("validation_batch", "validation_webhook"):
            cursor.execute(f"SELECT COALESCE(MAX(id), 0) FROM {table}")
            for first in range(0, cursor.fetchone()[0] + 1, _SLICE):
                cursor.execute(
                    f"UPDATE {table} SET maker_id = {_HOLDER.format(table=table)} "
                    f"WHERE id BETWEEN {first} AND {first + _SLICE - 1} AND maker_id IS NULL"
                )


class Migration(migrations.Migration):
    atomic = False
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("validation", "0005_organisations"),
    ]

    operations = [
        migrations.AddField(
            "batch",
            "private",
            models.BooleanField(
                db_default=False, default=False, help_text="Only its maker, owners and admins see it, and keys."
            ),
        ),
        migrations.AddField(
            "webhook",
            "maker",
            models.ForeignKey(
                blank=True,
                help_text="Who added it.",
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.RunPython(name_makers, migrations.RunPython.noop, elidable=True),
    ]
