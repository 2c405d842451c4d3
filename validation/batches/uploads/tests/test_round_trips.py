"""Any table in any dress: what is read is what was written, and what is given back is read the same again."""

import csv
import io
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from emailcheck.common.text.csv_cells import is_formula, protect_cell, unprotect_cell
from validation.batches.intake.addresses import sort_lines
from validation.listfiles import Limits, ReadOptions
from validation.listfiles.annotated_rows import walk_rows
from validation.listfiles.list_reader import read_list

_TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=12)
_SPECIAL = ["=1+1", "-5", "-5+1", " =1", "\n=1", "'=x", 'say "hi"', "a;b,c", "two\nlines", "", " spaced "]
_NOTES = _TEXT | st.sampled_from(_SPECIAL)
_LOCALS = st.from_regex(r"[a-z+\-=][a-z0-9]{0,8}", fullmatch=True)
_ROWS = st.lists(st.tuples(_NOTES, _LOCALS.map(lambda local: f"{local}@example.com"), _NOTES), min_size=1, max_size=8)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("trips")


def written(rows: list[tuple[str, ...]], delimiter: str, line_end: str) -> str:
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator=line_end, quoting=csv.QUOTE_ALL).writerows(rows)
    return out.getvalue()


def read_back(path: Path, options: ReadOptions) -> tuple[list[str], str]:
    """The addresses of the list, and the text that is given back without further columns."""
    reading = read_list(path, options, Limits())
    lines = walk_rows(path, reading.shape.location, Limits(), protect=protect_cell)
    return [cell for (cell,) in reading.cells()], "".join(line.text + line.end for line in lines)


@pytest.mark.spec("VAL-070", "VAL-072", "REP-026")
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=_ROWS, delimiter=st.sampled_from(",;\t|"), line_end=st.sampled_from(["\n", "\r\n"]))
@example(rows=[("=1+1", "+a@example.com", "'=x")], delimiter=";", line_end="\r\n")
def test_a_table_comes_back_with_the_same_values_and_inert(
    folder: Path, rows: list[tuple[str, str, str]], delimiter: str, line_end: str
) -> None:
    header = ("note", "email", "more")
    path = folder / "list"
    path.write_bytes(written([header, *rows], delimiter, line_end).encode())
    options = ReadOptions(email_column="2", has_header=True, encoding="utf-8", delimiter=delimiter)
    addresses, given_back = read_back(path, options)
    assert addresses == [address for _, address, _ in rows]
    cells = list(csv.reader(io.StringIO(given_back, newline=""), delimiter=delimiter))
    assert cells == [[protect_cell(cell) for cell in row] for row in (header, *rows)]
    assert not any(is_formula(cell) for row in cells for cell in row)

    path.write_bytes(given_back.encode())
    again, given_back_again = read_back(path, options)
    assert given_back_again == given_back
    before, after = sort_lines(addresses), sort_lines(map(unprotect_cell, again))
    assert list(after.chunks(9)) == list(before.chunks(9))
