"""A refusal with credits left is told apart from an empty balance."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("billing", "0016_newest_payments"),
    ]

    operations = [
        migrations.AddField(
            model_name="creditmonth",
            name="refused_at",
            field=models.DateTimeField(
                blank=True, help_text="Told that a request needed more than was left.", null=True
            ),
        ),
        migrations.AlterField(
            model_name="creditmonth",
            name="exceeded_at",
            field=models.DateTimeField(blank=True, help_text="Told that nothing is left.", null=True),
        ),
    ]
