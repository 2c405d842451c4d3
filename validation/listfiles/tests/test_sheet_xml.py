"""Worksheets as XML: cut into rows whatever stands between them, and put together again byte by byte."""

from itertools import chain, repeat

import pytest

from validation.listfiles import ErrorCode, ListFileError
from validation.listfiles.sheet_xml import (
    XmlRow,
    extend_row,
    find_prefix,
    measure_width,
    split_rows,
    widen_dimension,
)

HEAD = b'<?xml version="1.0"?>\n<!-- <sheetData><row/> --><worksheet><dimension ref="A1:C9"/><sheetData>'
TAIL = b'</sheetData><extLst><row r="99"/></extLst></worksheet>'
ROWS = [
    b'<row r="2" spans="1:3"><c r="A2" t="s"><v>0</v></c><c r="C2"><f>A2&gt;1</f></c></row>',
    b"<row\tht='3>4' r = '5' ><c><v>1</v></c></row\n>",
    b'<row r="6"/>',
    b'<row><c t="str"><v><![CDATA[</row><row r="50">]]></v></c><!-- </row> --><?x </row>?><c/></row>',
    b'<row r="9" s="1"></row>',
]
BETWEEN = b"\n<!-- <row r='7'></row> -->\n"


def split(text: bytes, size: int) -> list[bytes | XmlRow]:
    return list(split_rows(text[start : start + size] for start in range(0, len(text), size)))


def rows_of(pieces: list[bytes | XmlRow]) -> list[XmlRow]:
    return [piece for piece in pieces if isinstance(piece, XmlRow)]


def row(text: bytes) -> XmlRow:
    (found,) = rows_of(split(b"<sheetData>" + text + b"</sheetData>", 999))
    return found


@pytest.mark.spec("REP-025")
@pytest.mark.parametrize("size", [1, 2, 3, 7, 64, 10_000])
def test_rows_are_found_and_nothing_is_lost(size: int) -> None:
    text = HEAD + BETWEEN.join(ROWS) + TAIL
    pieces = split(text, size)
    whole = b"".join(piece.head + piece.cells + piece.tail if isinstance(piece, XmlRow) else piece for piece in pieces)
    assert whole == text
    assert pieces[0] == HEAD
    assert [found.number for found in rows_of(pieces)] == [2, 5, 6, 7, 9]
    assert [found.head + found.cells + found.tail for found in rows_of(pieces)] == ROWS
    assert rows_of(pieces)[2] == XmlRow(6, b'<row r="6"/>', b"", b"")


def test_a_sheet_without_rows_is_whole() -> None:
    text = b'<x:worksheet><x:sheetData /><row r="1"></row></x:worksheet>'
    pieces = split(text, 5)
    assert (rows_of(pieces), pieces[0]) == ([], b"<x:worksheet><x:sheetData />")
    assert b"".join(piece for piece in pieces if isinstance(piece, bytes)) == text


@pytest.mark.parametrize(
    "text", [b"", b"<worksheet/>", b"<sheetData><row><c/>", b"<sheetData><row r='1'", b"<sheetData><!-- </sheetData>"]
)
def test_a_sheet_that_breaks_off_is_damaged(text: bytes) -> None:
    with pytest.raises(ListFileError) as caught:
        split(text, 4)
    assert caught.value.code == ErrorCode.UNREADABLE_FILE


def test_a_row_without_end_takes_no_more_memory_than_there_is() -> None:
    endless = chain([b"<sheetData><row>"], repeat(b"<c r='A1'/>" * 100_000))
    with pytest.raises(ListFileError):
        list(split_rows(endless))


@pytest.mark.spec("REP-025")
@pytest.mark.parametrize(
    ("cells", "width"),
    [
        (b'<c r="A1"><v>1</v></c><c r="AB1"><v>1</v></c>', 28),
        (b'<c r="A1"><v>1</v></c><c r="D1"><f>A1</f></c>', 4),
        (b'<c r="A1"><v>1</v></c><c r="D1" s="3"/>', 1),
        (b'<c r="A1"><v>1</v></c><c r="D1" s="3"></c>', 1),
        (b'<c r="A1"><v>1</v></c><c\tr="D1"><v>1</v></c>', 4),
        (b'<c s="1" r="B1"><v>1</v></c>', 2),
        (b"<c/><c><v>1</v></c>", 2),
        (b'<c r="C1"/><c><v>1</v></c>', 4),
        (b'<x:c r="E1"><x:v>1</x:v></x:c>', 5),
        (b'<c r="B1"><v>1</v></c><!-- <c r="Z1"><v>1</v></c> -->', 2),
        (b"", 0),
    ],
)
def test_the_width_counts_formulas_and_no_formats(cells: bytes, width: int) -> None:
    assert measure_width(row(b'<row r="1">' + cells + b"</row>")) == width


@pytest.mark.spec("REP-025")
@pytest.mark.parametrize(
    ("text", "before", "after"),
    [
        (b'<row r="1"><c r="A1"><v>1</v></c></row>', b'<row r="1"><c r="A1"><v>1</v></c>', b"</row>"),
        (b'<row spans="1:2 2:3"><c r="A1"/></row>', b'<row spans="1:5"><c r="A1"/>', b"</row>"),
        (b'<row r="1" spans="1:9"></row>', b'<row r="1" spans="1:9">', b"</row>"),
        (b'<row r="1" ht="9" />', b'<row r="1" ht="9">', b"</row>"),
        (
            b'<row r="1"><c r="A1"><v>1</v></c><c r="D1" s="1"/><c r="E1" s="1"/><c r="F1" s="1"/></row>',
            b'<row r="1"><c r="A1"><v>1</v></c>',
            b'<c r="F1" s="1"/></row>',
        ),
    ],
)
def test_a_row_gets_room_behind_the_table(text: bytes, before: bytes, after: bytes) -> None:
    assert extend_row(row(text), 4, 2, "") == (before, after)


def test_prefixes_and_areas() -> None:
    assert find_prefix(b"<!-- <a:sheetData> --><x:worksheet><x:sheetData>") == "x:"
    assert find_prefix(HEAD) == ""
    assert extend_row(row(b"<row/>"), 1, 1, "x:").after == b"</x:row>"
    assert widen_dimension(HEAD, 5) == HEAD.replace(b"A1:C9", b"A1:E9")
    assert widen_dimension(HEAD, 2) == HEAD
    assert widen_dimension(b'<dimension ref="B2"/>', 3) == b'<dimension ref="B2:C2"/>'
    assert widen_dimension(b"<worksheet><sheetData>", 3) == b"<worksheet><sheetData>"
