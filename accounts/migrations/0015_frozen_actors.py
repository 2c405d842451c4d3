"""Who did it, with name and address as they were: an act of staff stays readable when the account goes."""

from django.db import migrations

from emailcheck.common.columns import actor_columns


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0014_device_generation"),
    ]

    operations = [
        *actor_columns("accounts_activity", "activity"),
    ]
