"""The XML of a worksheet, cut into its rows without changing a byte, and rows with room for cells behind them.

The text is searched for markup, not parsed: in well-formed XML a `<` begins markup, a comment, a CDATA section or an
instruction, and nothing else (XML 1.0, 2.4), so that the last three are stepped over and attributes end where their
quotes do. A row without a number follows the one before it, a cell without a reference likewise (ECMA-376 part 1,
18.3.1.73 and 18.3.1.4). Encodings that hold ASCII as it is, which are all that calamine reads.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from validation.listfiles.file_kinds import damaged_workbook_error

LAST_COLUMN = 16_384
_MOST_BYTES = 2**24  # of a row, and of what stands before the rows
_ATTRIBUTES = rb"""(?:"[^"]*"|'[^']*'|[^'">])*+"""
_PREFIX = rb"(?P<prefix>[\w.-]+:)?"


def _compile_markup(wanted: bytes) -> re.Pattern[bytes]:
    """Finds what is wanted, whatever has to be stepped over, and the beginning of such a thing that is cut off."""
    skip = rb"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>"
    return re.compile(rb"(?P<skip>%b)|(?P<open><!|<\?)|(?P<wanted>%b)" % (skip, wanted), re.DOTALL)


def _start_tag(name: bytes) -> bytes:
    return rb"<%b%b(?=[\s/>])%b>" % (_PREFIX, name, _ATTRIBUTES)


_SHEET_DATA = _compile_markup(_start_tag(b"sheetData"))
_ROW = _compile_markup(_start_tag(b"row") + rb"|</(?:[\w.-]+:)?sheetData\s*>")
_ROW_END = _compile_markup(rb"</(?:[\w.-]+:)?row\s*>")
_CELL = _compile_markup(_start_tag(b"c"))
_CELL_END = _compile_markup(rb"</(?:[\w.-]+:)?c\s*>")
_DIMENSION = _compile_markup(_start_tag(b"dimension"))
_NUMBER = re.compile(rb"""\sr\s*=\s*["'](\d{1,7})["']""")
_REFERENCE = re.compile(rb"""\sr\s*=\s*["']([A-Za-z]{1,3})\d{1,7}["']""")
_AREA = re.compile(rb"""(\sref\s*=\s*["'])([A-Za-z]{1,3})(\d{1,7})(?::([A-Za-z]{1,3})(\d{1,7}))?(?=["'])""")
_SPANS = re.compile(rb"""(\sspans\s*=\s*["'])([\d: ]+)(?=["'])""")
_PLAIN_CELL, _PLAIN_CELL_END, _PLAIN_ROW_END = b"<c ", b"</c>", b"</row>"


@dataclass(slots=True)
class XmlRow:
    """A row: its number from 1, its start tag, what stands in it, its end tag; the last two are empty in `<row/>`."""

    number: int
    head: bytes
    cells: bytes
    tail: bytes


class _Cell(NamedTuple):
    column: int  # from 1
    start: int
    end: int
    is_blank: bool


def column_letters(number: int) -> str:
    """The name of a column that is counted from 1.

    >>> column_letters(1), column_letters(27), column_letters(16_384)
    ('A', 'AA', 'XFD')
    """
    letters = ""
    while number:
        number, letter = divmod(number - 1, 26)
        letters = chr(65 + letter) + letters
    return letters


def column_number(letters: str) -> int:
    """The number of a column by its name.

    >>> column_number("A"), column_number("aa"), column_number("XFD")
    (1, 27, 16384)
    """
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - 64
    return number


class _Window:
    """What is in memory of a text that comes in pieces, from the first byte that was not given out."""

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self._pieces = iter(pieces)
        self.data, self.start = b"", 0

    def find(self, markup: re.Pattern[bytes], behind: int = 0) -> re.Match[bytes] | None:
        """The next such markup, so many bytes behind the first; None when the text ends before."""
        while True:
            found = _search_markup(markup, self.data, self.start + behind)
            if found or not self._extend():
                return found

    def find_row_end(self, behind: int) -> re.Match[bytes] | None:
        """The end tag of a row. Mostly nothing has to be stepped over."""
        first = self.start + behind
        end = self.data.find(_PLAIN_ROW_END, first)
        is_plain = end >= 0 and self.data.find(b"<!", first, end) < 0 and self.data.find(b"<?", first, end) < 0
        return _ROW_END.match(self.data, end) if is_plain else self.find(_ROW_END, behind)

    def take(self, end: int) -> bytes:
        """The bytes up to there; they are given out."""
        taken, self.start = self.data[self.start : end], end
        return taken

    def rest(self) -> Iterator[bytes]:
        yield self.take(len(self.data))
        yield from self._pieces

    def _extend(self) -> bool:
        if len(self.data) - self.start > _MOST_BYTES:
            raise damaged_workbook_error()
        piece = next(self._pieces, b"")
        self.data, self.start = self.data[self.start :] + piece, 0
        return bool(piece)


def _search_markup(markup: re.Pattern[bytes], text: bytes, position: int) -> re.Match[bytes] | None:
    while (found := markup.search(text, position)) and found["skip"]:
        position = found.end()
    return None if found is None or found["open"] else found


def split_rows(pieces: Iterable[bytes]) -> Iterator[bytes | XmlRow]:
    """The whole text in order. First comes what stands before the rows, last what stands behind them.

    Raises `ListFileError`: no worksheet, or a row without an end.
    """
    window = _Window(pieces)
    found = window.find(_SHEET_DATA)
    if found is None:
        raise damaged_workbook_error()
    is_empty = found[0].endswith(b"/>")
    yield window.take(found.end())
    number = 0
    while not is_empty:
        found = window.find(_ROW)
        if found is None:
            raise damaged_workbook_error()
        if found[0].startswith(b"</"):
            break
        if between := window.take(found.start()):
            yield between
        row = _take_row(window, found[0], number)
        number = row.number
        yield row
    yield from window.rest()


def _take_row(window: _Window, head: bytes, before: int) -> XmlRow:
    named = _NUMBER.search(head)
    number = int(named[1]) if named else before + 1
    if head.endswith(b"/>"):
        window.take(window.start + len(head))
        return XmlRow(number, head, b"", b"")
    end = window.find_row_end(len(head))
    if end is None:
        raise damaged_workbook_error()
    tail = end[0]
    whole = window.take(end.end())
    return XmlRow(number, head, whole[len(head) : -len(tail)], tail)


def measure_width(row: XmlRow) -> int:
    """The last column of a row that holds anything, from 1; formulas count, formats alone do not. 0 for none."""
    last = _find_last_cell(row.cells)
    if last and row.cells.find(b"<", last.start + 1, -len(_PLAIN_CELL_END)) >= 0:
        return last.column
    return max((cell.column for cell in _list_cells(row.cells) if not cell.is_blank), default=0)


class _LastCell(NamedTuple):
    column: int
    start: int


def _find_last_cell(text: bytes) -> _LastCell | None:
    """The last cell of a row where that is plain to see: written as most programs do, with something in it."""
    start = text.rfind(_PLAIN_CELL)
    if start < 0 or b"<!" in text or text.find(b"<c", start + 1) >= 0 or not text.endswith(_PLAIN_CELL_END):
        return None
    reference = _REFERENCE.match(text, start + len(_PLAIN_CELL) - 1)
    is_whole = text.find(_PLAIN_CELL_END, start) == len(text) - len(_PLAIN_CELL_END)
    return _LastCell(column_number(reference[1].decode()), start) if reference and is_whole else None


def _list_cells(text: bytes) -> list[_Cell]:
    found: list[_Cell] = []
    position = column = 0
    while tag := _search_markup(_CELL, text, position):
        reference = _REFERENCE.search(tag[0])
        column = column_number(reference[1].decode()) if reference else column + 1
        end = None if tag[0].endswith(b"/>") else _search_markup(_CELL_END, text, tag.end())
        position = end.end() if end else tag.end()
        is_blank = not end or not text[tag.end() : end.start()].strip()
        found.append(_Cell(column, tag.start(), position, is_blank))
    return found


class ExtendedRow(NamedTuple):
    """A row in two parts, between which the cells of the added columns go."""

    before: bytes
    after: bytes


def extend_row(row: XmlRow, first: int, count: int, prefix: str) -> ExtendedRow:
    """Make room for `count` cells from column `first` on. Cells there that have only a format give way."""
    head, tail = row.head, row.tail
    if not tail:
        head, tail = head[:-2].rstrip() + b">", f"</{prefix}row>".encode()
    head = _SPANS.sub(lambda spans: _widen_spans(spans, first + count - 1), head)
    last = _find_last_cell(row.cells)
    if last and last.column < first:
        return ExtendedRow(head + row.cells, tail)
    cells = _list_cells(row.cells)
    left = next((cell.start for cell in cells if cell.column >= first), len(row.cells))
    right = next((cell.start for cell in cells if cell.column >= first + count), None)
    behind = b"" if right is None else row.cells[right:]
    return ExtendedRow(head + row.cells[:left], behind + tail)


def _widen_spans(spans: re.Match[bytes], last: int) -> bytes:
    numbers = [int(number) for number in re.findall(rb"\d{1,6}", spans[2])]
    return spans[1] + f"{min([*numbers, last])}:{max([*numbers, last])}".encode()


def widen_dimension(head: bytes, last: int) -> bytes:
    """What stands before the rows, with the area that the sheet says it uses reaching to the column `last`."""
    tag = _search_markup(_DIMENSION, head, 0)
    area = _AREA.search(tag[0]) if tag else None
    if tag is None or area is None:
        return head
    start, left, top, right, bottom = area.groups()
    wide = max(column_number((right or left).decode()), last)
    ref = start + left + top + f":{column_letters(wide)}".encode() + (bottom or top)
    area_start, area_end = tag.start() + area.start(), tag.start() + area.end()
    return head[:area_start] + ref + head[area_end:]


def find_prefix(head: bytes) -> str:
    """The prefix of the sheet's elements with its colon, "" for none; `head` is what stands before the rows."""
    tag = _search_markup(_SHEET_DATA, head, 0)
    return tag["prefix"].decode() if tag and tag["prefix"] else ""
