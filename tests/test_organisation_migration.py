"""A database of accounts becomes one of organisations, and nothing in it changes (ORG-001)."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from django.conf import settings
from django.db import connection

pytestmark = pytest.mark.postgres
OWN_DATABASE = "before_organisations"


def migrate_old_database(url: str, directory: Path) -> dict[str, Any]:
    env = os.environ | {
        "DATABASE_URL": url, "VAR_DIR": str(directory), "DJANGO_SETTINGS_MODULE": "emailcheck.settings",
    }  # fmt: skip
    command = [sys.executable, "-m", "tests.from_accounts"]
    ran = subprocess.run(command, cwd=settings.BASE_DIR, env=env, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    found: dict[str, Any] = json.loads(ran.stdout)
    return found


@pytest.fixture
def own_database(db: None, tmp_path: Path) -> Any:
    """The address of an empty database."""
    if connection.vendor == "sqlite":
        yield f"sqlite:///{tmp_path / 'old.sqlite3'}"
        return

    url = urlsplit(os.environ["DATABASE_URL"])
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as server:
        server.execute(f"CREATE DATABASE {OWN_DATABASE} TEMPLATE template0")
        yield urlunsplit(url._replace(path=f"/{OWN_DATABASE}"))
        server.execute(f"DROP DATABASE {OWN_DATABASE} WITH (FORCE)")


@pytest.mark.spec("ORG-001", "ORG-002")
def test_no_row_changes_and_every_account_has_its_organisation(own_database: str, tmp_path: Path) -> None:
    found = migrate_old_database(own_database, tmp_path)
    assert found["differ"] == []
    assert (len(found["tables"]) > 45, min(found["tables"].values()) >= 3) == (True, True)
    assert found["organisations"] == found["people"] > 100
    assert found["makers"] == {table: found["tables"][table] for table in found["makers"]}
    assert sorted(found["makers"]) == ["accounts_apikey", "validation_batch", "validation_webhook"]
    if connection.vendor == "postgresql":
        assert (found["unchecked"], found["late"]) == (0, ["Elm", "1 Quay", 7, "owner"])
