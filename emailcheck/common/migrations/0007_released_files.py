from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("common", "0006_pending_deletions"),
    ]

    operations = [
        migrations.CreateModel(
            name="ReleasedFile",
            fields=[
                ("name", models.CharField(max_length=120, primary_key=True, serialize=False)),
                ("content", models.BinaryField()),
                (
                    "replaced_at",
                    models.DateTimeField(
                        help_text="When a web process started last whose bundle does not have it. The database's time.",
                        null=True,
                    ),
                ),
            ],
        ),
    ]
