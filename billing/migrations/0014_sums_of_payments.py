from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("billing", "0013_events_that_wait"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveIndex(
            model_name="payment",
            name="payment_captured",
        ),
        migrations.AddIndex(
            model_name="payment",
            index=models.Index(fields=["captured_at", "amount"], name="payment_sums"),
        ),
        migrations.AddIndex(
            model_name="payment",
            index=models.Index(fields=["state", "plan", "user", "captured_at", "amount"], name="payment_by_plan"),
        ),
        migrations.AddIndex(
            model_name="payment",
            index=models.Index(fields=["state", "user"], name="payment_buyers"),
        ),
        migrations.AddIndex(
            model_name="subscription",
            index=models.Index(
                condition=models.Q(("paid_until__isnull", False)),
                fields=["plan", "status", "cycle"],
                name="subscription_paid",
            ),
        ),
    ]
