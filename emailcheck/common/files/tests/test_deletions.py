"""Files that go for good: after the commit, and again until they are gone."""

import pytest
from django.core.files.base import ContentFile
from django.db import transaction

from emailcheck.common.files import delete_files, file_store
from emailcheck.common.files.deletions import retry_deletions
from emailcheck.common.files.models import PendingDeletion
from emailcheck.common.files.tests.s3_service import S3Service
from emailcheck.common.testing import run_sixteen


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
