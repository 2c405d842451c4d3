"""Spreadsheets: sheets, cell types and the addresses in them, read by the limited process."""

import datetime
from collections.abc import Callable
from pathlib import Path

import pytest

from validation.listfiles import ErrorCode, Kind, Limits, ListFileError, ListShape, ReadOptions
from validation.listfiles.annotated_rows import walk_rows, walk_values
from validation.listfiles.child_process import inspect_list
from validation.listfiles.list_reader import read_list
from validation.listfiles.sheets import Workbook

from .conftest import Upload
from .workbooks import Table, openpyxl, package, xls, xlsx

TABLE: Table = [
    ["id", "Email", "since", "n", "ok"],
    [1, "jose+tag@example.com", datetime.date(2024, 1, 2), 1.5, True],
    [12345678901, " ann@example.org ", datetime.datetime.fromisoformat("2024-01-02 03:04:05"), 0.1, False],
    [3, None, None, None, None],
    [4, "=1+1", "x", -7, True],
    [5, "ann@example.org", "@", 10**15, True],
]
Writer = Callable[[dict[str, Table]], bytes]


def understood(path: Path, options: ReadOptions | None = None) -> tuple[ListShape, list[str]]:
    reading = read_list(path, options or ReadOptions(), Limits())
    return reading.shape, [cell for (cell,) in reading.cells()]


@pytest.mark.spec("VAL-024", "VAL-028")
@pytest.mark.parametrize(("write", "kind"), [(xlsx, Kind.XLSX), (xls, Kind.XLS)])
def test_the_same_table_from_both_formats(upload: Upload, write: Writer, kind: Kind) -> None:
    rows = [row for row in TABLE if "=1+1" not in row]
    shape, addresses = understood(upload(write({"S": rows})))
    assert addresses == ["jose+tag@example.com", " ann@example.org ", "", "ann@example.org"]
    assert (shape.kind, shape.encoding, shape.delimiter, shape.bom) == (kind, None, None, False)
    assert (shape.sheets, shape.sheet, shape.has_header) == (("S",), "S", True)
    assert (shape.email_column, shape.rows) == (2, 4)


@pytest.mark.spec("VAL-072")
def test_values_are_not_mangled(upload: Upload) -> None:
    path = upload(xlsx({"S": TABLE}))
    location = understood(path)[0].location
    found = list(walk_values(Workbook(path, Limits()), location))
    assert [row.values for row in found] == [
        ["id", "Email", "since", "n", "ok"],
        [1, "jose+tag@example.com", (45293.0, "date"), 1.5, True],
        [12345678901, " ann@example.org ", (pytest.approx(45293.1278356), "datetime"), 0.1, False],
        [3, None, None, None, None],
        [4, None, "x", -7, True],
        [5, "ann@example.org", "@", 10**15, True],
    ]
    assert [row.line and row.line.number for row in found] == [0, 1, 2, 3, 4, 5]
    assert [line.cells[0] for line in walk_rows(path, location, Limits(), protect=None)] == [
        "id", "1", "12345678901", "3", "4", "5",
    ]  # fmt: skip


def test_a_formula_gives_its_stored_result(upload: Upload) -> None:
    rows = (
        '<row r="1"><c r="A1" t="str"><f>"a"&amp;"@x.com"</f><v>a@x.com</v></c></row>'
        '<row r="2"><c r="A2" t="e"><f>NA()</f><v>#N/A</v></c></row>'
        '<row r="3"><c r="A3" t="s"><v>0</v></c></row>'
    )
    path = upload(package(rows, strings="<si><r><t>b</t></r><r><t>@x.com</t></r></si>"))
    assert understood(path)[1] == ["a@x.com", "", "b@x.com"]


@pytest.mark.spec("VAL-045")
def test_the_first_sheet_with_addresses_is_read_unless_one_is_chosen(upload: Upload) -> None:
    sheets: dict[str, Table] = {
        "Read me": [["Our customers"]],
        "2023": [["Email"], ["old@x.com"]],
        "2024": [["Email"], ["new@x.com"]],
    }
    path = upload(xlsx(sheets))
    assert (inspect_list(path).sheets, inspect_list(path).sheet) == (("Read me", "2023", "2024"), "2023")
    shape, addresses = understood(path, ReadOptions(sheet="2024"))
    assert (shape.sheet, addresses) == ("2024", ["new@x.com"])
    assert understood(path, ReadOptions(sheet="3")) == (shape, addresses)
    assert [(other.name, other.rows, [column.name for column in other.columns]) for other in shape.others] == [
        ("Read me", None, []),
        ("2023", 1, ["Email"]),
    ]
    with pytest.raises(ListFileError) as caught:
        inspect_list(path, ReadOptions(sheet="2025"))
    assert (caught.value.code, caught.value.detail) == (
        ErrorCode.UNKNOWN_SHEET,
        "There is no sheet '2025' in the workbook. Choose one of those it has.",
    )
    with pytest.raises(ListFileError) as caught:
        inspect_list(path, ReadOptions(sheet="Read me"))
    assert caught.value.code == ErrorCode.NO_EMAILS


def test_hidden_sheets_are_not_offered(upload: Upload, tmp_path_factory: pytest.TempPathFactory) -> None:
    book = openpyxl.Workbook()
    book.active.append(["hidden@x.com"])
    book.active.sheet_state = "hidden"
    book.create_sheet("Shown").append(["shown@x.com"])
    path = tmp_path_factory.mktemp("hidden") / "list"
    book.save(path)
    shape, addresses = understood(path)
    assert (shape.sheets, addresses) == (("Shown",), ["shown@x.com"])


def test_columns_are_counted_as_the_sheet_shows_them(upload: Upload) -> None:
    rows: Table = [[], [None, None, "Email", "Other"], [None, None, "a@x.com", "b@x.com"]]
    path = upload(xlsx({"S": rows}))
    shape = inspect_list(path)
    assert (shape.email_column, [column.name for column in shape.columns]) == (
        3,
        ["Column 1", "Column 2", "Email", "Other"],
    )
    assert understood(path, ReadOptions(email_column="4"))[1] == ["b@x.com"]
