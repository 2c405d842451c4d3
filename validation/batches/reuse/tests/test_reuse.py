"""Earlier verdicts of the own organisation are taken over, free of charge, with their own date."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db.models import F
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.users.models import User
from billing.ledger import services as ledger
from billing.ledger.models import CreditAccount, CreditHold
from emailcheck.common.testing import drain_queue
from tests.world import Sandbox
from validation.batches.chunks import leases
from validation.batches.chunks.models import Chunk
from validation.batches.control import rechecks, stopping
from validation.batches.models import Batch
from validation.batches.retention import services as retention
from validation.daily.models import Day
from validation.results.models import Evidence, Result
from validation.results.storage import load_evidence
from validation.tests import stored

pytestmark = pytest.mark.postgres

BULK, UPLOAD, INSPECT = "/api/validate/bulk", "/api/validate/upload", "/api/validate/upload/inspect"
LIVING, GONE, THROWAWAY = "ida.holm@harborquill.com", "gone.hannah.park@twolines.net", "anna_dawson@yopmail.com"
NEW = "rosa.kent@harborquill.com"
LIST = [LIVING, GONE, THROWAWAY]


def check(api: APIClient, lines: list[str], **fields: Any) -> dict[str, Any]:
    answer = api.post(BULK, {"emails": lines, **fields}, format="json")
    assert answer.status_code in (200, 202), answer.json()
    body: dict[str, Any] = answer.json()
    return body


def inspect(api: APIClient, lines: list[str], **fields: Any) -> dict[str, Any]:
    file = SimpleUploadedFile("second.csv", "\n".join(lines).encode())
    answer = api.post(INSPECT, {"file": file, "reuse_days": 30, **fields}, format="multipart")
    assert answer.status_code == 200, answer.json()
    body: dict[str, Any] = answer.json()
    return body


def balance(user: User) -> int:
    return CreditAccount.objects.get(organisation=user.own_organisation).balance


def rows_of(batch_id: str) -> list[tuple[Any, ...]]:
    rows = Result.objects.filter(batch__public_id=batch_id).order_by("position")
    return [(row.email, row.category, row.charged, row.reused_from is not None) for row in rows]


def age(*, days: int) -> None:
    """Let all lists be so many days older."""
    ago = timedelta(days=days)
    Result.objects.update(created_at=F("created_at") - ago)
    Batch.objects.update(created_at=F("created_at") - ago, completed_at=F("completed_at") - ago)


@pytest.fixture
def earlier(world: Sandbox, alice: User, alice_api: APIClient) -> Batch:
    """A list of three that was checked three days ago."""
    body = check(alice_api, LIST)
    assert (body["credits_used"], body["reused_count"]) == (3, 0)
    age(days=3)
    return Batch.objects.get(public_id=body["batch_id"])


@pytest.mark.spec("REP-045", "VAL-043")
def test_verdicts_are_reused_free_with_their_own_date_and_evidence(
    earlier: Batch, alice: User, alice_api: APIClient
) -> None:
    before = balance(alice)
    body = check(alice_api, [NEW, LIVING.upper(), GONE], reuse_days=30)
    assert (body["status"], body["reused_count"], body["credits_used"], body["total_emails"]) == ("completed", 2, 1, 3)
    assert (body["valid_count"], body["invalid_count"], before - balance(alice)) == (2, 1, 1)
    assert rows_of(body["batch_id"]) == [
        (NEW, "valid", True, False),
        (LIVING.upper(), "valid", False, True),
        (GONE, "invalid", False, True),
    ]
    shown = {row["email"]: row for row in body["results"]}
    source = Result.objects.get(batch=earlier, email=GONE)
    for name in ("created_at", "validated_at"):
        assert datetime.fromisoformat(shown[GONE][name]) == source.created_at.replace(microsecond=0)
    assert [shown[email]["reused"] for email in (NEW, LIVING.upper(), GONE)] == [False, True, True]
    copy = Result.objects.get(batch__public_id=body["batch_id"], email=GONE)
    assert load_evidence(copy) == load_evidence(source)
    assert Evidence.objects.filter(batch=copy.batch).exists()
    full = alice_api.get(f"/api/validate/result/{copy.pk}").json()
    assert (full["reused"], full["credits_used"], bool(full["transcript"])) == (True, 0, True)
    assert ledger.reconcile_ledger() == []


@pytest.mark.spec("REP-045")
def test_by_default_every_address_is_asked_anew(earlier: Batch, alice: User, alice_api: APIClient) -> None:
    before = balance(alice)
    body = check(alice_api, LIST)
    assert (body["reused_count"], body["credits_used"], before - balance(alice)) == (0, 3, 3)
    file = SimpleUploadedFile("a.csv", "\n".join(LIST).encode())
    body = alice_api.post(UPLOAD, {"file": file}, format="multipart").json()
    assert (body["reused_count"], body["credits_used"]) == (0, 3)
    file = SimpleUploadedFile("a.csv", "\n".join(LIST).encode())
    body = alice_api.post(UPLOAD, {"file": file, "reuse_days": 1}, format="multipart").json()
    assert (body["reused_count"], body["credits_used"]) == (3, 0)


@pytest.mark.spec("REP-045")
@pytest.mark.parametrize("days", [-1, 31, "often", 1.5, None])
def test_other_numbers_of_days_are_refused(alice: User, alice_api: APIClient, days: Any) -> None:
    draft = inspect(alice_api, LIST, reuse_days=7)
    for call, url, values in (
        (alice_api.post, BULK, {"emails": LIST}),
        (alice_api.put, f"/api/validate/upload/{draft['upload_id']}", {}),
    ):
        answer = call(url, {**values, "reuse_days": days}, format="json")
        assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_ERROR")
        assert answer.json()["details"]["field"] == "reuse_days"
    assert alice_api.get(f"/api/validate/upload/{draft['upload_id']}").json() == draft
    assert not Batch.objects.exists()


@pytest.mark.spec("REP-045")
def test_only_the_newest_own_decided_verdict_counts(
    alice: User, bob: User, alice_api: APIClient, world: Sandbox
) -> None:
    stored.finished(bob, [(LIVING, "valid")])
    assert inspect(alice_api, [LIVING])["known"] is None  # another's
    stored.finished(alice, [(LIVING, "valid"), (GONE, "invalid")])
    assert inspect(alice_api, [LIVING, GONE, NEW])["known"]["count"] == 2
    stored.finished(alice, [(LIVING, "unknown")])
    assert inspect(alice_api, [LIVING, GONE])["known"]["count"] == 1  # the newest is undecided
    stored.single(alice, LIVING, "catch_all")
    assert inspect(alice_api, [LIVING, GONE])["known"]["count"] == 2  # a single check is newer still
    body = check(alice_api, [LIVING], reuse_days=1)
    assert rows_of(body["batch_id"]) == [(LIVING, "catch_all", False, True)]


@pytest.mark.spec("REP-045")
def test_old_and_deleted_verdicts_are_never_used(alice: User, alice_api: APIClient, world: Sandbox) -> None:
    old = stored.finished(alice, [(LIVING, "valid")])
    Result.objects.filter(batch=old).update(created_at=timezone.now() - timedelta(days=8))
    assert inspect(alice_api, [LIVING], reuse_days=7)["known"] is None
    assert inspect(alice_api, [LIVING], reuse_days=9)["known"]["count"] == 1
    retention.delete_batch(batch=old)
    assert inspect(alice_api, [LIVING], reuse_days=9)["known"] is None
    expired = stored.finished(alice, [(LIVING, "valid")])
    Batch.objects.filter(pk=expired.pk).update(expired_at=timezone.now())
    assert inspect(alice_api, [LIVING], reuse_days=9)["known"] is None


@pytest.mark.spec("REP-045", "PEN-022")
def test_full_checks_reuse_no_basic_verdicts(alice: User, alice_api: APIClient, world: Sandbox) -> None:
    basic = stored.finished(alice, [(LIVING, "valid"), (GONE, "invalid")])
    Result.objects.filter(batch=basic, email=LIVING).update(basic=True)
    draft = inspect(alice_api, [LIVING, GONE])
    assert (draft["checks"], draft["known"]["count"], draft["cost"]) == ("full", 1, 1)


@pytest.mark.spec("REP-045")
def test_spellings_of_a_domain_are_the_same_address(alice: User, alice_api: APIClient, world: Sandbox) -> None:
    stored.finished(alice, [("Ida@BÜCHER.de", "valid"), ("tom@xn--mller-kva.de", "valid")])
    assert inspect(alice_api, ["ida@xn--bcher-kva.de", "tom@müller.de"])["known"]["count"] == 2
    many = [(f"row{number}@harborquill.com", "valid") for number in range(200)]
    stored.finished(alice, [*many, ("uwe@BÜCHER.de", "valid")])  # so large that addresses are looked up in it
    assert inspect(alice_api, ["uwe@xn--bcher-kva.de"])["known"]["count"] == 1
    assert inspect(alice_api, ["Row7@HarborQuill.com", "nobody@harborquill.com"])["known"]["count"] == 1


@pytest.mark.spec("REP-045", "ORG-022")
def test_private_lists_of_others_give_nothing_away(alice: User, alice_api: APIClient, world: Sandbox) -> None:
    hidden = stored.finished(alice, [(LIVING, "valid")])
    Batch.objects.filter(pk=hidden.pk).update(private=True, maker=None)
    assert inspect(alice_api, [LIVING])["known"] is None
    Batch.objects.filter(pk=hidden.pk).update(maker=alice)
    assert inspect(alice_api, [LIVING])["known"]["count"] == 1


@pytest.mark.spec("REP-044")
@pytest.mark.finding("E5")
def test_the_same_file_again_says_so_and_costs_nothing(alice: User, alice_api: APIClient, world: Sandbox) -> None:
    first = SimpleUploadedFile("first.csv", "\n".join(LIST).encode())
    assert alice_api.post(UPLOAD, {"file": first}, format="multipart").json()["credits_used"] == 3
    age(days=2)
    before, day = balance(alice), (timezone.now() - timedelta(days=2)).date().isoformat()
    draft = inspect(alice_api, LIST)
    assert draft["known"] == {"count": 3, "first": day, "last": day, "same_as": {"name": "first.csv", "date": day}}
    assert (draft["cost"], draft["unique"], draft["reuse_days"]) == (0, 3, 30)
    started = alice_api.post(f"{UPLOAD}/{draft['upload_id']}/start").json()
    assert (started["held"], started["reused_count"], started["checks"]) == (0, 3, "full")
    batch = Batch.objects.get(public_id=started["batch_id"])
    detail = alice_api.get(f"/api/validate/batch/{batch.public_id}").json()
    assert (detail["processing_status"], detail["credits_used"], detail["reused_count"]) == ("completed", 0, 3)
    assert (balance(alice), batch.hold) == (before, None)


@pytest.mark.spec("REP-044")
def test_the_review_the_hold_and_the_ledger_have_the_same_number(
    earlier: Batch, alice: User, alice_api: APIClient, settings: Any
) -> None:
    settings.IMMEDIATE_ADDRESSES = 0
    before = balance(alice)
    draft = inspect(alice_api, [*LIST, NEW, "not an address"])
    assert (draft["known"]["count"], draft["known"]["same_as"], draft["cost"], draft["unique"]) == (3, None, 1, 5)
    started = alice_api.post(f"{UPLOAD}/{draft['upload_id']}/start").json()
    assert (started["held"], started["reused_count"], balance(alice)) == (1, 3, before - 1)
    assert [(chunk.reuses, chunk.size) for chunk in Chunk.objects.order_by("number").filter(state="pending")] == [
        (True, 3), (False, 2),
    ]  # fmt: skip
    drain_queue()
    batch = Batch.objects.get(public_id=started["batch_id"])
    assert (batch.status, batch.processed, batch.credits_used, batch.reused_count) == ("completed", 5, 1, 3)
    assert (balance(alice), ledger.reconcile_ledger()) == (before - 1, [])
    counted = sum(Day.objects.filter(organisation=alice.pk).values_list("processed", flat=True))
    assert counted == Result.objects.count() == 8


@pytest.mark.spec("REP-044")
def test_check_all_again_asks_and_charges_anew(earlier: Batch, alice: User, alice_api: APIClient) -> None:
    draft = inspect(alice_api, LIST)
    url = f"{UPLOAD}/{draft['upload_id']}"
    again = alice_api.put(url, {"reuse_days": 0}, format="json").json()
    assert (again["known"], again["cost"], again["reuse_days"]) == (None, 3, 0)
    assert alice_api.put(url, {"reuse_days": 30}, format="json").json()["known"] == draft["known"]
    alice_api.put(url, {"reuse_days": 0}, format="json")
    started = alice_api.post(f"{url}/start").json()
    assert (started["held"], started["reused_count"]) == (3, 0)


@pytest.mark.spec("REP-044", "REP-045")
def test_verdicts_that_are_gone_at_the_start_change_the_price_before_anything_begins(
    earlier: Batch, alice: User, alice_api: APIClient
) -> None:
    draft, before = inspect(alice_api, LIST), balance(alice)
    url = f"{UPLOAD}/{draft['upload_id']}"
    retention.delete_batch(batch=earlier)
    answer = alice_api.post(f"{url}/start")
    assert (answer.status_code, answer.json()["code"]) == (409, "CONFLICT")
    assert (balance(alice), Batch.objects.count(), CreditHold.objects.filter(state="open").count()) == (before, 1, 0)
    now = alice_api.get(url).json()
    assert (now["known"], now["cost"]) == (None, 3)
    assert alice_api.post(f"{url}/start").json()["held"] == 3


@pytest.mark.spec("REP-044")
def test_a_source_stays_until_its_verdicts_are_taken_over(
    earlier: Batch, alice: User, alice_api: APIClient, settings: Any
) -> None:
    settings.IMMEDIATE_ADDRESSES = 0
    check(alice_api, LIST, reuse_days=30)
    url = f"/api/validate/batch/{earlier.public_id}"
    for _ in range(2):
        refused = alice_api.delete(url)
        assert (refused.status_code, refused.json()["code"]) == (409, "BATCH_RUNNING")
    assert (alice_api.get(url).status_code, Result.objects.filter(batch=earlier).count()) == (200, 3)
    drain_queue()
    assert alice_api.delete(url).status_code == 200
    assert alice_api.get(url).status_code == 404


@pytest.mark.spec("REP-044", "REP-045")
def test_a_source_that_goes_after_the_start_is_checked_free(
    earlier: Batch, alice: User, alice_api: APIClient, settings: Any
) -> None:
    settings.IMMEDIATE_ADDRESSES = 0
    before = balance(alice)
    body = check(alice_api, [*LIST, NEW], reuse_days=30)
    assert (body["reused_count"], balance(alice)) == (3, before - 1)
    Result.objects.filter(batch=earlier, email=LIVING).delete()
    Result.objects.filter(batch=earlier, email=GONE).update(category="unknown")
    drain_queue()
    assert sorted(rows_of(body["batch_id"])) == [
        (THROWAWAY, "disposable", False, True),
        (GONE, "invalid", False, False),
        (LIVING, "valid", False, False),
        (NEW, "valid", True, False),
    ]
    assert (balance(alice), ledger.reconcile_ledger()) == (before - 1, [])


@pytest.mark.spec("REP-045", "VAL-047")
def test_unknown_rows_of_such_a_list_run_again_and_reused_ones_stay(
    earlier: Batch, world: Sandbox, alice: User, alice_api: APIClient, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.IMMEDIATE_ADDRESSES = 0
    monkeypatch.setattr(world.simulation.switches, "greylist_s", 60.0)
    slow = "ida.holm@patientpine.org"
    body = check(alice_api, [*LIST, slow], reuse_days=30)
    drain_queue()
    world.simulation.switches.greylist_s = 0.0
    batch = Batch.objects.get(public_id=body["batch_id"])
    assert (batch.unknown_count, batch.credits_used) == (1, 0)
    assert rechecks.recheck_unknown(batch=batch) == 1
    drain_queue()
    assert [row[1:] for row in rows_of(batch.public_id)] == [
        ("valid", False, True),
        ("invalid", False, True),
        ("disposable", False, True),
        ("valid", False, False),
    ]
    batch.refresh_from_db()
    assert (batch.processed, batch.unknown_count, batch.reused_count) == (4, 0, 3)


@pytest.mark.spec("REP-044", "VAL-023")
def test_a_pause_holds_what_new_addresses_cost_and_no_more(
    earlier: Batch, alice: User, alice_api: APIClient, settings: Any
) -> None:
    settings.IMMEDIATE_ADDRESSES, settings.CHUNK_ROWS = 0, 2
    before = balance(alice)
    body = check(alice_api, [*LIST, NEW, "tom.reed@velvetcircuit.com", "not an address"], reuse_days=30)
    batch = Batch.objects.get(public_id=body["batch_id"])
    assert balance(alice) == before - 2
    assert stopping.pause_batch(batch=batch, reason="Test")
    assert balance(alice) == before
    batch.refresh_from_db()
    stopping.resume_batch(batch=batch)
    assert balance(alice) == before - 2
    chunk = leases.claim_chunk(batch.pk)
    assert chunk is not None
    assert chunk.reuses
    leases.release_chunk(chunk)
    drain_queue()
    batch.refresh_from_db()
    assert (batch.status, batch.processed, batch.credits_used, balance(alice)) == ("completed", 6, 2, before - 2)
    assert ledger.reconcile_ledger() == []


@pytest.mark.spec("REP-043", "REP-044")
def test_reused_addresses_do_not_count_against_max_credits(
    earlier: Batch, alice: User, alice_api: APIClient, settings: Any
) -> None:
    lines = [NEW, LIVING, "tom.reed@velvetcircuit.com", GONE, "uwe@twolines.net"]
    draft = inspect(alice_api, lines, max_credits=1)
    assert (draft["unique"], draft["known"]["count"], draft["cost"], draft["left_out"]) == (2, 1, 1, 3)
    body = check(alice_api, lines, reuse_days=30, max_credits=2)
    assert (body["total_emails"], body["reused_count"], body["credits_used"]) == (4, 2, 2)


@pytest.mark.spec("REP-045")
def test_a_row_that_belongs_to_others_or_to_another_address_meanwhile_is_not_copied(
    earlier: Batch, alice: User, bob: User, alice_api: APIClient, settings: Any
) -> None:
    settings.IMMEDIATE_ADDRESSES = 0
    body = check(alice_api, LIST, reuse_days=30)
    Result.objects.filter(batch=earlier, email=LIVING).update(email=NEW, category="invalid")
    Result.objects.filter(batch=earlier, email=GONE).update(organisation=bob.own_organisation, category="valid")
    drain_queue()
    assert sorted(rows_of(body["batch_id"])) == [
        (THROWAWAY, "disposable", False, True),
        (GONE, "invalid", False, False),
        (LIVING, "valid", False, False),
    ]
