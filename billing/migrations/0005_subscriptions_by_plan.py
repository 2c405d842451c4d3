"""Staff find who has a plan in an index, because most have the free one."""

from django.db import migrations, models

from emailcheck.common.storage.migration_steps import AddIndexBeside


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("billing", "0004_member_caps_and_transfers")]

    operations = [AddIndexBeside("subscription", models.Index(fields=["plan"], name="subscription_plan"))]
