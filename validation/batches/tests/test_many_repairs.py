"""Repairs of long lists are stored a few at a time, so that no other writer waits for them."""

from pathlib import Path

import pytest
from django.conf import settings
from rest_framework.test import APIClient

from accounts.users.models import User
from billing.ledger import services as ledger
from billing.ledger.models import LotKind
from emailcheck.common.testing import drain_queue
from tests.world import Sandbox
from validation.batches import repairs
from validation.batches.control import stopping
from validation.batches.models import Batch
from validation.batches.retention import services as retention
from validation.batches.uploads.models import Upload
from validation.batches.uploads.tests.test_repairs import review
from validation.results.models import RepairedAddress

pytestmark = pytest.mark.postgres

COUNT = 2_500
ADDRESSES = [f"p{number}@not-in-this-world.com" for number in range(1, COUNT + 1)]
SOURCES = [f"P <{address}>" for address in ADDRESSES]


def start(api: APIClient) -> tuple[Batch, str]:
    """A list that has just been started, and its sorted file."""
    url, body = review(api, "".join(f"{line}\n" for line in SOURCES).encode())
    assert body["repaired_count"] == COUNT
    sorted_file = Upload.objects.get().sorted_file
    return Batch.objects.get(public_id=api.post(f"{url}/start").json()["batch_id"]), sorted_file


def files() -> list[str]:
    return sorted(path.name for path in (Path(settings.MEDIA_ROOT) / "uploads").iterdir())


def sources_of(batch: Batch) -> list[str]:
    found = RepairedAddress.objects.filter(batch=batch).order_by("position")
    return list(found.values_list("source", flat=True))


@pytest.fixture
def rich_api(alice: User, alice_api: APIClient) -> APIClient:
    ledger.grant_credits(
        organisation_id=alice.own_organisation.pk, kind=LotKind.PACK, amount=10_000, reason="Pack", key="pack"
    )
    return alice_api


@pytest.mark.spec("REP-006", "REP-005")
def test_the_queue_stores_what_the_start_leaves(world: Sandbox, alice: User, rich_api: APIClient) -> None:
    batch, sorted_file = start(rich_api)
    assert 0 < RepairedAddress.objects.count() < COUNT
    assert len(files()) == 2
    drain_queue()
    assert sources_of(batch) == SOURCES
    assert files() == [Path(batch.file).name]
    repairs.store_more_repairs(batch.pk, sorted_file, 0)
    assert sources_of(batch) == SOURCES


@pytest.mark.spec("REP-006")
def test_a_list_that_was_deleted_gets_no_more_repairs(world: Sandbox, alice: User, rich_api: APIClient) -> None:
    batch, sorted_file = start(rich_api)
    kept = (Path(settings.MEDIA_ROOT) / sorted_file).read_bytes()
    stopping.cancel_batch(batch=batch)
    batch.refresh_from_db()
    retention.delete_batch(batch=batch)
    retention.purge_results(batch.pk)
    (Path(settings.MEDIA_ROOT) / sorted_file).write_bytes(kept)
    repairs.store_more_repairs(batch.pk, sorted_file, 0)
    assert RepairedAddress.objects.count() == 0
    assert Path(sorted_file).name not in files()


@pytest.mark.spec("REP-006", "REP-009")
def test_repairs_of_a_typed_list_leave_no_file(world: Sandbox, alice: User, rich_api: APIClient) -> None:
    answer = rich_api.post("/api/validate/bulk", {"emails": SOURCES, "repair": True}, format="json")
    batch = Batch.objects.get(public_id=answer.json()["batch_id"])
    drain_queue()
    assert sources_of(batch) == SOURCES
    assert files() == []


@pytest.mark.spec("REP-009")
def test_a_typed_list_that_is_refused_leaves_no_file(alice: User, alice_api: APIClient) -> None:
    answer = alice_api.post("/api/validate/bulk", {"emails": SOURCES, "repair": True}, format="json")
    assert answer.json()["code"] == "QUOTA_EXCEEDED"
    assert (files(), RepairedAddress.objects.count()) == ([], 0)


@pytest.mark.spec("REP-006")
def test_what_was_handed_in_goes_before_the_results_that_bring_the_sweep_back(
    world: Sandbox, alice: User, rich_api: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch, _ = start(rich_api)
    drain_queue()
    batch.refresh_from_db()
    retention.delete_batch(batch=batch)
    monkeypatch.setattr(retention, "TURN_S", 0.0)
    retention.purge_results(batch.pk)
    assert batch.results.count() > 0
    assert RepairedAddress.objects.count() == 0
