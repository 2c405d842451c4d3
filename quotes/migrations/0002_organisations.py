"""Rows belong to organisations, by the column that named the account, which has the same number."""

from django.db import migrations, models

from emailcheck.common.storage.migration_steps import MoveForeignKey


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("accounts", "0003_keys_of_organisations"), ("quotes", "0001_initial")]

    operations = [
        MoveForeignKey(
            "quoterequest",
            "user",
            "organisation",
            models.ForeignKey(
                db_column="user_id", on_delete=models.CASCADE, related_name="quote_requests", to="accounts.organisation"
            ),
        ),
        MoveForeignKey(
            "quote",
            "user",
            "organisation",
            models.ForeignKey(
                blank=True,
                db_column="user_id",
                null=True,
                on_delete=models.SET_NULL,
                related_name="quotes",
                to="accounts.organisation",
            ),
        ),
    ]
