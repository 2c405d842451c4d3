"""What is taken from many rows at once is what is taken from one after another."""

import csv
import dataclasses
import hashlib
import io
import json
import os
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from validation.batches.intake.addresses import Intake, sort_rows
from validation.batches.intake.cells import CellReader
from validation.batches.intake.choices import RepairChoices
from validation.listfiles import ReadOptions
from validation.listfiles.cell_texts import Tally
from validation.listfiles.child_process import make_product
from validation.listfiles.tables import list_rows
from validation.listfiles.text import LITERAL, TextSource

_DOMAINS = ("ex.com", "EX.com", "\u212ax.com", "-.com", "xn--bcher-kva.com", "bücher.de", "it.example")
_WORDS = ("a", "B", "o'x", "'q", "'=z", "=z", "x.y", "..", "é", "Ann ", "a" * 70)
_PARTS = st.sampled_from([*_WORDS, *_DOMAINS, "", " ", "\n", "@", "＠", "<", ">", "\x1a", "\xa0", "\u3000"])
_CELLS = st.lists(
    st.one_of(
        st.builds("{}@{}".format, _PARTS, _PARTS),
        st.lists(_PARTS, max_size=5).map("".join),
        st.from_regex(r"[a-c]{1,2}@(x|X|y)\.(com|de)", fullmatch=True),
    ),
    max_size=600,
)


_MANY = [f"a{number}@ex.com" for number in range(300)]


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
@example(cells=[*_MANY, "z@it.example", "A7@EX.com", "z@it.example", "b@-.com", *_MANY, "new@ex.com"], repair=False)
@example(cells=[*_MANY[:254], "b@ex.com", "B@ex.com", *_MANY[254:]], repair=True)
@example(cells=["a@.com", ".a@ex.com", "a.@ex.com", "a..b@ex.com", "@ex.com", "a@", "a@ex.com."], repair=False)
def test_plain_addresses_are_sorted_as_all_others(cells: list[str], *, repair: bool) -> None:
    choices = RepairChoices(repair=repair)
    quick = sort_rows([(cell,) for cell in cells], CellReader(choices, protected=True))
    slow = sort_slowly(cells, choices)
    assert quick == slow
    assert quick.hash_content() == slow.hash_content()
    assert list(quick.chunks(7)) == list(slow.chunks(7))
    assert quick.hash_content() == hash_plainly(quick)


def hash_plainly(intake: Intake) -> str:
    """Each domain's addresses sorted in small letters, then the impossible ones or an empty line."""
    groups = [rows for _, rows in sorted(intake.by_domain.items())]
    lines = [line for rows in groups for line in sorted(address.lower() for _, address in rows)]
    lines += sorted(address.lower() for _, address in intake.impossible) or [""]
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode(errors="replace")).hexdigest()


def test_the_process_writes_chunks_as_json_and_hashes_them(tmp_path: Path) -> None:
    people = [
        '"q \\\\ \\""@x.com',
        "Zoë@bücher.de",
        "b@x.com",
        "a@x.com",
        "B@X.com",
        "no",
        "\x7f",
        "o'x@y.com",
        "two\nlines",
    ]
    path = tmp_path / "list"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([address] for address in ("e-mail", *people))
    ask = {"options": dataclasses.asdict(ReadOptions()), "choices": {}, "max_credits": None, "after": 0}
    with (tmp_path / "spool").open("w+b") as spool:
        more = {"chunk_rows": 4, "free": os.devnull}
        answer = make_product("validation.batches.intake.process", "chunks", path, ask | more, spool)
        spool.seek(0)
        lines = spool.readlines()
    sorted_here = sort_rows([(address,) for address in people], CellReader())
    assert lines == [f"{json.dumps(chunk)}\n".encode() for chunk in sorted_here.chunks(4)]
    assert len(lines) == 2
    assert answer["counts"]["content_hash"] == hash_plainly(sorted_here)


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
    cells = [row for block in source.blocks() for row in list_rows(block)]
    assert cells == [row.cells for row in source.rows()]
    if '"' not in text and delimiter:
        plain = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, quoting=csv.QUOTE_NONE)
        assert cells == list(plain)
