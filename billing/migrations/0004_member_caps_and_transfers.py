"""Holds name the member who made them; credits move between an agency and its clients."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import billing.ledger.models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0004_team"),
        ("billing", "0003_organisations"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="CreditTransfer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "public_id",
                    models.CharField(
                        default=billing.ledger.models.new_transfer_id, editable=False, max_length=40, unique=True
                    ),
                ),
                (
                    "direction",
                    models.CharField(choices=[("to_client", "To Client"), ("to_agency", "To Agency")], max_length=9),
                ),
                ("credits", models.PositiveBigIntegerField()),
                ("key", models.CharField(max_length=80)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            ],
        ),
        migrations.AddField(
            model_name="credithold",
            name="member",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                help_text="Who was signed in; nobody for calls with keys.",
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="creditlot",
            name="source",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                help_text="Whose it was.",
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="moved_lots",
                to="billing.creditlot",
            ),
        ),
        migrations.AlterField(
            model_name="creditentry",
            name="kind",
            field=models.CharField(
                choices=[
                    ("grant", "Grant"),
                    ("hold", "Hold"),
                    ("release", "Release"),
                    ("expire", "Expire"),
                    ("clawback", "Claw Back"),
                    ("freeze", "Freeze"),
                    ("thaw", "Thaw"),
                    ("transfer", "Transfer"),
                ],
                max_length=8,
            ),
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
                    ("transfer", "Transfer"),
                ],
                max_length=8,
            ),
        ),
        migrations.AddIndex(
            model_name="credithold",
            index=models.Index(
                condition=models.Q(("member__isnull", False)),
                fields=["member", "organisation", "closed_at"],
                name="credit_hold_of_member",
            ),
        ),
        migrations.AddIndex(
            model_name="creditlot",
            index=models.Index(
                condition=models.Q(("source__isnull", False)), fields=["source"], name="credit_lot_source"
            ),
        ),
        migrations.AddField(
            model_name="credittransfer",
            name="agency",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="credits_given",
                to="accounts.organisation",
            ),
        ),
        migrations.AddField(
            model_name="credittransfer",
            name="client",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="credits_received",
                to="accounts.organisation",
            ),
        ),
        migrations.AddIndex(
            model_name="credittransfer",
            index=models.Index(fields=["client", "-id"], name="credit_transfer_of_client"),
        ),
        migrations.AddConstraint(
            model_name="credittransfer",
            constraint=models.UniqueConstraint(fields=("client", "key"), name="credit_transfer_once"),
        ),
    ]
