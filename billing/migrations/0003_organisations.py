"""Rows belong to organisations, by the column that named the account, which has the same number."""

from django.db import migrations, models

from emailcheck.common.storage.migration_steps import MoveForeignKey


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("accounts", "0003_keys_of_organisations"), ("billing", "0002_leases")]

    operations = [
        MoveForeignKey(
            "purchase",
            "user",
            "organisation",
            models.ForeignKey(
                db_column="user_id", on_delete=models.CASCADE, related_name="purchases", to="accounts.organisation"
            ),
        ),
        MoveForeignKey(
            "agreement",
            "user",
            "organisation",
            models.ForeignKey(
                db_column="user_id",
                null=True,
                on_delete=models.SET_NULL,
                related_name="agreements",
                to="accounts.organisation",
            ),
        ),
        MoveForeignKey(
            "payment",
            "user",
            "organisation",
            models.ForeignKey(
                db_column="user_id",
                null=True,
                on_delete=models.SET_NULL,
                related_name="payments",
                to="accounts.organisation",
            ),
        ),
        MoveForeignKey(
            "paymentmethod",
            "user",
            "organisation",
            models.ForeignKey(
                db_column="user_id",
                on_delete=models.CASCADE,
                related_name="payment_methods",
                to="accounts.organisation",
            ),
        ),
        MoveForeignKey(
            "invoice",
            "user",
            "organisation",
            models.ForeignKey(
                db_column="user_id",
                null=True,
                on_delete=models.SET_NULL,
                related_name="invoices",
                to="accounts.organisation",
            ),
        ),
        MoveForeignKey(
            "creditaccount",
            "user",
            "organisation",
            models.OneToOneField(
                db_column="user_id",
                on_delete=models.CASCADE,
                primary_key=True,
                related_name="credit_account",
                serialize=False,
                to="accounts.organisation",
            ),
        ),
        MoveForeignKey(
            "creditlot",
            "user",
            "organisation",
            models.ForeignKey(
                db_column="user_id", on_delete=models.CASCADE, related_name="credit_lots", to="accounts.organisation"
            ),
        ),
        MoveForeignKey(
            "credithold",
            "user",
            "organisation",
            models.ForeignKey(
                db_column="user_id",
                db_index=False,
                on_delete=models.CASCADE,
                related_name="credit_holds",
                to="accounts.organisation",
            ),
        ),
        MoveForeignKey(
            "clawback",
            "user",
            "organisation",
            models.ForeignKey(
                db_column="user_id", on_delete=models.CASCADE, related_name="clawbacks", to="accounts.organisation"
            ),
        ),
        MoveForeignKey(
            "creditadjustment",
            "user",
            "organisation",
            models.ForeignKey(
                db_column="user_id",
                on_delete=models.CASCADE,
                related_name="credit_adjustments",
                to="accounts.organisation",
            ),
        ),
        MoveForeignKey(
            "creditentry",
            "user",
            "organisation",
            models.ForeignKey(
                db_column="user_id",
                db_index=False,
                on_delete=models.CASCADE,
                related_name="credit_entries",
                to="accounts.organisation",
            ),
        ),
        MoveForeignKey(
            "creditedmailbox",
            "user_id",
            "organisation_id",
            models.BigIntegerField(blank=True, db_column="user_id", null=True),
        ),
        MoveForeignKey(
            "creditmonth",
            "user",
            "organisation",
            models.ForeignKey(
                db_column="user_id", on_delete=models.CASCADE, related_name="credit_months", to="accounts.organisation"
            ),
        ),
        MoveForeignKey(
            "usagealerts",
            "user",
            "organisation",
            models.OneToOneField(
                db_column="user_id",
                on_delete=models.CASCADE,
                primary_key=True,
                related_name="usage_alerts",
                serialize=False,
                to="accounts.organisation",
            ),
        ),
        MoveForeignKey(
            "referralcode",
            "user",
            "organisation",
            models.OneToOneField(
                db_column="user_id",
                on_delete=models.CASCADE,
                primary_key=True,
                related_name="referral_code",
                serialize=False,
                to="accounts.organisation",
            ),
        ),
        MoveForeignKey(
            "referral",
            "referrer",
            "referrer",
            models.ForeignKey(on_delete=models.CASCADE, related_name="referrals", to="accounts.organisation"),
        ),
        MoveForeignKey(
            "referral",
            "friend",
            "friend",
            models.OneToOneField(on_delete=models.CASCADE, related_name="referred_by", to="accounts.organisation"),
        ),
        MoveForeignKey(
            "subscription",
            "user",
            "organisation",
            models.OneToOneField(
                db_column="user_id", on_delete=models.CASCADE, related_name="subscription", to="accounts.organisation"
            ),
        ),
        MoveForeignKey(
            "pause",
            "user",
            "organisation",
            models.ForeignKey(
                db_column="user_id", on_delete=models.CASCADE, related_name="pauses", to="accounts.organisation"
            ),
        ),
    ]
