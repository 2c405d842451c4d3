"""Who did it, with name and address as they were: an act of staff stays readable when the account goes."""

from django.db import migrations

from emailcheck.common.columns import actor_columns


class Migration(migrations.Migration):
    dependencies = [
        ("crm", "0003_messages_of_accounts"),
    ]

    operations = [
        *actor_columns("crm_dealevent", "dealevent"),
    ]
