"""The uploaded text file again: which columns it gains, one for each address, and what holds up whom."""

import csv
import io
from typing import Any

import pytest
from rest_framework.test import APIClient

from accounts.users.models import User
from validation.batches.models import Batch
from validation.engine import Category
from validation.exports import originals, row_verdicts

from .lists import read_original, store_list, store_verdicts

IDA, GONE, ROLE = "ida@a.com", "gone@b.com", "info@c.com"
SHORT = ("category", "reason")
VALID, INVALID, UNKNOWN = Category.VALID, Category.INVALID, Category.UNKNOWN


def lines_of(data: bytes, delimiter: str = ",") -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode(), newline=""), delimiter=delimiter))


def ask(api: APIClient, batch: Batch, **query: str) -> Any:
    return api.get(f"/api/validate/batch/{batch.public_id}/export", {"format": "original", **query})


@pytest.mark.spec("REP-027")
def test_the_file_gains_the_chosen_columns(alice: User, alice_api: APIClient) -> None:
    batch = store_list(alice, f"email,n\n{IDA},1\n{GONE},2\n{ROLE},3\n".encode())
    store_verdicts(batch, {1: (IDA, VALID), 2: (GONE, INVALID), 3: (ROLE, UNKNOWN)})
    whole = lines_of(b"".join(ask(alice_api, batch).streaming_content))
    assert whole == [
        ["email", "n", "email_checked", "category", "reason", "reason_text", "confidence", "label", "did_you_mean",
         "is_role", "is_free", "mx_host", "checks"],
        [IDA, "1", IDA, "valid", "mailbox_exists", "The mailbox exists.", "0.90", "Safe to send", "",
         "false", "false", "mx.a.com", "full"],
        [GONE, "2", GONE, "invalid", "mailbox_not_found", "The mailbox does not exist.", "0.90", "Do not send", "",
         "false", "false", "mx.b.com", "full"],
        [ROLE, "3", ROLE, "unknown", "timeout", "The mail servers of the domain did not answer in time.", "0.90",
         "Risky to send", "", "true", "false", "mx.c.com", "full"],
    ]  # fmt: skip
    some = ask(alice_api, batch, columns="label, category")
    assert lines_of(b"".join(some.streaming_content))[1] == [IDA, "1", "valid", "Safe to send"]
    for wrong in ("category,colour", "Category"):
        answer = ask(alice_api, batch, columns=wrong)
        assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_ERROR")
    assert ", ".join(row_verdicts.COLUMNS) in ask(alice_api, batch, columns="colour").content.decode()


@pytest.mark.spec("REP-027")
def test_a_name_that_is_there_already_is_marked(alice: User) -> None:
    batch = store_list(alice, f"email,Category ,label,label (EmailCheck)\n{IDA},a,b,c\n".encode())
    header = lines_of(read_original(batch, columns=("category", "label")))[0]
    assert header[4:] == ["category (EmailCheck)", "label (EmailCheck) (EmailCheck)"]


@pytest.mark.spec("REP-024")
def test_each_email_column_has_its_own_verdicts(alice: User, alice_api: APIClient) -> None:
    text = f"n,email,Work,email\n1,{IDA},{GONE},{ROLE}\n2,,{IDA},\n3,,,\n4,{ROLE},x,{ROLE.upper()}\n"
    batch = store_list(alice, text.encode(), email_columns=("2", "3", "4"))
    store_verdicts(batch, {512: (IDA, VALID), 513: (GONE, INVALID), 514: (ROLE, UNKNOWN), 2049: ("x", INVALID)})
    header, *rows = lines_of(read_original(batch, columns=("email_checked", "category")))
    assert header[4:] == [
        "email (B): email_checked", "email (B): category", "Work: email_checked", "Work: category",
        "email (D): email_checked", "email (D): category",
    ]  # fmt: skip
    assert [row[4:] for row in rows] == [
        [IDA, "valid", GONE, "invalid", ROLE, "unknown"],
        ["", "", IDA, "valid", "", ""],
        [""] * 6,
        [ROLE, "unknown", "x", "invalid", ROLE.upper(), "unknown"],
    ]

    def held(**query: str) -> list[str]:
        content = ask(alice_api, batch, columns="category", **query).streaming_content
        return [row[0] for row in lines_of(b"".join(content))[1:]]

    assert held(segment="safe") == held(segment="safe", segment_column="2") == ["1"]
    assert held(segment="safe", segment_column=" work ") == ["2"]
    assert held(segment="invalid", segment_column="3") == ["1", "4"]
    assert held(segment="risky", segment_column="4") == ["1"]
    assert held(segment="role") == ["4"]
    assert held(segment="unique", segment_column="4") == ["1"]
    for wrong in ("1", "n", "5", "nobody"):
        answer = ask(alice_api, batch, segment="safe", segment_column=wrong)
        assert (answer.status_code, answer.json()["details"]["field"]) == (400, "segment_column")
        assert "its number: 2, 3, 4." in answer.json()["detail"]


@pytest.mark.spec("REP-006")
def test_a_cell_with_several_addresses_keeps_its_line(alice: User) -> None:
    cell = f"Ida <{IDA}>; {GONE}"
    batch = store_list(alice, f'email,n\n"{cell}",1\n{GONE},2\n{ROLE}/{IDA},3\n'.encode())
    batch.repair_choices, batch.positions_a_row = {"repair": True}, 512
    store_verdicts(batch, {512: (IDA, VALID), 513: (GONE, INVALID)})
    header, *rows = lines_of(read_original(batch, columns=("email_checked", "category", "did_you_mean")))
    assert header == ["email", "n", "email_checked", "category", "did_you_mean"]
    assert rows == [
        [cell, "1", f"{IDA}; {GONE}", "valid; invalid", ""],
        [GONE, "2", GONE, "invalid", ""],
        [f"{ROLE}/{IDA}", "3", f"; {IDA}", "; valid", ""],
    ]


@pytest.mark.spec("REP-043")
def test_rows_that_the_credits_did_not_reach_say_so(alice: User) -> None:
    batch = store_list(alice, f"email\n{IDA}\n{GONE}\n{ROLE}\n{IDA}\n{GONE}\n".encode())
    store_verdicts(batch, {1: (IDA, VALID)})
    batch.cut_at = 3
    rows = lines_of(read_original(batch, columns=("email_checked", "category", "reason", "reason_text")), "\t")[1:]
    left_out = "The address was not checked: the credits did not suffice."
    assert rows == [
        [IDA, IDA, "valid", "mailbox_exists", "The mailbox exists."],
        [GONE, "", "", "", ""],
        [ROLE, ROLE, "", "not_checked", left_out],
        [IDA, IDA, "valid", "mailbox_exists", "The mailbox exists."],
        [GONE, "", "", "", ""],
    ]


@pytest.mark.spec("REP-026")
@pytest.mark.finding("E3")
def test_raw_returns_every_byte_of_the_upload(alice: User, alice_api: APIClient) -> None:
    lines = [
        b"email;note",
        b"ida@a.com;=1+1",
        b'"gone@b.com";"@SUM(1;2)"',
        b"info@c.com;'=2",
        b"x@d.com;+44 20 7946 0000",
    ]
    batch = store_list(alice, b"\r\n".join(lines))
    raw = b"".join(ask(alice_api, batch, formulas="raw", columns="category").streaming_content).split(b"\r\n")
    assert raw == [lines[0] + b";category", *(line + b";" for line in lines[1:])]
    for query in ({}, {"formulas": "safe"}):
        safe = b"".join(ask(alice_api, batch, columns="category", **query).streaming_content).decode()
        notes = [row[1] for row in lines_of(safe.encode(), ";")[1:]]
        assert notes == ["'=1+1", "'@SUM(1;2)", "'=2", "+44 20 7946 0000"]
    assert ask(alice_api, batch, formulas="some").status_code == 400


@pytest.mark.spec("REP-026")
def test_verdicts_are_written_as_the_file_writes_its_cells(alice: User) -> None:
    address = '"a;b"@a.com'
    for text, expected in (
        (f'email;n\n"{address.replace(chr(34), chr(34) * 2)}";1', address),
        ("email;n\n=eq@a.com;1", "'=eq@a.com"),
    ):
        batch = store_list(alice, text.encode())
        store_verdicts(batch, {1: (expected.removeprefix("'"), INVALID)})
        assert lines_of(read_original(batch, columns=("email_checked",)), ";")[1] == [expected, "1", expected]
    latin = store_list(alice, "Kundé;email\n1;ida@a.com".encode("cp1252"))
    store_verdicts(latin, {1: ("ida@łódź.pl", VALID)})
    assert read_original(latin, columns=("mx_host",)) == "Kundé;email;mx_host\n1;ida@a.com;mx.?ód?.pl".encode("cp1252")


def test_a_running_list_says_the_same_of_equal_addresses(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """The verdict of an address that comes while the file is read is in none of its rows."""
    batch = store_list(alice, f"email\n{IDA}\n{GONE}\n".encode())
    verdicts = row_verdicts.RowVerdicts(
        batch, row_verdicts.VerdictColumns(("category",), (1,)), segment="all", segment_column=1
    )
    assert verdicts.annotate_rows([(0, ["email"]), (1, [[[1, 0, IDA]]])]) == [["category"], [""]]
    store_verdicts(batch, {1: (IDA, VALID), 2: (GONE, INVALID)})
    assert verdicts.annotate_rows([(2, [[[2, 1, GONE]]]), (3, [[[3, 0, IDA]]]), (4, [[]])]) == [["invalid"], [""], ()]


@pytest.mark.finding("C1")
def test_slow_readers_shut_nobody_out(alice: User) -> None:
    """More than there may be processes, none of which could end if it waited for its reader."""
    count = 20_000
    batch = store_list(alice, b"email\n" + b"".join(b"somebody%d@a.com\n" % number for number in range(count)))
    slow = [originals.open_original(batch, originals.OriginalChoices()).content for _ in range(6)]
    assert read_original(batch).count(b"@a.com") == count
    for content in slow[:3]:
        assert b"".join(content).count(b"@a.com") == count
    for content in slow[3:]:
        content.close()


@pytest.mark.spec("REP-025")
def test_a_long_list_keeps_its_order(alice: User) -> None:
    count = 60_000
    addresses = [f"person{number}@site{number % 89}.com" for number in range(count)]
    batch = store_list(alice, ("email,n\n" + "".join(f"{a},{n}\n" for n, a in enumerate(addresses))).encode())
    kinds = (VALID, INVALID, UNKNOWN)
    store_verdicts(batch, {n + 1: (a, kinds[n % 3]) for n, a in enumerate(addresses)})
    rows = lines_of(read_original(batch))[1:]
    assert [row[:4] for row in rows] == [[a, str(n), a, kinds[n % 3]] for n, a in enumerate(addresses)]
    assert [row[11] for row in rows] == [f"mx.site{number % 89}.com" for number in range(count)]
