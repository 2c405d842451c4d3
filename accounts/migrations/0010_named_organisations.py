"""Staff search the names of organisations that have one in an index of their own, because most have none."""

from django.db import migrations, models

from emailcheck.common.storage.conditions import IsGiven
from emailcheck.common.storage.migration_steps import AddIndexBeside


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("accounts", "0009_clients_of_agencies")]

    operations = [
        AddIndexBeside(
            "organisation",
            models.Index(
                fields=["name", "company"],
                condition=models.Q(IsGiven("name")) | models.Q(IsGiven("company")),
                name="organisation_named",
            ),
        )
    ]
