"""Lists that stop before their end: cancelled, paused and resumed, failed, deleted."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone
from django_q.models import OrmQ
from rest_framework.test import APIClient

from accounts.organisations.models import Organisation
from accounts.staff import services as staff
from accounts.users.models import User
from billing.ledger import services as ledger
from billing.ledger.models import CreditAccount, CreditEntry, CreditHold
from emailcheck.common.errors import Conflict
from emailcheck.common.testing import drain_queue
from tests.world import Sandbox
from validation import tasks
from validation.batches import services as batches
from validation.batches.chunks import leases, open_chunk, pipeline
from validation.batches.chunks.models import Chunk
from validation.batches.control import stopping
from validation.batches.models import Batch, BatchStatus, BatchType
from validation.results import storage
from validation.results.models import Result
from validation.signals import batch_finished, batch_stopped

pytestmark = pytest.mark.postgres

LIVING = [f"{name}@harborquill.com" for name in ("ida.holm", "rosa.kent", "tom.reed", "anna.bell")]


@pytest.fixture
def batch(world: Sandbox, alice: User, settings: Any) -> Batch:
    """Four addresses in two chunks that wait for workers."""
    settings.IMMEDIATE_ADDRESSES = 0
    settings.CHUNK_ROWS = 2
    return batches.start_list(organisation=alice.own_organisation, lines=LIVING, batch_type=BatchType.BULK_TEXTAREA)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is there to hand anything in."""
    monkeypatch.setattr(stopping, "HANDING_IN_S", 0.0)


def do_one_chunk(batch: Batch) -> Chunk:
    """One worker checks one chunk; its two addresses are valid."""
    chunk = leases.claim_chunk(batch.pk)
    assert chunk is not None
    (item,) = pipeline._open_chunks([chunk])
    item.write_results()
    return chunk


def call(api: APIClient, batch: Batch, what: str) -> tuple[int, dict[str, Any]]:
    answer = api.post(f"/api/validate/batch/{batch.public_id}/{what}")
    return answer.status_code, answer.json()


def credits_of(batch: Batch) -> tuple[int, int]:
    account = CreditAccount.objects.get(organisation=batch.organisation)
    return account.balance, account.held


def state_of(batch: Batch) -> tuple[Any, ...]:
    batch.refresh_from_db()
    counts = (batch.processed, batch.valid_count, batch.credits_used)
    return (batch.status, *counts, batch.results.count(), *credits_of(batch))


@pytest.mark.spec("VAL-042", "VAL-046")
def test_cancel_keeps_what_is_done_and_releases_the_rest(batch: Batch, alice_api: APIClient) -> None:
    do_one_chunk(batch)
    expected = {
        "status": "cancelled", "processed": 2, "processed_emails": 2, "released": 2,
        "message": "Batch cancelled. 2 credits released.",
    }  # fmt: skip
    assert call(alice_api, batch, "cancel") == (200, expected)
    assert state_of(batch) == ("cancelled", 2, 2, 2, 2, 98, 0)
    entries = CreditEntry.objects.count()
    assert call(alice_api, batch, "cancel") == (200, expected)
    drain_queue()
    assert state_of(batch) == ("cancelled", 2, 2, 2, 2, 98, 0)
    assert (CreditEntry.objects.count(), ledger.reconcile_ledger()) == (entries, [])


@pytest.mark.spec("VAL-046")
def test_a_batch_that_has_ended_is_not_cancelled(batch: Batch, alice_api: APIClient) -> None:
    drain_queue()
    before = state_of(batch)
    status, body = call(alice_api, batch, "cancel")
    assert (status, body["code"], body["detail"]) == (409, "BATCH_ENDED", "This batch has already ended")
    assert state_of(batch) == before == ("completed", 4, 4, 4, 4, 96, 0)


@pytest.mark.spec("VAL-042")
def test_a_worker_hands_in_what_it_has_when_it_is_asked_to_stop(batch: Batch) -> None:
    """Of the chunk in its hands one row has arrived: that is kept, the other goes back."""
    chunk = leases.claim_chunk(batch.pk)
    assert chunk is not None
    (item,) = pipeline._open_chunks([chunk])
    item.run.work.result()
    ((index, verdict), _) = item.run.pop_arrived()
    item.run._arrived.append((index, verdict))
    stopping._request_stop(batch)
    item.reported_at -= open_chunk.RENEW_LEASE_EVERY_S
    window = [item]
    assert pipeline._report_progress(window) == [item]
    assert batch.results.count() == 1
    assert sorted(batch.chunks.values_list("state", "size", "attempts")) == [
        ("done", 1, 1),
        ("pending", 1, 0),
        ("pending", 2, 0),
    ]
    assert leases.claim_fairly(rows=10) == []
    assert (stopping.cancel_batch(batch=batch), state_of(batch)) == (3, ("cancelled", 1, 1, 1, 1, 99, 0))


@pytest.mark.usefixtures("impatient")
def test_a_worker_that_comes_too_late_writes_nothing(batch: Batch) -> None:
    chunk = leases.claim_chunk(batch.pk)
    assert chunk is not None
    assert stopping.cancel_batch(batch=batch) == 4
    with pytest.raises(leases.LeaseLost):
        leases.complete_chunk(chunk, [storage.build_unchecked_row(LIVING[0], position=1)])
    assert state_of(batch) == ("cancelled", 0, 0, 0, 0, 100, 0)


@pytest.mark.spec("VAL-046")
@pytest.mark.django_db(transaction=True)
def test_sixteen_cancels_and_a_worker_at_once_settle_once(batch: Batch) -> None:
    def act(number: int) -> object:
        try:
            if number != 3:
                return stopping.cancel_batch(batch=Batch.objects.get(pk=batch.pk))
            pipeline.run_worker()
        except Conflict as error:
            return error.code
        finally:
            connection.close()
        return None

    with ThreadPoolExecutor(16) as pool:
        answers = {answer for answer in pool.map(act, range(16)) if answer is not None}
    batch.refresh_from_db()
    done = batch.results.count()
    assert answers <= {4 - done, "BATCH_ENDED"}
    assert batch.status == ("completed" if done == 4 else "cancelled")
    assert state_of(batch)[1:] == (done, done, done, done, 100 - done, 0)
    assert (CreditHold.objects.get().captured, ledger.reconcile_ledger()) == (done, [])


@pytest.mark.spec("VAL-046")
def test_a_suspended_account_pauses_its_lists(batch: Batch) -> None:
    do_one_chunk(batch)
    Organisation.objects.filter(pk=batch.organisation_id).update(is_active=False)
    tasks.sweep()
    tasks.sweep()
    assert state_of(batch) == ("paused", 2, 2, 2, 2, 98, 0)
    assert batch.error == stopping.SUSPENDED
    drain_queue()
    assert state_of(batch) == ("paused", 2, 2, 2, 2, 98, 0)


@pytest.mark.spec("ADM-222", "VAL-046")
def test_suspending_an_account_stops_its_lists_and_frees_its_credits(batch: Batch, sam: User, bob: User) -> None:
    do_one_chunk(batch)
    other = batches.start_list(organisation=bob.own_organisation, lines=LIVING, batch_type=BatchType.BULK_TEXTAREA)
    staff.change_account(user=batch.organisation.contact, by=sam, is_active=False, suspension_reason="Abuse")
    assert state_of(batch) == ("paused", 2, 2, 2, 2, 98, 0)
    assert batch.error == stopping.SUSPENDED
    drain_queue()
    assert state_of(batch) == ("paused", 2, 2, 2, 2, 98, 0)
    assert state_of(other)[0] == "completed"
    assert ledger.reconcile_ledger() == []


@pytest.mark.spec("ADM-222")
def test_what_a_worker_has_done_when_an_account_is_suspended_is_kept(batch: Batch, sam: User) -> None:
    (item,) = pipeline._open_chunks([chunk] if (chunk := leases.claim_chunk(batch.pk)) else [])
    staff.change_account(user=batch.organisation.contact, by=sam, is_active=False, suspension_reason="Abuse")
    assert state_of(batch)[0] == "processing"
    item.run.work.result()
    item.hand_in_results()
    tasks.sweep()
    assert state_of(batch) == ("paused", 2, 2, 2, 2, 98, 0)


def paused(batch: Batch) -> Batch:
    do_one_chunk(batch)
    assert stopping.pause_batch(batch=batch, reason=stopping.SUSPENDED)
    return batch


@pytest.mark.spec("VAL-046")
def test_resume_goes_on_without_a_second_charge(batch: Batch, alice_api: APIClient) -> None:
    paused(batch)
    assert call(alice_api, batch, "resume") == (200, {"status": "queued", "message": "Batch resumed"})
    assert state_of(batch)[-2:] == (96, 2)
    status, body = call(alice_api, batch, "resume")
    assert (status, body["code"], body["detail"]) == (409, "NOT_PAUSED", "This batch is not paused")
    drain_queue()
    assert state_of(batch) == ("completed", 4, 4, 4, 4, 96, 0)
    assert batch.error == ""
    assert sorted(CreditHold.objects.values_list("captured", flat=True)) == [2, 2]
    assert ledger.reconcile_ledger() == []


@pytest.mark.spec("VAL-046")
def test_resume_without_the_credits_is_refused(batch: Batch, alice_api: APIClient) -> None:
    paused(batch)
    ledger.open_hold(organisation_id=batch.organisation_id, amount=97, reason="Elsewhere", key="elsewhere")
    before = state_of(batch)
    status, body = call(alice_api, batch, "resume")
    assert (status, body["code"]) == (403, "QUOTA_EXCEEDED")
    assert body["detail"] == "Insufficient credits. You need 2 but have 1."
    assert state_of(batch) == before


@pytest.mark.spec("VAL-046")
def test_credits_that_were_taken_back_pause_a_list(batch: Batch, alice_api: APIClient) -> None:
    do_one_chunk(batch)
    assert batch.hold is not None
    ledger.close_hold(hold=batch.hold, captured=2)
    tasks.sweep()
    assert state_of(batch) == ("paused", 2, 2, 2, 2, 98, 0)
    assert batch.error == stopping.CREDITS_GONE
    assert call(alice_api, batch, "resume")[0] == 200
    drain_queue()
    assert state_of(batch) == ("completed", 4, 4, 4, 4, 96, 0)
    assert ledger.reconcile_ledger() == []


@pytest.mark.spec("VAL-046")
@pytest.mark.django_db(transaction=True)
def test_sixteen_resumes_at_once_hold_once(batch: Batch) -> None:
    paused(batch)

    def resume(_: int) -> bool:
        try:
            stopping.resume_batch(batch=Batch.objects.get(pk=batch.pk))
        except Conflict:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(16) as pool:
        assert list(pool.map(resume, range(16))).count(True) == 1
    assert credits_of(batch) == (96, 2)


@pytest.mark.spec("VAL-046")
def test_a_paused_list_can_be_cancelled(batch: Batch) -> None:
    paused(batch)
    assert stopping.cancel_batch(batch=batch) == 2
    assert state_of(batch) == ("cancelled", 2, 2, 2, 2, 98, 0)


@pytest.mark.spec("VAL-039")
def test_a_list_that_stands_still_for_a_day_fails_with_the_reason(batch: Batch, alice_api: APIClient) -> None:
    do_one_chunk(batch)
    heard: list[str] = []
    batch_stopped.connect(lambda batch, **_: heard.append(batch.status), weak=False, dispatch_uid="test")
    batch_finished.connect(lambda batch, **_: heard.append("finished"), weak=False, dispatch_uid="test")
    tasks.sweep()
    assert Batch.objects.get(pk=batch.pk).status == BatchStatus.PROCESSING
    long_ago = timezone.now() - timedelta(hours=25)
    Batch.objects.update(started_at=long_ago)
    Chunk.objects.filter(state="done").update(done_at=long_ago)
    tasks.sweep()
    tasks.sweep()
    batch_stopped.disconnect(dispatch_uid="test")
    batch_finished.disconnect(dispatch_uid="test")
    assert state_of(batch) == ("failed", 2, 2, 2, 2, 98, 0)
    answer = alice_api.get(f"/api/validate/batch/{batch.public_id}/status").json()
    assert (answer["status"], answer["processing_status"], answer["error"]) == ("failed", "failed", stopping.STUCK)
    assert (heard, ledger.reconcile_ledger()) == (["failed"], [])


@pytest.mark.spec("VAL-039")
def test_counts_that_cannot_be_right_fail_and_keep_no_credits(batch: Batch) -> None:
    while chunk := leases.claim_chunk(batch.pk):
        leases.complete_chunk(chunk, [storage.build_unchecked_row(row[1], position=row[0]) for row in chunk.rows])
    Chunk.objects.update(credits_used=1_000, done_at=timezone.now() - timedelta(hours=25))
    Batch.objects.update(started_at=timezone.now() - timedelta(hours=25))
    tasks.sweep()
    batch.refresh_from_db()
    assert (batch.status, credits_of(batch)) == ("failed", (96, 0))


def test_a_wish_to_stop_whose_asker_died_is_forgotten(batch: Batch) -> None:
    stopping._request_stop(batch)
    drain_queue()
    tasks.sweep()
    assert state_of(batch)[0] == "queued"
    Batch.objects.update(stop_asked_at=timezone.now() - timedelta(minutes=3))
    tasks.sweep()
    drain_queue()
    assert state_of(batch)[0] == "completed"


@pytest.mark.spec("VAL-046")
def test_only_an_ended_batch_can_be_deleted(batch: Batch, alice_api: APIClient) -> None:
    path = f"/api/validate/batch/{batch.public_id}"
    refused = alice_api.delete(path)
    assert (refused.status_code, refused.json()["code"]) == (409, "BATCH_RUNNING")
    assert refused.json()["detail"] == "Cancel the batch before deleting it"
    drain_queue()
    assert state_of(batch) == ("completed", 4, 4, 4, 4, 96, 0)
    assert alice_api.delete(path).json() == {"message": "Batch deleted"}
    assert alice_api.delete(path).status_code == 200
    assert [alice_api.get(path).status_code, alice_api.get(f"{path}/status").status_code] == [404, 404]
    drain_queue()
    assert state_of(batch) == ("completed", 4, 4, 4, 0, 96, 0)
    assert (Result.objects.count(), Chunk.objects.count(), OrmQ.objects.count()) == (0, 0, 0)
    assert alice_api.get("/api/validate/batches").json()["batches"] == []
