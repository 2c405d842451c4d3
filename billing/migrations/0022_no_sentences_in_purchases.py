from django.db import migrations


class Migration(migrations.Migration):
    """The column stays as long as a version runs that writes it; this one neither reads nor writes it."""

    dependencies = [
        ("billing", "0021_purchase_reasons"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.RemoveField(model_name="purchase", name="problem")]
        ),
    ]
