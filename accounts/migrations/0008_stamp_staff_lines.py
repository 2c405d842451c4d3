"""What staff did to accounts stands in the organisations that they hold now, and stays there; lines about caps name
nobody any more."""

from typing import Any

from django.db import migrations
from django.db.models import OuterRef, Subquery

_SLICE = 1_000


def stamp_staff_lines(apps: Any, schema_editor: Any) -> None:
    """A thousand at a time. It may run again, so that what was cut off goes on."""
    alias = schema_editor.connection.alias
    lines = apps.get_model("accounts", "Activity")._default_manager.using(alias)
    held = apps.get_model("accounts", "Organisation")._default_manager.using(alias).filter(holder=OuterRef("user"))
    waiting = lines.filter(kind="staff", organisation=None, user__own_organisation__isnull=False)
    while keys := list(waiting.order_by("pk").values_list("pk", flat=True)[:_SLICE]):
        lines.filter(pk__in=keys).update(organisation=Subquery(held.values("pk")[:1]))


def unname_caps(apps: Any, schema_editor: Any) -> None:
    """The person is the target of the line."""
    lines = apps.get_model("accounts", "Activity")._default_manager.using(schema_editor.connection.alias)
    caps = lines.filter(kind="member", target__startswith="user:", changes__has_key="monthly_cap")
    caps.update(action="Monthly cap changed")


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("accounts", "0007_activity_copies")]

    operations = [
        migrations.RunPython(stamp_staff_lines, migrations.RunPython.noop, elidable=True),
        migrations.RunPython(unname_caps, migrations.RunPython.noop, elidable=True),
    ]
