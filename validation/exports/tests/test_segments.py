"""Columns and segments of CSV and XLSX: what was sent and what was checked, flags, suggestions, and their counts."""

import csv
import io
from typing import Any

import openpyxl
import pytest
from rest_framework.test import APIClient

from accounts.users.models import User
from emailcheck.common.testing import drain_queue
from tests.world import Sandbox
from validation.batches import rankings
from validation.batches import services as batches
from validation.batches.models import Batch, BatchType
from validation.exports import found_rows
from validation.results.models import RepairedAddress, Result
from validation.tests import stored

LINES = ["ida.holm@harborquill.com", "info@twolines.net", "anna.keller@gmial.com", "no address", "sales@gmial.com"]
SEGMENTS = "all, safe, risky, do_not_send, invalid, catch_all, disposable, unknown, unique, role, typo"
NEW_COLUMNS = ["email_checked", "repaired_from", "did_you_mean", "is_role", "is_free", "mx_host", "reason_text"]


@pytest.fixture
def batch(world: Sandbox, alice: User) -> Batch:
    return batches.start_list(organisation=alice.own_organisation, lines=LINES, batch_type=BatchType.BULK_TEXTAREA)


def export(api: APIClient, batch: Batch, **query: Any) -> bytes:
    answer: Any = api.get(f"/api/validate/batch/{batch.public_id}/export", query)
    assert answer.status_code == 200, answer.content
    return b"".join(answer.streaming_content)


def read_csv(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(data.decode(), newline="")))


@pytest.mark.spec("REP-027")
@pytest.mark.finding("E2")
def test_tables_carry_what_was_found_besides_the_verdict(batch: Batch, alice_api: APIClient) -> None:
    rows = {row["Email"]: row for row in read_csv(export(alice_api, batch))}
    assert list(next(iter(rows.values())))[-len(NEW_COLUMNS) - 1 :] == ["Checks", *NEW_COLUMNS]
    found = {email: [row[name] for name in NEW_COLUMNS[2:5]] for email, row in rows.items()}
    assert found == {
        LINES[0]: ["", "false", "false"],
        LINES[1]: ["", "true", "false"],
        LINES[2]: ["anna.keller@gmail.com", "false", "false"],
        LINES[3]: ["", "", ""],
        LINES[4]: ["sales@gmail.com", "true", "false"],
    }
    assert rows[LINES[0]]["reason_text"] == "The mailbox exists."
    assert (rows[LINES[0]]["mx_host"], rows[LINES[3]]["mx_host"]) == ("mx1.northbeam-mail.net", "")
    sheet = openpyxl.load_workbook(io.BytesIO(export(alice_api, batch, format="xlsx"))).worksheets[0]
    header, *cells = [["" if value is None else str(value) for value in row] for row in sheet.values]
    assert header == list(rows[LINES[0]])
    numbers = header.index("Confidence")
    for line, row in zip(cells, rows.values(), strict=True):
        assert [*line[:numbers], *line[numbers + 1 :]] == [value for name, value in row.items() if name != "Confidence"]


@pytest.mark.spec("REP-006")
def test_the_address_as_sent_stands_beside_the_one_that_was_checked(batch: Batch, alice_api: APIClient) -> None:
    Batch.objects.update(positions_a_row=2)
    Result.objects.filter(batch=batch, position__in=[2, 3]).update(rechecked_at=None)
    source = "Info <info@twolines.net>, =1+1"
    RepairedAddress.objects.create(batch=batch, position=2, source=source, source_key=source.lower(), kinds="name")
    RepairedAddress.objects.create(batch=batch, position=3, source="=cmd()", source_key="=cmd()", kinds="name")
    rows = read_csv(export(alice_api, batch))
    shown = [(row["Row"], row["Email"], row["email_checked"], row["repaired_from"]) for row in rows]
    assert shown == [
        ("0", LINES[0], LINES[0], ""),
        ("1", source, LINES[1], source),
        ("1", "'=cmd()", LINES[2], "'=cmd()"),
        ("2", LINES[3], LINES[3], ""),
        ("2", LINES[4], LINES[4], ""),
    ]
    raw = read_csv(export(alice_api, batch, formulas="raw"))
    assert raw[2]["Email"] == raw[2]["repaired_from"] == "=cmd()"


@pytest.mark.spec("REP-028")
@pytest.mark.finding("E2")
@pytest.mark.parametrize("file_format", ["csv", "xlsx"])
def test_role_addresses_and_typing_errors_are_parts_as_long_as_their_counts(
    batch: Batch, alice_api: APIClient, file_format: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(found_rows, "PAGE_ROWS", 2)
    page = alice_api.get(f"/api/validate/batch/{batch.public_id}").json()
    assert (page["role_count"], page["typo_count"]) == (2, 2)
    for segment, expected in {"role": [LINES[1], LINES[4]], "typo": [LINES[2], LINES[4]]}.items():
        data = export(alice_api, batch, format=file_format, segment=segment)
        if file_format == "csv":
            found = [row["Email"] for row in read_csv(data)]
        else:
            found = [str(row[1]) for row in openpyxl.load_workbook(io.BytesIO(data)).worksheets[0].values][1:]
        assert found == expected


@pytest.mark.spec("REP-028")
def test_an_empty_part_is_a_header_alone_and_an_unknown_one_names_those_there_are(
    alice: User, alice_api: APIClient
) -> None:
    batch = stored.finished(alice, [("a@x.org", "valid")])
    for segment in ("role", "typo", "risky"):
        assert export(alice_api, batch, segment=segment).count(b"\r\n") == 1
    answer = alice_api.get(f"/api/validate/batch/{batch.public_id}/export", {"segment": "roles"})
    assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_ERROR")
    assert f"There is no such segment. Allowed: {SEGMENTS}." in str(answer.json())


@pytest.mark.spec("REP-028")
def test_a_long_list_is_counted_by_the_queue_and_a_running_one_not_at_all(
    batch: Batch, alice_api: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rankings, "KEPT_FROM_ROWS", 5)
    path = f"/api/validate/batch/{batch.public_id}"

    def counts() -> tuple[int | None, int | None]:
        page = alice_api.get(path).json()
        return page["role_count"], page["typo_count"]

    Batch.objects.update(rankings={"reasons": [], "hosts": []})  # as it was kept before there were such counts
    assert [counts(), counts()] == [(None, None)] * 2
    assert drain_queue().count(rankings.RANK) == 1
    assert counts() == (2, 2)
    Batch.objects.update(status="processing", rankings=None)
    assert counts() == (None, None)
    assert rankings.RANK not in drain_queue()


@pytest.mark.spec("REP-028")
def test_rows_of_a_second_look_count_once(batch: Batch, alice_api: APIClient) -> None:
    Batch.objects.update(reused_count=1)
    page = alice_api.get(f"/api/validate/batch/{batch.public_id}").json()
    assert (page["role_count"], page["typo_count"]) == (2, 2)


@pytest.mark.spec("REP-027")
@pytest.mark.parametrize(
    ("filename", "stem"),
    [("Kunden.2024.csv", "Kunden.2024"), ("a.XLSX", "a"), ("b.xls", "b"), ("c.txt", "c"), ("final.v2", "final.v2"),
     (".csv", "{id}")],
)  # fmt: skip
def test_names_of_downloads_are_those_of_the_file_without_its_ending(
    alice: User, alice_api: APIClient, filename: str, stem: str
) -> None:
    batch = stored.finished(alice, [("a@x.org", "valid")], filename=filename)
    answer = alice_api.get(f"/api/validate/batch/{batch.public_id}/export", {"format": "xlsx", "segment": "safe"})
    name = answer["Content-Disposition"].partition('filename="')[2]
    assert name.startswith(f"batch-{stem.format(id=batch.public_id)}-safe-20")
    assert name.endswith('.xlsx"')
