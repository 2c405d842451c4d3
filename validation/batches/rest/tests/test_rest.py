"""A list that was cut to its credits goes on with what was left out."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

from accounts.users.models import User
from billing.ledger import services as ledger
from billing.ledger.models import CreditAccount, CreditHold
from emailcheck.common.outbound.models import OutgoingMail
from emailcheck.common.testing import drain_queue, run_sixteen
from tests.world import Sandbox
from validation.batches.chunks.models import Chunk
from validation.batches.control import rechecks, stopping
from validation.batches.models import Batch
from validation.batches.rest import services as rest
from validation.batches.uploads.tests.test_repairs import review
from validation.results.models import RepairedAddress, Result

pytestmark = pytest.mark.postgres

UPLOAD, INSPECT = "/api/validate/upload", "/api/validate/upload/inspect"
LIVING, GONE, THROWAWAY = "ida.holm@harborquill.com", "gone.hannah.park@twolines.net", "anna_dawson@yopmail.com"
NEW, OPEN = "rosa.kent@harborquill.com", "tom.reed@velvetcircuit.com"
TABLE = f"mail\n{LIVING}\n\n{GONE}\n{LIVING}\n{THROWAWAY}\n{GONE.upper()}\nno address\n{NEW}\n{OPEN}\n".encode()


def upload(api: APIClient, content: bytes = TABLE, **fields: Any) -> Batch:
    file = SimpleUploadedFile("list.csv", content)
    answer = api.post(UPLOAD, {"file": file, **fields}, format="multipart")
    assert answer.status_code in (200, 202), answer.json()
    drain_queue()
    return Batch.objects.get(public_id=answer.json()["batch_id"])


def go_on(api: APIClient, batch: Batch, **values: Any) -> tuple[int, dict[str, Any]]:
    answer = api.post(f"/api/validate/batch/{batch.public_id}/rest", values, format="json")
    return answer.status_code, answer.json()


def state_of(batch: Batch) -> tuple[Any, ...]:
    batch.refresh_from_db()
    account = CreditAccount.objects.get(organisation=batch.organisation)
    counts = (batch.total_emails, batch.processed, batch.credits_used, batch.duplicates_removed, batch.blank_rows)
    return (batch.status, *counts, batch.cut_at, account.balance, account.held)


def rows_of(batch: Batch) -> list[tuple[int, str, bool]]:
    return list(batch.results.order_by("position").values_list("position", "category", "charged"))


@pytest.fixture
def cut(world: Sandbox, alice: User, alice_api: APIClient, settings: Any) -> Batch:
    """A list of six of which the first two were checked."""
    settings.IMMEDIATE_ADDRESSES = 0
    return upload(alice_api, max_credits=2)


@pytest.mark.spec("REP-043", "VAL-043")
@pytest.mark.finding("E5")
def test_the_rest_is_checked_later_and_charged_alone(cut: Batch, alice: User, alice_api: APIClient) -> None:
    assert state_of(cut) == ("completed", 2, 2, 2, 1, 1, 5, 98, 0)
    first = list(cut.results.order_by("position").values_list("pk", "created_at"))
    detail = alice_api.get(f"/api/validate/batch/{cut.public_id}").json()
    assert detail["rest"] == {"addresses": 4, "cost": 3, "credits": 98}
    status, body = go_on(alice_api, cut)
    assert (status, body["status"], body["checking"], body["held"]) == (200, "queued", 4, 3)
    progress = alice_api.get(f"/api/validate/batch/{cut.public_id}/status").json()
    assert (progress["processed_emails"], progress["total_emails"], progress["rechecking"]) == (2, 6, False)
    drain_queue()
    assert state_of(cut) == ("completed", 6, 6, 5, 2, 1, None, 95, 0)
    assert rows_of(cut) == [
        (1, "valid", True),
        (3, "invalid", True),
        (5, "disposable", True),
        (7, "invalid", False),
        (8, "valid", True),
        (9, "catch_all", True),
    ]
    assert list(cut.results.order_by("position").values_list("pk", "created_at"))[:2] == first
    assert not cut.results.exclude(rechecked_at=None).exists()
    assert alice_api.get(f"/api/validate/batch/{cut.public_id}").json()["rest"] is None
    assert ledger.reconcile_ledger() == []
    status, body = go_on(alice_api, cut)
    assert (status, body["code"]) == (400, "NOTHING_TO_CHECK")
    assert OutgoingMail.objects.filter(key__startswith="batch_finished:").count() == 2


@pytest.mark.spec("REP-043")
def test_the_rest_may_be_cut_once_more(cut: Batch, alice_api: APIClient) -> None:
    assert go_on(alice_api, cut, max_credits=1)[1]["checking"] == 2
    drain_queue()
    assert state_of(cut) == ("completed", 4, 4, 3, 2, 1, 8, 97, 0)
    assert alice_api.get(f"/api/validate/batch/{cut.public_id}").json()["rest"]["addresses"] == 2
    assert go_on(alice_api, cut)[1]["checking"] == 2
    drain_queue()
    assert state_of(cut)[:4] == ("completed", 6, 6, 5)


@pytest.mark.spec("REP-043", "VAL-022")
def test_without_credits_or_file_nothing_changes(cut: Batch, alice: User, alice_api: APIClient) -> None:
    before, holds = state_of(cut), CreditHold.objects.count()
    ledger.open_hold(organisation_id=alice.pk, amount=96, reason="Spent", key="spent")
    status, body = go_on(alice_api, cut)
    assert (status, body["code"]) == (403, "QUOTA_EXCEEDED")
    Batch.objects.filter(pk=cut.pk).update(file="")
    status, body = go_on(alice_api, cut)
    assert (status, body["code"]) == (410, "EXPIRED")
    assert (state_of(cut)[:7], CreditHold.objects.count()) == (before[:7], holds + 1)
    assert Result.objects.count() == 2
    assert not Chunk.objects.filter(batch=cut, state="pending").exists()


@pytest.mark.spec("REP-043")
def test_a_running_list_does_not_go_on(alice: User, alice_api: APIClient, world: Sandbox, settings: Any) -> None:
    settings.IMMEDIATE_ADDRESSES = 0
    file = SimpleUploadedFile("list.csv", TABLE)
    body = alice_api.post(UPLOAD, {"file": file, "max_credits": 2}, format="multipart").json()
    batch = Batch.objects.get(public_id=body["batch_id"])
    assert go_on(alice_api, batch)[1]["code"] == "BATCH_RUNNING"
    stopping.cancel_batch(batch=batch)
    assert go_on(alice_api, batch)[1]["code"] == "NOT_COMPLETED"


@pytest.mark.spec("REP-043", "VAL-047")
def test_unknown_rows_of_the_rest_have_their_second_look_too(
    world: Sandbox, alice: User, alice_api: APIClient, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.IMMEDIATE_ADDRESSES, settings.GREYLIST_SECONDS = 0, 1
    monkeypatch.setattr(world.simulation.switches, "greylist_s", 9_000.0)
    slow = ["ida.holm@patientpine.org", "gone.holm@patientpine.org"]
    batch = upload(alice_api, "\n".join(["mail", *slow]).encode(), max_credits=1)
    assert rechecks.recheck_unknown(batch=batch) == 1
    drain_queue()
    go_on(alice_api, batch)
    drain_queue()
    assert rows_of(batch) == [(1, "unknown", False), (2, "unknown", False)]
    world.simulation.switches.greylist_s = 0.0
    batch.refresh_from_db()
    assert rechecks.recheck_unknown(batch=batch) == 1
    drain_queue()
    assert rows_of(batch) == [(1, "unknown", False), (2, "invalid", False)]
    batch.refresh_from_db()
    assert (batch.processed, batch.unknown_count, batch.credits_used) == (2, 1, 0)


@pytest.mark.spec("REP-043")
@pytest.mark.django_db(transaction=True)
def test_sixteen_at_once_check_the_rest_once(cut: Batch, alice: User, alice_api: APIClient) -> None:
    def once(_: int) -> int:
        return rest.check_rest(batch=Batch.objects.get(pk=cut.pk)).addresses

    answers = run_sixteen(once)
    assert answers.count(4) == 1
    assert set(answers) - {4} <= {"BATCH_RUNNING", "UNAVAILABLE"}
    drain_queue()
    assert state_of(cut) == ("completed", 6, 6, 5, 2, 1, None, 95, 0)
    assert ledger.reconcile_ledger() == []


@pytest.mark.spec("REP-006", "REP-043")
def test_a_cell_that_is_cut_in_two_keeps_its_source_in_both_halves(
    world: Sandbox, alice: User, alice_api: APIClient
) -> None:
    cell = f"Ida <{LIVING}>; Rosa <{NEW}>"
    url, body = review(alice_api, f'mail\n"{cell}"\n{OPEN}\n'.encode(), max_credits=1)
    assert (body["repaired_count"], body["columns_found"][0]["addresses"], body["left_out"]) == (1, 1, 2)
    batch = Batch.objects.get(public_id=alice_api.post(f"{url}/start").json()["batch_id"])
    drain_queue()
    assert list(RepairedAddress.objects.values_list("position", "source")) == [(512, cell)]
    assert go_on(alice_api, batch)[0] == 200
    drain_queue()
    assert list(RepairedAddress.objects.order_by("position").values_list("position", "source")) == [
        (512, cell), (513, cell),
    ]  # fmt: skip
    batch.refresh_from_db()
    assert (batch.repaired_count, batch.total_emails, batch.credits_used) == (2, 3, 3)


@pytest.mark.spec("REP-023", "REP-043")
def test_the_rest_is_read_from_the_same_column_whatever_its_first_row_says(
    world: Sandbox, alice: User, alice_api: APIClient
) -> None:
    batch = upload(alice_api, f"2,{LIVING}\n3,{NEW}\n".encode(), max_credits=1)
    assert batch.total_emails == 1
    assert go_on(alice_api, batch)[0] == 200
    drain_queue()
    assert list(batch.results.order_by("position").values_list("email", flat=True)) == [LIVING, NEW]


@pytest.mark.spec("REP-043")
def test_the_rest_of_a_short_list_is_checked_at_once(world: Sandbox, alice: User, alice_api: APIClient) -> None:
    batch = upload(alice_api, max_credits=2)
    status, body = go_on(alice_api, batch)
    assert (status, body["status"], body["checking"], body["held"]) == (200, "completed", 4, 3)
    assert state_of(batch)[:4] == ("completed", 6, 6, 5)
