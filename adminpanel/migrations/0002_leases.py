"""Jobs have the fields of a lease, whose end says what `heartbeat_at` said."""

from django.db import migrations, models
from django.db.models.functions import Now


class Migration(migrations.Migration):
    dependencies = [("adminpanel", "0001_initial")]

    operations = [
        migrations.AlterField(
            model_name="job", name="lease", field=models.CharField(blank=True, db_default="", default="", max_length=32)
        ),
        migrations.AddField(
            model_name="job", name="attempts", field=models.PositiveSmallIntegerField(db_default=0, default=0)
        ),
        migrations.AddField(model_name="job", name="lease_until", field=models.DateTimeField(blank=True, null=True)),
        # A version that still runs writes the column, so it stays; this one leaves it to its default.
        migrations.AlterField(
            model_name="job", name="heartbeat_at", field=models.DateTimeField("beat at", db_default=Now())
        ),
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.RemoveField(model_name="job", name="heartbeat_at")]
        ),
    ]
