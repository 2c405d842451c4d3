"""A backup becomes an installation of its own, in which everything adds up."""

import io
import os
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg
import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.db import connection
from psycopg import sql

from adminpanel import tasks
from adminpanel.backups import services as backups
from adminpanel.jobs.models import Job
from adminpanel.monitoring.routines.models import RoutineResult
from billing.ledger.models import CreditAccount
from conftest import make_user
from emailcheck.common.testing import list_files
from tests.stack import wait_until
from validation.batches import services as batches
from validation.batches.models import BatchType
from validation.batches.uploads import drafts

LISTED = [f"person{number}@harborquill.com" for number in range(120)]


@pytest.fixture
def own_machine(settings: Any, tmp_path: Path) -> None:
    """What is left behind is not another test's."""
    settings.VAR_DIR = tmp_path / "machine"
    settings.VAR_DIR.mkdir()


@pytest.fixture
def backup(transactional_db: None, own_machine: None) -> Path:
    """Of an installation with a running list, held credits and an uploaded file."""
    alice = make_user("alice@alder.com", "Alice Alder", credits=500)
    batches.start_list(organisation=alice.own_organisation, lines=LISTED, batch_type=BatchType.BULK_TEXTAREA)
    upload = SimpleUploadedFile("a.csv", b"email\nanna@x.com\n")
    drafts.inspect_upload(organisation=alice.own_organisation, upload=upload, choices=drafts.UploadChoices())
    job = backups.start_backup(staff=None)
    tasks.run_job(job.pk)
    job.refresh_from_db()
    assert (job.status, job.error) == ("completed", "")
    return Path(settings.BACKUP_DIR / job.file)


@dataclass(frozen=True)
class Target:
    """Where to restore, and the environment of what is made there."""

    into: Path
    database: str
    environment: dict[str, str]

    def manage(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        """Run a management command there."""
        command = [sys.executable, "manage.py", *arguments]
        environment = os.environ | self.environment
        return subprocess.run(
            command, check=False, cwd=settings.BASE_DIR, env=environment, capture_output=True, text=True
        )


@pytest.fixture
def target(tmp_path: Path) -> Iterator[Target]:
    into = tmp_path / "restored"
    if connection.vendor == "sqlite":
        yield Target(into, "", {"VAR_DIR": str(into)})
        return
    where = connection.settings_dict
    address = f"postgresql://{where['USER']}@{quote(where['HOST'], safe='')}:{where['PORT']}"
    mine = sql.Identifier(f"{where['NAME']}_restored")  # tests run in several processes
    database = f"{address}/{where['NAME']}_restored"
    with psycopg.connect(f"{address}/postgres", autocommit=True) as server:
        server.execute(sql.SQL("CREATE DATABASE {}").format(mine))
        yield Target(into, database, {"VAR_DIR": str(into), "DATABASE_URL": database})
        server.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(mine))


COUNTS = """
from accounts.users.models import User
from adminpanel.jobs.models import Job
from billing.ledger.models import CreditAccount, CreditHold
from validation.batches.chunks.models import Chunk
from validation.batches.models import Batch
account = CreditAccount.objects.get()
print(User.objects.get().email, account.balance, account.held, CreditHold.objects.count(), Batch.objects.get().status,
      Chunk.objects.get().size, Job.objects.count())
"""


@pytest.mark.spec("MON-040")
def test_what_is_restored_is_what_was_there_and_adds_up(backup: Path, target: Target) -> None:
    out = StringIO()
    call_command("restore_backup", str(backup), into=target.into, database=target.database, stdout=out)
    assert "with 2 uploaded files" in out.getvalue()
    assert "manage.py reconcile" in out.getvalue()
    assert target.manage("shell", "-v0", "-c", COUNTS).stdout.split() == [
        "alice@alder.com", "480", "120", "1", "queued", "120", "0",
    ]  # fmt: skip
    checked = target.manage("reconcile")
    assert (checked.stdout.strip(), checked.returncode) == ("0 differences, 1 not known", 0)  # no PayPal
    assert target.manage("migrate", "--check").returncode == 0
    media = {path.relative_to(settings.MEDIA_ROOT): path.read_bytes() for path in list_files(settings.MEDIA_ROOT)}
    found = {path.relative_to(target.into / "media"): path.read_bytes() for path in list_files(target.into / "media")}
    assert (len(media), found) == (2, media)


@pytest.mark.spec("MON-040")
def test_nothing_is_replaced(backup: Path, target: Target) -> None:
    target.into.mkdir()
    (target.into / "mine").write_text("kept")
    with pytest.raises(CommandError, match="is not empty"):
        call_command("restore_backup", str(backup), into=target.into, database=target.database)
    assert [path.name for path in target.into.iterdir()] == ["mine"]
    (target.into / "mine").unlink()
    call_command("restore_backup", str(backup), into=target.into, database=target.database)
    again = target.into.with_name("again")
    wrong_database = target.database or "postgresql://localhost/x"
    with pytest.raises(CommandError, match=r"not empty|leave --database out"):
        call_command("restore_backup", str(backup), into=again, database=wrong_database)
    assert not again.exists()


@pytest.mark.spec("MON-040")
@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda kept: kept.__setitem__("database", b"something else"), "is damaged"),
        (lambda kept: kept.__setitem__("manifest.json", b'{"format": 9}'), "has the format 9"),
        (lambda kept: kept.pop("manifest.json"), "cannot be read as a backup"),
    ],
)
def test_what_is_no_whole_backup_is_refused(
    backup: Path, target: Target, tmp_path: Path, change: Any, complaint: str
) -> None:
    kept = contents(backup)
    change(kept)
    with tarfile.open(tmp_path / "changed.tar.gz", "w:gz") as archive:
        for name, octets in kept.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(octets)
            archive.addfile(entry, io.BytesIO(octets))
    for file in (tmp_path / "changed.tar.gz", tmp_path / "absent.tar.gz"):
        with pytest.raises(CommandError, match=complaint if file.exists() else "cannot be read as a backup"):
            call_command("restore_backup", str(file), into=target.into, database=target.database)
    assert not target.into.exists()


@pytest.mark.spec("MON-040")
@pytest.mark.parametrize(
    ("name", "kind"),
    [("../outside", tarfile.REGTYPE), ("/srv/outside", tarfile.REGTYPE), ("media/link", tarfile.SYMTYPE)],
)
def test_what_would_be_written_elsewhere_is_refused(
    backup: Path, target: Target, tmp_path: Path, name: str, kind: bytes
) -> None:
    with tarfile.open(tmp_path / "changed.tar.gz", "w:gz") as archive:
        entry = tarfile.TarInfo(name)
        entry.type, entry.linkname = kind, str(tmp_path)
        archive.addfile(entry)
    before = list_files(tmp_path)
    with pytest.raises(CommandError, match=f"cannot be read as a backup: {name} is no file of a backup"):
        call_command("restore_backup", str(tmp_path / "changed.tar.gz"), into=target.into, database=target.database)
    assert (list_files(tmp_path), target.into.exists()) == (before, False)


def find_server() -> str:
    """Where databases may be made; empty for SQLite."""
    where = connection.settings_dict
    if connection.vendor == "sqlite":
        return ""
    return f"postgresql://{where['USER']}@{quote(where['HOST'], safe='')}:{where['PORT']}/postgres"


def assert_nothing_is_left(before: set[str]) -> None:
    """Of this machine's; databases of others that try the same at the same time go too."""
    assert sorted(settings.VAR_DIR.iterdir()) == []
    wait_until(lambda: list_databases() <= before, 60)


def list_databases() -> set[str]:
    if connection.vendor == "sqlite":
        return set()
    with connection.cursor() as cursor:
        cursor.execute("SELECT datname FROM pg_database WHERE datname LIKE 'restore_test_%'")
        return {name for (name,) in cursor.fetchall()}


def last_proof() -> tuple[str, int, str]:
    result = RoutineResult.objects.get()
    return result.name, result.problems, result.note


@pytest.mark.spec("SCA-033")
def test_the_newest_backup_is_proved_by_restoring_it_and_leaves_nothing(backup: Path) -> None:
    before, out = list_databases(), StringIO()
    call_command("test_restore", server=find_server(), stdout=out)
    assert out.getvalue() == f"{backup.name}: restored, 0 differences\n"
    assert last_proof() == ("restore_test", 0, "")
    assert_nothing_is_left(before)


@pytest.mark.spec("SCA-033")
def test_a_backup_that_does_not_add_up_fails_its_proof_and_leaves_nothing(backup: Path) -> None:
    CreditAccount.objects.update(balance=481)
    tasks.run_job(backups.start_backup(staff=None).pk)
    before = list_databases()
    with pytest.raises(CommandError, match="reconcile of the copy failed"):
        call_command("test_restore", server=find_server())
    assert last_proof()[2].endswith("CommandError: 2 differences")
    assert_nothing_is_left(before)


@pytest.mark.spec("SCA-033")
def test_a_backup_that_is_damaged_or_missing_fails_its_proof(backup: Path) -> None:
    backup.write_bytes(backup.read_bytes()[:-400])
    with pytest.raises(CommandError, match="cannot be read as a backup"):
        call_command("test_restore", server=find_server())
    assert last_proof()[1] == 1
    Job.objects.all().delete()
    with pytest.raises(CommandError, match="There is no backup yet"):
        call_command("test_restore", server=find_server())
    assert last_proof() == ("restore_test", 1, "There is no backup yet.")


def contents(backup: Path) -> dict[str, bytes]:
    with tarfile.open(backup) as archive:
        files = {entry.name: archive.extractfile(entry) for entry in archive.getmembers()}
        return {name: file.read() for name, file in files.items() if file is not None}
