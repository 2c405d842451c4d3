"""Mails have the fields of a lease."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("common", "0003_shared_state"),
    ]

    operations = [
        migrations.AddField(
            model_name="outgoingmail",
            name="lease",
            field=models.CharField(blank=True, db_default="", default="", max_length=32),
        ),
        migrations.AddField(
            model_name="outgoingmail",
            name="lease_until",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name="outgoingmail",
            name="attempts",
            field=models.PositiveSmallIntegerField(db_default=0, default=0),
        ),
    ]
