"""All in one zip: three CSV files and what each is for, streamed."""

import csv
import io
import zipfile
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from accounts.users.models import User
from tests.world import Sandbox
from validation.batches import services as batches
from validation.batches.models import Batch, BatchType
from validation.exports import archives, tables
from validation.exports.choices import ExportChoices
from validation.tests import stored

pytestmark = pytest.mark.spec("REP-031")

LISTED = [("a@x.org", "valid"), ("b@x.org", "catch_all"), ("c@x.org", "unknown"), ("d@x.org", "invalid"),
          ("e@x.org", "disposable"), ("f@x.org", "spam_trap"), ("g@x.org", "valid")]  # fmt: skip


def path_of(batch: Batch) -> str:
    return f"/api/validate/batch/{batch.public_id}/export"


def open_zip(api: APIClient, batch: Batch) -> zipfile.ZipFile:
    answer: Any = api.get(path_of(batch), {"format": "zip"})
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/zip")
    assert answer["Content-Disposition"].startswith('attachment; filename="batch-list-all-in-one-20')
    return zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content)))


def read_part(archive: zipfile.ZipFile, name: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(archive.read(name).decode(), newline="")))


def test_each_address_stands_in_one_of_three_files_with_all_columns(alice: User, alice_api: APIClient) -> None:
    archive = open_zip(alice_api, stored.finished(alice, LISTED))
    assert archive.testzip() is None
    assert sorted(archive.namelist()) == ["README.txt", "review.csv", "send.csv", "suppress.csv"]
    parts = {name: read_part(archive, name) for name in archives.PARTS}
    assert {tuple(part[0]) for part in parts.values()} == {tables.COLUMNS}
    assert {name: [line[1][0] for line in part[1:]] for name, part in parts.items()} == {
        "send.csv": ["a", "g"], "review.csv": ["b", "c"], "suppress.csv": ["d", "e", "f"],
    }  # fmt: skip
    assert [{line[3] for line in part[1:]} for part in parts.values()] == [
        {"Safe to send"}, {"Risky to send"}, {"Do not send"},
    ]  # fmt: skip
    readme = archive.read("README.txt").decode()
    for words in ("Safe to send: 2", "Risky to send: 2", "Do not send: 3", "suppression list", "7 in all"):
        assert words in readme


def test_a_part_without_addresses_holds_its_header(alice: User, alice_api: APIClient) -> None:
    archive = open_zip(alice_api, stored.finished(alice, [("a@x.org", "valid")]))
    assert [len(read_part(archive, name)) for name in archives.PARTS] == [2, 1, 1]


@pytest.mark.parametrize("status", ["queued", "processing", "paused"])
def test_a_running_list_has_no_zip(alice: User, alice_api: APIClient, status: str) -> None:
    batch = stored.finished(alice, LISTED)
    Batch.objects.update(status=status)
    answer = alice_api.get(path_of(batch), {"format": "zip"})
    assert (answer.status_code, answer.json()["code"]) == (409, "BATCH_RUNNING")


@pytest.mark.parametrize("status", ["cancelled", "failed"])
def test_a_list_that_was_stopped_has_one_of_what_is_done(alice: User, alice_api: APIClient, status: str) -> None:
    batch = stored.finished(alice, LISTED)
    Batch.objects.update(status=status)
    assert [len(read_part(open_zip(alice_api, batch), name)) for name in archives.PARTS] == [3, 3, 4]


def test_a_zip_takes_no_segment(alice: User, alice_api: APIClient) -> None:
    batch = stored.finished(alice, LISTED)
    answer = alice_api.get(path_of(batch), {"format": "zip", "segment": "safe"})
    assert (answer.status_code, answer.json()["details"]["field"]) == (400, "segment")


def test_the_first_bytes_come_before_any_result_is_read(alice: User) -> None:
    batch = stored.finished(alice, LISTED)
    content = archives.stream_archive(batch, ExportChoices("zip"))
    with CaptureQueriesContext(connection) as queries:
        assert next(content).startswith(b"PK\x03\x04")
    assert len(queries) == 0


def test_parts_add_up_to_the_checked_addresses(world: Sandbox, alice: User, alice_api: APIClient) -> None:
    lines = ["ida.holm@harborquill.com", "gone.hannah.park@twolines.net", "a@b", "a@b", "info@not-in-this-world.com"]
    batch = batches.start_list(organisation=alice.own_organisation, lines=lines, batch_type=BatchType.BULK_TEXTAREA)
    answer: Any = alice_api.get(path_of(batch), {"format": "zip"})
    archive = zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content)))
    emails = [line[1] for name in archives.PARTS for line in read_part(archive, name)[1:]]
    assert sorted(emails) == sorted(set(lines))
