"""Several e-mail columns: found, chosen, read in one walk, and known again from stored JSON."""

import dataclasses
import json
from pathlib import Path

import pytest

from validation.listfiles import (
    ErrorCode,
    Limits,
    ListFileError,
    ReadOptions,
    parse_location,
    parse_shape,
)
from validation.listfiles.annotated_rows import walk_rows
from validation.listfiles.child_process import inspect_list
from validation.listfiles.list_reader import read_list

from .conftest import Upload
from .workbooks import xlsx

ROWS = [
    ["id", "email", "Backup", "email", "note"],
    ["1", "a@x.com", "b@x.com", "c@x.com", "x"],
    ["2", "", "d@x.com", "a@x.com", "@noon"],
    ["3", "e@x.com"],
]
FILE = "".join(",".join(row) + "\n" for row in ROWS).encode()
READ = [("a@x.com", "b@x.com", "c@x.com"), ("", "d@x.com", "a@x.com"), ("e@x.com", "", "")]


def read(path: Path, *columns: str) -> tuple[tuple[int, ...], list[tuple[str, ...]]]:
    reading = read_list(path, ReadOptions(email_columns=columns), Limits())
    return reading.shape.email_columns, list(reading.cells())


@pytest.mark.spec("REP-023")
@pytest.mark.finding("E5")
@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_the_chosen_columns_are_read_in_their_order(upload: Upload, kind: str) -> None:
    path = upload(FILE if kind == "csv" else xlsx({"S": ROWS}))
    assert read(path, "EMAIL ", "3", "4") == ((2, 3, 4), READ)
    assert read(path, "4", "backup") == ((4, 3), [(last, middle) for _, middle, last in READ])
    assert read(path, "2") == ((2,), [(first,) for first, _, _ in READ])
    shape = inspect_list(path, ReadOptions(email_columns=("2", "4")))
    assert (shape.email_columns, shape.email_column, shape.rows) == ((2, 4), 2, 3)
    lines = list(walk_rows(path, shape.location, Limits(), protect=None))
    assert [line.emails for line in lines] == [["email", "email"], *([first, last] for first, _, last in READ)]


@pytest.mark.spec("REP-023")
def test_likely_columns_are_marked_and_one_is_chosen(upload: Upload) -> None:
    shape = inspect_list(upload(FILE))
    assert shape.email_columns == (2,)
    assert [(column.name, column.looks_like_email, column.likely) for column in shape.columns] == [
        ("id", 0.0, False),
        ("email", 1.0, True),
        ("Backup", 1.0, True),
        ("email", 1.0, True),
        ("note", 0.0, False),
    ]


@pytest.mark.spec("REP-023")
@pytest.mark.parametrize(
    ("text", "likely", "found"),
    [
        ("who;to\nAnn;Anna <a@x.com>\nBob;'b@x.com'\n", [2], ["Anna <a@x.com>", "'b@x.com'"]),
        ("who\tto\nAnn\ta@x.com; b@x.com\nBob\tc@x.com\n", [2], ["a@x.com; b@x.com", "c@x.com"]),
        ("who;to\nAnn;a＠x.com\nBob;b﹫x.com\n", [2], ["a＠x.com", "b﹫x.com"]),
        ("note;to\nask a@x.com;b@x.com\nask c@x.com;d@x.com\n", [1, 2], ["b@x.com", "d@x.com"]),
        ("to;mail\na@x.com;none\nb@x.com;none\nc@x.com;d@x.com\n", [1, 2], ["none", "none", "d@x.com"]),
    ],
    ids=["names and quotes", "several in a cell", "wide signs", "plain ones before texts", "a name and one address"],
)
def test_a_column_of_untidy_addresses_is_found(upload: Upload, text: str, likely: list[int], found: list[str]) -> None:
    reading = read_list(upload(text.encode()), ReadOptions(), Limits())
    assert [column.index for column in reading.shape.columns if column.likely] == likely
    assert [cell for (cell,) in reading.cells()] == found


@pytest.mark.spec("REP-023")
@pytest.mark.parametrize(
    ("options", "detail"),
    [
        (ReadOptions(email_column="2", email_columns=("2",)), "Give `email_column` or `email_columns`, not both."),
        (ReadOptions(email_columns=()), "Choose 1 to 10 e-mail columns."),
        (ReadOptions(email_columns=tuple(map(str, range(1, 12)))), "Choose 1 to 10 e-mail columns."),
        (
            ReadOptions(email_columns=("email", "2")),
            "Choose each e-mail column once; give columns with the same name by their numbers.",
        ),
        (
            ReadOptions(email_columns=("2", "phone")),
            "There is no column 'phone'. Give the name of a column or a number from 1 to 5.",
        ),
    ],
    ids=["both", "none", "eleven", "twice", "unknown"],
)
def test_columns_that_do_not_fit(upload: Upload, options: ReadOptions, detail: str) -> None:
    with pytest.raises(ListFileError) as caught:
        inspect_list(upload(FILE), options)
    assert (caught.value.code, caught.value.detail) == (ErrorCode.INVALID_COLUMNS, detail)


@pytest.mark.spec("REP-023")
def test_ten_columns_are_read(upload: Upload) -> None:
    row = [f"u{number}@x.com" for number in range(10)]
    path = upload(f"{','.join(row)}\n{','.join(row)}\n".encode())
    assert read(path, *map(str, range(1, 11))) == (tuple(range(1, 11)), [tuple(row), tuple(row)])


@pytest.mark.spec("REP-022", "REP-023")
@pytest.mark.parametrize("header", [True, False])
def test_stored_shapes_and_locations_are_read_again(upload: Upload, header: bool) -> None:
    shape = inspect_list(upload(FILE), ReadOptions(has_header=header))
    stored = json.loads(json.dumps(dataclasses.asdict(shape)))
    place = json.loads(json.dumps(dataclasses.asdict(shape.location)))
    assert (parse_shape(stored), parse_location(place)) == (shape, shape.location)
    for earlier in (stored, place):
        earlier["email_column"] = earlier.pop("email_columns")[0]
        del earlier["header_row"]
    for column in stored["columns"]:
        del column["likely"]
    assert (parse_shape(stored), parse_location(place)) == (shape, shape.location)
