from typing import Any

from django.db import migrations, models
from django.db.models import F

REASONS = {
    "Failed to create PayPal payment": "not_made",
    "The payment was not approved at PayPal in time. Nothing was charged.": "not_approved",
    "PayPal declined the payment. Nothing was charged. Please choose another way to pay.": "declined",
    "The payment was given back.": "given_back",
    "This payment does not match what was ordered. Please contact support if you were charged.": "mismatch",
    "Your plan had changed, or begun, before this payment. What was paid is being given back.": "superseded",
}


def sentences_become_reasons(apps: Any, schema_editor: Any) -> None:
    purchases = apps.get_model("billing", "Purchase").objects
    for sentence, reason in REASONS.items():
        purchases.filter(problem=sentence, reason="").update(reason=reason)


def reasons_become_sentences(apps: Any, schema_editor: Any) -> None:
    purchases = apps.get_model("billing", "Purchase").objects
    for sentence, reason in REASONS.items():
        purchases.filter(reason=reason).update(problem=sentence)


def pending_payments_are_held_back(apps: Any, schema_editor: Any) -> None:
    payments = apps.get_model("billing", "Payment").objects
    payments.filter(state="pending", held_at=None).update(held_at=F("created_at"))


class Migration(migrations.Migration):
    dependencies = [
        ("billing", "0020_frozen_actors"),
    ]

    operations = [
        migrations.AddField(
            model_name="payment",
            name="held_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="purchase",
            name="reason",
            field=models.CharField(
                blank=True,
                choices=[
                    ("not_made", "the provider has no order of it"),
                    ("not_approved", "it was not approved in time"),
                    ("declined", "the provider declined the payment at once"),
                    ("denied", "the provider held the payment back, and then declined it"),
                    ("lapsed", "the provider held the payment back, and knows no more of it"),
                    ("mismatch", "the payment is not what was ordered"),
                    ("superseded", "it was paid, and could bring nothing any more"),
                    ("given_back", "the payment was given back"),
                ],
                db_default="",
                default="",
                help_text="Why it came to nothing.",
                max_length=12,
            ),
        ),
        migrations.AlterField(
            model_name="payment",
            name="state",
            field=models.CharField(
                choices=[
                    ("pending", "Pending"),
                    ("completed", "Completed"),
                    ("declined", "Declined"),
                    ("lapsed", "Lapsed"),
                    ("refunded", "Refunded"),
                    ("reversed", "Reversed"),
                ],
                max_length=10,
            ),
        ),
        # The version after this one leaves it out.
        migrations.AlterField(
            model_name="purchase",
            name="problem",
            field=models.CharField(
                blank=True, db_default="", help_text="Why it failed, in words for the customer.", max_length=200
            ),
        ),
        migrations.RunPython(sentences_become_reasons, reasons_become_sentences, elidable=False),
        migrations.RunPython(pending_payments_are_held_back, migrations.RunPython.noop, elidable=False),
    ]
