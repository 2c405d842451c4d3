"""Payments are dated by the provider; when we learnt of them is kept apart.

The column of a subscription's last payment is not used any more. It stays in the table for a version that still runs.
"""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import F


def date_by_provider(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """What was captured before was dated by when we learnt of it."""
    known = apps.get_model("billing", "Payment").objects.filter(captured_at__isnull=False, learnt_at=None)
    known.update(learnt_at=F("captured_at"), captured_at=F("created_at"))


def date_by_us(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    apps.get_model("billing", "Payment").objects.filter(learnt_at__isnull=False).update(captured_at=F("learnt_at"))


class Migration(migrations.Migration):
    dependencies = [
        ("billing", "0018_lines_of_a_purchase"),
    ]

    operations = [
        migrations.AddField(
            model_name="payment",
            name="learnt_at",
            field=models.DateTimeField(blank=True, help_text="When we learnt that it is money.", null=True),
        ),
        migrations.AlterField(
            model_name="payment",
            name="captured_at",
            field=models.DateTimeField(blank=True, help_text="At the provider; null: it is not money.", null=True),
        ),
        migrations.RunPython(date_by_provider, date_by_us),
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.RemoveField(model_name="subscription", name="last_payment_at")]
        ),
    ]
