from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0013_admin_names"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="device_generation",
            field=models.PositiveIntegerField(
                db_default=0,
                default=0,
                editable=False,
                help_text="Browsers that were signed in to in an earlier one are not known any more.",
            ),
        ),
    ]
