"""Finds the header of a table, at its top or below title rows, and knows a table without one."""

from collections.abc import Callable, Iterator, Sequence

from validation.listfiles.cell_texts import holds_address, is_half_an_address, is_number
from validation.listfiles.header_words import is_header_text, is_missing, names_email, tells_contact

MOST_TITLE_ROWS = 20
_UNNAMED, _NAMED, _WANTED = range(3)

Cells = Sequence[str]
CountBelow = Callable[[int, int], int]
"""(row, column) to the number of cells with an @ in that column below that row."""


def find_header(rows: Sequence[Cells], column: int, wanted: frozenset[str], count_below: CountBelow) -> int | None:
    """The index of the header among the first rows of a table, None for a table without one.

    `column` is the one that most likely holds the addresses, `wanted` the names of columns that the customer gave, in
    lower case. A row with a wanted name goes first, then one that names an e-mail column with addresses below it, then
    one with a text above the addresses of `column`; among equals the one that fills most cells. No row above a header
    holds an address of the list, so that a table without a header loses none.
    """
    ranked: list[tuple[int, int, int]] = []
    widest = 0
    for index in _list_candidates(rows):
        row, filled = rows[index], _count_filled(rows[index])
        if wanted & {cell.strip().casefold() for cell in row}:
            ranked.append((_WANTED, filled, index))
        elif any(names_email(cell) and count_below(index, at) for at, cell in enumerate(row)):
            ranked.append((_NAMED, filled, index))
        elif filled >= widest and _heads_addresses(row, column, widest) and count_below(index, column):
            ranked.append((_UNNAMED, filled, index))
        widest = max(widest, filled)
    return max(ranked)[-1] if ranked else None


def _list_candidates(rows: Sequence[Cells]) -> Iterator[int]:
    """The rows that hold no address, up to the first row of data."""
    seen = 0
    for index, row in enumerate(rows):
        if not _count_filled(row):
            continue
        if not any(map(holds_address, row)):
            yield index
        elif not _is_contact_line(row):
            return
        seen += 1
        if seen > MOST_TITLE_ROWS:
            return


def _is_contact_line(row: Cells) -> bool:
    """Whether the address of a row is that of the firm: `Questions: support@firm.com`, `Contact;support@firm.com`."""
    return any(map(_tells_contact, row))


def _tells_contact(cell: str) -> bool:
    words = [word for word in cell.split() if "@" not in word]
    return "<" not in cell and (tells_contact(" ".join(words)) or any(word.endswith(":") for word in words))


def _heads_addresses(row: Cells, column: int, widest: int) -> bool:
    """Whether a row has a text above the addresses that is no value of a row that lacks its address.

    `widest`: the most cells that a row above it fills.
    """
    cell = row[column].strip() if column < len(row) else ""
    if not cell or is_missing(cell):
        return False
    filled = _count_filled(row)
    if is_header_text(cell) and (filled > widest or filled == 1):
        return True
    return filled > max(widest, 1) and not is_half_an_address(cell) and not any(is_number(other) for other in row)


def _count_filled(row: Cells) -> int:
    return sum(1 for cell in row if cell and not cell.isspace())
