"""What is done in a client names the agency for which it was."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0004_team"),
    ]

    operations = [
        migrations.AddField(
            model_name="activity",
            name="via",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                help_text="The API key, or the agency, that acted.",
                max_length=100,
            ),
        ),
    ]
