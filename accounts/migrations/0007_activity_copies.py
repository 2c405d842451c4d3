"""What a person does alone is copied to the organisations that it concerns, which keep it when the person leaves."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0006_rules_and_audit"),
    ]

    operations = [
        migrations.AddField(
            model_name="activity",
            name="is_copy",
            field=models.BooleanField(
                db_default=False,
                default=False,
                help_text="For the audit of the organisation alone: the person has the same line without one.",
            ),
        ),
    ]
