"""Every account gets an organisation of one, which has the account's number.

All or nothing; the next migration fills them, in slices while others read and write. On PostgreSQL, until no version runs that does not know organisations, triggers
make the organisation of an account that such a version makes, and carry over the settings that it keeps with the account.
"""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.db import connections, migrations, models
from django.utils import timezone

import accounts.organisations.models
import accounts.organisations.roles

_SLICE = 1_000
_NEW_ID = {
    "sqlite": "'org_' || lower(hex(randomblob(12)))",
    "postgresql": "'org_' || substr(md5(random()::text || clock_timestamp()::text || {number}), 1, 24)",
}
_COLUMNS = (
    "id, public_id, holder_id, company, address, vat_id, is_active, uploads_days, results_days, use_providers, "
    "created_at, deleted_at"
)
_SETTINGS = (
    "company", "address", "vat_id", "uploads_days", "results_days", "use_providers", "is_active", "deleted_at"
)  # fmt: skip


def _select_organisation(vendor: str, row: str) -> str:
    """The columns of an account's organisation, from a row of the accounts."""
    new_id = _NEW_ID[vendor].format(number=f"{row}.id")
    same = ", ".join(f"{row}.{column}" for column in _COLUMNS.split(", ")[3:])
    return f"{row}.id, {new_id}, {row}.id, {same}"


def _select_membership(row: str) -> str:
    return f"{row}.id, {row}.id, 'owner', {row}.created_at"


def _insert(into: str, selected: str, tail: str = "") -> str:
    return f"INSERT INTO {into} SELECT {selected} {tail} ON CONFLICT DO NOTHING"


_ORGANISATION = f"accounts_organisation ({_COLUMNS})"
_MEMBERSHIP = "accounts_membership (organisation_id, user_id, role, created_at)"


def make_organisations(apps: Any, schema_editor: Any) -> None:
    """Of all accounts, a thousand at a time, and note who made keys and where things happened."""
    connection = connections[schema_editor.connection.alias]
    with connection.cursor() as cursor:
        cursor.execute("SELECT COALESCE(MAX(id), 0) FROM accounts_user")
        for first in range(0, cursor.fetchone()[0] + 1, _SLICE):
            tail = f"FROM accounts_user u WHERE u.id BETWEEN {first} AND {first + _SLICE - 1}"
            cursor.execute(_insert(_ORGANISATION, _select_organisation(connection.vendor, "u"), tail))
            cursor.execute(_insert(_MEMBERSHIP, _select_membership("u"), tail))
        for table, columns, which in (
            ("accounts_apikey", "maker_id = user_id", "maker_id IS NULL"),
            ("accounts_activity", "organisation_id = user_id", "organisation_id IS NULL AND kind <> 'sign_in'"),
        ):
            cursor.execute(f"SELECT COALESCE(MAX(id), 0) FROM {table}")
            for first in range(0, cursor.fetchone()[0] + 1, _SLICE):
                rows = f"id BETWEEN {first} AND {first + _SLICE - 1}"
                cursor.execute(f"UPDATE {table} SET {columns} WHERE {rows} AND user_id IS NOT NULL AND {which}")


def add_triggers(apps: Any, schema_editor: Any) -> None:
    """For versions that do not know organisations; on SQLite none runs beside this one."""
    made = (
        _insert(_ORGANISATION, _select_organisation("postgresql", "NEW")),
        _insert(_MEMBERSHIP, _select_membership("NEW")),
    )
    alone = (
        "NOT EXISTS (SELECT 1 FROM accounts_membership m WHERE m.organisation_id = NEW.id AND m.role = 'owner' "
        "AND m.user_id <> NEW.id)"
    )
    values = ", ".join(
        f"{column} = CASE WHEN NEW.{column} IS DISTINCT FROM OLD.{column} THEN NEW.{column} ELSE {column} END"
        for column in _SETTINGS
    )
    changed = (f"UPDATE accounts_organisation SET {values} WHERE id = NEW.id AND holder_id = NEW.id AND {alone}",)
    create_trigger(schema_editor, "organisation_of_account", "INSERT ON accounts_user", made)
    on = f"UPDATE OF {', '.join(_SETTINGS)} ON accounts_user"
    create_trigger(schema_editor, "settings_of_account", on, changed)


def create_trigger(schema_editor: Any, name: str, on: str, statements: Sequence[str]) -> None:
    """Run statements after every row of an event, such as `INSERT ON accounts_user`, on PostgreSQL."""
    if schema_editor.connection.vendor != "postgresql":
        return
    body = "; ".join(statements) + ";"
    schema_editor.execute(
        f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {body} RETURN NULL; END $$"
    )
    schema_editor.execute(f"CREATE OR REPLACE TRIGGER {name} AFTER {on} FOR EACH ROW EXECUTE FUNCTION {name}()")


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="Organisation",
            fields=[
                (
                    "id",
                    models.BigIntegerField(
                        default=accounts.organisations.models.new_number,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                (
                    "public_id",
                    models.CharField(
                        default=accounts.organisations.models.new_organisation_id,
                        editable=False,
                        max_length=40,
                        unique=True,
                    ),
                ),
                (
                    "name",
                    models.CharField(
                        blank=True,
                        db_default="",
                        default="",
                        help_text="Empty: that of the company or holder.",
                        max_length=100,
                    ),
                ),
                ("company", models.CharField(blank=True, db_default="", default="", max_length=255)),
                ("address", models.CharField(blank=True, db_default="", default="", max_length=500)),
                (
                    "vat_id",
                    models.CharField(blank=True, db_default="", default="", max_length=30, verbose_name="VAT id"),
                ),
                (
                    "billing_email",
                    models.EmailField(
                        blank=True,
                        db_default="",
                        default="",
                        help_text="Gets invoices; empty: the holder.",
                        max_length=254,
                    ),
                ),
                (
                    "purchase_order",
                    models.CharField(
                        blank=True, db_default="", default="", max_length=50, verbose_name="purchase order number"
                    ),
                ),
                (
                    "is_active",
                    models.BooleanField(db_default=True, default=True, help_text="Off: it is suspended."),
                ),
                (
                    "uploads_days",
                    models.PositiveSmallIntegerField(
                        choices=accounts.organisations.models.RetentionDays.choices, db_default=30, default=30
                    ),
                ),
                (
                    "results_days",
                    models.PositiveSmallIntegerField(
                        choices=accounts.organisations.models.RetentionDays.choices, db_default=365, default=365
                    ),
                ),
                (
                    "use_providers",
                    models.BooleanField(
                        db_default=True, default=True, help_text="Off: no address is sent to outside providers."
                    ),
                ),
                ("created_at", models.DateTimeField(default=timezone.now, editable=False)),
                ("deleted_at", models.DateTimeField(blank=True, null=True)),
                (
                    "holder",
                    models.OneToOneField(
                        blank=True,
                        help_text="The owner to whom staff count its plan and credits, and whom mails about it greet.",
                        null=True,
                        on_delete=models.SET_NULL,
                        related_name="own_organisation",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Membership",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "role",
                    models.CharField(choices=accounts.organisations.roles.OrganisationRole.choices, max_length=10),
                ),
                ("created_at", models.DateTimeField(default=timezone.now, editable=False)),
                (
                    "organisation",
                    models.ForeignKey(on_delete=models.CASCADE, related_name="memberships", to="accounts.organisation"),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=models.CASCADE, related_name="memberships", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={"constraints": [models.UniqueConstraint(fields=("user", "organisation"), name="membership_once")]},
        ),
        migrations.AddField(
            model_name="user",
            name="current_organisation",
            field=models.ForeignKey(
                blank=True,
                help_text="In which they last worked; none: their own.",
                null=True,
                on_delete=models.SET_NULL,
                related_name="+",
                to="accounts.organisation",
            ),
        ),
        migrations.AddField(
            model_name="apikey",
            name="maker",
            field=models.ForeignKey(
                blank=True, null=True, on_delete=models.SET_NULL, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="activity",
            name="organisation",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=models.SET_NULL,
                db_constraint=False,
                db_index=False,
                related_name="activity",
                to="accounts.organisation",
            ),
        ),
        migrations.AddField(
            model_name="activity",
            name="role",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                help_text="As what in the organisation; none: by itself.",
                max_length=10,
            ),
        ),
        migrations.AlterField(
            model_name="activity",
            name="user",
            field=models.ForeignKey(
                help_text="Who did it, or on whose account it was.",
                null=True,
                on_delete=models.SET_NULL,
                related_name="activity",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AlterField(
            model_name="user", name="company", field=models.CharField(blank=True, db_default="", max_length=255)
        ),
        migrations.RunPython(add_triggers, elidable=False),
    ]
