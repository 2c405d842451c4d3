"""Who did it, with name and address as they were: an act of staff stays readable when the account goes."""

from django.db import migrations, models

from emailcheck.common.columns import actor_columns


class Migration(migrations.Migration):
    dependencies = [
        ("billing", "0019_payments_dated_by_the_provider"),
    ]

    operations = [
        # The column keeps its name, which a version that still runs knows.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameField(model_name="invoice", old_name="settled_by", new_name="staff_id"),
                migrations.AlterField(
                    model_name="invoice",
                    name="staff_id",
                    field=models.BigIntegerField(
                        blank=True,
                        db_column="settled_by",
                        help_text="Who noted it as paid; nobody when a payment did it.",
                        null=True,
                    ),
                ),
            ]
        ),
        *actor_columns("billing_bulkgrant", "bulkgrant"),
        *actor_columns("billing_creditadjustment", "creditadjustment"),
        *actor_columns("billing_refund", "refund"),
        *actor_columns("billing_invoice", "invoice"),
    ]
