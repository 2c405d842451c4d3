"""Rows belong to organisations, by the column that named the account, which has the same number."""

from django.db import migrations, models

from emailcheck.common.storage.migration_steps import MoveForeignKey


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("accounts", "0003_keys_of_organisations"), ("validation", "0004_latest_replies")]

    operations = [
        # Each step may run again, so that a migration that was cut off goes on.
        MoveForeignKey(
            "day",
            "user",
            "organisation",
            models.ForeignKey(
                db_column="user_id",
                db_index=False,
                on_delete=models.CASCADE,
                related_name="days",
                to="accounts.organisation",
            ),
        ),
        MoveForeignKey(
            "batch",
            "user",
            "organisation",
            models.ForeignKey(
                db_column="user_id", on_delete=models.CASCADE, related_name="batches", to="accounts.organisation"
            ),
        ),
        MoveForeignKey(
            "upload",
            "user",
            "organisation",
            models.ForeignKey(
                db_column="user_id", on_delete=models.CASCADE, related_name="uploads", to="accounts.organisation"
            ),
        ),
        MoveForeignKey(
            "providermonth",
            "user",
            "organisation",
            models.ForeignKey(
                db_column="user_id",
                db_index=False,
                on_delete=models.CASCADE,
                related_name="+",
                to="accounts.organisation",
            ),
        ),
        MoveForeignKey(
            "question",
            "user",
            "organisation",
            models.ForeignKey(
                db_column="user_id", on_delete=models.CASCADE, related_name="+", to="accounts.organisation"
            ),
        ),
        MoveForeignKey(
            "result",
            "user",
            "organisation",
            models.ForeignKey(
                db_column="user_id",
                db_index=False,
                null=True,
                on_delete=models.CASCADE,
                related_name="results",
                to="accounts.organisation",
            ),
        ),
        MoveForeignKey(
            "webhook",
            "user",
            "organisation",
            models.ForeignKey(
                db_column="user_id", on_delete=models.CASCADE, related_name="webhooks", to="accounts.organisation"
            ),
        ),
    ]
