"""Cells that a spreadsheet could run: the one rule of all exports, and what an import takes off again (REP-026)."""

import json
import re
from pathlib import Path

import pytest
from django.conf import settings
from hypothesis import example, given
from hypothesis import strategies as st

from emailcheck.common.text.csv_cells import is_formula, protect_cell, unprotect_cell, write_csv_lines
from validation.engine import AddressSyntaxError, parse

ROOT = Path(settings.BASE_DIR)
CASES: dict[str, list[str]] = json.loads((ROOT / "tests/formula_cells.json").read_text())
BLANKS = (" ", "\u00a0", "\ufeff")
ALWAYS = ("=", "@", "\t", "\r", "\n", "＝", "＠")
SIGNS = ("+", "-", "＋", "－")
_WORDS = ("a", "cmd|", "A1", "tag@x.com", "x.com", "٣")
_PIECES = st.sampled_from([*BLANKS, *ALWAYS, *SIGNS, *"0123456789.,()/'\"", *_WORDS])
_CELLS = st.lists(_PIECES, max_size=7).map("".join) | st.text(max_size=12)


def is_possible(text: str) -> bool:
    try:
        parse(text)
    except AddressSyntaxError:
        return False
    return True


def runs(cell: str) -> bool:
    """The rule again, letter by letter."""
    rest = cell.lstrip("".join(BLANKS))
    if rest.startswith(ALWAYS) or not rest.startswith(SIGNS):
        return rest.startswith(ALWAYS)
    holds_more = any(not (letter.isdecimal() or letter in (*BLANKS, *".,()/-")) for letter in rest[1:])
    return holds_more and not is_possible(rest.rstrip("".join(BLANKS)))


@pytest.mark.spec("REP-026")
@pytest.mark.finding("I3")
def test_the_cells_of_the_list_are_changed_or_kept() -> None:
    assert [cell for cell in CASES["changed"] if protect_cell(cell) != f"'{cell}"] == []
    assert [cell for cell in CASES["kept"] if protect_cell(cell) != cell] == []
    assert (len(CASES["changed"]) > 40, len(CASES["kept"]) > 30) == (True, True)


@pytest.mark.spec("REP-026")
@given(_CELLS)
@example("\n=1+1")
@example(" \u00a0\ufeff=1+1")
@example("-2+3+cmd")
@example("+44 20 7946 0000")
@example("+tag@x.com")
@example("+tag@x.com＋")
@example("+\ufefftag@x.com")
def test_no_cell_but_those_of_the_rule_is_changed(cell: str) -> None:
    assert is_formula(cell) == runs(cell)
    assert protect_cell(cell) == (f"'{cell}" if runs(cell) else cell)


@pytest.mark.spec("REP-026")
@given(_CELLS | _CELLS.map("'{}".format))
def test_an_import_takes_off_the_apostrophe_of_an_export_alone(cell: str) -> None:
    assert protect_cell(protect_cell(cell)) == protect_cell(cell)
    assert not is_formula(protect_cell(cell))
    puts_it = cell.startswith("'") and runs(cell[1:])
    assert unprotect_cell(cell) == (cell[1:] if puts_it else cell)
    assert puts_it or unprotect_cell(protect_cell(cell)) == cell


@pytest.mark.spec("REP-026")
@given(st.from_regex(r"[+-][a-z0-9!#$%&'*/=?^_`{|}~+.-]{0,70}@(?:[a-zé0-9-]{1,9}\.){1,3}(?:com|de|x1)", fullmatch=True))
@example("+t\u00e4g@b\u00fccher.de")
@example(f"-{'a' * 64}@x.com")
def test_the_rule_knows_possible_addresses(cell: str) -> None:
    """By the engine's measure; it knows more of host names, such as reserved labels, which cost a cell nothing."""
    assert not (is_possible(cell) and is_formula(cell))


@pytest.mark.spec("REP-026")
def test_every_csv_file_of_ours_is_written_by_the_rule() -> None:
    lines = write_csv_lines([("=1", 1, -1, None, True, "\n=x"), ("+44 20", "-0.12", "+tag@x.com", "-1+1", "", "'")])
    assert list(lines) == [
        '"\'=1","1","-1","","True","\'\n=x"\r\n',
        '"+44 20","-0.12","+tag@x.com","\'-1+1","","\'"\r\n',
    ]
    apps = ("accounts", "adminpanel", "billing", "crm", "emailcheck", "quotes", "validation")
    read = [path for app in apps for path in (ROOT / app).rglob("*.py") if "tests" not in path.parts]
    writers = {str(path.relative_to(ROOT)) for path in read if re.search(r"csv\.(?:Dict)?[wW]riter", path.read_text())}
    players = {path for path in writers if path.startswith("emailcheck/sandbox/")}
    # The original file is given its rule by its caller; what outside providers are sent is no export.
    assert writers - players == {
        "emailcheck/common/text/csv_cells.py",
        "validation/exports/originals.py",
        "validation/listfiles/annotated_rows.py",
        "validation/providers/clients/csv_tables.py",
    }
