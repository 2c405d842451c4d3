"""A search of a list among one recommendation reads its index alone."""

from django.db import migrations, models

from emailcheck.common.storage.migration_steps import AddIndexBeside, RemoveIndexBeside


class Migration(migrations.Migration):
    atomic = False
    dependencies = [
        ("validation", "0011_results_by_day_and_decision"),
    ]

    operations = [
        AddIndexBeside(
            "result",
            models.Index(
                fields=["batch", "category", "address", "position", "confidence", "safe_to_send"],
                name="result_search_address",
            ),
        ),
        AddIndexBeside(
            "result",
            models.Index(
                fields=["batch", "category", "domain", "position", "confidence", "safe_to_send"],
                name="result_search_domain",
            ),
        ),
        RemoveIndexBeside("result", "result_by_address"),
        RemoveIndexBeside("result", "result_by_domain"),
    ]
