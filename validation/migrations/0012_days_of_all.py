from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

COUNTS = (
    "processed",
    "valid_count",
    "invalid_count",
    "unknown_count",
    "catch_all_count",
    "disposable_count",
    "spam_trap_count",
    "safe_to_send_count",
    "risky_count",
    "credits_used",
    "timed",
    "time_ms",
)


def fill(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """The sums over the days of the accounts that are there."""
    days = apps.get_model("validation", "Day").objects.order_by().values_list("date", models.F("user_id") % 16)
    made = apps.get_model("validation", "DayOfAll")
    for on, part, *numbers in days.annotate(*(models.Sum(name) for name in COUNTS)):
        made.objects.create(date=on, part=part, **dict(zip(COUNTS, numbers, strict=True)))


class Migration(migrations.Migration):
    dependencies = [
        ("validation", "0011_webhooks"),
    ]

    operations = [
        migrations.CreateModel(
            name="DayOfAll",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("processed", models.PositiveIntegerField(default=0)),
                ("valid_count", models.PositiveIntegerField(default=0)),
                ("invalid_count", models.PositiveIntegerField(default=0)),
                ("unknown_count", models.PositiveIntegerField(default=0)),
                ("catch_all_count", models.PositiveIntegerField(default=0)),
                ("disposable_count", models.PositiveIntegerField(default=0)),
                ("spam_trap_count", models.PositiveIntegerField(default=0)),
                ("safe_to_send_count", models.PositiveIntegerField(default=0)),
                ("risky_count", models.PositiveIntegerField(default=0)),
                ("credits_used", models.PositiveIntegerField(default=0)),
                ("date", models.DateField()),
                ("part", models.PositiveSmallIntegerField()),
                ("timed", models.PositiveIntegerField(default=0)),
                ("time_ms", models.PositiveBigIntegerField(default=0)),
            ],
            options={
                "verbose_name_plural": "days of all",
                "constraints": [models.UniqueConstraint(fields=("date", "part"), name="day_of_all_once")],
            },
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
