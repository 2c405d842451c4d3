"""Ways to write an export as .xlsx, beside each other: first byte, whole time, memory over that of the first row.

    .venv/bin/python -m benchmarks.workbooks 100000

Each way writes the same made-up results in a process of its own, one after another.
"""

import argparse
import multiprocessing
import resource
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import openpyxl
import xlsxwriter
from openpyxl.cell import WriteOnlyCell

from validation.exports import xlsx

Rows = Iterable[Sequence[Any]]
_BLOCK = 65_536


def results(count: int) -> Iterator[list[Any]]:
    """Rows as of an export."""
    for number in range(count):
        yield [number, f"anna.keller{number}@example{number % 97}.com", "valid", "Safe to send", 0.97, "mailbox_exists",
               "The mail server of the domain accepts mail for this address.", *["yes"] * 6,
               "2026-11-25T12:00:00+00:00", "", "full"]  # fmt: skip


def with_openpyxl(rows: Rows) -> Iterator[bytes]:
    """Its write-only mode; a text is said to be one, lest `=1+1` become a formula."""
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("Results")

    def inert(value: Any) -> Any:
        if isinstance(value, str) and value.startswith(("=", "#")):
            value = WriteOnlyCell(sheet, value)
            value.data_type = "s"
        return value

    for row in rows:
        sheet.append([inert(value) for value in row])
    with tempfile.TemporaryFile() as file:
        book.save(file)
        yield from _read(file)


def with_xlsxwriter(rows: Rows) -> Iterator[bytes]:
    """Its mode of constant memory."""
    with tempfile.TemporaryFile() as file:
        book = xlsxwriter.Workbook(file, {"constant_memory": True, "strings_to_formulas": False})
        sheet = book.add_worksheet("Results")
        for number, row in enumerate(rows):
            for column, value in enumerate(row):
                if isinstance(value, str):
                    sheet.write_string(number, column, value)
                else:
                    sheet.write(number, column, value)
        book.close()
        yield from _read(file)


def _read(file: Any) -> Iterator[bytes]:
    file.seek(0)
    while block := file.read(_BLOCK):
        yield block


def ours(rows: Rows) -> Iterator[bytes]:
    """The stream of the product."""
    return xlsx.stream_workbook("Results", rows)


WAYS: dict[str, Callable[[Rows], Iterator[bytes]]] = {
    "the product's": ours,
    "openpyxl, write-only": with_openpyxl,
    "XlsxWriter, constant memory": with_xlsxwriter,
}


def measured(name: str, count: int) -> tuple[float, float, float, float]:
    """Seconds to the first byte and to the last, MB of memory beyond one row, MB of the file."""
    for _ in WAYS[name](results(1)):
        pass
    before, begun = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.perf_counter()
    first, size = 0.0, 0
    for block in WAYS[name](results(count)):
        first = first or time.perf_counter() - begun
        size += len(block)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    return first, time.perf_counter() - begun, memory / 1024, size / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", type=int, nargs="?", default=100_000)
    count = parser.parse_args().rows
    print(f"{count} rows{'':22}first byte s    whole s   memory MB    file MB")
    for name in WAYS:
        with multiprocessing.get_context("spawn").Pool(1) as process:
            first, whole, memory, size = process.apply(measured, (name, count))
        print(f"{name:32}{first:12.3f}{whole:11.1f}{memory:12.1f}{size:11.1f}")


if __name__ == "__main__":
    main()
