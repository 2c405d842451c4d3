"""Migrations are complete and safe to roll out."""

from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.db import IntegrityError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations import AddField, AlterField, CreateModel
from django.db.migrations.recorder import MigrationRecorder
from django_migration_linter import MigrationLinter

from emailcheck.common.storage import schema_age

pytestmark = pytest.mark.postgres

BUILT_BESIDE = ("0004_member_caps_and_transfers", "0005_subscriptions_by_plan")
OURS = ["common", "accounts", "billing", "validation", "crm", "quotes", "adminpanel", "monitoring"]


@pytest.mark.django_db
def test_no_model_lacks_a_migration() -> None:
    call_command("makemigrations", "--check", "--dry-run", verbosity=0)
    assert set(OURS) <= {name.rpartition(".")[2] for name in settings.INSTALLED_APPS}


@pytest.mark.django_db(transaction=True)
def test_no_migration_breaks_a_running_version() -> None:
    """First migrations break nothing: there is no version before them."""
    anew_on_sqlite = ["ADD_UNIQUE"] if connection.vendor == "sqlite" else []  # a partial index that was there before
    linter = MigrationLinter(
        str(settings.BASE_DIR),
        include_apps=OURS,
        no_cache=True,
        ignore_initial_migrations=True,
        exclude_migration_tests=[
            "NOT_NULL",
            *anew_on_sqlite,
        ],  # SQLite's finds it in every table that is built anew: see below
        quiet=["ok", "ignore", "warning"],
    )
    linter.lint_all_migrations()
    assert (linter.nb_total > 0, linter.nb_erroneous) == (True, 0)


@pytest.mark.django_db
def test_a_database_of_an_earlier_edition_is_refused_and_left_as_it_is() -> None:
    recorder = MigrationRecorder(connection)
    recorder.record_applied("billing", "0002_credited_mailboxes")
    before = recorder.applied_migrations()
    with pytest.raises(SystemCheckError, match=r"(?s)earlier edition of EmailCheck.*make clean-data"):
        call_command("migrate", interactive=False, verbosity=0, skip_checks=False)
    assert recorder.applied_migrations() == before
    recorder.record_unapplied("billing", "0002_credited_mailboxes")
    recorder.record_applied("billing", "9999_of_a_newer_version")  # during a rolling upgrade, and after a way back
    assert schema_age.check_schema_age(["default"]) == []


@pytest.mark.spec("ORG-001")
@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite builds an index whole or not at all")
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("alice", "bob")
@pytest.mark.parametrize("times", [1, 2])
def test_an_index_whose_building_was_cut_off_is_built_anew(times: int) -> None:
    """A unique one over equal plans fails at its end, and stays behind as one that is cut off by a lost power does."""
    loader = MigrationLoader(None)
    before, after = (loader.project_state(("billing", name)) for name in BUILT_BESIDE)
    operation = loader.disk_migrations["billing", BUILT_BESIDE[1]].operations[0]
    with connection.cursor() as cursor:
        cursor.execute("DROP INDEX subscription_plan")
        with pytest.raises(IntegrityError):
            cursor.execute("CREATE UNIQUE INDEX CONCURRENTLY subscription_plan ON billing_subscription (plan)")
        for _ in range(times):
            with connection.schema_editor(atomic=False) as editor:
                operation.database_forwards("billing", editor, before, after)
        cursor.execute("SELECT indisvalid, indisunique FROM pg_index WHERE indexrelid = 'subscription_plan'::regclass")
        assert cursor.fetchall() == [(True, False)]


def test_a_running_version_may_leave_new_columns_out() -> None:
    """It writes rows without them: they are null, or the database itself knows their default."""
    loader = MigrationLoader(None)
    required = []
    for (app, name), migration in loader.disk_migrations.items():
        made = {operation.name_lower for operation in migration.operations if isinstance(operation, CreateModel)}
        for operation in migration.operations:
            if (
                not isinstance(operation, AddField | AlterField)
                or app not in OURS
                or operation.model_name_lower in made
            ):
                continue
            field = operation.field
            was_required = isinstance(operation, AlterField) and not _before(loader, app, name, operation).null
            if not (field.null or field.has_db_default() or was_required):
                required.append(f"{app}.{name}: {operation.model_name}.{operation.name}")
    assert required == []


def _before(loader: MigrationLoader, app: str, name: str, operation: AlterField) -> Any:
    state = loader.project_state((app, name), at_end=False)
    return state.models[app, operation.model_name_lower].fields[operation.name]
