"""Detects the kind of a file by its content, never by its name."""

import re
import struct
import sys
import zipfile
import zlib
from pathlib import Path

from validation.listfiles.shape import ErrorCode, Kind, Limits, ListFileError

_OLE_MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ZIP_MAGICS = (b"PK\x03\x04", b"PK\x05\x06")
_FOREIGN_MAGICS = {
    b"%PDF-": "a PDF document",
    b"\x89PNG": "a PNG image",
    b"GIF8": "a GIF image",
    b"\xff\xd8\xff": "a JPEG image",
    b"\x1f\x8b": "a gzip archive",
    b"7z\xbc\xaf": "a 7-Zip archive",
    b"Rar!": "a RAR archive",
    b"{\\rtf": "a rich text document",
}
_MARKUP_STARTS = (b"<!doctype", b"<html", b"<?xml", b"<table", b"<meta")
_XLSX_MAIN = b"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"
# BOF of the workbook's globals, perhaps WriteProtect, then FilePass ([MS-XLS] 2.4.21, 2.4.117).
_FILEPASS = re.compile(rb"\x09\x08[\x08\x10]\0..\x05\0.{4}(?:.{8})?(?:\x86\0\0\0)?\x2f\0", re.DOTALL)
_INFLATE_STEP = 2**20


def unsupported_file_error(what: str) -> ListFileError:
    """The error for content that is none of the four kinds; `what` completes "The file is ..."."""
    return ListFileError(
        ErrorCode.UNSUPPORTED_FILE, f"The file is {what}. Only .csv, .xlsx, .xls and .txt files are supported"
    )


def damaged_workbook_error() -> ListFileError:
    """The error for a workbook that is broken inside."""
    return ListFileError(
        ErrorCode.UNREADABLE_FILE,
        "The workbook is damaged or incomplete. Open it in Excel, save it again and upload that file.",
    )


def encrypted_workbook_error() -> ListFileError:
    """The error for a workbook behind a password."""
    return ListFileError(
        ErrorCode.ENCRYPTED_FILE,
        "The workbook is protected by a password. Save it without a password and upload it again.",
    )


def detect_spreadsheet_kind(path: Path, limits: Limits) -> Kind | None:
    """The kind of a spreadsheet that is safe to open, None for possible text.

    Raises `ListFileError`: foreign content, an encrypted or damaged workbook, a zip bomb.
    """
    with path.open("rb") as file:
        head = file.read(512)
    if head.startswith(_OLE_MAGIC):
        _check_compound_file(path.read_bytes())
        return Kind.XLS
    if head.startswith(_ZIP_MAGICS):
        _check_package(path, limits)
        return Kind.XLSX
    for magic, what in _FOREIGN_MAGICS.items():
        if head.startswith(magic):
            raise unsupported_file_error(what)
    if head.removeprefix(b"\xef\xbb\xbf").lstrip().lower().startswith(_MARKUP_STARTS):
        raise unsupported_file_error("a web page or XML, whatever its name says")
    return None


def _check_compound_file(data: bytes) -> None:
    """Check that an OLE file holds a BIFF workbook, not an encrypted package or another program's document."""
    if _encode_directory_entry("Root Entry") not in data:
        raise damaged_workbook_error()
    if _encode_directory_entry("EncryptedPackage") in data or _FILEPASS.search(data):
        raise encrypted_workbook_error()
    if _encode_directory_entry("Workbook") not in data and _encode_directory_entry("Book") not in data:
        raise unsupported_file_error("not a workbook")


def _encode_directory_entry(name: str) -> bytes:
    """The first 66 bytes of a stream's directory entry ([MS-CFB] 2.6.1): padded name and its length."""
    encoded = name.encode("utf-16-le")
    return encoded.ljust(64, b"\0") + struct.pack("<H", len(encoded) + 2)


def _check_package(path: Path, limits: Limits) -> None:
    try:
        with zipfile.ZipFile(path) as package:
            check_members(package, limits)
            has_types = "[Content_Types].xml" in package.namelist()
            if not has_types or _XLSX_MAIN not in package.read("[Content_Types].xml"):
                raise unsupported_file_error("not an .xlsx workbook, though packed like one")
            _check_inflated(package, min(limits.inflated_bytes, limits.inflation * path.stat().st_size))
    except (zipfile.BadZipFile, zlib.error, OSError, EOFError, ValueError, NotImplementedError) as error:
        raise damaged_workbook_error() from error


def check_members(package: zipfile.ZipFile, limits: Limits) -> None:
    """Refuse a package with too many parts, too much in them, a password, or a compression that no workbook has."""
    members = package.infolist()
    if len(members) > limits.members:
        raise _zip_bomb_error()
    if any(member.flag_bits & 1 for member in members):
        raise encrypted_workbook_error()
    if any(member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for member in members):
        raise damaged_workbook_error()
    if sum(member.file_size for member in members) > limits.inflated_bytes:
        raise _zip_bomb_error()


def _check_inflated(package: zipfile.ZipFile, budget: int) -> None:
    """Inflate everything and count, because the sizes in the directory may be false."""
    for member in package.infolist():
        # zipfile stops reading at the declared size; the real end is wanted here.
        member.file_size = sys.maxsize
        with package.open(member) as stream:
            while piece := stream.read(_INFLATE_STEP):
                budget -= len(piece)
                if budget < 0:
                    raise _zip_bomb_error()


def _zip_bomb_error() -> ListFileError:
    return ListFileError(
        ErrorCode.FILE_TOO_LARGE,
        "The workbook is far larger inside than its file. Save the sheet as CSV and upload that file.",
    )
