"""Write into every act of staff who did it, from the accounts that are still there."""

from typing import Any

from django.db import migrations

ACTS = (
    ("accounts", "Activity"),
    ("adminpanel", "Job"),
    ("billing", "BulkGrant"),
    ("billing", "CreditAdjustment"),
    ("billing", "Invoice"),
    ("billing", "Refund"),
    ("crm", "DealEvent"),
    ("quotes", "PlanRequest"),
    ("quotes", "Quote"),
    ("validation", "EgressAddress"),
)


def freeze_known(apps: Any, schema_editor: Any) -> None:
    """Acts of accounts that have gone keep their number alone."""
    people = apps.get_model("accounts", "User").objects.filter(deleted_at=None)
    for app, name in ACTS:
        acts = apps.get_model(app, name).objects.filter(staff_email="").exclude(staff_id=None)
        ids = list(acts.order_by().values_list("staff_id", flat=True).distinct())
        for pk, staff_name, staff_email in people.filter(pk__in=ids).values_list("pk", "name", "email"):
            acts.filter(staff_id=pk).update(staff_name=staff_name, staff_email=staff_email)


class Migration(migrations.Migration):
    dependencies = [
        ("adminpanel", "0002_frozen_actors"),
        ("accounts", "0015_frozen_actors"),
        ("billing", "0020_frozen_actors"),
        ("crm", "0004_frozen_actors"),
        ("quotes", "0004_frozen_actors"),
        ("validation", "0018_frozen_actors"),
    ]

    operations = [migrations.RunPython(freeze_known, migrations.RunPython.noop)]
