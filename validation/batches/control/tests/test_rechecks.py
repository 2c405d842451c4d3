"""A second look at what stayed unknown: free, once."""

import csv
import io
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection
from rest_framework.test import APIClient

from accounts.users.models import User
from billing.ledger import services as ledger
from billing.ledger.models import CreditAccount, CreditEntry
from emailcheck.common.errors import BadInput
from emailcheck.common.testing import drain_queue
from tests.world import Sandbox
from validation.batches import services as batches
from validation.batches.control import rechecks, stopping
from validation.batches.models import Batch, BatchType
from validation.signals import batch_finished, batch_rechecked

pytestmark = pytest.mark.postgres

LIST = ["ida.holm@patientpine.org", "rosa.kent@harborquill.com", "gone.holm@patientpine.org"]
CREDITS = 99


@pytest.fixture
def batch(world: Sandbox, alice: User, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Batch:
    """A finished list of which two rows are unknown: their host greylisted them. It will not do so again."""
    settings.IMMEDIATE_ADDRESSES = 0
    monkeypatch.setattr(world.simulation.switches, "greylist_s", 60.0)
    started = batches.start_list(organisation=alice.own_organisation, lines=LIST, batch_type=BatchType.BULK_TEXTAREA)
    drain_queue()
    world.simulation.switches.greylist_s = 0.0
    return started


def recheck(api: APIClient, batch: Batch) -> tuple[int, dict[str, Any]]:
    answer = api.post(f"/api/validate/batch/{batch.public_id}/recheck")
    return answer.status_code, answer.json()


def state_of(batch: Batch) -> tuple[Any, ...]:
    batch.refresh_from_db()
    counts = (batch.processed, batch.valid_count, batch.invalid_count, batch.unknown_count, batch.risky_count)
    account = CreditAccount.objects.get(organisation=batch.organisation)
    return (batch.status, *counts, batch.credits_used, account.balance, account.held)


def verdicts(batch: Batch) -> list[tuple[int, str, bool]]:
    rows = batch.results.order_by("position").values_list("position", "category", "rechecked_at")
    return [(position, category, at is not None) for position, category, at in rows]


@pytest.mark.spec("VAL-047")
def test_only_unknown_rows_run_again_free_and_once(batch: Batch, alice_api: APIClient) -> None:
    heard: list[str] = []
    batch_finished.connect(lambda **_: heard.append("finished"), weak=False, dispatch_uid="test")
    batch_rechecked.connect(lambda **_: heard.append("rechecked"), weak=False, dispatch_uid="test")
    before = state_of(batch)
    assert before == ("completed", 3, 1, 0, 2, 2, 1, CREDITS, 0)
    ids, entries = list(batch.results.order_by("position").values_list("pk", flat=True)), CreditEntry.objects.count()
    status, body = recheck(alice_api, batch)
    assert (status, body) == (
        200,
        {"status": "queued", "rechecking": 2, "message": "Re-checking 2 unknown addresses"},
    )
    progress = alice_api.get(f"/api/validate/batch/{batch.public_id}/status").json()
    assert (progress["processed_emails"], progress["total_emails"], progress["rechecking"]) == (1, 3, True)
    drain_queue()
    assert state_of(batch) == ("completed", 3, 2, 1, 0, 0, 1, CREDITS, 0)
    assert verdicts(batch) == [(1, "valid", True), (2, "valid", False), (3, "invalid", True)]
    assert list(batch.results.order_by("position").values_list("pk", flat=True)) == ids
    assert (CreditEntry.objects.count(), ledger.reconcile_ledger(), heard) == (entries, [], ["rechecked"])
    status, body = recheck(alice_api, batch)
    assert (status, body["code"]) == (400, "ALREADY_RECHECKED")
    assert body["detail"] == "Unknown addresses were already re-checked"
    batch_finished.disconnect(dispatch_uid="test")
    batch_rechecked.disconnect(dispatch_uid="test")


@pytest.mark.spec("VAL-047")
def test_the_second_verdicts_cost_nothing_row_by_row(batch: Batch) -> None:
    rechecks.recheck_unknown(batch=batch)
    drain_queue()
    assert list(batch.results.order_by("position").values_list("charged", flat=True)) == [False, True, False]


@pytest.mark.spec("VAL-047")
def test_exports_say_which_rows_were_checked_again(batch: Batch, alice_api: APIClient) -> None:
    def column() -> list[bool]:
        answer = alice_api.get(f"/api/validate/batch/{batch.public_id}/export")
        text = answer.getvalue().decode()
        return [line["Re-checked at"] != "" for line in csv.DictReader(io.StringIO(text))]

    assert column() == [False, False, False]
    rechecks.recheck_unknown(batch=batch)
    drain_queue()
    assert column() == [True, False, True]


@pytest.mark.spec("VAL-047")
def test_there_must_be_something_to_look_at_again(batch: Batch, alice_api: APIClient) -> None:
    batch.results.filter(category="unknown").update(category="valid")
    status, body = recheck(alice_api, batch)
    assert (status, body["code"]) == (400, "NOTHING_TO_RECHECK")
    assert body["detail"] == "There are no unknown addresses in this batch"
    assert (state_of(batch)[0], batch.rechecked_at) == ("completed", None)


@pytest.mark.spec("VAL-047")
@pytest.mark.parametrize(("status", "code"), [("processing", "BATCH_RUNNING"), ("cancelled", "NOT_COMPLETED")])
def test_only_a_finished_batch_is_looked_at_again(batch: Batch, alice_api: APIClient, status: str, code: str) -> None:
    Batch.objects.update(status=status)
    answered, body = recheck(alice_api, batch)
    assert (answered, body["code"]) == (409, code)
    assert (state_of(batch)[0], batch.rechecked_at) == (status, None)


@pytest.mark.spec("VAL-047")
@pytest.mark.django_db(transaction=True)
def test_sixteen_at_once_look_again_once(batch: Batch) -> None:
    def again(_: int) -> bool:
        try:
            rechecks.recheck_unknown(batch=Batch.objects.get(pk=batch.pk))
        except BadInput:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(16) as pool:
        assert list(pool.map(again, range(16))).count(True) == 1
    drain_queue()
    assert state_of(batch) == ("completed", 3, 2, 1, 0, 0, 1, CREDITS, 0)


@pytest.mark.spec("VAL-046", "VAL-047")
def test_a_second_look_that_is_cancelled_leaves_the_first_verdicts(batch: Batch) -> None:
    before = state_of(batch)
    rechecks.recheck_unknown(batch=batch)
    assert stopping.cancel_batch(batch=batch) == 0
    assert state_of(batch) == before
    assert verdicts(batch) == [(1, "unknown", False), (2, "valid", False), (3, "unknown", False)]


def test_a_second_look_survives_a_suspension(batch: Batch) -> None:
    rechecks.recheck_unknown(batch=batch)
    assert stopping.pause_batch(batch=batch, reason=stopping.SUSPENDED)
    assert state_of(batch) == ("paused", 1, 1, 0, 0, 0, 1, CREDITS, 0)
    stopping.resume_batch(batch=batch)
    drain_queue()
    assert state_of(batch) == ("completed", 3, 2, 1, 0, 0, 1, CREDITS, 0)
