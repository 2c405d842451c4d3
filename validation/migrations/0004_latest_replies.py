"""A chunk under work holds what mail hosts said last; a running version leaves it out."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("validation", "0003_single_checks_by_day")]

    operations = [
        migrations.AddField(
            model_name="chunk",
            name="latest_replies",
            field=models.JSONField(
                blank=True,
                help_text="What mail hosts said last, while its rows are under work.",
                null=True,
                verbose_name="latest",
            ),
        ),
    ]
