"""Lists and webhooks name who made them, and a list can be for few. All or nothing; the next migration fills it in."""

from typing import Any

from django.conf import settings
from django.db import migrations, models


def _maker(help_text: str) -> Any:
    return models.ForeignKey(
        blank=True,
        help_text=help_text,
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
        to=settings.AUTH_USER_MODEL,
    )


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("validation", "0005_organisations"),
    ]

    operations = [
        migrations.AddField("batch", "maker", _maker("Who started it.")),
        migrations.AddField(
            "batch",
            "private",
            models.BooleanField(
                db_default=False,
                default=False,
                help_text="Only its maker, owners and admins see it, and keys that they made.",
            ),
        ),
        migrations.AddField("webhook", "maker", _maker("Who added it.")),
    ]
