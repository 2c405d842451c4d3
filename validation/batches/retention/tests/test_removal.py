"""Clearing the history, and deleting a single check."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from rest_framework.test import APIClient

from accounts.activity.models import Activity
from accounts.users.models import User
from billing.ledger import services as ledger
from billing.ledger.models import CreditAccount
from billing.subscriptions import entitlements
from tests.world import Sandbox
from validation.batches import services as batches
from validation.batches.chunks.models import Chunk
from validation.batches.models import Batch, BatchStatus, BatchType
from validation.daily import rollups
from validation.daily.models import Source
from validation.results.models import Result
from validation.results.removal import delete_result
from validation.single.services import validate_single
from validation.tests import stored

pytestmark = pytest.mark.postgres

CLEAR = "/api/user/validation-history"
LIVING = "ida.holm@harborquill.com"


@pytest.fixture
def history(world: Sandbox, alice: User, bob: User) -> None:
    """A file, a pasted list and a single check of Alice, a list of Bob."""
    for user in (alice, bob):
        batches.start_list(organisation=user.own_organisation, lines=[LIVING], batch_type=BatchType.BULK_TEXTAREA)
    validate_single(organisation=alice.own_organisation, address=LIVING)


@pytest.mark.spec("SET-053", "SET-054", "SET-055")
def test_the_history_goes_counters_and_credits_stay(
    history: None, alice: User, bob: User, alice_api: APIClient
) -> None:
    file = SimpleUploadedFile("a.csv", LIVING.encode())
    assert alice_api.post("/api/validate/upload", {"file": file}, format="multipart").status_code == 200
    kept = [path for path in (settings.MEDIA_ROOT / "uploads").rglob("*") if path.is_file()]
    before = entitlements.build_account_summary(alice.own_organisation)
    answer = alice_api.delete(CLEAR)
    assert (answer.status_code, answer.json()) == (
        200, {"message": "Validation history cleared successfully!", "deleted_count": 3},
    )  # fmt: skip
    assert not Batch.objects.for_org(alice.own_organisation).exists()
    assert not Result.objects.for_org(alice.own_organisation).exists()
    assert (
        Batch.objects.for_org(bob.own_organisation).count(),
        Result.objects.for_org(bob.own_organisation).count(),
    ) == (1, 1)
    assert Chunk.objects.exclude(batch__organisation=bob.own_organisation).count() == 0
    assert kept != []
    assert not any(path.exists() for path in kept)
    assert entitlements.build_account_summary(alice.own_organisation) == before
    assert before["monthly_usage"] == 3
    assert ledger.reconcile_ledger() == []
    assert (
        Activity.objects.filter(organisation=alice.own_organisation, action="Validation history cleared").count() == 1
    )
    assert alice_api.delete(CLEAR).json()["deleted_count"] == 0


@pytest.mark.spec("SET-059")
@pytest.mark.parametrize("status", [BatchStatus.QUEUED, BatchStatus.PROCESSING, BatchStatus.PAUSED])
def test_a_running_batch_keeps_the_history(
    history: None, alice: User, alice_api: APIClient, status: BatchStatus
) -> None:
    Batch.objects.for_org(alice.own_organisation).update(status=status)
    balance = CreditAccount.objects.get(organisation=alice.own_organisation).balance
    noted = Activity.objects.count()
    answer = alice_api.delete(CLEAR)
    assert (answer.status_code, answer.json()["code"]) == (409, "BATCH_RUNNING")
    assert (
        Batch.objects.for_org(alice.own_organisation).count(),
        Result.objects.for_org(alice.own_organisation).count(),
    ) == (1, 2)
    assert CreditAccount.objects.get(organisation=alice.own_organisation).balance == balance
    assert Activity.objects.count() == noted


@pytest.mark.spec("SET-061")
def test_the_log_of_the_account_names_each_list(world: Sandbox, alice: User) -> None:
    batches.start_list(
        organisation=alice.own_organisation, lines=[LIVING, "anna.keller@gmail.com"], batch_type=BatchType.BULK_TEXTAREA
    )
    assert [(line.kind, line.action) for line in Activity.objects.filter(user=alice)] == [
        ("validation", "List of 2 addresses started")
    ]


def totals(user: User) -> dict[str, int]:
    return {
        source: rollups.sum_days(organisation=user.own_organisation, source=source)["processed"]
        for source in Source.values
    }


@pytest.mark.spec("SET-059")
def test_a_single_check_is_deleted_and_stays_in_the_totals(history: None, alice: User, alice_api: APIClient) -> None:
    result = Result.objects.for_org(alice.own_organisation).individual().get()
    before = (entitlements.build_account_summary(alice.own_organisation), sum(totals(alice).values()))
    answer = alice_api.delete(f"/api/validate/result/{result.pk}")
    assert (answer.status_code, answer.json()) == (200, {"message": "Result deleted"})
    assert not Result.objects.for_org(alice.own_organisation).individual().exists()
    assert alice_api.get("/api/validate/batches").json()["individual_total"] == 0
    assert (entitlements.build_account_summary(alice.own_organisation), sum(totals(alice).values())) == before
    assert totals(alice) == {"single": 0, "list": 1, "deleted": 1}
    assert alice_api.delete(f"/api/validate/result/{result.pk}").status_code == 404
    assert totals(alice) == {"single": 0, "list": 1, "deleted": 1}


@pytest.mark.spec("SET-059")
def test_a_row_of_a_list_is_not_deleted_by_itself(alice: User, alice_api: APIClient) -> None:
    batch = stored.finished(alice, [("a@b.com", "valid"), ("c@b.com", "invalid")])
    answer = alice_api.delete(f"/api/validate/result/{batch.results.order_by('pk')[0].pk}")
    assert (answer.status_code, answer.json()["code"]) == (409, "PART_OF_BATCH")
    assert (batch.results.count(), totals(alice)) == (2, {"single": 0, "list": 2, "deleted": 0})


@pytest.mark.spec("SET-059")
@pytest.mark.django_db(transaction=True)
def test_sixteen_deletions_at_once_count_once(alice: User) -> None:
    result = stored.single(alice, "a@b.com")

    def remove(_: int) -> None:
        delete_result(result=result)
        connection.close()

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(remove, range(16)))
    assert totals(alice) == {"single": 0, "list": 0, "deleted": 1}
