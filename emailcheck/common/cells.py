"""Files of comma-separated values, line by line."""

import csv
from collections.abc import Iterable, Iterator

# A cell that a spreadsheet would read as a formula, full-width forms included (VAL-070).
_FORMULA = tuple("=+-@\t\r＝＋－＠")


def safe_cell(value: str) -> str:
    """The value with an apostrophe before what a spreadsheet would run as a formula; readers strip it again."""
    return f"'{value}" if value.startswith(_FORMULA) else value


def csv_lines(rows: Iterable[Iterable[object]]) -> Iterator[str]:
    """The lines of the file, UTF-8 text, every field quoted."""
    writer = csv.writer(_Echo(), quoting=csv.QUOTE_ALL)
    for row in rows:
        yield writer.writerow(row)


class _Echo:
    def write(self, line: str) -> str:
        return line
