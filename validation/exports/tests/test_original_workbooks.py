"""The uploaded workbook again: every sheet as it was, one of them with verdicts behind its rows."""

import datetime
import importlib
import io
import re
import zipfile
from typing import Any

import openpyxl
import pytest
import xlwt
from openpyxl.comments import Comment
from openpyxl.styles import Font, PatternFill
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.table import Table
from python_calamine import CalamineWorkbook
from rest_framework.test import APIClient

from accounts.users.models import User
from emailcheck.common.errors import ProductError
from validation.engine import Category
from validation.exports.row_verdicts import COLUMNS
from validation.listfiles import ListFileError
from validation.listfiles.tests.workbooks import package
from validation.listfiles.tests.workbooks import xlsx as written_xlsx

from .lists import read_original, store_list, store_verdicts

IDA, GONE = "ida@a.com", "gone@b.com"
VALID, INVALID = Category.VALID, Category.INVALID
SHEET = "xl/worksheets/sheet1.xml"
rules: Any = importlib.import_module("openpyxl.formatting.rule")  # it has no type stubs
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def rich() -> bytes:
    """What people make of a list: three sheets, the list in the second, below a title."""
    book = openpyxl.Workbook()
    notes = book.active
    assert notes is not None
    notes.title = "Notes"
    notes["A1"] = "=1+1"
    page = book.create_sheet("List & more")
    page.merge_cells("A1:C1")
    page["A1"] = "Our customers"
    page["A1"].font = Font(bold=True)
    for row in (
        ["Email", "Since", "Sum", "category"],
        [IDA, datetime.date(2024, 1, 2), "=ROW()*2", "a"],
        [GONE.upper(), None, "=C3+1", "b"],
        [None, None, None, None],
        [f" {IDA}", "x < y & z", None, "_x0041_"],
    ):
        page.append(row)  # fmt: skip
    page["H5"].fill = PatternFill("solid", "FFFF00")
    page.column_dimensions["A"].width = 41.5
    page.row_dimensions[3].height = 33
    page.freeze_panes = "A3"
    page.conditional_formatting.add("B3:B9", rules.CellIsRule("equal", ["1"], fill=PatternFill("solid", "FF0000")))
    page["A3"].comment = Comment("Call her", "Anna")
    page.add_table(Table(displayName="people", ref="A2:D6"))
    hidden = book.create_sheet("Hidden")
    hidden.sheet_state = "hidden"
    hidden["A1"] = "secret@x.com"
    book.defined_names["all"] = DefinedName("all", attr_text="'List & more'!$A$3:$A$6")
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def parts_of(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as made:
        assert made.testzip() is None
        return {name: made.read(name) for name in made.namelist()}


def sheet_of(data: bytes, index: int = 0) -> Any:
    return openpyxl.load_workbook(io.BytesIO(data)).worksheets[index]


def values_of(sheet: Any) -> list[list[Any]]:
    return [[cell.value for cell in row] for row in sheet.iter_rows()]


@pytest.mark.spec("REP-025")
@pytest.mark.finding("E3")
def test_every_part_but_the_checked_sheet_is_as_it_was(alice: User) -> None:
    uploaded = rich()
    batch = store_list(alice, uploaded, "list.xlsx")
    store_verdicts(batch, {1: (IDA, VALID), 2: (GONE, INVALID)})
    data = read_original(batch, columns=("category", "confidence"))
    before, after = parts_of(uploaded), parts_of(data)
    checked = "xl/worksheets/sheet2.xml"
    assert list(after) == list(before)
    assert {name: part for name, part in after.items() if name != checked} == {
        name: part for name, part in before.items() if name != checked
    }
    bare, added = re.subn(rb'<c r="[EF]\d+" t="inlineStr">.*?</c>', b"", after[checked])
    assert added == 8
    assert bare == before[checked].replace(b"A1:H6", b"A1:H6")
    book = openpyxl.load_workbook(io.BytesIO(data))
    assert [(sheet.title, sheet.sheet_state) for sheet in book.worksheets] == [
        ("Notes", "visible"), ("List & more", "visible"), ("Hidden", "hidden"),
    ]  # fmt: skip
    page = book["List & more"]
    assert [[cell.value for cell in row[2:]] for row in page.iter_rows(max_col=6)] == [
        [None] * 4,
        ["Sum", "category", "category (EmailCheck)", "confidence"],
        ["=ROW()*2", "a", "valid", "0.90"],
        ["=C3+1", "b", "invalid", "0.90"],
        [None] * 4,
        [None, "_x0041_", "valid", "0.90"],
    ]
    assert page["C3"].data_type == "f"
    assert {cell.data_type for cell in page["F"] if cell.value} == {"s"}
    assert (page["A3"].comment.text, list(page.tables), [str(area) for area in page.merged_cells]) == (
        "Call her", ["people"], ["A1:C1"],
    )  # fmt: skip


@pytest.mark.spec("REP-025", "REP-026")
def test_formulas_stay_formulas_in_either_choice(alice: User, alice_api: APIClient) -> None:
    batch = store_list(alice, written_xlsx({"S": [["Email", "n"], [IDA, "=1+1"], ["=no@x.com", "'=2"]]}), "a.xlsx")
    for formulas in ("safe", "raw"):
        query = {"format": "original", "columns": "category", "formulas": formulas}
        answer: Any = alice_api.get(f"/api/validate/batch/{batch.public_id}/export", query)
        assert [row[:2] for row in values_of(sheet_of(b"".join(answer.streaming_content)))] == [
            ["Email", "n"], [IDA, "=1+1"], ["=no@x.com", "'=2"],
        ]  # fmt: skip


@pytest.mark.spec("REP-025")
@pytest.mark.parametrize(
    "rows",
    [
        '<row r="5"><c r="C5" t="s"><v>1</v></c></row><row r="7"><c r="C7" t="s"><v>0</v></c></row>'
        '<row r="8" ht="20"/><row r="10"><c r="C10" t="s"><v>2</v></c></row>',
        "<row/><row/><row/><row/>"
        '<row><c/><c/><c t="s"><v>1</v></c></row><row></row><row><c/><c/><c t="s"><v>0</v></c></row>'
        '<row/><row/><row><c/><c/><c t="s"><v>2</v></c></row>',
        '<row r="5"><c r="C5" t="s"><v>1</v></c></row><!-- <row r="6"><c r="C6"/></row> -->'
        '<row r="7"><c r="C7" t="s"><v>0</v></c></row><row r="10"><c r="C10" t="s"><v>2</v></c></row>',
    ],
    ids=["gaps", "without numbers", "a comment"],
)
def test_verdicts_stand_in_the_rows_of_their_addresses(alice: User, rows: str) -> None:
    strings = f"<si><t>{IDA}</t></si><si><t>Email</t></si><si><t>{GONE}</t></si>"
    batch = store_list(alice, package(rows, strings=strings), "a.xlsx")
    store_verdicts(batch, {2: (IDA, VALID), 5: (GONE, INVALID)})
    data = read_original(batch, columns=("category",))
    rows_read = CalamineWorkbook.from_filelike(io.BytesIO(data)).get_sheet_by_index(0).to_python(skip_empty_area=False)
    assert {number: row[2:] for number, row in enumerate(rows_read, 1) if any(row)} == {
        5: ["Email", "category"],
        7: [IDA, "valid"],
        10: [GONE, "invalid"],
    }


@pytest.mark.spec("REP-025")
def test_what_stands_behind_the_table_is_not_touched(alice: User) -> None:
    """A formula without a value, a format, another prefix: calamine does not see them."""
    cells = f'<x:c r="A1" t="inlineStr"><x:is><x:t>{IDA}</x:t></x:is></x:c>'
    sheet = (
        f'<x:worksheet xmlns:x="{MAIN}"><x:dimension ref="A1"/><x:sheetData><x:row r="1" spans="1:1">{cells}'
        '<x:c r="C1"><x:f>1+1</x:f></x:c><x:c r="D1" s="0"/><x:c r="G1" s="0"/></x:row></x:sheetData></x:worksheet>'
    )
    batch = store_list(alice, package(extra={SHEET: sheet.encode()}), "a.xlsx")
    store_verdicts(batch, {1: (IDA, VALID)})
    part = parts_of(read_original(batch, columns=("category", "reason")))[SHEET].decode()
    added = "".join(
        f'<x:c r="{name}1" t="inlineStr"><x:is><x:t xml:space="preserve">{text}</x:t></x:is></x:c>'
        for name, text in (("D", "valid"), ("E", "mailbox_exists"))
    )
    assert part == sheet.replace('<x:c r="D1" s="0"/>', added).replace('ref="A1"', 'ref="A1:E1"').replace(
        'spans="1:1"', 'spans="1:5"'
    )


@pytest.mark.spec("REP-024")
def test_a_sheet_with_several_email_columns(alice: User) -> None:
    rows: list[list[object]] = [["email", "email", "n"], [IDA, GONE, 1], [None, IDA, 2], [None, None, 3]]
    batch = store_list(alice, written_xlsx({"S": rows}), "a.xlsx", email_columns=("1", "2"))
    store_verdicts(batch, {512: (IDA, VALID), 513: (GONE, INVALID)})
    assert values_of(sheet_of(read_original(batch, columns=("category", "mx_host")))) == [
        [*rows[0], "email (A): category", "email (A): mx_host", "email (B): category", "email (B): mx_host"],
        [*rows[1], "valid", "mx.a.com", "invalid", "mx.b.com"],
        [*rows[2], None, None, "valid", "mx.a.com"],
        [*rows[3], None, None, None, None],
    ]


@pytest.mark.spec("REP-025")
def test_an_old_workbook_comes_back_with_the_values_of_all_sheets(alice: User) -> None:
    book = xlwt.Workbook()
    sheets: dict[str, list[list[object]]] = {
        "Notes": [["x", 1.5]],
        "List": [["Email"], [IDA], [GONE]],
        "Empty": [],
        "Last": [[True]],
    }
    for name, rows in sheets.items():
        sheet = book.add_sheet(name)
        for index, row in enumerate(rows):
            for column, value in enumerate(row):
                sheet.write(index, column, value)
    dates = xlwt.easyxf(num_format_str="YYYY-MM-DD")
    book.get_sheet(3).write(1, 0, datetime.date(2024, 1, 2), dates)
    book.get_sheet(3).visibility = 1
    file = io.BytesIO()
    book.save(file)
    batch = store_list(alice, file.getvalue(), "list.xls")
    store_verdicts(batch, {1: (IDA, VALID), 2: (GONE, INVALID)})
    data = read_original(batch)
    read = openpyxl.load_workbook(io.BytesIO(data))
    assert [(sheet.title, sheet.sheet_state) for sheet in read.worksheets] == [
        ("Notes", "visible"), ("List", "visible"), ("Empty", "visible"), ("Last", "hidden"),
    ]  # fmt: skip
    assert values_of(read["Notes"]) == [["x", 1.5]]
    assert values_of(read["List"])[0] == ["Email", *COLUMNS]
    assert [row[:3] for row in values_of(read["List"])[1:]] == [[IDA, IDA, "valid"], [GONE, GONE, "invalid"]]
    assert values_of(read["Last"]) == [[True], [datetime.datetime.fromisoformat("2024-01-02")]]
    safe = openpyxl.load_workbook(io.BytesIO(read_original(batch, segment="safe", columns=("category",))))
    assert values_of(safe["List"]) == [["Email", "category"], [IDA, "valid"]]
    assert len(safe.worksheets) == 4


@pytest.mark.spec("REP-025", "VAL-073")
def test_a_segment_of_a_workbook_has_its_rows_alone(alice: User) -> None:
    batch = store_list(alice, rich(), "list.xlsx")
    store_verdicts(batch, {1: (IDA, VALID), 2: (GONE, INVALID)})
    read = openpyxl.load_workbook(io.BytesIO(read_original(batch, segment="invalid", columns=("reason",))))
    assert [(sheet.title, sheet.sheet_state) for sheet in read.worksheets] == [
        ("Notes", "visible"), ("List & more", "visible"), ("Hidden", "hidden"),
    ]  # fmt: skip
    assert [[row[0], row[4]] for row in values_of(read["List & more"])] == [
        ["Our customers", None], ["Email", "reason"], [GONE.upper(), "mailbox_not_found"],
    ]  # fmt: skip


@pytest.mark.spec("REP-025")
def test_a_running_list_leaves_the_cells_of_others_out(alice: User) -> None:
    batch = store_list(alice, written_xlsx({"S": [["Email"], [IDA], [GONE]]}), "a.xlsx")
    store_verdicts(batch, {2: (GONE, INVALID)})
    rows = values_of(sheet_of(read_original(batch, columns=("email_checked", "category"))))
    assert rows == [["Email", "email_checked", "category"], [IDA, None, None], [GONE, GONE, "invalid"]]


@pytest.mark.spec("REP-025")
def test_a_long_workbook_keeps_its_order(alice: User) -> None:
    count = 60_000
    addresses = [f"person{number}@site{number % 89}.com" for number in range(count)]
    cells = "".join(
        f'<row r="{n + 1}"><c r="A{n + 1}" t="inlineStr"><is><t>{a}</t></is></c><c r="B{n + 1}"><v>{n}</v></c></row>'
        for n, a in enumerate(addresses)
    )
    batch = store_list(alice, package(cells), "a.xlsx")
    store_verdicts(batch, {n + 1: (a, (VALID, INVALID)[n % 2]) for n, a in enumerate(addresses)})
    data = read_original(batch, columns=("email_checked", "category"))
    book = openpyxl.load_workbook(io.BytesIO(data), read_only=True)
    assert [*book.worksheets[0].iter_rows(values_only=True)] == [
        (a, n, a, ("valid", "invalid")[n % 2]) for n, a in enumerate(addresses)
    ]


def renamed(data: bytes, old: bytes, new: bytes, member: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as made:
        for name, part in parts_of(data).items():
            made.writestr(name, part.replace(old, new) if name == member else part)
    return file.getvalue()


HOSTILE = {
    "document type": renamed(package(), b"<workbook", b'<!DOCTYPE w [<!ENTITY a "b">]><workbook', "xl/workbook.xml"),
    "another sheet": renamed(package(), b'name="S"', b'name="T"', "xl/workbook.xml"),
    "a sheet outside": renamed(package(), b"worksheets/sheet1.xml", b"../../etc/passwd", "xl/_rels/workbook.xml.rels"),
    "no relations": renamed(package(), b"<Relationships", b"<", "xl/_rels/workbook.xml.rels"),
    "no rows": renamed(package(), b"<sheetData>", b"<data>", SHEET),
    "a row without end": renamed(package(), b"</row>", b"", SHEET),
    "no room": renamed(package(), b"</row>", b'<c r="XFD1"><f>1</f></c></row>', SHEET),
    "bytes that are no zip": b"PK\x03\x04 and so on",
}


@pytest.mark.spec("REP-025", "VAL-025")
@pytest.mark.parametrize("name", HOSTILE)
def test_a_file_that_changed_into_a_hostile_one_ends_in_an_error(alice: User, name: str, settings: Any) -> None:
    batch = store_list(alice, package(), "a.xlsx")
    (settings.MEDIA_ROOT / batch.file).write_bytes(HOSTILE[name])
    with pytest.raises((ListFileError, ProductError)):
        read_original(batch)


def test_a_part_that_comes_twice_is_there_once(alice: User) -> None:
    file = io.BytesIO(package())
    with zipfile.ZipFile(file, "a") as made, pytest.warns(UserWarning, match="Duplicate name"):
        made.writestr("xl/workbook.xml", parts_of(package())["xl/workbook.xml"])
    batch = store_list(alice, file.getvalue(), "a.xlsx")
    assert sorted(parts_of(read_original(batch))) == sorted(parts_of(package()))
