"""How the charge of a plan change was worked out, for its invoice."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("billing", "0017_refusals_told"),
    ]

    operations = [
        migrations.AddField(
            model_name="purchase",
            name="lines",
            field=models.JSONField(
                db_default=[],
                default=list,
                help_text="How `amount` comes about: [description, USD with tax as text].",
            ),
        ),
    ]
