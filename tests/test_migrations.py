"""Migrations are complete and safe to roll out."""

from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.db import IntegrityError, connection, models
from django.db.migrations import Migration
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations import (
    AddConstraint,
    AddField,
    AddIndex,
    AlterField,
    CreateModel,
    DeleteModel,
    RemoveField,
    RenameField,
    RenameModel,
)
from django.db.migrations.recorder import MigrationRecorder
from django_migration_linter import MigrationLinter
from django_migration_linter.sql_analyser.analyser import analyse_sql_statements
from django_migration_linter.sql_analyser.postgresql import PostgresqlAnalyser

from emailcheck.common.storage import schema_age
from tests.released_schema import read_release

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
    linter = build_linter()
    linter.lint_all_migrations()
    later = [one for (app, _), one in MigrationLoader(None).disk_migrations.items() if app in OURS and not one.initial]
    assert (linter.nb_valid + linter.nb_warnings, linter.nb_erroneous) == (len(later), 0)
    assert len(later) > 25


@pytest.mark.spec("SCA-024")
@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time")
@pytest.mark.django_db(transaction=True)
def test_no_migration_since_the_release_keeps_its_writers_waiting() -> None:
    """Indexes are built beside them (`AddIndexBeside`)."""
    released = read_release()["migrations"]
    linter = build_linter(warnings_as_errors_tests=["CREATE_INDEX", "CREATE_INDEX_EXCLUSIVE", "DROP_INDEX", "REINDEX"])
    for (app, name), migration in MigrationLoader(None).disk_migrations.items():
        if app in OURS and f"{app}.{name}" not in released:
            linter.lint_migration(migration)
    assert linter.nb_erroneous == 0


def build_linter(**options: Any) -> MigrationLinter:
    """It reads the statements of this database. SQLite builds a table anew for each change, with what was there."""
    anew_on_sqlite = ["NOT_NULL", "ADD_UNIQUE"] if connection.vendor == "sqlite" else []
    return MigrationLinter(
        str(settings.BASE_DIR),
        include_apps=OURS,
        no_cache=True,
        ignore_initial_migrations=True,
        exclude_migration_tests=anew_on_sqlite,
        quiet=["ok", "ignore", "warning"],
        **options,
    )


TOO_EARLY = {
    "DROP_COLUMN": RemoveField("outgoingmail", "sealed"),
    "RENAME_COLUMN": RenameField("outgoingmail", "name", "kind"),
    "ALTER_COLUMN": AlterField("outgoingmail", "attempts", models.BigIntegerField(default=0, db_default=0)),
    "NOT_NULL": AddField("outgoingmail", "kind", models.CharField(max_length=9, default="")),
    "DROP_TABLE": DeleteModel("outgoingmail"),
    "RENAME_TABLE": RenameModel("outgoingmail", "mail"),
    "ADD_UNIQUE": AddConstraint("outgoingmail", models.UniqueConstraint(fields=["name"], name="one_of_a_name")),
    "CREATE_INDEX": AddIndex("outgoingmail", models.Index(fields=["name"], name="by_name")),
    "": AddField("outgoingmail", "kind", models.CharField(max_length=9, default="", db_default="")),
}


@pytest.mark.spec("SCA-024")
@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite builds the table anew")
@pytest.mark.django_db
@pytest.mark.parametrize("code", TOO_EARLY)
def test_the_linter_refuses_what_contracts_too_early(code: str) -> None:
    migration = type("TooEarly", (Migration,), {"operations": [TOO_EARLY[code]]})("0099_too_early", "common")
    with connection.schema_editor(collect_sql=True) as editor:
        migration.apply(MigrationLoader(None).project_state(), editor, collect_sql=True)
    errors, _, warnings = analyse_sql_statements(PostgresqlAnalyser, editor.collected_sql)
    assert {issue.code for issue in [*errors, *warnings]} == ({code} if code else set())


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
