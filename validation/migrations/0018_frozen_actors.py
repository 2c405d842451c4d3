"""Who did it, with name and address as they were: an act of staff stays readable when the account goes."""

from django.db import migrations, models

from emailcheck.common.columns import actor_columns


class Migration(migrations.Migration):
    dependencies = [
        ("validation", "0017_egress_addresses"),
    ]

    operations = [
        # The column keeps its name, which a version that still runs knows.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameField(model_name="egressaddress", old_name="changed_by", new_name="staff_id"),
                migrations.AlterField(
                    model_name="egressaddress",
                    name="staff_id",
                    field=models.BigIntegerField(
                        blank=True,
                        db_column="changed_by",
                        help_text="Who changed it last.",
                        null=True,
                    ),
                ),
            ]
        ),
        *actor_columns("validation_egressaddress", "egressaddress"),
    ]
