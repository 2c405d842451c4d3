"""Clients are found by their agency in an index of their own, because most organisations have none."""

from django.db import migrations, models

from emailcheck.common.storage.migration_steps import AddIndexBeside


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("accounts", "0008_stamp_staff_lines")]

    operations = [
        AddIndexBeside(
            "organisation",
            models.Index(fields=["agency"], condition=models.Q(agency__isnull=False), name="organisation_of_agency"),
        )
    ]
