"""Workbooks for the tests: honest ones by openpyxl and xlwt, hostile ones part by part."""

import importlib
import io
import struct
import zipfile
from collections.abc import Mapping, Sequence

import xlwt

openpyxl = importlib.import_module("openpyxl")  # it has no type stubs

Table = Sequence[Sequence[object]]

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"
_FILEPASS = b"\x2f\x00"
_INTERFACEHDR = b"\xe1\x00"


def xlsx(sheets: Mapping[str, Table]) -> bytes:
    """An .xlsx workbook as openpyxl writes it."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(list(row))
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def xls(sheets: Mapping[str, Table]) -> bytes:
    """A BIFF8 .xls workbook as xlwt writes it."""
    book = xlwt.Workbook()
    for name, rows in sheets.items():
        sheet = book.add_sheet(name)
        for index, row in enumerate(rows):
            for column, value in enumerate(row):
                sheet.write(index, column, value)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def encrypted_xls() -> bytes:
    """An .xls whose first record after BOF says that the rest is encrypted ([MS-XLS] 2.4.117)."""
    data = xls({"S": [["a@x.com"]]})
    bof = data.index(b"\x09\x08\x10\x00")
    after = bof + 20
    assert data[after : after + 2] == _INTERFACEHDR
    return data[:after] + _FILEPASS + data[after + 2 :]


def encrypted_xlsx() -> bytes:
    """The OLE envelope of an .xlsx with a password ([MS-OFFCRYPTO] 2.3.1)."""
    return _renamed_stream("EncryptedPackage")


def word_document() -> bytes:
    """An OLE file that is no workbook."""
    return _renamed_stream("WordDocument")


def _renamed_stream(name: str) -> bytes:
    data = xls({"S": [["a@x.com"]]})
    old, new = _entry("Workbook"), _entry(name)
    assert data.count(old) == 1
    return data.replace(old, new)


def _entry(name: str) -> bytes:
    encoded = name.encode("utf-16-le")
    return encoded.ljust(64, b"\0") + struct.pack("<H", len(encoded) + 2)


def package(
    rows: str = '<row r="1"><c r="A1" t="s"><v>0</v></c></row>',
    *,
    strings: str = "<si><t>a@x.com</t></si>",
    count: int = 1,
    doctype: str = "",
    content_type: str = _XLSX_TYPE,
    extra: Mapping[str, bytes] | None = None,
) -> bytes:
    """An .xlsx built by hand: `rows` go into its sheet, `strings` into its shared strings."""
    parts: dict[str, str | bytes] = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{content_type}"/></Types>',
        "_rels/.rels": _relations(("officeDocument", "xl/workbook.xml")),
        "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>'
        '<sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": _relations(
            ("worksheet", "worksheets/sheet1.xml"), ("sharedStrings", "sharedStrings.xml")
        ),
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{_MAIN}"><sheetData>{rows}</sheetData></worksheet>',
        "xl/sharedStrings.xml": f'{doctype}<sst xmlns="{_MAIN}" uniqueCount="{count}">{strings}</sst>',
        **(extra or {}),
    }
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return stream.getvalue()


def _relations(*targets: tuple[str, str]) -> str:
    items = "".join(
        f'<Relationship Id="rId{number}" Type="{_OFFICE}/{kind}" Target="{target}"/>'
        for number, (kind, target) in enumerate(targets, start=1)
    )
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{items}</Relationships>'


def lying_about_sizes(data: bytes, member: str, claimed: int) -> bytes:
    """The same archive whose central directory claims another inflated size for `member`."""
    name = member.encode()
    entry = data.index(b"PK\x01\x02", data.index(b"PK\x01\x02"))
    while data[entry + 46 : entry + 46 + len(name)] != name:
        entry = data.index(b"PK\x01\x02", entry + 4)
    return data[: entry + 24] + struct.pack("<I", claimed) + data[entry + 28 :]
