"""Files that go for good: after the commit, and again until they are gone."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.db import transaction
from django.utils import timezone

from accounts.users.models import User
from conftest import client_of
from emailcheck.common.files import delete_files, file_store
from emailcheck.common.files.deletions import retry_deletions
from emailcheck.common.files.models import PendingDeletion
from emailcheck.common.files.tests.s3_service import S3Service
from emailcheck.common.testing import run_sixteen

WORK = "/api/admin/work"


def store_file(name: str = "uploads/upl_1.csv") -> str:
    return file_store().save(name, ContentFile(b"ida@x.org"))


@pytest.mark.finding("B1")
@pytest.mark.spec("SCA-002")
def test_a_file_stays_while_the_transaction_may_be_undone(db: None) -> None:
    name = store_file()
    with transaction.atomic():
        delete_files(name)
        transaction.set_rollback(True)
    assert (file_store().exists(name), PendingDeletion.objects.count()) == (True, 0)
    with transaction.atomic():
        delete_files(name, "")
        assert (file_store().exists(name), PendingDeletion.objects.get().name) == (True, name)
    assert (file_store().exists(name), PendingDeletion.objects.count()) == (False, 0)


@pytest.mark.finding("B1")
@pytest.mark.spec("SCA-002")
def test_a_deletion_that_fails_is_kept_and_tried_again(
    s3: S3Service, db: None, caplog: pytest.LogCaptureFixture
) -> None:
    name = store_file()
    s3.stop()
    try:
        delete_files(name)
        retry_deletions()
        kept = PendingDeletion.objects.get()
        assert (kept.name, kept.tries, kept.error) == (name, 2, "StoreUnavailable")
    finally:
        s3.start()
    retry_deletions()
    assert (PendingDeletion.objects.count(), s3.list_names()) == (0, [])
    assert "ida@x.org" not in caplog.text


@pytest.mark.django_db(transaction=True)
@pytest.mark.spec("SCA-002")
def test_sixteen_that_try_at_once_delete_once_and_fail_never() -> None:
    name = store_file()
    PendingDeletion.objects.create(name=name)
    run_sixteen(lambda _: retry_deletions())
    assert (PendingDeletion.objects.count(), file_store().exists(name)) == (0, False)


@pytest.mark.finding("B1")
@pytest.mark.spec("SCA-002")
def test_staff_see_what_could_not_be_deleted_and_may_try_or_leave_it(sam: User, settings: Any) -> None:
    name = store_file()
    old = timezone.now() - timedelta(minutes=11)
    first, second = (
        PendingDeletion.objects.create(name=name, since=old, tries=3, error="StoreUnavailable") for _ in range(2)
    )
    PendingDeletion.objects.create(name="uploads/upl_new.csv", tries=3)
    api = client_of(sam)
    shown = api.get(WORK, {"kind": "file"}).json()["work"]
    assert [(one["id"], one["kind"], one["attempts"], one["error"], one["state"]) for one in shown] == [
        (str(first.pk), "file", 3, f"{name}: StoreUnavailable", "to be deleted"),
        (str(second.pk), "file", 3, f"{name}: StoreUnavailable", "to be deleted"),
    ]
    assert api.post(f"{WORK}/file/{first.pk}/retry").status_code == 200
    assert file_store().exists(name) is False
    assert api.post(f"{WORK}/file/{first.pk}/retry").status_code == 404
    assert api.post(f"{WORK}/file/{second.pk}/cancel").status_code == 200
    assert [one.name for one in PendingDeletion.objects.all()] == ["uploads/upl_new.csv"]
