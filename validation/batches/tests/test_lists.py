"""Lists: pasted and uploaded, at once and in the background."""

import csv
import io
import json
from collections.abc import Callable, Iterable
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django_q.models import OrmQ
from rest_framework.test import APIClient

from accounts.users.models import User
from billing.ledger import services as ledger
from billing.ledger.models import CreditAccount, CreditEntry, CreditHold, LotKind
from conftest import client_of
from emailcheck.common.queue import tasks
from emailcheck.common.testing import drain_queue
from tests.world import Sandbox
from validation.batches.chunks import leases, pipeline
from validation.batches.chunks.open_chunk import OpenChunk
from validation.batches.models import Batch
from validation.results.models import Result
from validation.verifier.checker import checker

pytestmark = pytest.mark.postgres

SAMPLES = Path(django_settings.BASE_DIR) / "samples"
EXPECTED = json.loads((SAMPLES / "expected.json").read_text())["customers-200"]
BULK, UPLOAD, HISTORY = "/api/validate/bulk", "/api/validate/upload", "/api/validate/batches"
LIVING = ["ida.holm@harborquill.com", "gone.hannah.park@twolines.net", "anna_dawson@yopmail.com"]


def upload(api: APIClient, path: Path | str, content: bytes | None = None) -> Any:
    path = Path(path)
    file = SimpleUploadedFile(path.name, path.read_bytes() if content is None else content)
    return api.post(UPLOAD, {"file": file}, format="multipart")


def balance(user: User) -> int:
    return CreditAccount.objects.get(organisation=user.own_organisation).balance


def stored_files(root: Path) -> list[Path]:
    return [path for path in root.rglob("*") if path.is_file()]


@pytest.fixture
def rich_alice(alice: User) -> User:
    ledger.grant_credits(organisation_id=alice.pk, kind=LotKind.PACK, amount=50_000, reason="Test", key="rich")
    return alice


def body_of(answer: Any) -> str:
    """The text of a streamed answer."""
    return b"".join(answer.streaming_content).decode()


def assert_nothing_happened(user: User, media: Path) -> None:
    assert not Batch.objects.exists()
    assert not Result.objects.exists()
    assert not CreditHold.objects.exists()
    assert tasks.count_waiting(pipeline.WORK, "bulk") == 0
    assert balance(user) == 100
    assert stored_files(media) == []


@pytest.mark.spec("VAL-005", "VAL-006")
def test_a_pasted_list_is_trimmed_and_answered_at_once(world: Sandbox, alice: User, alice_api: APIClient) -> None:
    lines = [f"  {LIVING[0]} ", "", LIVING[1], "   ", LIVING[2], LIVING[0].upper()]
    answer = alice_api.post(BULK, {"emails": lines}, format="json")
    body = answer.json()
    assert answer.status_code == 200
    assert {name: body[name] for name in ("total_processed", "total_emails", "valid_count", "invalid_count")} == {
        "total_processed": 3, "total_emails": 3, "valid_count": 1, "invalid_count": 1,
    }  # fmt: skip
    assert (body["disposable_count"], body["duplicates_removed"], body["credits_used"]) == (1, 1, 3)
    assert [(row["row"], row["email"], row["category"]) for row in body["results"]] == [
        (1, LIVING[0], "valid"),
        (3, LIVING[1], "invalid"),
        (5, LIVING[2], "disposable"),
    ]
    assert (balance(alice), body["status"]) == (97, "completed")
    assert Batch.objects.get().batch_type == "bulk_textarea"
    assert not OrmQ.objects.exists()


@pytest.mark.spec("VAL-005", "VAL-025")
@pytest.mark.parametrize("emails", [[], ["", "  "]])
def test_an_empty_list_is_refused(alice: User, alice_api: APIClient, settings: Any, emails: list[str]) -> None:
    answer = alice_api.post(BULK, {"emails": emails}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (400, "EMPTY_LIST")
    assert answer.json()["detail"] == "Please enter at least one email"
    assert_nothing_happened(alice, settings.MEDIA_ROOT)


@pytest.mark.spec("VAL-025")
@pytest.mark.parametrize("body", [{}, {"emails": "a@b.com"}, {"emails": [1, {}]}, {"emails": None}, [], "text"])
def test_a_list_of_the_wrong_shape_is_refused(alice: User, alice_api: APIClient, settings: Any, body: Any) -> None:
    answer = alice_api.post(BULK, body, format="json")
    assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_ERROR")
    assert_nothing_happened(alice, settings.MEDIA_ROOT)


@pytest.mark.spec("VAL-022")
def test_a_list_beyond_the_credits_is_refused_before_any_work(
    world: Sandbox, alice: User, alice_api: APIClient, settings: Any
) -> None:
    emails = [f"person{number}@harborquill.com" for number in range(101)]
    answer = alice_api.post(BULK, {"emails": emails}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (403, "QUOTA_EXCEEDED")
    assert answer.json()["detail"] == "Insufficient credits. You need 101 but have 100."
    assert_nothing_happened(alice, settings.MEDIA_ROOT)
    assert upload(alice_api, SAMPLES / "customers-200.csv").status_code == 403
    assert_nothing_happened(alice, settings.MEDIA_ROOT)


@pytest.mark.spec("VAL-001", "VAL-008", "VAL-028")
@pytest.mark.parametrize("kind", ["csv", "xlsx", "xls", "txt"])
def test_each_type_of_file_gives_the_expected_verdicts(
    world: Sandbox, rich_alice: User, alice_api: APIClient, kind: str
) -> None:
    answer = upload(alice_api, SAMPLES / f"customers-200.{kind}")
    body = answer.json()
    assert (answer.status_code, body["status"], body["results"]) == (202, "queued", [])
    assert (body["total_emails"], body["duplicates_removed"]) == (194, 6)
    assert set(drain_queue()) == {"validation.tasks.work", "emailcheck.common.outbound.mail.deliver_mail"}
    detail = alice_api.get(f"/api/validate/batch/{body['batch_id']}").json()
    found = {row["email"]: [row["category"], row["reason"]] for row in detail["emails"]}
    once = {address: verdict for address, verdict in EXPECTED["addresses"].items() if address in found}
    differing = {a: (found[a], once[a]) for a in once if found[a] != once[a] and found[a][1] != "greylisted"}
    assert differing == {}
    assert (len(found), detail["processed_emails"], detail["processing_status"]) == (194, 194, "completed")
    assert ledger.reconcile_ledger() == []
    charged = Result.objects.filter(charged=True).count()
    assert detail["credits_used"] == charged
    assert balance(rich_alice) == 50_100 - charged


@pytest.mark.spec("VAL-010")
def test_a_short_file_is_answered_at_once(world: Sandbox, alice: User, alice_api: APIClient) -> None:
    answer = upload(alice_api, "short.csv", ("email,name\n" + "\n".join(f"{a},x" for a in LIVING)).encode())
    body = answer.json()
    assert (answer.status_code, body["total_processed"], body["valid_count"], body["invalid_count"]) == (200, 3, 1, 1)
    assert [row["email"] for row in body["results"]] == LIVING
    assert Batch.objects.get().filename == "short.csv"


def first_bytes(size: int) -> bytes:
    return b"email\n" + b"a" * size


@pytest.mark.spec("VAL-008", "VAL-011", "LIM-012")
@pytest.mark.parametrize(
    ("name", "content", "status", "code", "detail"),
    [
        ("list.pdf", b"%PDF-1.4", 400, "UNSUPPORTED_FILE", "Only .csv, .xlsx, .xls and .txt files are supported"),
        ("empty.csv", b"", 400, "NO_EMAILS", "No email addresses found in the file"),
        ("none.csv", b"name,city\nIda,Oslo\n", 400, "NO_EMAILS", "No email addresses found in the file"),
        ("big.csv", first_bytes(10 * 1024 * 1024), 413, "FILE_TOO_LARGE", "File is too large. Maximum size is 10MB."),
    ],
)
def test_a_bad_file_is_refused_and_nothing_is_kept(
    alice: User, alice_api: APIClient, settings: Any, name: str, content: bytes, status: int, code: str, detail: str
) -> None:
    answer = upload(alice_api, name, content)
    assert (answer.status_code, answer.json()["code"], answer.json()["detail"]) == (status, code, detail)
    assert_nothing_happened(alice, settings.MEDIA_ROOT)


@pytest.mark.spec("VAL-025")
@pytest.mark.parametrize("name", sorted(path.name for path in (SAMPLES / "bad").iterdir()))
def test_every_bad_sample_is_a_plain_400(alice: User, alice_api: APIClient, settings: Any, name: str) -> None:
    answer = upload(alice_api, SAMPLES / "bad" / name)
    assert answer.status_code == 400
    assert answer.json()["detail"].endswith((".", "file", "supported"))
    assert_nothing_happened(alice, settings.MEDIA_ROOT)


def test_an_upload_without_a_file_is_refused(alice: User, alice_api: APIClient, settings: Any) -> None:
    answer = alice_api.post(UPLOAD, {}, format="multipart")
    assert (answer.status_code, answer.json()["details"]["field"]) == (400, "file")
    assert_nothing_happened(alice, settings.MEDIA_ROOT)


@pytest.fixture
def queued(world: Sandbox, rich_alice: User, alice_api: APIClient, settings: Any) -> Batch:
    """A batch of 194 addresses in chunks of 50 that nobody has begun."""
    settings.CHUNK_ROWS = 50
    upload(alice_api, SAMPLES / "customers-200.csv")
    return Batch.objects.get()


@pytest.mark.spec("VAL-031", "VAL-033", "VAL-041")
def test_progress_is_told_while_a_batch_runs(queued: Batch, alice_api: APIClient) -> None:
    status_url = f"/api/validate/batch/{queued.public_id}/status"
    before = alice_api.get(status_url).json()
    assert (before["status"], before["processing_status"], before["processed_emails"]) == ("queued", "queued", 0)
    chunk = leases.claim_chunk(queued.pk)
    assert chunk is not None
    item = OpenChunk(chunk, checker().start([address for _, address in chunk.rows], deadline_s=60))
    item.write_results()
    during = alice_api.get(status_url).json()
    assert (during["status"], during["processed_emails"], during["total_emails"]) == ("processing", 50, 194)
    assert during["processing_status"] == "processing"
    assert during["progress_percentage"] == 25.8
    drain_queue()
    after = alice_api.get(status_url).json()
    assert after["processing_status"] == "completed"
    assert (after["status"], after["progress_percentage"], after["processed_emails"]) == ("completed", 100.0, 194)
    names = ("valid_count", "invalid_count", "unknown_count", "catch_all_count", "disposable_count", "spam_trap_count")
    assert sum(after[name] for name in names) == 194
    history = alice_api.get(HISTORY).json()["batches"]
    assert [(batch["id"], batch["processing_status"]) for batch in history] == [(queued.public_id, "completed")]
    assert {name: history[0][name] for name in names} == {name: after[name] for name in names}


@pytest.mark.spec("VAL-032")
def test_the_detail_is_paged_in_the_order_of_the_list(queued: Batch, alice_api: APIClient) -> None:
    drain_queue()
    url = f"/api/validate/batch/{queued.public_id}"
    first = alice_api.get(url, {"page_size": 100}).json()
    second = alice_api.get(url, {"page_size": 100, "page": 2}).json()
    assert (first["page"], first["total"], first["next"], second["next"]) == (1, 194, 2, None)
    rows = [row["row"] for row in first["emails"] + second["emails"]]
    assert (len(rows), rows) == (194, sorted(set(rows)))


@pytest.mark.spec("VAL-040")
@pytest.mark.parametrize("path", ["", "/status", "/results", "/export"])
def test_a_stranger_finds_no_batch(queued: Batch, bob_api: APIClient, anonymous_api: APIClient, path: str) -> None:
    for batch_id in (queued.public_id, "bat_unknown"):
        answer = bob_api.get(f"/api/validate/batch/{batch_id}{path}")
        assert (answer.status_code, answer.json()["detail"]) == (404, "Batch not found")
    assert anonymous_api.get(f"/api/validate/batch/{queued.public_id}{path}").status_code == 401


def test_the_explorer_pages_without_gap_or_repeat_in_every_order(queued: Batch, alice_api: APIClient) -> None:
    drain_queue()
    url = f"/api/validate/batch/{queued.public_id}/results"

    def walk(sort: str) -> Iterable[dict[str, Any]]:
        cursor = ""
        while cursor is not None:
            page = alice_api.get(url, {"sort": sort, "page_size": "30", "cursor": cursor}).json()
            assert page["total"] == 194
            yield from page["results"]
            cursor = page["next"]

    keys: dict[str, Callable[[dict[str, Any]], Any]] = {
        "row": itemgetter("row"),
        "email": lambda row: row["email"].lower(),
        "category": itemgetter("category"),
        "confidence": itemgetter("confidence_score"),
    }
    for sort, key in keys.items():
        up, down = list(walk(sort)), list(walk(f"-{sort}"))
        assert [key(row) for row in up] == sorted(key(row) for row in up)
        assert [row["id"] for row in up] == [row["id"] for row in reversed(down)]
        assert len({row["id"] for row in up}) == 194


def test_the_explorer_searches_and_filters(queued: Batch, alice_api: APIClient) -> None:
    drain_queue()
    url = f"/api/validate/batch/{queued.public_id}/results"
    found = alice_api.get(url, {"search": "YOPMAIL.com", "category": "disposable"}).json()
    assert {row["category"] for row in found["results"]} == {"disposable"}
    assert all("@yopmail.com" in row["email"] for row in found["results"])
    assert found["total"] == len(found["results"]) > 0
    assert alice_api.get(url, {"category": "spam_trap"}).json() == {
        "results": [],
        "total": 0,
        "total_is_least": False,
        "next_cursor": None,
        "next": None,
    }
    assert alice_api.get(url, {"cursor": "garbage"}).status_code == 400


def test_the_export_has_a_line_for_each_result(queued: Batch, alice_api: APIClient) -> None:
    drain_queue()
    answer = alice_api.get(f"/api/validate/batch/{queued.public_id}/export", {"format": "csv"})
    assert answer["Content-Disposition"].startswith('attachment; filename="batch-customers-200-20')
    assert (answer["Cache-Control"], answer["X-Content-Type-Options"]) == ("no-store", "nosniff")
    lines = list(csv.DictReader(io.StringIO(body_of(answer))))
    stored = Result.objects.filter(batch=queued).order_by("position")
    assert [line["Email"].removeprefix("'") for line in lines] == [result.email for result in stored]
    assert {line["Label"] for line in lines} == {"Safe to send", "Risky to send", "Do not send"}


def test_a_segment_has_as_many_lines_as_its_count(queued: Batch, alice_api: APIClient) -> None:
    drain_queue()
    batch = alice_api.get(f"/api/validate/batch/{queued.public_id}").json()
    for segment, count in {"safe": "safe_to_send_count", "risky": "risky_count", "invalid": "invalid_count"}.items():
        answer = alice_api.get(f"/api/validate/batch/{queued.public_id}/export", {"segment": segment})
        assert body_of(answer).count("\r\n") == batch[count] + 1


def test_history_holds_batches_singles_and_the_flat_view(world: Sandbox, alice_api: APIClient) -> None:
    alice_api.post("/api/validate/single", {"email": LIVING[0]}, format="json")
    alice_api.post(BULK, {"emails": LIVING}, format="json")
    body = alice_api.get(HISTORY).json()
    assert (body["batches_total"], body["individual_total"], body["total"], body["page"]) == (1, 1, 4, 1)
    assert [row["email"] for row in body["individual_validations"]] == [LIVING[0]]
    assert sorted(body["validations"][0]) == ["email", "id", "valid", "validated_at"]
    assert alice_api.get(HISTORY, {"active": "1"}).json()["batches"] == []


def test_history_is_the_owners_alone(world: Sandbox, alice_api: APIClient, bob: User) -> None:
    alice_api.post(BULK, {"emails": LIVING}, format="json")
    body = client_of(bob).get(HISTORY).json()
    assert (body["batches"], body["individual_validations"], body["validations"]) == ([], [], [])


def test_sixteen_times_the_same_wake_up_checks_each_address_once(queued: Batch, rich_alice: User) -> None:
    pipeline.wake_workers(times=16)
    drain_queue()
    assert Result.objects.filter(batch=queued).count() == 194
    assert CreditEntry.objects.filter(kind="release").count() <= 1
    assert ledger.reconcile_ledger() == []
