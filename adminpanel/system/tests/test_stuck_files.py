"""Files that could not be deleted are shown to staff, who try again or leave them to those who keep the store."""

from datetime import timedelta

import pytest
from django.core.files.base import ContentFile
from django.utils import timezone

from accounts.users.models import User
from conftest import client_of
from emailcheck.common.files import file_store
from emailcheck.common.files.models import PendingDeletion

WORK = "/api/admin/work"


@pytest.mark.finding("B1")
@pytest.mark.spec("SCA-002")
def test_staff_see_what_could_not_be_deleted_and_may_try_or_leave_it(sam: User) -> None:
    name = file_store().save("uploads/upl_1.csv", ContentFile(b"ida@x.org"))
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
