"""Machines with separate disks and one file store: whichever is asked, it has the files; what is deleted on one is gone
for all."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.db import connection
from rest_framework.test import APIClient

from accounts.users.models import User
from conftest import client_of
from emailcheck.common.files.deletions import retry_deletions
from emailcheck.common.files.models import PendingDeletion
from emailcheck.common.files.tests.conftest import running_s3, s3
from emailcheck.common.files.tests.s3_service import S3Service
from emailcheck.common.testing import drain_queue, list_files
from tests.world import Sandbox
from validation.batches.models import Batch
from validation.batches.uploads.models import Upload

__all__ = ["running_s3", "s3"]
INSPECT = "/api/validate/upload/inspect"
CONTENT = b"name,email\nIda,Ida Holm <ida.holm@harborquill.com>\nHannah,gone.hannah.park@twolines.net\n"
Machine = Callable[[str], None]


@pytest.fixture
def on(settings: Any, tmp_path: Path) -> Machine:
    """Go over to a machine, whose disk is its own."""

    def go_over(name: str) -> None:
        settings.VAR_DIR = tmp_path / name
        settings.MEDIA_ROOT, settings.BACKUP_DIR = settings.VAR_DIR / "media", settings.VAR_DIR / "backups"

    return go_over


def inspect(api: APIClient) -> Any:
    return api.post(INSPECT, {"file": SimpleUploadedFile("list.csv", CONTENT)}, format="multipart")


@pytest.mark.finding("B1", "B2")
@pytest.mark.spec("SCA-001")
@pytest.mark.django_db(transaction=True)
def test_each_step_of_a_list_is_on_another_machine(
    s3: S3Service, world: Sandbox, on: Machine, alice_api: APIClient, sam: User, tmp_path: Path
) -> None:
    on("a")
    upload = inspect(alice_api).json()["upload_id"]
    on("b")
    reviewed = alice_api.put(f"/api/validate/upload/{upload}", {"repair": True}, format="json")
    assert (reviewed.status_code, reviewed.json()["repaired"]) == (200, 1)
    on("c")
    repairs = alice_api.get(f"/api/validate/upload/{upload}/repairs").json()
    assert [one["source"] for one in repairs["repairs"]] == ["Ida Holm <ida.holm@harborquill.com>"]
    on("a")
    started = alice_api.post(f"/api/validate/upload/{upload}/start", {}, format="json")
    assert started.status_code == 202
    on("worker")
    drain_queue()
    batch = Batch.objects.get()
    assert (batch.status, batch.total_emails) == ("completed", 2)
    assert s3.list_names() == [f"files/{batch.file}"]
    on("b")
    answer: Any = alice_api.get(f"/api/validate/batch/{batch.public_id}/export", {"format": "original"})
    lines = b"".join(answer.streaming_content).decode().splitlines()
    assert (len(lines), lines[1].split(",")[:2]) == (3, ["Ida", "Ida Holm <ida.holm@harborquill.com>"])
    staff = client_of(sam)
    backup = staff.post("/api/monitoring/backup/trigger").json()["backup_id"]
    on("worker")
    drain_queue()
    on("c")
    download: Any = staff.get(f"/api/monitoring/backups/{backup}/download")
    kept = b"".join(download.streaming_content)
    assert (int(download["Content-Length"]), kept[:2]) == (len(kept), b"\x1f\x8b")
    name = download["Content-Disposition"].split('"')[1]
    with pytest.raises(CommandError, match="neither a file nor a backup of the store"):
        call_command("restore_backup", f"no-{name}", into=tmp_path / "restored")
    if connection.vendor == "sqlite":
        call_command("restore_backup", name, into=tmp_path / "restored")
        assert (tmp_path / "restored" / "media" / batch.file).read_bytes() == CONTENT
        shutil.rmtree(tmp_path / "restored")
    assert alice_api.delete(f"/api/validate/batch/{batch.public_id}").status_code == 200
    assert staff.delete(f"/api/monitoring/backups/{backup}").status_code == 200
    assert (s3.list_names(), PendingDeletion.objects.count()) == ([], 0)
    assert [path for path in list_files(tmp_path) if "media" in path.parts or "spool" in path.parts] == []


@pytest.mark.finding("B1")
@pytest.mark.spec("SCA-002")
@pytest.mark.django_db(transaction=True)
def test_while_the_store_is_away_nothing_is_taken_and_nothing_accepted_is_lost(
    s3: S3Service, world: Sandbox, on: Machine, alice_api: APIClient, settings: Any
) -> None:
    upload = inspect(alice_api).json()["upload_id"]
    s3.stop()
    try:
        on("b")
        asked = [
            inspect(alice_api),
            alice_api.put(f"/api/validate/upload/{upload}", {"repair": True}, format="json"),
            alice_api.post(f"/api/validate/upload/{upload}/start", {}, format="json"),
        ]
        assert [(one.status_code, one.json()["code"], one["Retry-After"]) for one in asked] == [
            (503, "UNAVAILABLE", "10")
        ] * 3
        assert (Batch.objects.count(), Upload.objects.count(), alice_api.get("/api/plans").status_code) == (0, 1, 200)
    finally:
        s3.start()
    assert alice_api.post(f"/api/validate/upload/{upload}/start", {}, format="json").status_code == 202
    drain_queue()
    assert (Batch.objects.get().status, Batch.objects.get().total_emails) == ("completed", 2)


@pytest.mark.finding("B1")
@pytest.mark.spec("SCA-002", "VAL-046")
@pytest.mark.django_db(transaction=True)
def test_a_list_that_is_deleted_while_the_store_is_away_goes_when_it_is_back(
    s3: S3Service, world: Sandbox, alice_api: APIClient
) -> None:
    upload = inspect(alice_api).json()["upload_id"]
    alice_api.post(f"/api/validate/upload/{upload}/start", {}, format="json")
    drain_queue()
    batch = Batch.objects.get()
    s3.stop()
    try:
        assert alice_api.delete(f"/api/validate/batch/{batch.public_id}").status_code == 200
        gone = alice_api.get(f"/api/validate/batch/{batch.public_id}/export", {"format": "original"})
        assert (gone.status_code, PendingDeletion.objects.get().name) == (404, batch.file)
    finally:
        s3.start()
    retry_deletions()
    assert (s3.list_names(), PendingDeletion.objects.count()) == ([], 0)


@pytest.mark.finding("B2")
@pytest.mark.spec("SCA-001")
@pytest.mark.django_db(transaction=True)
def test_a_file_that_is_missing_is_not_called_expired(
    s3: S3Service, world: Sandbox, alice_api: APIClient, caplog: pytest.LogCaptureFixture
) -> None:
    upload = inspect(alice_api).json()["upload_id"]
    alice_api.post(f"/api/validate/upload/{upload}/start", {}, format="json")
    drain_queue()
    batch = Batch.objects.get()
    s3.empty()
    answer = alice_api.get(f"/api/validate/batch/{batch.public_id}/export", {"format": "original"})
    assert (answer.status_code, answer.json()["code"]) == (503, "UNAVAILABLE")
    assert "a list's file is missing in the store" in caplog.text
