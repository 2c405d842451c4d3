from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("validation", "0013_test_mode")]

    operations = [
        migrations.AddField(
            model_name="webhook",
            name="test",
            field=models.BooleanField(
                db_default=False, default=False, help_text="Hears of test mode, and of nothing else."
            ),
        ),
    ]
