"""A table that is read some rows at a time holds what it holds row by row."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from validation.listfiles import Limits, ListFileError, ReadOptions, columns, text
from validation.listfiles.cell_texts import are_addresses
from validation.listfiles.columns import Layout, build_layout
from validation.listfiles.tables import Block, EvenRows, Row, Source, limit_blocks
from validation.listfiles.text import LITERAL, TextSource

_LONG = "a" * 330 + "@x.com"
_CELLS = ("a@x.com", "b@y.de", "", " ", "\x0b", "Ann", "é", "\u3000", "@noon", "x@.com", "a＠x.com", _LONG)
_ROWS = st.lists(st.sampled_from(_CELLS), max_size=4).map(",".join)


class OneByOne:
    """The same table, each row a block of its own."""

    def __init__(self, source: TextSource) -> None:
        self._source = source
        self.preamble = source.preamble

    def rows(self) -> Iterator[Row]:
        return self._source.rows()

    def blocks(self) -> Iterator[Block]:
        return ([row.cells] for row in self._source.rows())


@pytest.fixture(autouse=True, scope="module")
def small_blocks() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text, "_BLOCK_CHARS", 200)
        patch.setattr(columns, "_LOOK_AHEAD", 10)
        patch.setattr(columns, "_LAST_HEADER_ROW", 5)
        yield


def survey(source: Source) -> tuple[Layout, list[list[str]]] | str:
    """What is known of a table, and the cells of its e-mail columns; or why there is nothing to know."""
    try:
        layout = build_layout(source, ReadOptions(), Limits())
    except ListFileError as error:
        return error.detail
    data = list(source.rows())[layout.first_row :]
    cells = [[row.cell(column).strip() for row in data] for column in layout.email_columns]
    assert layout.emails is None or [[cell.strip() for cell in kept] for kept in layout.emails] == cells
    return replace(layout, emails=None), cells


@given(rows=st.lists(st.tuples(_ROWS, st.integers(1, 40)), max_size=8), end=st.sampled_from(["", "\n", "\n\n"]))
@example(rows=[("a@x.com", 100)], end="\n")
@example(rows=[("1,a@x.com,", 30), ("2,b@x.com,Ann", 60)], end="\n")
@example(rows=[("1,a@x.com,Ann", 60), ("2,b@x.com,@noon", 1), ("3,,Ann", 30), ("4,b@x.com, ", 30)], end="")
@example(rows=[("1,a@x.com,Ann", 60), ("a@x.com", 40), ("1,a@x.com,Ann,c@x.com", 40)], end="")
@example(rows=[("sep=,", 1), ("", 30), ("a@x.com,b@y.de", 60), ("b@y.de,Ann", 30), ("a@x.com,b@y.de", 30)], end="")
@example(rows=[("1,a@x.com", 60), ("1," + "a" * 330 + "@x.com", 30), ("1,a@x", 10), ("1,@x.com", 10)], end="")
def test_blocks_are_counted_as_their_rows(rows: list[tuple[str, int]], end: str) -> None:
    source = TextSource("\n".join(line for line, times in rows for _ in range(times)) + end, ",", LITERAL)
    assert survey(source) == survey(OneByOne(source))


def block_of(rows: Sequence[str]) -> Block:
    (block,) = TextSource("".join(f"{row}\n" for row in rows), ",", LITERAL).blocks()
    return block


def test_rows_of_a_width_are_split_together() -> None:
    block = block_of(["1,a@x.com,", "2,b@x.com,Zoë"])
    assert isinstance(block, EvenRows)
    assert (len(block), block.width, block.at_signs) == (2, 3, 2)
    assert block.list_rows() == [["1", "a@x.com", ""], ["2", "b@x.com", "Zoë"]]
    assert (block.pick_column(1), block.pick_column(3)) == (["a@x.com", "b@x.com"], ["", ""])


@pytest.mark.parametrize(
    ("rows", "split"),
    [
        (["1,2", "1"], [["1", "2"], ["1"]]),
        (["1,2,3,4", "1", "2", "1,2,3"], [["1", "2", "3", "4"], ["1"], ["2"], ["1", "2", "3"]]),
        (["1", "", "2"], [["1"], [], ["2"]]),
        (["", "1"], [[], ["1"]]),
    ],
)
def test_other_rows_are_split_one_by_one(rows: list[str], split: list[list[str]]) -> None:
    assert block_of(rows) == split


@pytest.mark.parametrize(
    ("limits", "detail"),
    [
        (Limits(), ""),
        (Limits(columns=2), "The file has more than 2 columns. Remove those that are not needed."),
        (Limits(cell_chars=5, row_chars=99), ""),
        (Limits(cell_chars=4, row_chars=99), "Row 3 holds a cell of more than 4 characters. Shorten it."),
        (Limits(cell_chars=5, row_chars=6), "Row 3 holds a cell of more than 5 characters. Shorten it."),
        (Limits(rows=-98), ""),
        (Limits(rows=-99), "The file has more than -99 rows. Split it and upload the parts."),
    ],
)
def test_rows_of_a_width_are_limited_one_by_one(limits: Limits, detail: str) -> None:
    def read() -> str:
        try:
            list(limit_blocks(iter([block_of(["1,2,3"]), block_of(["1,2,3", "1,12345,3"])]), limits))
        except ListFileError as error:
            return error.detail
        return ""

    assert read() == detail


@pytest.mark.parametrize(
    ("cells", "are_all"),
    [
        (["a@x.com", "B.c@y.co.uk"], True),
        (["a@x.com", f"{'a' * 314}@x.com"], True),
        (["a@x.com", f"{'a' * 315}@x.com"], False),
        (["a@x.com", "b"], False),
        (["a@x.com", "b@x@y.de"], False),
        (["a@x.com", ""], False),
        (["a@x.com", "é@x.com"], False),
        (["a@x.com", "b@xcom"], False),
        (["@x.com"], False),
        (["a@.com"], False),
        (["a@com."], False),
        (["a b@x.com"], False),
        (["a@x.com;b"], False),
    ],
)
def test_plain_addresses_are_known_together(cells: list[str], are_all: bool) -> None:
    assert are_addresses(cells) is are_all


def test_blank_rows_above_the_header_are_no_rows_of_its_hundred() -> None:
    source = TextSource(" ,\t\n" * 30 + "Name,E-Mail\n" + "Ann,a@x.com\n" * 3, ",", LITERAL)
    layout = build_layout(source, ReadOptions(), Limits())
    assert (layout.header, layout.first_row, layout.rows, layout.emails) == (30, 31, 3, (["a@x.com"] * 3,))


def test_a_line_that_is_longer_than_a_block_is_one() -> None:
    source = TextSource("a@x.com\n" + "long" * 99 + "\n" + "b@x.com\n" * 30, "", LITERAL)
    assert [len(block) for block in source.blocks()] == [1, 1, 25, 5]
