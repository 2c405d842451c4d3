"""Days of a history and recommendations of a long list are ranges of an index, however many results there are."""

from django.db import migrations, models

from emailcheck.common.storage.migration_steps import AddIndexBeside


class Migration(migrations.Migration):
    atomic = False
    dependencies = [
        ("validation", "0010_reuse"),
    ]

    operations = [
        AddIndexBeside(
            "result",
            models.Index(fields=["organisation", "category", "-created_at", "-id"], name="result_history_day"),
        ),
        AddIndexBeside(
            "result",
            models.Index(
                fields=["batch", "category", "safe_to_send", "position"],
                condition=models.Q(category__in=["catch_all", "unknown"]),
                name="result_undecided",
            ),
        ),
    ]
