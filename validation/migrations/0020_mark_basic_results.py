"""Which checks the results of before had. A migration of its own, so that the table is not locked meanwhile."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def mark_basic(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Every list of disposable domains knows every domain: only a plan has left this open where the syntax is right."""
    results, batches = apps.get_model("validation", "Result"), apps.get_model("validation", "Batch")
    left_open = results.objects.filter(is_disposable=None, syntax_valid=True).exclude(reason="not_probed")
    left_open.update(basic=True)
    for pk in list(batches.objects.exclude(left_out=None).values_list("pk", flat=True)):
        results.objects.filter(batch_id=pk, basic=False).update(basic=True)


class Migration(migrations.Migration):
    dependencies = [
        ("validation", "0019_checks_of_results"),
    ]

    operations = [
        migrations.RunPython(mark_basic, migrations.RunPython.noop),
    ]
