"""Chunks, deliveries and questions have the same three fields of a lease, which a running version may leave out."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("validation", "0001_initial")]

    operations = [
        migrations.AlterField(
            model_name="chunk", name="attempts", field=models.PositiveSmallIntegerField(db_default=0, default=0)
        ),
        migrations.AlterField(
            model_name="chunk",
            name="lease",
            field=models.CharField(blank=True, db_default="", default="", max_length=32),
        ),
        # A new name for the same column: a running version goes on to write it.
        migrations.AlterField(
            model_name="question",
            name="tries",
            field=models.PositiveSmallIntegerField(db_column="tries", db_default=0, default=0),
        ),
        migrations.RenameField(model_name="question", old_name="tries", new_name="attempts"),
        migrations.AddField(
            model_name="question",
            name="lease",
            field=models.CharField(blank=True, db_default="", default="", max_length=32),
        ),
        migrations.AddField(
            model_name="question", name="lease_until", field=models.DateTimeField(blank=True, null=True)
        ),
        migrations.AlterField(
            model_name="webhookdelivery",
            name="attempts",
            field=models.PositiveSmallIntegerField(db_default=0, default=0),
        ),
        migrations.AlterField(
            model_name="webhookdelivery",
            name="lease",
            field=models.CharField(blank=True, db_default="", default="", max_length=32),
        ),
        migrations.AddField(
            model_name="webhookdelivery", name="lease_until", field=models.DateTimeField(blank=True, null=True)
        ),
        migrations.AddIndex(
            model_name="webhookdelivery",
            index=models.Index(
                condition=models.Q(("lease_until__isnull", False)), fields=["lease_until"], name="webhook_in_flight"
            ),
        ),
    ]
