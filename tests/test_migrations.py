"""Migrations are complete and safe to roll out."""

import pytest
from django.conf import settings
from django.core.management import call_command
from django_migration_linter import MigrationLinter

OURS = ["common", "accounts", "billing", "validation", "crm", "quotes", "adminpanel"]


@pytest.mark.django_db
def test_no_model_lacks_a_migration() -> None:
    call_command("makemigrations", "--check", "--dry-run", verbosity=0)
    assert set(OURS) <= {name.rpartition(".")[2] for name in settings.INSTALLED_APPS}


@pytest.mark.django_db(transaction=True)
def test_no_migration_breaks_a_running_version() -> None:
    """First migrations break nothing: there is no version before them."""
    linter = MigrationLinter(
        str(settings.BASE_DIR),
        include_apps=OURS,
        no_cache=True,
        ignore_initial_migrations=True,
        quiet=["ok", "ignore", "warning"],
    )
    linter.lint_all_migrations()
    assert (linter.nb_total > 0, linter.nb_erroneous) == (True, 0)
