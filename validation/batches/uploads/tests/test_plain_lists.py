"""What is taken from many rows at once is what is taken from one after another."""

import csv
import io

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from validation.batches.intake.addresses import Intake, sort_rows
from validation.batches.intake.cells import CellReader
from validation.batches.intake.choices import RepairChoices
from validation.listfiles.cell_texts import Tally
from validation.listfiles.text import LITERAL, TextSource

_DOMAINS = ("ex.com", "EX.com", "\u212ax.com", "-.com", "xn--bcher-kva.com", "bücher.de", "it.example")
_PARTS = st.sampled_from(
    ["a", "B", "o'x", "'q", "'=z", "=z", "x.y", "..", "", " ", "\n", "@", "<", ">", "Ann ", "\x1a", "a" * 70, *_DOMAINS]
)
_CELLS = st.lists(
    st.one_of(
        st.builds("{}@{}".format, _PARTS, _PARTS),
        st.lists(_PARTS, max_size=5).map("".join),
        st.from_regex(r"[a-c]{1,2}@(x|X|y)\.(com|de)", fullmatch=True),
    ),
    max_size=600,
)


def sort_slowly(cells: list[str], choices: RepairChoices) -> Intake:
    """The same list with credits enough, which are counted address by address."""
    reader = CellReader(choices, protected=True)
    return sort_rows([(cell,) for cell in cells], reader, max_credits=10**9)


@pytest.mark.spec("VAL-043", "REP-010")
@given(cells=_CELLS, repair=st.booleans())
@example(cells=["a@ex.com", "'=z@ex.com", "=z@ex.com", "'q@ex.com"], repair=False)
@example(cells=["a@xn--bcher-kva.com", f"{'a' * 60}@xn--bcher-kva.com", "A@XN--bcher-kva.com"], repair=False)
@example(
    cells=["a@kx.com", "b@\u212ax.com", f"{'a' * 65}@kx.com", "a..b@kx.com", "a.b.@kx.com", "a@kx.com\na@kx.com"],
    repair=True,
)
def test_plain_addresses_are_sorted_as_all_others(cells: list[str], *, repair: bool) -> None:
    choices = RepairChoices(repair=repair)
    quick = sort_rows([(cell,) for cell in cells], CellReader(choices, protected=True))
    slow = sort_slowly(cells, choices)
    assert quick == slow
    assert quick.hash_content() == slow.hash_content()
    assert list(quick.chunks(7)) == list(slow.chunks(7))


@given(first=_CELLS, second=_CELLS)
def test_a_column_is_counted_as_its_cells(first: list[str], second: list[str]) -> None:
    one_by_one, together = Tally(), Tally()
    for cells in filter(None, (first, second, ["a@x.com"] * 6, [" "] * 3, ["a@x.com", "no"])):
        for cell in cells:
            one_by_one.add(cell)
        together.add_cells(cells)
    assert together == one_by_one


@given(text=st.text(st.sampled_from(list('ab@.,;|\t "\\\n\r')), max_size=60), delimiter=st.sampled_from([*",;\t|", ""]))
def test_a_text_is_split_as_the_csv_module_does(text: str, delimiter: str) -> None:
    source = TextSource(text, delimiter, LITERAL)
    assert list(source.cells()) == [row.cells for row in source.rows()]
    if '"' not in text and delimiter:
        plain = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, quoting=csv.QUOTE_NONE)
        assert list(source.cells()) == list(plain)
