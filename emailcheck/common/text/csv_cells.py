"""Files of comma-separated values, line by line, and the one rule for cells that a spreadsheet would run."""

import csv
import re
from collections.abc import Iterable, Iterator

_BLANKS = " \u00a0\ufeff"
# Full-width forms included: some programs read them as the plain characters.
_RUNS = re.compile(f"[{_BLANKS}]*(?:[=@\t\r\n＝＠]|([+\\-＋－]))")
_NUMBER = re.compile(rf"[\d{_BLANKS}.,()/-]*")
# RFC 5321 section 4.1.2 with RFC 6531: a dot-atom and a host name; a quoted local part does not begin with a sign.
_ATOM = r"[^\x00-\x20\x7f\s\ufeff\"(),.:;<>@\[\]\\]+"
_NO_LETTER = r"\x00-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f\s＋－＝＠"
_LABEL = rf"[^{_NO_LETTER}]+(?:-+[^{_NO_LETTER}]+)*"
_ADDRESS = re.compile(rf"({_ATOM}(?:\.{_ATOM})*)@(?:{_LABEL}\.)+(?=..){_LABEL}(?<=[^\W\d_])")
_ADDRESS_OCTETS, _LOCAL_PART_OCTETS = 254, 64  # RFC 5321 section 4.5.3.1


def is_formula(cell: str) -> bool:
    """Whether a spreadsheet could run the cell (REP-026).

    It begins, after blanks, NBSP and BOM, with `=`, `@`, tab, CR or LF; or with `+` or `-` and is no number, phone
    number or address: there is more in it than digits, blanks and `. , ( ) / -`.
    """
    start = _RUNS.match(cell)
    if start is None or not start[1]:
        return start is not None
    return _NUMBER.fullmatch(cell, start.end()) is None and not _is_possible_address(cell.strip(_BLANKS))


def protect_cell(cell: str) -> str:
    """The cell, with an apostrophe before it where a spreadsheet could run it."""
    return f"'{cell}" if is_formula(cell) else cell


def unprotect_cell(cell: str) -> str:
    """The cell as it was before `protect_cell`; other apostrophes stay."""
    return cell[1:] if cell.startswith("'") and is_formula(cell[1:]) else cell


def write_csv_lines(rows: Iterable[Iterable[object]], *, raw: bool = False) -> Iterator[str]:
    """The lines of the file, UTF-8 text, every field quoted, and no text that a spreadsheet could run, unless `raw`."""
    writer = csv.writer(_Echo(), quoting=csv.QUOTE_ALL)
    for row in rows:
        yield writer.writerow([protect_cell(cell) if isinstance(cell, str) and not raw else cell for cell in row])


def _is_possible_address(text: str) -> bool:
    found = _ADDRESS.fullmatch(text)
    return (
        found is not None
        and len(text.encode(errors="replace")) <= _ADDRESS_OCTETS
        and len(found[1].encode(errors="replace")) <= _LOCAL_PART_OCTETS
    )


class _Echo:
    def write(self, line: str) -> str:
        return line
