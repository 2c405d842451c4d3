"""Results say which checks they had, lists when they were completed in full, uploads what they are cut to."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("validation", "0018_frozen_actors"),
    ]

    operations = [
        migrations.AddField(
            model_name="batch",
            name="in_full_at",
            field=models.DateTimeField(
                blank=True,
                help_text="When the rows that basic checks had left undecided were taken up in full.",
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="result",
            name="basic",
            field=models.BooleanField(
                db_default=False,
                default=False,
                help_text="Only the checks of Free were made, whatever they would have decided.",
            ),
        ),
        migrations.AddField(
            model_name="upload",
            name="max_credits",
            field=models.PositiveIntegerField(
                blank=True, help_text="It is cut to the first addresses that so many credits pay for.", null=True
            ),
        ),
    ]
