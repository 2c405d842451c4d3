"""Writers of the sample files. The same rows always give the same octets."""

import csv
import io
import re
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import openpyxl
import xlwt

Row = Sequence[str]
_EPOCH = (2025, 1, 1, 0, 0, 0)
_STAMP = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


def write_csv(
    path: Path, rows: Iterable[Row], *, delimiter: str = ",", encoding: str = "utf-8", newline: str = "\n"
) -> None:
    """A delimited text file. Raises `UnicodeEncodeError` for what the encoding does not hold."""
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=delimiter, lineterminator=newline).writerows(rows)
    path.write_bytes(text.getvalue().encode(encoding))


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """A text file of one line each."""
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def write_xlsx(path: Path, sheets: Mapping[str, Iterable[Row]]) -> None:
    """A workbook of text cells, never formulas."""
    book = openpyxl.Workbook(write_only=True)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append([_text_cell(sheet, value) for value in row])
    packed = io.BytesIO()
    book.save(packed)
    _write_undated(path, packed)


def _text_cell(sheet: Any, value: str) -> object:
    if not value.startswith("="):
        return value
    cell = openpyxl.cell.WriteOnlyCell(sheet, value)
    cell.data_type = "s"
    return cell


def _write_undated(path: Path, packed: io.BytesIO) -> None:
    """The archive again, with fixed times in its directory and its properties."""
    with zipfile.ZipFile(packed) as source, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as out:
        for name in source.namelist():
            content = source.read(name)
            if name == "docProps/core.xml":
                content = _STAMP.sub(b"2025-01-01T00:00:00Z", content)
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            out.writestr(entry, content)


def write_xls(path: Path, title: str, rows: Iterable[Row]) -> None:
    """A workbook in the format of Excel 97."""
    book = xlwt.Workbook(encoding="utf-8")
    sheet = book.add_sheet(title)
    for number, row in enumerate(rows):
        for column, value in enumerate(row):
            sheet.write(number, column, value)
    book.save(str(path))


def write_encrypted_xlsx(path: Path) -> None:
    """What Excel makes of a workbook with a password: an OLE file whose stream is `EncryptedPackage`."""
    packed = io.BytesIO()
    xlwt.CompoundDoc.XlsDoc().save(packed, bytes(range(256)) * 32)
    stream, encrypted = (name.encode("utf-16-le") for name in ("Workbook\0", "EncryptedPackage\0"))
    entry = stream.ljust(64, b"\0") + len(stream).to_bytes(2, "little")
    replaced = encrypted.ljust(64, b"\0") + len(encrypted).to_bytes(2, "little")
    path.write_bytes(packed.getvalue().replace(entry, replaced, 1))
