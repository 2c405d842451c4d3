from django.db import migrations, models

from emailcheck.common.storage.migration_steps import AddIndexBeside


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("accounts", "0012_leaked_keys")]

    operations = [
        AddIndexBeside(
            "apirequest",
            models.Index(
                fields=["organisation", "-id"],
                condition=models.Q(deprecated__gt=""),
                name="api_request_deprecated",
            ),
        )
    ]
