"""How long lists are kept."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.organisations.models import Organisation
from accounts.users.models import User
from billing.ledger.models import CreditAccount
from emailcheck.common.testing import drain_queue
from tests.world import Sandbox
from validation.batches.models import Batch
from validation.batches.retention import services as retention
from validation.batches.uploads import drafts
from validation.daily import rollups
from validation.daily.models import Day
from validation.results import removal
from validation.results.models import Result
from validation.signals import batch_expiring
from validation.single.services import validate_single

pytestmark = pytest.mark.postgres

ROWS = b"email\nida.holm@harborquill.com\nrosa.kent@harborquill.com\n"


@pytest.fixture
def batch(world: Sandbox, alice: User) -> Batch:
    return drafts.start_at_once(
        organisation=alice.own_organisation,
        upload=SimpleUploadedFile("clients.csv", ROWS),
        choices=drafts.UploadChoices(),
    )


def let_days_pass(batch: Batch, days: float) -> None:
    """The batch began and ended so many days ago."""
    then = timezone.now() - timedelta(days=days)
    Batch.objects.filter(pk=batch.pk).update(created_at=then, completed_at=then)
    retention.sweep_expired()
    drain_queue()
    batch.refresh_from_db()


def kept(batch: Batch, settings: Any) -> tuple[bool, int]:
    """Whether the file is there, and how many results are."""
    stored = batch.file != "" and (settings.MEDIA_ROOT / batch.file).exists()
    assert (batch.status, batch.processed, batch.valid_count, batch.credits_used) == ("completed", 2, 2, 2)
    return stored, batch.results.count()


@pytest.mark.spec("VAL-044")
@pytest.mark.parametrize(
    ("days", "expected"), [(29.9, (True, 2)), (30.1, (False, 2)), (364.9, (False, 2)), (365.1, (False, 0))]
)
def test_files_are_kept_30_days_and_results_12_months(
    batch: Batch, settings: Any, days: float, expected: tuple[bool, int]
) -> None:
    let_days_pass(batch, days)
    assert kept(batch, settings) == expected
    assert (batch.expired_at is None) == (expected[1] == 2)
    assert CreditAccount.objects.get(organisation=batch.organisation).balance == 98


@pytest.mark.spec("VAL-044")
@pytest.mark.parametrize(("days", "results"), [(6.9, 2), (7.1, 0)])
def test_the_account_may_choose(batch: Batch, settings: Any, days: float, results: int) -> None:
    Organisation.objects.update(results_days=7)
    let_days_pass(batch, days)
    assert kept(batch, settings) == (results == 2, results)


@pytest.mark.spec("VAL-044")
def test_the_choice_for_a_batch_goes_before_that_of_the_account(
    batch: Batch, settings: Any, alice_api: APIClient
) -> None:
    Organisation.objects.update(results_days=365)
    path = f"/api/validate/batch/{batch.public_id}"
    refused = alice_api.put(path, {"retention_days": 8}, format="json")
    assert (refused.status_code, refused.json()["details"]["field"]) == (400, "retention_days")
    answer = alice_api.put(path, {"retention_days": 1, "name": "Spring list"}, format="json").json()
    batch.refresh_from_db()
    assert batch.completed_at is not None
    day_later = f"{batch.completed_at + timedelta(days=1):%Y-%m-%dT%H:%M:%SZ}"
    assert answer == {"id": batch.public_id, "filename": "Spring list", "private": False, "expires_at": day_later}
    let_days_pass(batch, 0.9)
    assert kept(batch, settings) == (True, 2)
    let_days_pass(batch, 1.1)
    assert kept(batch, settings) == (False, 0)


@pytest.mark.spec("VAL-044")
def test_a_week_before_its_owner_hears_once(batch: Batch) -> None:
    heard: list[int] = []
    batch_expiring.connect(lambda batch, **_: heard.append(batch.pk), weak=False, dispatch_uid="test")
    for days in (357.9, 358.1, 359.0):
        let_days_pass(batch, days)
    batch_expiring.disconnect(dispatch_uid="test")
    assert heard == [batch.pk]


@pytest.mark.spec("VAL-044")
def test_what_is_kept_a_week_at_most_expires_without_notice(batch: Batch) -> None:
    heard: list[int] = []
    batch_expiring.connect(lambda batch, **_: heard.append(batch.pk), weak=False, dispatch_uid="test")
    Organisation.objects.update(results_days=7)
    let_days_pass(batch, 1)
    batch_expiring.disconnect(dispatch_uid="test")
    assert heard == []


@pytest.mark.spec("VAL-044")
def test_single_checks_expire_too(world: Sandbox, alice: User, bob: User) -> None:
    for user in (alice, bob):
        validate_single(organisation=user.own_organisation, address="ida.holm@harborquill.com")
    long_ago = timezone.now() - timedelta(days=31)
    Result.objects.update(created_at=long_ago)
    Day.objects.update(date=rollups.day_of(long_ago))
    Organisation.objects.filter(pk=alice.pk).update(results_days=30)
    retention.sweep_expired()
    assert list(Result.objects.values_list("organisation", flat=True)) == [bob.pk]


@pytest.mark.spec("VAL-044")
def test_a_long_list_is_removed_slice_by_slice(batch: Batch, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each turn is short: what is left is queued again, and a lost turn is made good by the next sweep."""
    monkeypatch.setattr(removal, "SLICE_ROWS", 1)
    monkeypatch.setattr(retention, "TURN_S", 0.0)
    retention.delete_batch(batch=batch)
    retention.purge_results(batch.pk)
    assert Result.objects.count() == 1
    assert drain_queue() == ["validation.tasks.purge"] * 3
    assert Result.objects.count() == 0


def test_a_removal_that_was_cut_off_goes_on_with_the_next_sweep(batch: Batch) -> None:
    Batch.objects.update(deleted_at=timezone.now())
    retention.sweep_expired()
    assert drain_queue() == ["validation.tasks.purge"]
    assert Result.objects.count() == 0


def test_nothing_is_removed_from_a_batch_that_is_kept(batch: Batch) -> None:
    retention.purge_results(batch.pk)
    assert Result.objects.count() == 2


@pytest.mark.spec("VAL-046")
def test_deleting_removes_the_file_at_once(batch: Batch, settings: Any) -> None:
    file = settings.MEDIA_ROOT / batch.file
    assert file.exists()
    retention.delete_batch(batch=batch)
    assert not file.exists()
