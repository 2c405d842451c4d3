"""What comes out: the uploaded file again with its verdicts, segments, CSV and XLSX, inert and complete."""

import csv
import io
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from django.conf import settings as django_settings
from django.core.files.uploadedfile import SimpleUploadedFile
from python_calamine import CalamineWorkbook
from rest_framework.test import APIClient

from accounts.users.models import User
from billing.ledger import services as ledger
from billing.ledger.models import LotKind
from emailcheck.common.testing import drain_queue
from tests.world import Sandbox
from validation.batches import services as batches
from validation.batches.models import Batch, BatchType
from validation.batches.uploads import drafts
from validation.exports import originals, reading_slots, xlsx
from validation.exports.row_verdicts import COLUMNS
from validation.exports.tests.lists import discard_file
from validation.listfiles import ReadOptions
from validation.listfiles.tests.workbooks import xls
from validation.listfiles.tests.workbooks import xlsx as written_xlsx
from validation.results import storage
from validation.results.models import Result
from validation.results.reasons.texts import explain_reason

SAMPLES = Path(django_settings.BASE_DIR) / "samples"
LIVING = ["ida.holm@harborquill.com", "gone.hannah.park@twolines.net", "anna_dawson@yopmail.com"]
SEGMENTS = ("safe", "risky", "invalid", "catch_all", "disposable", "unknown")


def start(user: User, content: bytes, name: str = "list.csv", **options: Any) -> Batch:
    choices = drafts.UploadChoices(ReadOptions(**options))
    return drafts.start_at_once(
        organisation=user.own_organisation, upload=SimpleUploadedFile(name, content), choices=choices
    )


def download(api: APIClient, batch: Batch, file_format: str = "original", segment: str = "all") -> bytes:
    answer: Any = api.get(f"/api/validate/batch/{batch.public_id}/export", {"format": file_format, "segment": segment})
    assert answer.status_code == 200, answer.content
    return b"".join(answer.streaming_content)


def table(data: bytes, sheet: int = 0) -> list[list[Any]]:
    return CalamineWorkbook.from_filelike(io.BytesIO(data)).get_sheet_by_index(sheet).to_python()


def verdict(batch: Batch, position: int, address: str = "") -> list[str]:
    """The cells behind a row whose address has its verdict at a position, and is spelled so."""
    result = Result.objects.get(batch=batch, position=position)
    evidence = storage.load_evidence(result)
    flags = [str(flag).lower() for flag in ("role" in evidence["flags"], result.is_free)]
    return [
        address or result.email,
        result.category,
        result.reason,
        explain_reason(result.reason),
        f"{result.confidence:.2f}",
        storage.result_label(category=result.category, safe_to_send=result.safe_to_send),
        evidence["did_you_mean"] or "",
        *flags,
        *(host.rstrip(".") for host in evidence["mx"][:1]),
        "full",
    ]


def behind(batch: Batch, position: int, address: str = "") -> str:
    return ";".join(verdict(batch, position, address))


@pytest.mark.spec("VAL-072", "VAL-070")
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_the_uploaded_rows_come_back_with_their_verdicts(
    world: Sandbox, alice: User, alice_api: APIClient, encoding: str, line_end: str
) -> None:
    rows = [
        "Kundé;E-Mail;Note",
        f'1;{LIVING[0]};"said ""hi""; left"',
        f"2;{LIVING[0].upper()} ;again",
        "",
        "3;;blank",
        f"4;{LIVING[1]}",
        "5;+tag@harborquill.com;=1+1",
        f"6;{LIVING[2]};'=quoted",
    ]
    batch = start(alice, line_end.join(rows).encode(encoding))
    first, gone, tag, disposable = (behind(batch, position) for position in (1, 5, 6, 7))
    expected = [
        f"{rows[0]};{';'.join(COLUMNS)}",
        f"{rows[1]};{first}",
        f"{rows[2]};{behind(batch, 1, LIVING[0].upper())}",
        "",
        f"{rows[4]};;;;;;;;;;;",
        f"{rows[5]};;{gone}",
        f"5;+tag@harborquill.com;'=1+1;{tag}",
        f"{rows[7]};{disposable}",
    ]
    assert [cells.split(";")[1] for cells in (first, gone, disposable)] == ["valid", "invalid", "disposable"]
    assert download(alice_api, batch) == line_end.join(expected).encode(encoding)


@pytest.mark.spec("VAL-072")
def test_a_list_of_lines_comes_back_as_lines(world: Sandbox, alice: User, alice_api: APIClient) -> None:
    batch = start(alice, f"{LIVING[0]}\n\n{LIVING[1]}\n{LIVING[0]}\n".encode(), "list.txt")
    first, gone = (behind(batch, position).replace(";", "\t") for position in (1, 3))
    lines = [f"{LIVING[0]}\t{first}", "", f"{LIVING[1]}\t{gone}", f"{LIVING[0]}\t{first}", ""]
    assert download(alice_api, batch).decode() == "\n".join(lines)
    answer = alice_api.get(f"/api/validate/batch/{batch.public_id}/export", {"format": "original"})
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert answer["Content-Disposition"].startswith('attachment; filename="batch-list-with-results-20')
    assert answer["Content-Disposition"].endswith('.txt"')
    assert (answer["Cache-Control"], answer["X-Content-Type-Options"]) == ("no-store", "nosniff")


def test_downloads_that_are_cut_off_leave_room_for_others(
    world: Sandbox, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading_slots, "_PATIENCE_S", 0)
    batch = start(alice, f"{LIVING[0]}\n".encode())
    cut_off = []  # as in a cycle of references: nothing but `close` ends them
    for _ in range(5):
        content = originals.open_original(batch, originals.OriginalChoices()).content
        next(content)
        content.close()
        cut_off.append(content)
    assert LIVING[0].encode() in b"".join(originals.open_original(batch, originals.OriginalChoices()).content)


@pytest.mark.spec("VAL-072", "VAL-070")
@pytest.mark.parametrize("kind", ["xlsx", "xls"])
def test_a_workbook_comes_back_with_its_values(world: Sandbox, alice: User, alice_api: APIClient, kind: str) -> None:
    rows: list[Sequence[object]] = [
        ["id", "Email", "n", "ok", "note"],
        [1, LIVING[0], 1.5, True, "a < b & c"],
        [2, LIVING[0], -7, False, None],
        [3, None, None, None, "=no"] if kind == "xls" else [3, None, None, None, "'=no"],
        [12345678901, LIVING[1], 0.1, True, "+1"],
    ]
    write = {"xlsx": written_xlsx, "xls": xls}[kind]
    batch = start(alice, write({"Readme": [["x"]], "List": rows}), f"list.{kind}")
    data = download(alice_api, batch)
    found = table(data, 1)
    assert CalamineWorkbook.from_filelike(io.BytesIO(data)).sheet_names == ["Readme", "List"]
    assert table(data) == [["x"]]
    assert found[0] == ["id", "Email", "n", "ok", "note", *COLUMNS]
    assert found[1] == [1, LIVING[0], 1.5, True, "a < b & c", *verdict(batch, 1)]
    assert found[2] == [2, LIVING[0], -7, False, "", *verdict(batch, 1)]
    assert found[3] == [3, "", "", "", rows[3][4], *[""] * len(COLUMNS)]
    assert found[4] == [12345678901, LIVING[1], 0.1, True, "+1", *verdict(batch, 4)]
    assert b"<f>" not in zipfile.ZipFile(io.BytesIO(data)).read("xl/worksheets/sheet2.xml")


@pytest.fixture
def checked(world: Sandbox, alice_api: APIClient, alice: User) -> Batch:
    batch = start(make_rich(alice), (SAMPLES / "customers-200.csv").read_bytes())
    drain_queue()
    batch.refresh_from_db()
    return batch


def make_rich(user: User) -> User:
    ledger.grant_credits(organisation_id=user.pk, kind=LotKind.PACK, amount=5_000, reason="Test", key="rich")
    return user


def lines_of(data: bytes, file_format: str) -> list[list[Any]]:
    if file_format == "xlsx":
        return table(data)
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig")), delimiter=";" if b";" in data[:20] else ","))


@pytest.mark.spec("VAL-073")
@pytest.mark.parametrize("file_format", ["csv", "xlsx", "original"])
def test_a_segment_has_as_many_lines_as_its_count(checked: Batch, alice_api: APIClient, file_format: str) -> None:
    shown = alice_api.get(f"/api/validate/batch/{checked.public_id}").json()
    counts = {name: shown[f"{name}_count"] for name in SEGMENTS[2:]}
    counts |= {"safe": shown["safe_to_send_count"], "risky": shown["risky_count"], "unique": shown["total_emails"]}
    counts["do_not_send"] = shown["total_emails"] - counts["safe"] - counts["risky"]
    got = {name: len(lines_of(download(alice_api, checked, file_format, name), file_format)) - 1 for name in counts}
    assert got == counts
    assert min(counts["safe"], counts["risky"], counts["do_not_send"], counts["invalid"]) > 0
    whole = lines_of(download(alice_api, checked, file_format), file_format)
    assert len(whole) - 1 == (200 if file_format == "original" else 194)


@pytest.mark.spec("VAL-073", "VAL-072")
def test_the_segments_of_the_original_make_up_the_unique_rows(checked: Batch, alice_api: APIClient) -> None:
    names = ("safe", "risky", "do_not_send")
    parts = [lines_of(download(alice_api, checked, "original", name), "original")[1:] for name in names]
    unique = lines_of(download(alice_api, checked, "original", "unique"), "original")[1:]
    assert sorted(line for part in parts for line in part) == sorted(unique)
    assert [{line[COLUMNS.index("label") - len(COLUMNS)] for line in part} for part in parts] == [
        {"Safe to send"},
        {"Risky to send"},
        {"Do not send"},
    ]


@pytest.mark.spec("VAL-070")
def test_results_are_the_same_in_csv_and_xlsx_and_run_in_neither(
    world: Sandbox, alice: User, alice_api: APIClient
) -> None:
    lines = ["+tag@harborquill.com", "=cmd|'/c calc'!A0", *LIVING]
    batch = batches.start_list(organisation=alice.own_organisation, lines=lines, batch_type=BatchType.BULK_TEXTAREA)
    text = lines_of(download(alice_api, batch, "csv"), "csv")
    cells = table(download(alice_api, batch, "xlsx"))
    assert [row[1] for row in text] == ["Email", lines[0], f"'{lines[1]}", *LIVING]
    assert [row[1] for row in cells] == ["Email", *lines]
    assert [row[2:4] for row in text] == [row[2:4] for row in cells]
    assert [row[4] for row in cells[1:]] == [float(row[4]) for row in text[1:]]


@pytest.mark.spec("VAL-070")
@pytest.mark.parametrize("file_format", ["csv", "xlsx", "original"])
def test_what_was_exported_can_be_uploaded_again(
    world: Sandbox, alice: User, alice_api: APIClient, file_format: str
) -> None:
    addresses = ["+tag@harborquill.com", "=eq@harborquill.com", "'q@harborquill.com", "'+t@harborquill.com", *LIVING]
    before = start(alice, "\n".join(["email,n", *(f"{address},1" for address in addresses)]).encode())
    kind = "xlsx" if file_format == "xlsx" else "csv"
    after = start(alice, download(alice_api, before, file_format), f"again.{kind}")
    assert list(after.results.order_by("position").values_list("email", flat=True)) == addresses
    if file_format == "original":
        again = download(alice_api, after).decode().split("\n")
        assert [line.split(",")[0] for line in again[1:]] == [addresses[0], f"'{addresses[1]}", *addresses[2:]]


@pytest.mark.spec("REP-026")
@pytest.mark.finding("I3")
def test_in_the_original_only_what_could_run_is_changed(world: Sandbox, alice: User, alice_api: APIClient) -> None:
    live = ['"\n=1+1"', " =1+1", "\u00a0=1+1", "\ufeff@SUM(A1)", "-2+3+cmd", "\uff1d1"]
    inert = ["+44 20 7946 0000", "-0.12", "+tag@x.com", "-", "(20) 1", "'=1+1"]
    rows = [f"{LIVING[0]};{cell}" for cell in (*live, *inert)]
    batch = start(alice, "\n".join(["E-Mail;Note", *rows]).encode())
    header, *lines = csv.reader(io.StringIO(download(alice_api, batch).decode(), newline=""), delimiter=";")
    assert header[:2] == ["E-Mail", "Note"]
    assert [line[1] for line in lines] == [*("'" + cell.strip('"') for cell in live), *inert]


@pytest.mark.spec("VAL-044", "VAL-072")
def test_a_file_that_is_no_longer_kept_is_gone(world: Sandbox, alice: User, alice_api: APIClient) -> None:
    batch = start(alice, "\n".join(LIVING).encode())
    discard_file(batch)
    answer = alice_api.get(f"/api/validate/batch/{batch.public_id}/export", {"format": "original"})
    assert (answer.status_code, answer.json()["code"]) == (410, "EXPIRED")
    assert answer.json()["detail"] == "This file has passed its retention time"
    assert len(lines_of(download(alice_api, batch, "csv"), "csv")) == 4


@pytest.mark.spec("VAL-072")
def test_a_typed_list_has_no_original(world: Sandbox, alice: User, alice_api: APIClient) -> None:
    batch = batches.start_list(organisation=alice.own_organisation, lines=LIVING, batch_type=BatchType.BULK_TEXTAREA)
    answer = alice_api.get(f"/api/validate/batch/{batch.public_id}/export", {"format": "original"})
    assert (answer.status_code, answer.json()["details"]["field"]) == (400, "format")


@pytest.mark.spec("VAL-073")
@pytest.mark.parametrize("query", [{"format": "pdf"}, {"segment": "all;drop"}, {"format": "xls"}])
def test_other_formats_and_segments_are_refused(
    world: Sandbox, alice: User, alice_api: APIClient, query: dict[str, str]
) -> None:
    batch = batches.start_list(
        organisation=alice.own_organisation, lines=LIVING[:1], batch_type=BatchType.BULK_TEXTAREA
    )
    answer = alice_api.get(f"/api/validate/batch/{batch.public_id}/export", query)
    assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_ERROR")


@pytest.mark.spec("VAL-072")
def test_a_batch_from_before_places_were_kept_is_understood_anew(
    world: Sandbox, alice: User, alice_api: APIClient
) -> None:
    batch = start(alice, b"email\n" + "\n".join(LIVING).encode())
    whole = download(alice_api, batch)
    Batch.objects.update(address_location=None)
    assert download(alice_api, batch) == whole


@pytest.mark.spec("VAL-072")
def test_a_running_batch_has_empty_verdicts_where_there_are_none_yet(
    world: Sandbox, alice: User, alice_api: APIClient, settings: Any
) -> None:
    settings.IMMEDIATE_ADDRESSES = 0
    batch = start(alice, f"{LIVING[0]}\n{LIVING[1]}".encode())
    assert download(alice_api, batch).decode() == "\n".join(address + "\t" * len(COLUMNS) for address in LIVING[:2])
    assert download(alice_api, batch, "original", "unique").decode() == ""


@pytest.mark.spec("VAL-070")
def test_a_workbook_holds_any_text() -> None:
    texts = ["=1+1", "a\x00b\x07", "_x0041_", " spaced ", "line\nline", "tab\t", "<&>\"'", "ＡＢ＝", "\ud800", "😀"]
    data = b"".join(xlsx.stream_workbook('A & "B"', [texts, [1, 2.5, True, None, (45293.5, "datetime")]]))
    found = table(data)
    assert found[0][:1] + found[0][3:6] == ["=1+1", " spaced ", "line\nline", "tab\t"]
    assert found[0][6:8] == ["<&>\"'", "ＡＢ＝"]
    assert found[0][9] == "😀"
    assert found[1][:4] == [1, 2.5, True, ""]
    assert found[1][4].isoformat() == "2024-01-02T12:00:00"
    assert CalamineWorkbook.from_filelike(io.BytesIO(data)).sheet_names == ['A & "B"']


def test_moments_have_their_formats_and_only_titles_that_a_spreadsheet_takes() -> None:
    moments: list[xlsx.Value] = [(45293.5, "datetime"), (45293, "date"), (1.25, "time"), 1]
    data = b"".join(xlsx.stream_workbook("a/b:\x01" * 9, [moments]))
    sheet = openpyxl.load_workbook(io.BytesIO(data)).worksheets[0]
    assert [cell.number_format for cell in sheet[1]] == [
        "yyyy-mm-dd hh:mm:ss", "yyyy-mm-dd", "[h]:mm:ss", "General",
    ]  # fmt: skip
    assert sheet.title == ("a_b__" * 9)[:31]
    assert b"creator" not in zipfile.ZipFile(io.BytesIO(data)).read("docProps/core.xml")
    for title in ("sheet", "Sheet", ""):
        data = b"".join(xlsx.stream_workbook(title, []))
        assert openpyxl.load_workbook(io.BytesIO(data)).sheetnames == [title or "Sheet"]
