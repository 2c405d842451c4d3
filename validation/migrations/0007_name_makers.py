"""What there is was made by whoever answers for its organisation; written in slices while others read and write."""

from typing import Any

from django.db import connections, migrations

_SLICE = 1_000
_HOLDER = "(SELECT o.holder_id FROM accounts_organisation o WHERE o.id = {table}.user_id)"


def name_makers(apps: Any, schema_editor: Any) -> None:
    """Of all lists and webhooks without a maker, a thousand at a time. It may run again, so that what was cut off goes
    on."""
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
    dependencies = [("validation", "0006_makers")]

    operations = [migrations.RunPython(name_makers, migrations.RunPython.noop, elidable=True)]
