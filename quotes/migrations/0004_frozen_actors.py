"""Who did it, with name and address as they were: an act of staff stays readable when the account goes."""

from django.db import migrations, models

from emailcheck.common.columns import actor_columns


class Migration(migrations.Migration):
    dependencies = [
        ("quotes", "0003_lists_in_order"),
    ]

    operations = [
        # The column keeps its name, which a version that still runs knows.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameField(model_name="planrequest", old_name="approved_by", new_name="staff_id"),
                migrations.AlterField(
                    model_name="planrequest",
                    name="staff_id",
                    field=models.BigIntegerField(
                        blank=True,
                        db_column="approved_by",
                        help_text="Who approved it; nobody when it approved itself.",
                        null=True,
                    ),
                ),
            ]
        ),
        *actor_columns("quotes_quote", "quote"),
        *actor_columns("quotes_planrequest", "planrequest"),
    ]
