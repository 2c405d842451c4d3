"""Searches of the history and a recommendation by its confidence read an index alone; far days are a range of one."""

from django.db import migrations, models

from emailcheck.common.storage.migration_steps import AddIndexBeside, RemoveIndexBeside

_SINGLE = models.Q(("batch", None))


class Migration(migrations.Migration):
    atomic = False
    dependencies = [
        ("validation", "0012_searches_by_decision"),
    ]

    operations = [
        AddIndexBeside(
            "result",
            models.Index(
                fields=["batch", "category", "address", "position", "confidence", "safe_to_send", "id"],
                name="result_search_by_address",
            ),
        ),
        AddIndexBeside(
            "result",
            models.Index(
                fields=["batch", "category", "domain", "position", "confidence", "safe_to_send", "id"],
                name="result_search_by_domain",
            ),
        ),
        AddIndexBeside(
            "result",
            models.Index(
                condition=_SINGLE,
                fields=["organisation", "category", "address", "id", "created_at"],
                name="result_search_single_address",
            ),
        ),
        AddIndexBeside(
            "result",
            models.Index(
                condition=_SINGLE,
                fields=["organisation", "category", "domain", "id", "created_at"],
                name="result_search_single_domain",
            ),
        ),
        AddIndexBeside(
            "result",
            models.Index(
                condition=_SINGLE,
                fields=["organisation", "category", "-created_at", "-id"],
                name="result_single_by_day",
            ),
        ),
        AddIndexBeside(
            "result",
            models.Index(
                fields=["batch", "category", "confidence", "position", "safe_to_send"],
                name="result_confidence_decision",
            ),
        ),
        RemoveIndexBeside("result", "result_by_confidence"),
        RemoveIndexBeside("result", "result_search_address"),
        RemoveIndexBeside("result", "result_search_domain"),
        RemoveIndexBeside("result", "result_single_address"),
        RemoveIndexBeside("result", "result_single_domain"),
        RemoveIndexBeside("result", "result_single_day"),
    ]
