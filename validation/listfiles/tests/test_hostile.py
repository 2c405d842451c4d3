"""Hostile and broken files end in a named error, within bounded time and memory."""

import resource
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from validation.listfiles import ErrorCode, Limits, ListFileError
from validation.listfiles.child_process import check_filename, inspect_list, make_product

from .conftest import Upload
from .workbooks import (
    encrypted_xls,
    encrypted_xlsx,
    lying_about_sizes,
    package,
    word_document,
    xls,
    xlsx,
)

SUPPORTED = "Only .csv, .xlsx, .xls and .txt files are supported"
PASSWORD = "The workbook is protected by a password. Save it without a password and upload it again."
DAMAGED = "The workbook is damaged or incomplete. Open it in Excel, save it again and upload that file."
BOMB = "The workbook is far larger inside than its file. Save the sheet as CSV and upload that file."
KILLED = "The file is damaged, or takes too much memory or time to read. Save it as CSV and upload that."
FIRST = '<row r="1"><c r="A1" t="s"><v>0</v></c></row>'


def refusal(path: Path, limits: Limits | None = None) -> tuple[ErrorCode, str]:
    with pytest.raises(ListFileError) as caught:
        inspect_list(path, limits=limits or Limits())
    return caught.value.code, caught.value.detail


def noise(count: int) -> bytes:
    """Bytes that do not compress, so that the ratio stays small."""
    state, blocks = b"seed", []
    for _ in range(count // 4 + 1):
        state = zlib.crc32(state).to_bytes(4, "big")
        blocks.append(state)
    return b"".join(blocks)[:count]


def truncated() -> bytes:
    data = xlsx({"S": [["a@x.com"]] * 100})
    return data[: len(data) // 2]


def laughing() -> bytes:
    entities = '<!ENTITY a "aaaaaaaaaa">' + "".join(
        f'<!ENTITY {name} "{f"&{before};" * 10}">' for before, name in zip("abcdefghi", "bcdefghij", strict=True)
    )
    return package(doctype=f"<!DOCTYPE l [{entities}]>", strings="<si><t>&j;@x.com</t></si>")


def million_columns() -> bytes:
    cells = "<c><v>1</v></c>" * 1_000_000
    return package(f'<row r="1">{cells}</row>', extra={"docProps/noise.bin": noise(300_000)})


def huge_cell() -> bytes:
    cell = '<c r="B1" t="inlineStr"><is><t>' + "a" * 10_000_000 + "</t></is></c>"
    row = f'<row r="1"><c r="A1" t="s"><v>0</v></c>{cell}</row>'
    return package(row, extra={"docProps/noise.bin": noise(200_000)})


def far_corner() -> bytes:
    return package(FIRST + '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>')


def repeated_string() -> bytes:
    rows = "".join(f'<row r="{row}"><c r="A{row}" t="s"><v>0</v></c></row>' for row in range(1, 60_001))
    return package(rows, strings="<si><t>" + "a" * 32_000 + "@x.com</t></si>", extra={"n": noise(50_000)})


HOSTILE: dict[str, tuple[Callable[[], bytes], ErrorCode, str]] = {
    "zip bomb by ratio": (
        lambda: package(extra={"xl/media/zeros": bytes(30_000_000)}),
        ErrorCode.FILE_TOO_LARGE,
        BOMB,
    ),
    "zip bomb by size": (
        lambda: package(extra={"n": noise(2_200_000), "xl/media/zeros": bytes(201 * 2**20)}),
        ErrorCode.FILE_TOO_LARGE,
        BOMB,
    ),
    "zip bomb that lies": (
        lambda: lying_about_sizes(package(extra={"zeros": bytes(30_000_000)}), "zeros", 10),
        ErrorCode.FILE_TOO_LARGE,
        BOMB,
    ),
    "zip bomb in the sheet": (lambda: package(FIRST + " " * 40_000_000), ErrorCode.FILE_TOO_LARGE, BOMB),
    "too many members": (
        lambda: package(extra={f"m{number}": b"" for number in range(2_000)}),
        ErrorCode.FILE_TOO_LARGE,
        BOMB,
    ),
    "a size that lies": (
        lambda: lying_about_sizes(package(extra={"zeros": b"\0" * 99}), "zeros", 2**32 - 2),
        ErrorCode.FILE_TOO_LARGE,
        BOMB,
    ),
    "billion laughs": (laughing, ErrorCode.UNREADABLE_FILE, DAMAGED),
    "million columns": (
        million_columns,
        ErrorCode.TOO_MANY_COLUMNS,
        "The file has more than 2,000 columns. Remove those that are not needed.",
    ),
    "10 MB cell": (
        huge_cell,
        ErrorCode.CELL_TOO_LONG,
        "Row 1 holds a cell of more than 32,767 characters. Shorten it.",
    ),
    "cell in the far corner": (far_corner, ErrorCode.UNREADABLE_FILE, KILLED),
    "huge count of strings": (lambda: package(count=4 * 10**9), ErrorCode.UNREADABLE_FILE, KILLED),
    "one long string 60,000 times": (repeated_string, ErrorCode.UNREADABLE_FILE, KILLED),
    "no such string": (lambda: package(strings=""), ErrorCode.UNREADABLE_FILE, DAMAGED),
    "encrypted xlsx": (encrypted_xlsx, ErrorCode.ENCRYPTED_FILE, PASSWORD),
    "encrypted xls": (encrypted_xls, ErrorCode.ENCRYPTED_FILE, PASSWORD),
    "truncated xlsx": (truncated, ErrorCode.UNREADABLE_FILE, DAMAGED),
    "directory out of place": (
        lambda: package()[:-6] + b"\xff\xff\xff\x7f" + b"\0\0",
        ErrorCode.UNREADABLE_FILE,
        DAMAGED,
    ),
    "truncated xls": (lambda: xls({"S": [["a@x.com"]] * 900})[:9_000], ErrorCode.UNREADABLE_FILE, DAMAGED),
    "empty archive": (
        lambda: b"PK\x05\x06" + bytes(18),
        ErrorCode.UNSUPPORTED_FILE,
        f"The file is not an .xlsx workbook, though packed like one. {SUPPORTED}",
    ),
    "macro workbook": (
        lambda: package(content_type="application/vnd.ms-excel.sheet.macroEnabled.main+xml"),
        ErrorCode.UNSUPPORTED_FILE,
        f"The file is not an .xlsx workbook, though packed like one. {SUPPORTED}",
    ),
    "Word document": (
        word_document,
        ErrorCode.UNSUPPORTED_FILE,
        f"The file is not a workbook. {SUPPORTED}",
    ),
    "PDF": (
        lambda: b"%PDF-1.7\na@x.com\n",
        ErrorCode.UNSUPPORTED_FILE,
        f"The file is a PDF document. {SUPPORTED}",
    ),
    "PNG": (
        lambda: b"\x89PNG\r\n\x1a\na@x.com\n",
        ErrorCode.UNSUPPORTED_FILE,
        f"The file is a PNG image. {SUPPORTED}",
    ),
    "web page": (
        lambda: b"\xef\xbb\xbf\r\n<HTML><td>a@x.com</td>",
        ErrorCode.UNSUPPORTED_FILE,
        f"The file is a web page or XML, whatever its name says. {SUPPORTED}",
    ),
    "NUL in text": (
        lambda: b"a@x.com\nb\0@x.com\n",
        ErrorCode.UNSUPPORTED_FILE,
        f"The file is binary, not text. {SUPPORTED}",
    ),
    "NUL in UTF-16": (
        lambda: "\ufeffa@x.com\n\0".encode("utf-16-le"),
        ErrorCode.UNSUPPORTED_FILE,
        f"The file is binary, not text. {SUPPORTED}",
    ),
    "bytes without NUL": (
        lambda: noise(5_000).replace(b"\0", b"\1") + b"a@x.com",
        ErrorCode.UNSUPPORTED_FILE,
        f"The file is binary, not text. {SUPPORTED}",
    ),
    "more than 10 MB": (
        lambda: b"a@x.com\n" * (10 * 2**17 + 1),
        ErrorCode.FILE_TOO_LARGE,
        "File is too large. Maximum size is 10MB.",
    ),
    "10 million rows": (
        lambda: b"\n" * (10 * 2**20),
        ErrorCode.TOO_MANY_ROWS,
        "The file has more than 1,000,000 rows. Split it and upload the parts.",
    ),
}


def spent() -> float:
    """Processor time of this process and its children so far, in seconds."""
    each = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in each)


@pytest.mark.spec("VAL-025")
@pytest.mark.parametrize("name", HOSTILE)
def test_a_named_error_in_bounded_time_and_memory(upload: Upload, name: str) -> None:
    build, code, detail = HOSTILE[name]
    path = upload(build())
    before, started = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, spent()
    largest_child = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss  # of any test before this one
    assert refusal(path) == (code, detail)
    assert spent() - started < 10
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert after - before < 32 * 1024  # KiB
    # A child begins with its parent's peak, and the peak of all children is what is told.
    bound = max(2**19, after + 1, largest_child + 1)
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < bound


@pytest.mark.parametrize(
    "limits",
    [Limits(cpu_seconds=1), Limits(wall_seconds=0.01), Limits(memory_bytes=2**25), Limits(spool_bytes=10)],
    ids=["cpu", "wall", "memory", "spool"],
)
def test_a_child_at_its_limits_is_an_error_and_no_crash(upload: Upload, limits: Limits) -> None:
    path = upload(b"name,email\n" + b'"""a""",a@x.com\n' * 600_000)
    ask = {"options": {}, "chunk_rows": 1000}
    with pytest.raises(ListFileError) as caught, path.with_name("spool").open("wb") as spool:
        make_product("validation.batches.intake.process", "chunks", path, ask, spool, limits)
    assert (caught.value.code, caught.value.detail) == (ErrorCode.UNREADABLE_FILE, KILLED)


@pytest.mark.spec("VAL-008", "VAL-028")
@pytest.mark.parametrize("name", ["a.csv", "a.XLSX", "list.2024.xls", "ü.Txt"])
def test_the_four_extensions(name: str) -> None:
    check_filename(name)


@pytest.mark.spec("VAL-008", "VAL-025")
@pytest.mark.parametrize("name", ["a.pdf", "a.xlsm", "a.ods", "csv", ".csv", "a.csv.exe", "", "a.csv "])
def test_any_other_extension(name: str) -> None:
    with pytest.raises(ListFileError) as caught:
        check_filename(name)
    assert (caught.value.code, caught.value.detail) == (ErrorCode.UNSUPPORTED_FILE, SUPPORTED)


def test_the_child_starts_fast_without_our_environment(upload: Upload, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONHOME", "/nonexistent")  # no Python that sees this can start
    path = upload(b"a@x.com\n")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert inspect_list(path).rows == 1
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 0.8
