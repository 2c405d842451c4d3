"""Text lists: encoding, delimiter and quoting are guessed, and records are split without losing a character."""

import codecs
import contextlib
import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import StringIO
from itertools import chain, islice
from typing import Literal, TypedDict

from validation.listfiles.cell_texts import has_at_sign, holds_only_addresses, looks_like_address
from validation.listfiles.file_kinds import unsupported_file_error
from validation.listfiles.shape import DELIMITERS, ENCODINGS, ONE_COLUMN, ErrorCode, ListFileError
from validation.listfiles.tables import Block, Cells, EvenRows, Row, group_rows, list_rows

_SAMPLE_CHARS = 65_536
_SAMPLE_ROWS = 200
_BINARY_SHARE = 0.02
_BLOCK_CHARS = 30_000  # fewer than a cell may have, so that no row of a block needs to be measured
UNSPLIT = "\x1f"  # the csv module wants a delimiter; no text holds the ASCII unit separator
_CONTROLS = re.compile(r"[\0-\x08\x0e-\x19\x1b-\x1f]")  # but for white space, and the end of files of DOS
_BOMS = {"utf-8": codecs.BOM_UTF8, "utf-16-le": codecs.BOM_UTF16_LE, "utf-16-be": codecs.BOM_UTF16_BE}


class _Quoting(TypedDict, total=False):
    """How a file quotes, as arguments of csv.reader."""

    doublequote: bool
    escapechar: str
    strict: bool
    quoting: Literal[3]  # csv.QUOTE_NONE


RFC_4180, BACKSLASH, LENIENT, LITERAL = "rfc4180", "backslash", "lenient", "literal"
QUOTINGS: dict[str, _Quoting] = {
    RFC_4180: {"strict": True},
    BACKSLASH: {"doublequote": False, "escapechar": "\\"},
    LENIENT: {},
    LITERAL: {"quoting": csv.QUOTE_NONE},
}


@dataclass(frozen=True, slots=True)
class Decoded:
    """The characters of a file without its byte order mark, and the detected encoding."""

    text: str
    encoding: str
    bom: bool


def decode_text(data: bytes, chosen: str | None) -> Decoded:
    """Byte order mark, then strict UTF-8, then UTF-16 by its NULs, then cp1252; or what was `chosen`.

    Raises:
        ListFileError: binary content, an unknown encoding, bytes that are not valid in it.
    """
    encodings = _guess_encodings(data) if chosen is None else (_check_encoding(chosen),)
    for encoding in encodings:
        bom = _BOMS.get(encoding, b"")
        has_bom = bool(bom) and data.startswith(bom)
        with contextlib.suppress(UnicodeDecodeError):
            text = data.removeprefix(bom).decode(encoding)
            _refuse_binary(text)
            return Decoded(text, encoding, has_bom)
    detail = f"The file is not valid {encodings[-1]}. Choose another encoding, or save it as UTF-8."
    raise ListFileError(ErrorCode.UNREADABLE_FILE, detail)


def _check_encoding(chosen: str) -> str:
    try:
        name = codecs.lookup(chosen).name
    except (LookupError, ValueError):
        name = ""
    if name not in ENCODINGS:
        detail = f"The encoding must be one of: {', '.join(ENCODINGS)}."
        raise ListFileError(ErrorCode.INVALID_OPTION, detail)
    return name


def _guess_encodings(data: bytes) -> tuple[str, ...]:
    """Those that it may be in, the likeliest first."""
    for encoding, bom in _BOMS.items():
        if data.startswith(bom):
            return (encoding,)
    if b"\0" in data:
        return (_detect_utf16(data),)
    return "utf-8", "cp1252", "iso8859-1"  # the last has the five bytes that cp1252 leaves undefined


def _detect_utf16(data: bytes) -> str:
    """ASCII letters in UTF-16 have a NUL on one side only, and a list of addresses is mostly ASCII."""
    sample = data[:4096]
    pairs = len(sample) // 2
    first, second = sample[0::2].count(0), sample[1::2].count(0)
    if first == 0 and second > pairs * 0.3:
        return "utf-16-le"
    if second == 0 and first > pairs * 0.3:
        return "utf-16-be"
    raise unsupported_file_error("binary, not text")


def _refuse_binary(text: str) -> None:
    sample = text[:_SAMPLE_CHARS]
    if "\0" in text or len(_CONTROLS.findall(sample)) > len(sample) * _BINARY_SHARE:
        raise unsupported_file_error("binary, not text")


class TextSource:
    """The records of a decoded text file; may be read repeatedly.

    `delimiter` is "" when every line is one cell. `preamble` counts the leading records that are instructions to Excel
    (`sep=;`) and no data. `quoting` is a name of `QUOTINGS`, None to be guessed.
    """

    def __init__(self, text: str, delimiter: str | None, quoting: str | None = None) -> None:
        if delimiter is not None and delimiter not in (*DELIMITERS, ONE_COLUMN):
            detail = "The delimiter must be a comma, a semicolon, a tab, a vertical bar or empty."
            raise ListFileError(ErrorCode.INVALID_OPTION, detail)
        self._text = text
        declared = _find_declared_delimiter(text)
        self.preamble = 0 if declared is None else 1
        if delimiter is None:
            delimiter = _guess_delimiter(text) if declared is None else declared
        self.delimiter = delimiter
        self.quoting = quoting or _guess_quoting(text, delimiter)

    def rows(self) -> Iterator[Row]:
        """Every record in order, blank lines included, with its own text."""
        return _split_rows(self._text, self.delimiter, self.quoting)

    def blocks(self) -> Iterator[Block]:
        """The cells of every record in order, some records at a time."""
        return _split_blocks(self._text, self.delimiter, self.quoting)


def _split_rows(text: str, delimiter: str, quoting: str) -> Iterator[Row]:
    taken: list[str] = []

    def lines() -> Iterator[str]:
        for line in StringIO(text, newline=""):
            taken.append(line)
            yield line

    for cells in _parse_cells(lines(), text, delimiter, quoting):
        yield Row(cells, "".join(taken))
        taken.clear()


def _split_cells(text: str, delimiter: str, quoting: str) -> Iterator[Cells]:
    """The cells of every record."""
    return chain.from_iterable(map(list_rows, _split_blocks(text, delimiter, quoting)))


def _split_blocks(text: str, delimiter: str, quoting: str) -> Iterator[Block]:
    """The cells of some records at a time; where no cell is quoted a record is a line, and many are split at once."""
    if '"' in text or "\r" in text or "\\" in text:
        return group_rows(_parse_cells(StringIO(text, newline=""), text, delimiter, quoting))
    marks = f"{delimiter or UNSPLIT}@\n".encode()
    between_marks = bytes(code for code in range(256) if code not in marks)
    return (_split_lines(lines, delimiter or UNSPLIT, between_marks) for lines in _cut_lines(text))


def _cut_lines(text: str) -> Iterator[str]:
    """Some lines at a time, each with a line end; those that are longer than is usual one by one."""
    start = 0
    while start < len(text):
        end = text.rfind("\n", start, start + _BLOCK_CHARS) + 1 or text.find("\n", start) + 1 or len(text)
        yield text[start:end] if text[end - 1] == "\n" else f"{text[start:end]}\n"
        start = end


def _split_lines(lines: str, delimiter: str, between_marks: bytes) -> Block:
    """The cells of lines without quotes; of a blank line there are none."""
    marks = lines.encode(errors="replace").translate(None, between_marks)
    ends = marks.replace(b"@", b"")
    first = ends[: ends.index(b"\n") + 1]
    has_blank = len(first) == 1 and "\n\n" in f"\n{lines}"
    if not has_blank and ends == first * (len(ends) // len(first)):
        return EvenRows(lines.replace(delimiter, "\n"), width=len(first), at_signs=len(marks) - len(ends))
    return [line.split(delimiter) if line else [] for line in lines[:-1].split("\n")]


def _parse_cells(lines: Iterable[str], text: str, delimiter: str, quoting: str) -> Iterator[list[str]]:
    # `columns.limit_rows` has the better error for a long cell. The limit is process-wide, so it is never lowered.
    csv.field_size_limit(max(csv.field_size_limit(), len(text)))
    rows = csv.reader(lines, delimiter=delimiter or UNSPLIT, **QUOTINGS[quoting])
    return map(_unwrap_cells, rows) if quoting == LITERAL and '"' in text else rows


def _unwrap_cells(cells: list[str]) -> list[str]:
    return [_unwrap_cell(cell) for cell in cells]


def _unwrap_cell(cell: str) -> str:
    if len(cell) > 1 and cell[0] == cell[-1] == '"':
        return cell[1:-1].replace('""', '"')
    return cell


def _find_declared_delimiter(text: str) -> str | None:
    """Excel's own first line `sep=;`."""
    first = text[:8].splitlines()[:1]
    if first and first[0].lower().startswith("sep=") and first[0][4:] in DELIMITERS:
        return first[0][4:]
    return None


def _guess_delimiter(text: str) -> str:
    """The delimiter that leaves most rows with a cell that is an address, then the most even one."""
    sample = text[:_SAMPLE_CHARS]
    if len(text) > _SAMPLE_CHARS:
        sample = sample[: max(sample.rfind("\n"), sample.rfind("\r")) + 1] or sample
    scored = [(_score_delimiter(sample, delimiter), delimiter) for delimiter in DELIMITERS]
    best, delimiter = max(scored, key=lambda pair: pair[0])
    return delimiter if best > (0.0, 0.0) else ONE_COLUMN


def _score_delimiter(sample: str, delimiter: str) -> tuple[float, float]:
    """(share of rows with addresses in a cell of their own, share of rows of the usual width > 1).

    The usual width is that of the rows with an @: titles above a table are narrower than it.
    """
    rows = [cells for cells in islice(_split_cells(sample, delimiter, LENIENT), _SAMPLE_ROWS) if any(cells)]
    widths = Counter(len(cells) for cells in rows if any(map(_is_line_with_at_sign, cells))) or Counter(map(len, rows))
    width, times = max(widths.items(), key=lambda item: (item[1], item[0]), default=(0, 0))
    if width < 2:
        return (0.0, 0.0)
    addresses = sum(any(map(holds_only_addresses, cells)) for cells in rows)
    return (addresses / len(rows), times / len(rows))


def _is_line_with_at_sign(cell: str) -> bool:
    return has_at_sign(cell) and "\n" not in cell and "\r" not in cell  # no text that a sloppy quote swallowed


def _guess_quoting(text: str, delimiter: str) -> str:
    """RFC 4180 when the whole file follows it, else the quoting that leaves most addresses in one column.

    One sloppy quote must neither swallow the rest of the file nor spoil all other cells.
    """
    if '"' not in text:
        return LITERAL
    if _keeps_to_rfc_4180(text, delimiter):
        return RFC_4180
    others = (BACKSLASH, LITERAL, LENIENT) if '\\"' in text else (LITERAL, LENIENT)
    return max(others, key=lambda quoting: _count_addresses(text, delimiter, quoting))


def _keeps_to_rfc_4180(text: str, delimiter: str) -> bool:
    try:
        for _ in _split_cells(text, delimiter, RFC_4180):
            pass
    except csv.Error:
        return False
    return True


def _count_addresses(text: str, delimiter: str, quoting: str) -> int:
    """The number of cells that look like an address, in the column with most of them."""
    counts: Counter[int] = Counter()
    for cells in _split_cells(text, delimiter, quoting):
        counts.update(index for index, cell in enumerate(cells) if looks_like_address(cell))
    return max(counts.values(), default=0)
