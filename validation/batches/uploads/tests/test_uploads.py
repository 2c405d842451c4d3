"""A file before its start: understood, reviewed, changed, started once, thrown away, forgotten."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.db.models.signals import post_delete
from django.utils import timezone
from django_q.models import OrmQ
from rest_framework.test import APIClient

from accounts.users.models import User
from billing.ledger import services as ledger
from billing.ledger.models import CreditAccount, CreditHold
from emailcheck.common.errors import NotFound
from emailcheck.common.queue import tasks
from tests.world import Sandbox
from validation.batches.chunks import pipeline
from validation.batches.chunks.models import Chunk
from validation.batches.models import Batch
from validation.batches.uploads import drafts, files
from validation.batches.uploads.drafts import load_upload
from validation.batches.uploads.models import Upload
from validation.results.models import Result

INSPECT = "/api/validate/upload/inspect"
LIVING = ["ida.holm@harborquill.com", "gone.hannah.park@twolines.net", "anna_dawson@yopmail.com"]
TABLE = (
    "Kunde;E-Mail;Ort\n"
    f"1;{LIVING[0]};Oslo\n"
    f"2;{LIVING[0].upper()};Oslo\n"
    "3;;Bonn\n"
    f"4;'=tag@harborquill.com;Köln\n"
    "5;no address@;Rom\n"
).encode("cp1252")


def send(api: APIClient, content: bytes, name: str = "list.csv", path: str = INSPECT, **fields: Any) -> Any:
    return api.post(path, {"file": SimpleUploadedFile(name, content), **fields}, format="multipart")


def balance(user: User) -> int:
    return CreditAccount.objects.get(organisation=user.own_organisation).balance


def stored(root: Path) -> list[str]:
    return sorted(path.suffix for path in root.rglob("*") if path.is_file())


def assert_nothing_started(user: User) -> None:
    assert not Batch.objects.exists()
    assert not CreditHold.objects.exists()
    assert tasks.count_waiting(pipeline.WORK, "bulk") == 0
    assert balance(user) == 100


@pytest.mark.spec("VAL-045", "VAL-024", "VAL-043")
def test_a_file_is_understood_and_counted_before_anything_is_held(
    alice: User, alice_api: APIClient, settings: Any
) -> None:
    answer = send(alice_api, TABLE)
    body = answer.json()
    assert answer.status_code == 200
    assert {name: body[name] for name in ("filename", "type", "sheet", "email_column", "has_header", "chosen")} == {
        "filename": "list.csv", "type": "csv", "sheet": "", "email_column": "2", "has_header": True, "chosen": [],
    }  # fmt: skip
    assert (body["encoding"], body["delimiter"]) == ("cp1252", ";")
    assert [(sheet["name"], sheet["rows"]) for sheet in body["sheets"]] == [("", 5)]
    assert [(column["name"], column["samples"]) for column in body["sheets"][0]["columns"]] == [
        ("Kunde", ["1", "2", "3", "4", "5"]),
        ("E-Mail", [LIVING[0], LIVING[0].upper(), "'=tag@harborquill.com", "no address@"]),
        ("Ort", ["Oslo", "Oslo", "Bonn", "Köln", "Rom"]),
    ]
    counted = {name: body[name] for name in ("rows", "unique", "duplicates", "blank", "bad_syntax", "cost", "credits")}
    assert counted == {
        "rows": 5, "unique": 3, "duplicates": 1, "blank": 1, "bad_syntax": 1, "cost": 2, "credits": 100,
    }  # fmt: skip
    assert alice_api.get(f"/api/validate/upload/{body['upload_id']}").json() == body
    assert_nothing_started(alice)
    assert len(stored(settings.MEDIA_ROOT)) == 2


@pytest.mark.spec("VAL-045", "VAL-044", "SET-060")
def test_choices_change_the_review_and_are_kept(alice: User, alice_api: APIClient, settings: Any) -> None:
    content = f"work,private\n{LIVING[0]},{LIVING[1]}\n{LIVING[0]},{LIVING[2]}\n".encode()
    upload_id = send(alice_api, content).json()["upload_id"]
    url = f"/api/validate/upload/{upload_id}"
    choices = {"email_column": "private", "has_header": True, "retention_days": 7, "use_providers": False}
    answer = alice_api.put(url, choices, format="json")
    body = answer.json()
    assert (answer.status_code, body["email_column"], body["chosen"]) == (200, "2", ["email_column", "has_header"])
    assert (body["unique"], body["duplicates"], body["cost"], body["providers"]) == (2, 0, 2, [])
    assert (body["retention_days"], body["use_providers"]) == (7, False)
    without_header = alice_api.put(url, {"has_header": False}, format="json").json()
    assert (without_header["rows"], without_header["bad_syntax"], without_header["email_column"]) == (3, 1, "1")
    assert (without_header["retention_days"], without_header["use_providers"]) == (None, None)
    assert_nothing_started(alice)
    assert len(stored(settings.MEDIA_ROOT)) == 2


@pytest.mark.spec("VAL-045")
@pytest.mark.parametrize(
    ("choices", "code", "field"),
    [
        ({"email_column": "nothing like it"}, "VALIDATION_ERROR", "email_column"),
        ({"email_column": "9"}, "VALIDATION_ERROR", "email_column"),
        ({"email_column": "3"}, "NO_EMAILS", "file"),
        ({"encoding": "klingon"}, "VALIDATION_ERROR", "encoding"),
        ({"encoding": "utf-8"}, "UNREADABLE_FILE", "file"),
        ({"delimiter": "x"}, "VALIDATION_ERROR", "delimiter"),
        ({"retention_days": 8}, "VALIDATION_ERROR", "retention_days"),
        ({"use_providers": "perhaps"}, "VALIDATION_ERROR", "use_providers"),
    ],
)
def test_choices_that_do_not_fit_leave_the_review_as_it_was(
    alice: User, alice_api: APIClient, choices: dict[str, Any], code: str, field: str
) -> None:
    before = send(alice_api, TABLE).json()
    url = f"/api/validate/upload/{before['upload_id']}"
    answer = alice_api.put(url, choices, format="json")
    assert (answer.status_code, answer.json()["code"], answer.json()["details"]["field"]) == (400, code, field)
    assert alice_api.get(url).json() == before
    assert_nothing_started(alice)


@pytest.mark.spec("VAL-045")
def test_the_same_choices_do_not_read_the_file_again(alice_api: APIClient, alice: User, settings: Any) -> None:
    upload_id = send(alice_api, TABLE).json()["upload_id"]
    before = Upload.objects.get().sorted_file
    body = alice_api.put(f"/api/validate/upload/{upload_id}", {"retention_days": 1}, format="json").json()
    assert (Upload.objects.get().sorted_file, body["retention_days"]) == (before, 1)


@pytest.mark.spec("VAL-045", "VAL-043", "VAL-044")
def test_a_start_holds_what_the_review_said(world: Sandbox, alice: User, alice_api: APIClient, settings: Any) -> None:
    settings.IMMEDIATE_ADDRESSES = 0
    upload_id = send(alice_api, TABLE).json()["upload_id"]
    url = f"/api/validate/upload/{upload_id}"
    alice_api.put(url, {"retention_days": 30, "use_providers": False}, format="json")
    answer = alice_api.post(f"{url}/start")
    batch = Batch.objects.get()
    assert (answer.status_code, answer.json()) == (
        202,
        {
            "batch_id": batch.public_id, "status": "queued", "held": 2, "reused_count": 0, "checks": "full",
            "estimate": None,
        },
    )  # fmt: skip
    assert (balance(alice), batch.total_emails, batch.duplicates_removed, batch.blank_rows) == (98, 3, 1, 1)
    assert (batch.retention_days, batch.use_providers, batch.filename) == (30, False, "list.csv")
    rows = [row for chunk in Chunk.objects.order_by("number") for row in chunk.rows]
    assert rows == [[1, LIVING[0]], [4, "=tag@harborquill.com"], [5, "no address@"]]
    assert stored(settings.MEDIA_ROOT) == [".csv"]


@pytest.mark.spec("VAL-045", "VAL-023")
def test_a_short_upload_is_finished_by_its_start(world: Sandbox, alice: User, alice_api: APIClient) -> None:
    upload_id = send(alice_api, "\n".join(LIVING).encode()).json()["upload_id"]
    answer = alice_api.post(f"/api/validate/upload/{upload_id}/start")
    assert (answer.status_code, answer.json()["status"], answer.json()["held"]) == (202, "completed", 3)
    assert (balance(alice), Result.objects.count()) == (97, 3)
    assert not OrmQ.objects.exists()


@pytest.mark.spec("VAL-022", "VAL-045")
def test_a_start_beyond_the_credits_is_refused_and_the_upload_stays(
    alice: User, alice_api: APIClient, settings: Any
) -> None:
    content = "\n".join(f"person{number}@harborquill.com" for number in range(101)).encode()
    before = send(alice_api, content).json()
    assert (before["cost"], before["credits"]) == (101, 100)
    answer = alice_api.post(f"/api/validate/upload/{before['upload_id']}/start")
    assert (answer.status_code, answer.json()["code"]) == (403, "QUOTA_EXCEEDED")
    assert answer.json()["detail"] == "Insufficient credits. You need 101 but have 100."
    assert_nothing_started(alice)
    assert alice_api.get(f"/api/validate/upload/{before['upload_id']}").json() == before
    assert len(stored(settings.MEDIA_ROOT)) == 2


@pytest.mark.spec("VAL-045")
def test_a_second_start_answers_the_first(world: Sandbox, alice: User, alice_api: APIClient) -> None:
    upload_id = send(alice_api, TABLE).json()["upload_id"]
    url = f"/api/validate/upload/{upload_id}"
    first, second = alice_api.post(f"{url}/start").json(), alice_api.post(f"{url}/start").json()
    assert first == second
    assert (Batch.objects.count(), CreditHold.objects.count(), balance(alice)) == (1, 1, 98)
    for refused in (alice_api.put(url, {}, format="json"), alice_api.delete(url)):
        assert (refused.status_code, refused.json()["code"]) == (409, "CONFLICT")
    assert Batch.objects.get().file == Upload.objects.get().file


@pytest.mark.spec("VAL-045")
@pytest.mark.django_db(transaction=True)
def test_sixteen_starts_at_once_make_one_batch(alice: User, settings: Any) -> None:
    settings.IMMEDIATE_ADDRESSES = 0
    draft = drafts.inspect_upload(
        organisation=alice.own_organisation, upload=SimpleUploadedFile("a.csv", TABLE), choices=drafts.UploadChoices()
    )

    def start(_: int) -> str:
        try:
            return drafts.start_upload(upload=draft).public_id
        finally:
            connection.close()

    with ThreadPoolExecutor(16) as pool:
        started = set(pool.map(start, range(16)))
    batch = Batch.objects.get()
    assert started == {batch.public_id}
    assert (CreditHold.objects.count(), balance(alice), Chunk.objects.count()) == (1, 98, 1)
    assert ledger.reconcile_ledger() == []


@pytest.mark.spec("VAL-045", "VAL-040")
def test_a_stranger_finds_no_upload(alice_api: APIClient, bob_api: APIClient, alice: User) -> None:
    upload_id = send(alice_api, TABLE).json()["upload_id"]
    for known in (upload_id, "upl_unknown"):
        url = f"/api/validate/upload/{known}"
        answers = [
            bob_api.get(url),
            bob_api.put(url, {}, format="json"),
            bob_api.delete(url),
            bob_api.post(f"{url}/start"),
        ]
        assert {(answer.status_code, answer.json()["detail"]) for answer in answers} == {(404, "Upload not found")}
    assert_nothing_started(alice)
    assert Upload.objects.open().count() == 1


@pytest.mark.spec("VAL-045")
def test_an_upload_can_be_thrown_away(alice: User, alice_api: APIClient, settings: Any) -> None:
    url = f"/api/validate/upload/{send(alice_api, TABLE).json()['upload_id']}"
    answer = alice_api.delete(url)
    assert (answer.status_code, answer.json()) == (200, {"message": "Upload discarded."})
    assert (stored(settings.MEDIA_ROOT), Upload.objects.count()) == ([], 0)
    assert alice_api.delete(url).status_code == 404


@pytest.mark.spec("VAL-045")
def test_uploads_that_nobody_starts_are_forgotten_with_their_files(
    world: Sandbox, alice: User, alice_api: APIClient, settings: Any
) -> None:
    started = send(alice_api, TABLE).json()["upload_id"]
    alice_api.post(f"/api/validate/upload/{started}/start")
    waiting = send(alice_api, TABLE).json()["upload_id"]
    (settings.MEDIA_ROOT / "uploads" / "upl_leftbyacrash.csv").write_bytes(TABLE)
    drafts.forget_expired()
    assert len(stored(settings.MEDIA_ROOT)) == 4
    with time_machine.travel(timezone.now() + timedelta(hours=25)):
        with pytest.raises(NotFound, match=r"^Upload not found$"):
            load_upload(alice.own_organisation, waiting)
        drafts.forget_expired()
        drafts.forget_expired()
    assert not Upload.objects.exists()
    assert stored(settings.MEDIA_ROOT) == [".csv"]
    assert (settings.MEDIA_ROOT / Batch.objects.get().file).is_file()


@pytest.mark.spec("VAL-045")
def test_an_account_keeps_so_many_uploads_and_no_more(alice: User, alice_api: APIClient, settings: Any) -> None:
    ids = [send(alice_api, f"{LIVING[0]}\n".encode()).json()["upload_id"] for _ in range(drafts.OPEN_AT_MOST + 2)]
    kept = set(Upload.objects.values_list("public_id", flat=True))
    assert kept == set(ids[2:])
    assert len(stored(settings.MEDIA_ROOT)) == 2 * drafts.OPEN_AT_MOST


@pytest.mark.spec("VAL-045")
def test_an_upload_that_another_call_throws_away_meanwhile_refuses_nobody(
    alice_api: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def throw_away_the_next(instance: Upload, **_: Any) -> None:
        Upload.objects.filter(pk__lt=instance.pk).delete()

    ids = [send(alice_api, TABLE).json()["upload_id"] for _ in range(3)]
    monkeypatch.setattr(drafts, "OPEN_AT_MOST", 2)
    post_delete.connect(throw_away_the_next, sender=Upload)
    try:
        answer = send(alice_api, TABLE)
    finally:
        post_delete.disconnect(throw_away_the_next, sender=Upload)
    assert answer.status_code == 200
    assert list(Upload.objects.order_by("pk").values_list("public_id", flat=True)) == [
        ids[2],
        answer.json()["upload_id"],
    ]


def test_nobody_waits_for_ever_until_his_file_is_read(
    alice_api: APIClient, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "_PATIENCE_S", 0)
    with files._readers, files._readers:
        answer = send(alice_api, TABLE)
    assert (answer.status_code, answer.json()["detail"]) == (
        503,
        "Too many files are being read. Try again in a minute.",
    )
    assert (stored(settings.MEDIA_ROOT), Upload.objects.count()) == ([], 0)
    assert send(alice_api, TABLE).status_code == 200


@pytest.mark.spec("VAL-045", "VAL-044", "VAL-024")
def test_one_call_takes_the_same_choices(world: Sandbox, alice: User, alice_api: APIClient, settings: Any) -> None:
    content = f"work\tprivate\n{LIVING[0]}\t{LIVING[1]}\n".encode("cp1251")
    fields = {"email_column": "2", "has_header": "true", "encoding": "windows-1251", "delimiter": "\t"}
    answer = send(alice_api, content, path="/api/validate/upload", **fields, retention_days="1", use_providers="false")
    batch = Batch.objects.get()
    assert (answer.status_code, [row["email"] for row in answer.json()["results"]]) == (200, [LIVING[1]])
    assert (batch.retention_days, batch.use_providers) == (1, False)
    assert batch.address_location is not None
    assert batch.address_location["encoding"] == "cp1251"
    refused = send(alice_api, content, path="/api/validate/upload", email_column="3")
    assert (refused.status_code, refused.json()["details"]["field"]) == (400, "email_column")
    assert (Batch.objects.count(), len(stored(settings.MEDIA_ROOT))) == (1, 1)
