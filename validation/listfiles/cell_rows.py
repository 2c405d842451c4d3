"""Reads all cells of a list again by its known address location."""

from collections.abc import Iterator
from pathlib import Path

from validation.listfiles.columns import Source
from validation.listfiles.shape import AddressLocation, Limits
from validation.listfiles.sheets import Workbook
from validation.listfiles.text import TextSource, decode_text


def walk_cells(path: Path, location: AddressLocation, limits: Limits) -> Iterator[tuple[int, list[str]]]:
    """The header as row 0, where there is one, and every data row by its number from 1, each with its cells as text.

    Only for the limited process, because it trusts the file.
    """
    for index, row in enumerate(_open_source(path, location, limits).rows(), start=1 - location.first_row):
        if index >= 1 - location.has_header:
            yield index, row.cells


def _open_source(path: Path, location: AddressLocation, limits: Limits) -> Source:
    if location.sheet is not None:
        return Workbook(path, limits).source(location.sheet)
    text = decode_text(path.read_bytes(), location.encoding).text
    return TextSource(text, location.delimiter, location.quoting)
