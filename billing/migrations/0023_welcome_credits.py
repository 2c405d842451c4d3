"""The first month of a new account buys full checks: a kind of lot, and a note of the mailbox that it has had them.

Accounts whose first month runs get what is left of it as such; mailboxes that had free credits before had theirs.
"""

from datetime import UTC, timedelta

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import F
from django.utils import timezone

_LONGEST_MONTH = timedelta(days=31)


def note_first_months(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    mailboxes, entries = apps.get_model("billing", "CreditedMailbox"), apps.get_model("billing", "CreditEntry")
    lots = apps.get_model("billing", "CreditLot")
    now = timezone.now()
    granted = entries.objects.filter(
        kind="grant", lot__kind="plan", lot__expires_at__gt=now, reason="Free: credits of the month"
    )
    recent = granted.filter(user__created_at__gt=now - _LONGEST_MONTH).values_list(
        "key", "lot_id", "user_id", "user__created_at"
    )
    for key, lot_id, user_id, signed_up_at in list(recent):
        is_first = key == f"month:{user_id}:{signed_up_at.astimezone(UTC):%Y%m%d%H%M%S%f}"
        mine = mailboxes.objects.filter(user_id=user_id, created_at__gte=signed_up_at)
        if is_first and mine.exists():
            lots.objects.filter(pk=lot_id).update(kind="welcome")
    mailboxes.objects.filter(full_checks_at=None).update(full_checks_at=F("created_at"))


class Migration(migrations.Migration):
    dependencies = [
        ("billing", "0022_no_sentences_in_purchases"),
    ]

    operations = [
        migrations.AddField(
            model_name="creditedmailbox",
            name="full_checks_at",
            field=models.DateTimeField(blank=True, help_text="When it had those of a new account.", null=True),
        ),
        migrations.AlterField(
            model_name="creditlot",
            name="kind",
            field=models.CharField(
                choices=[
                    ("plan", "Plan"),
                    ("welcome", "Welcome"),
                    ("trial", "Trial"),
                    ("bonus", "Bonus"),
                    ("pack", "Pack"),
                ],
                max_length=8,
            ),
        ),
        migrations.RunPython(note_first_months, migrations.RunPython.noop),
    ]
