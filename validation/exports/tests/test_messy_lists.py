"""A long list as it comes out of a customer database: through repair, and then through every file of its results."""

import csv
import dataclasses
import io
import json
from collections.abc import Iterable
from html import escape
from typing import Any

import openpyxl
import pytest
from django.conf import settings

from accounts.users.models import User
from emailcheck.common.testing import drain_queue
from validation.batches import repairs
from validation.batches.intake.choices import RepairChoices
from validation.batches.intake.sorted_files import iterate_chunks
from validation.batches.models import Batch, BatchStatus, BatchType
from validation.batches.uploads import files
from validation.batches.uploads.files import FileContent, Reading
from validation.engine import Category
from validation.exports import downloads, tables
from validation.exports.archives import PARTS
from validation.exports.choices import ExportChoices
from validation.history.result_pages import ResultsFilter
from validation.listfiles import ReadOptions, parse_shape
from validation.listfiles.tests.workbooks import package

from .lists import read_original, store_verdicts

ROWS = 60_000
CHOSEN = ("email_checked", "category")
KINDS = (Category.VALID, Category.INVALID, Category.UNKNOWN)
TITLES = [["Kundenliste Müller & Söhne", "", "", ""], ["", "", "", ""], ["Stand: 27.11.2026;", "", "", ""]]
HEADER = ["Name", "E-Mail", "Betrag", "E-mail 2 Address"]


def build_row(n: int) -> list[str]:
    """The cells of a data row: two e-mail columns, and values that neither repair nor export may change."""
    second = f"mailto:second{n}@site{n % 89}.com?subject=Hi" if n % 3 == 0 else ""
    return [f'Jürgen "der {n}." Öz', write_first(n), f"-{n},50", second]


def write_first(n: int) -> str:
    """The first e-mail cell, with the addresses of `list_first`."""
    first, *others = list_first(n)
    return (
        first,
        f"Müller, Änne <{first}>",
        f"{first} (privat)",
        f"\u200b{first}\u00a0",
        f"{first}; {others[0]}" if others else first,
        f'"Keller; Anna" <{first}>,',
    )[n % 6]


def list_first(n: int) -> list[str]:
    address = f"person{n}@site{n % 89}.com"
    return [address, f"also{n}@site{n % 89}.com"] if n % 6 == 4 else [address]


def list_addresses(n: int) -> list[list[str]]:
    """The addresses of each e-mail column of a data row."""
    return [list_first(n), [f"second{n}@site{n % 89}.com"] if n % 3 == 0 else []]


def kind_of(address: str) -> int:
    """Which of `KINDS` an address has."""
    return sum(map(ord, address)) % len(KINDS)


def join(column: list[str], *, as_kind: bool) -> str:
    return "; ".join(KINDS[kind_of(address)] if as_kind else address for address in column)


def build_expected(n: int) -> list[str]:
    """The cells that the original file gains in that row."""
    return [join(column, as_kind=as_kind) for column in list_addresses(n) for as_kind in (False, True)]


def store_read(user: User, content: bytes, suffix: str) -> tuple[Batch, FileContent]:
    """A list with its repairs, as its start makes it, and a verdict on each of its addresses."""
    name = f"uploads/upl_messy.{suffix}"
    path = settings.MEDIA_ROOT / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    choices = RepairChoices(repair=True)
    with files.open_list(name) as upload:
        read = upload.read(Reading(ReadOptions(email_columns=("2", "4")), choices))
        upload.keep(read)
    batch = Batch.objects.create(
        organisation=user.own_organisation, batch_type=BatchType.FILE_UPLOAD, status=BatchStatus.COMPLETED,
        filename=f"messy.{suffix}", file=name, total_emails=read.unique, positions_a_row=512,
        address_location=dataclasses.asdict(parse_shape(read.shape).location),
        repair_choices=dataclasses.asdict(choices), repaired_count=read.findings["repaired"],
    )  # fmt: skip
    sorted_file = settings.MEDIA_ROOT / read.sorted_file
    for chunk in iterate_chunks(sorted_file):
        store_verdicts(batch, {position: (address, KINDS[kind_of(address)]) for position, address in chunk})
    if repairs.store_repairs(batch, read.sorted_file, sorted_file):
        drain_queue()
    return batch, read


def build_table(rows: int) -> list[list[str]]:
    return [*TITLES, HEADER, *(build_row(n) for n in range(1, rows + 1))]


def list_results(rows: int) -> list[tuple[int, str, str]]:
    """Row, cell as it was handed in and address of each result, in order."""
    listed = []
    for n in range(1, rows + 1):
        row = build_row(n)
        for cell, addresses in zip((row[1], row[3]), list_addresses(n), strict=True):
            listed += [(n, cell.strip(), address) for address in addresses]
    return listed


def read_csv(content: Iterable[str | bytes]) -> list[list[str]]:
    text = "".join(part if isinstance(part, str) else part.decode() for part in content)
    return list(csv.reader(io.StringIO(text, newline="")))


@pytest.mark.spec("REP-006", "REP-024")
def test_sixty_thousand_messy_rows_keep_order_and_values_in_every_text(alice: User) -> None:
    table = build_table(ROWS)
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=";").writerows(table)
    batch, read = store_read(alice, out.getvalue().encode("utf-8-sig"), "csv")
    results = list_results(ROWS)
    assert (read.rows, read.possible, read.bad_syntax, read.duplicates, read.blank) == (ROWS, len(results), 0, 0, 0)
    assert read.shape["header_row"] == 4

    original = read_original(batch, columns=CHOSEN, is_raw=True).decode("utf-8-sig")
    back = list(csv.reader(io.StringIO(original, newline=""), delimiter=";"))
    assert [row[:4] for row in back] == table
    assert back[:4] == [*TITLES, [*HEADER, *(f"{HEADER[at]}: {name}" for at in (1, 3) for name in CHOSEN)]]
    assert [row[4:] for row in back[4:]] == [build_expected(n) for n in range(1, ROWS + 1)]

    listed = read_csv(tables.stream_csv(batch, ExportChoices(raw=True)))
    told = [(int(row[0]), row[1], row[16], row[2], row[17] or row[1]) for row in listed[1:]]
    assert told == [(n, cell, address, KINDS[kind_of(address)], cell) for n, cell, address in results]

    lines = (
        json.loads(line)
        for text in downloads.stream_lines(batch, ResultsFilter(None, None, ""))
        for line in text.splitlines()
    )
    assert [(row["row"], row["email"], row["email_checked"], row["category"]) for row in lines] == [
        (n, cell, address, KINDS[kind_of(address)]) for n, cell, address in results
    ]

    parts = (read_csv(tables.stream_csv(batch, ExportChoices(segment=name, raw=True)))[1:] for name in PARTS.values())
    assert [[row[16] for row in part] for part in parts] == [
        [address for _, _, address in results if kind_of(address) == wanted] for wanted in (0, 2, 1)
    ]


@pytest.mark.spec("REP-006", "REP-025")
def test_messy_rows_of_a_workbook_keep_order_and_values(alice: User) -> None:
    rows = 6_000
    table = build_table(rows)
    batch, read = store_read(alice, write_workbook(table), "xlsx")
    results = list_results(rows)
    assert (read.rows, read.possible, read.blank) == (rows, len(results), 0)

    back = read_sheet(read_original(batch, columns=CHOSEN), 8)
    assert [row[:4] for row in back] == table
    assert [row[4:] for row in back[4:]] == [build_expected(n) for n in range(1, rows + 1)]

    listed = read_sheet(b"".join(tables.stream_xlsx(batch, ExportChoices())), 23)[1:]
    assert [(row[0], row[1], row[16], row[2]) for row in listed] == [
        (n, cell, address, KINDS[kind_of(address)]) for n, cell, address in results
    ]


def read_sheet(data: bytes, width: int) -> list[list[Any]]:
    """The values of the first sheet, each row as wide as that."""
    rows = openpyxl.load_workbook(io.BytesIO(data), read_only=True).worksheets[0].iter_rows(values_only=True)
    filled = [[value or "" for value in row] for row in rows]
    return [row[:width] + [""] * (width - len(row)) for row in filled]


def write_workbook(table: list[list[str]]) -> bytes:
    cells = (
        f'<row r="{at}">'
        + "".join(
            f'<c r="{letter}{at}" t="inlineStr"><is><t xml:space="preserve">{escape(cell)}</t></is></c>'
            for letter, cell in zip("ABCD", row, strict=True)
            if cell
        )
        + "</row>"
        for at, row in enumerate(table, start=1)
    )
    return package("".join(cells))
