"""Backups: begun once, made of everything, kept in number, downloaded and deleted, with a trace."""

import tarfile
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.conf import settings
from django.core.management import CommandError, call_command
from django.utils import timezone
from django_q.models import OrmQ
from rest_framework.test import APIClient

from accounts.access.models import SignIn
from accounts.activity.models import Activity
from accounts.users.models import User
from adminpanel import tasks
from adminpanel.backups import services as backups
from adminpanel.jobs import services as jobs
from adminpanel.jobs.models import Job, JobKind, JobStatus
from conftest import client_of
from emailcheck.common.errors import Conflict
from emailcheck.common.testing import age_leases, drain_queue, list_files, run_sixteen

TRIGGER = "/api/monitoring/backup/trigger"
LIST = "/api/monitoring/backups"


def staff_lines() -> list[tuple[str, str]]:
    return list(Activity.objects.filter(kind="staff").order_by("pk").values_list("action", "target"))


def make_backup(api: APIClient) -> str:
    answer = api.post(TRIGGER)
    assert answer.status_code == 200
    drain_queue()
    return str(answer.json()["backup_id"])


@pytest.mark.django_db(transaction=True)
@pytest.mark.spec("MON-031", "MON-036", "MON-040")
def test_a_backup_is_made_in_the_background_listed_downloaded_and_deleted(sam: User, tmp_path: Path) -> None:
    media = settings.MEDIA_ROOT / "uploads"
    media.mkdir(parents=True)
    (media / "list.csv").write_text("anna@x.com")
    api = client_of(sam)
    started = api.post(TRIGGER).json()["backup_id"]
    waiting = api.get(LIST).json()["backups"]
    assert [(one["id"], one["status"], one["size"]) for one in waiting] == [(started, "running", None)]
    assert drain_queue() == [jobs.RUN]
    made = api.get(LIST).json()["backups"][0]
    file = next(settings.BACKUP_DIR.glob("emailcheck-*"))
    assert (made["status"], made["size"], made["error"]) == ("completed", file.stat().st_size, None)
    assert 0 <= made["duration_seconds"] < 60
    assert set(made) == {"id", "created_at", "size", "duration_seconds", "status", "error"}
    assert file.stat().st_mode & 0o077 == 0
    answer: Any = api.get(f"{LIST}/{started}/download")
    (tmp_path / "copy.tar.gz").write_bytes(b"".join(answer.streaming_content))
    assert (answer["Content-Type"], answer["Cache-Control"]) == ("application/octet-stream", "no-store")
    assert answer["Content-Disposition"] == f'attachment; filename="{file.name}"'
    with tarfile.open(tmp_path / "copy.tar.gz") as archive:
        assert archive.getnames() == ["manifest.json", "database", "media/uploads/list.csv"]
    assert api.delete(f"{LIST}/{started}").json() == {"message": "Backup deleted"}
    assert (api.get(LIST).json()["backups"], list_files(settings.BACKUP_DIR)) == ([], [])
    assert api.delete(f"{LIST}/{started}").status_code == 404
    about = f"backup {started}"
    assert staff_lines() == [
        ("Backup started", about), ("Backup downloaded", about), ("Backup deleted", about),
    ]  # fmt: skip


@pytest.mark.spec("MON-036", "MON-040")
def test_a_second_backup_is_refused_while_one_runs_and_none_that_runs_is_deleted(sam: User) -> None:
    api = client_of(sam)
    first = api.post(TRIGGER).json()["backup_id"]
    refused = api.post(TRIGGER)
    assert (refused.status_code, refused.json()["code"], refused.json()["detail"]) == (
        409, "BACKUP_RUNNING", "A backup is already running",
    )  # fmt: skip
    refused = api.delete(f"{LIST}/{first}")
    assert (refused.status_code, refused.json()["detail"]) == (409, "This backup is still running")
    refused = api.get(f"{LIST}/{first}/download")
    assert (refused.status_code, refused.json()["detail"]) == (404, "Backup not found")
    assert (Job.objects.count(), OrmQ.objects.count()) == (1, 1)
    assert staff_lines() == [("Backup started", f"backup {first}")]


@pytest.mark.django_db(transaction=True)
@pytest.mark.spec("MON-036")
def test_of_sixteen_at_once_one_begins(sam: User) -> None:
    def begin(_: int) -> str:
        try:
            return str(backups.start_backup(staff=sam).status)
        except Conflict as error:
            return error.code

    assert sorted(run_sixteen(begin)) == ["BACKUP_RUNNING"] * 15 + ["running"]
    assert (Job.objects.count(), OrmQ.objects.count()) == (1, 1)


@pytest.mark.spec("SEC-015")
@pytest.mark.parametrize(("method", "path"), [("get", "/download"), ("delete", "")])
def test_a_download_and_a_deletion_take_a_fresh_proof(sam: User, method: str, path: str) -> None:
    job = Job.objects.create(kind=JobKind.BACKUP, status=JobStatus.COMPLETED, file="a.tar.gz")
    settings.BACKUP_DIR.mkdir()
    (settings.BACKUP_DIR / "a.tar.gz").write_bytes(b"a")
    api = client_of(sam)
    SignIn.objects.filter(user=sam).update(confirmed_at=timezone.now() - timedelta(minutes=16))
    refused = getattr(api, method)(f"{LIST}/{job.public_id}{path}")
    assert (refused.status_code, refused.json()["code"]) == (403, "REAUTH_REQUIRED")
    assert (Job.objects.count(), (settings.BACKUP_DIR / "a.tar.gz").exists(), staff_lines()) == (1, True, [])


@pytest.mark.django_db(transaction=True)
@pytest.mark.spec("MON-036")
def test_the_newest_are_kept(sam: User, settings: Any) -> None:
    settings.BACKUPS_KEPT = 2
    api = client_of(sam)
    made = [make_backup(api) for _ in range(4)]
    Job.objects.create(kind=JobKind.BACKUP, status=JobStatus.FAILED)
    assert [one["id"] for one in api.get(LIST).json()["backups"]][1:] == made[:1:-1]
    files = set(Job.objects.exclude(file="").values_list("file", flat=True))
    assert {path.name for path in list_files(settings.BACKUP_DIR)} == files


@pytest.mark.django_db(transaction=True)
@pytest.mark.spec("MON-040")
def test_a_backup_that_fails_says_why_and_leaves_nothing(sam: User, settings: Any, tmp_path: Path) -> None:
    settings.BACKUP_DIR = tmp_path / "taken"
    settings.BACKUP_DIR.write_text("a file stands where the directory should be")
    api = client_of(sam)
    make_backup(api)
    failed = api.get(LIST).json()["backups"][0]
    assert (failed["status"], failed["error"], failed["size"]) == ("failed", "File exists", None)
    assert api.post(TRIGGER).status_code == 200


@pytest.mark.spec("MON-036")
@pytest.mark.parametrize(("after", "error"), [(61, jobs.INTERRUPTED), (50, None)])
def test_a_backup_whose_worker_fell_silent_has_failed(sam: User, after: int, error: str | None) -> None:
    job = backups.start_backup(staff=sam)
    assert jobs._claim_job(job.pk)
    age_leases(Job, timedelta(seconds=after))
    tasks.run_job(job.pk)
    found = Job.objects.get()
    assert (found.status, found.error or None) == ("failed" if error else "running", error)
    assert client_of(sam).post(TRIGGER).status_code == (200 if error else 409)


@pytest.mark.spec("MON-036")
@pytest.mark.parametrize(("after", "error"), [(901, jobs.NOT_CLAIMED), (899, None)])
def test_a_backup_that_no_worker_takes_up_has_failed(sam: User, after: int, error: str | None) -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        backups.start_backup(staff=sam)
        clock.shift(after)
        tasks.fail_silent_jobs()
        found = Job.objects.get()
        assert (found.status, found.error or None) == ("failed" if error else "running", error)
        assert client_of(sam).post(TRIGGER).status_code == (200 if error else 409)


@pytest.mark.parametrize(("after", "error"), [(901, jobs.INTERRUPTED), (899, None)])
def test_a_backup_of_a_worker_of_the_version_before_is_not_claimed_again(
    sam: User, after: int, error: str | None
) -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        job = backups.start_backup(staff=sam)
        Job.objects.update(lease="a" * 32)  # and no end, which it does not know
        clock.shift(after)
        assert jobs._claim_job(job.pk) is None
        assert (Job.objects.get().lease, Job.objects.get().attempts) == ("a" * 32, 0)
        tasks.fail_silent_jobs()
        found = Job.objects.get()
        assert (found.status, found.error or None) == ("failed" if error else "running", error)
        assert client_of(sam).post(TRIGGER).status_code == (200 if error else 409)


@pytest.mark.django_db(transaction=True)
def test_who_lost_the_job_says_nothing_more_about_it(sam: User) -> None:
    job = backups.start_backup(staff=sam)

    def lose(job: Job, heart: jobs.JobHeartbeat) -> None:
        heart.record()
        Job.objects.update(status=JobStatus.FAILED, error=jobs.INTERRUPTED)
        heart.next_at = 0
        heart.record()

    jobs.run_job(job.pk, lose)
    assert Job.objects.values_list("status", "error").get() == ("failed", jobs.INTERRUPTED)


@pytest.mark.django_db(transaction=True)
@pytest.mark.spec("MON-040")
def test_a_timer_makes_one_by_a_command() -> None:
    out = StringIO()
    call_command("backup", stdout=out)
    assert Path(out.getvalue().strip()).is_file()
    assert staff_lines() == [("Backup started", f"backup {Job.objects.get().public_id}")]
    Job.objects.update(status=JobStatus.RUNNING)
    with pytest.raises(CommandError, match="already running"):
        call_command("backup")
