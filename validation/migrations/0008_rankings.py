from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("validation", "0007_name_makers"),
    ]

    operations = [
        migrations.AddField(
            "batch",
            "rankings",
            models.JSONField(
                blank=True,
                null=True,
                help_text="Its commonest reasons and largest mail hosts, as `reports` counted them since it ended.",
            ),
        ),
    ]
