"""The processor time of a review of 10 MB, beside csv or calamine that read the same file and do nothing.

Both sides are processes from their start to their end, in turns, and the medians are compared: the other is a bare
interpreter with a loop over the rows, ours the limited process that finds the columns, judges, repairs and sorts the
addresses and writes them in chunks. The files are exports as shops and mail programs make them, with a dozen columns or
half, and one of nothing but addresses, the worst case: there is nothing beside them that csv could read.
"""

import dataclasses
import datetime
import multiprocessing
import os
import random
import resource
import string
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

from benchmarks import figures
from validation.listfiles import ReadOptions
from validation.listfiles.child_process import make_product

ROUNDS = 7
LARGEST = 10 * 2**20
BARS = {".csv": 4.0, ".xlsx": 2.5}
MOST_MB = 256
HEADER = ("name", "company", "email", "phone", "city", "signed up")
MORE = ("id", "street", "postcode", "country", "orders", "language")
_FIRST = ("Anna", "Ben", "Carl", "Dora", "Emil", "Hana", "Ivo", "Jana", "Mia", "Nils", "Olga", "Paul", "Rita", "Uma")
_FIRMS = ("Harbor", "Alder", "Ash", "North", "Stone", "Bright", "Meadow", "River", "Kepler", "Quanta")
_CITIES = ("Oslo", "Bonn", "Lyon", "Graz", "Turin", "Porto", "Leeds", "Ghent", "Basel", "Zagreb", "Krakow")
_NOTHING = {
    ".csv": "import csv, sys\nwith open(sys.argv[1], encoding='utf-8', newline='') as file:\n"
    "    for _ in csv.reader(file): pass",
    ".xlsx": "import sys\nfrom python_calamine import CalamineWorkbook\n"
    "for _ in CalamineWorkbook.from_path(sys.argv[1]).get_sheet_by_index(0).iter_rows(): pass",
}
Row = tuple[Any, ...]


def reviews() -> None:
    """Reviews of customers, and of nothing but addresses."""
    print("### review of 10 MB beside reading it and doing nothing\n")
    with tempfile.TemporaryDirectory() as directory:
        folder = Path(directory)
        for title, header, rows in (
            ("customers, 6 columns", HEADER, customers),
            ("customers, 12 columns", (*HEADER, *MORE), wide_customers),
            ("addresses alone", (), lone_addresses),
        ):
            _compare(write_csv(folder / "list.csv", header, rows(), LARGEST), title)
            _compare(write_xlsx(folder / "list.xlsx", header, rows(), LARGEST), title)


def customers() -> Iterator[Row]:
    """Customers of a shop or a newsletter, half of them with an address at one of three operators."""
    chance = random.Random(9)
    for number in range(10**7):
        first, last = chance.choice(_FIRST), "".join(chance.choices(string.ascii_lowercase, k=7)).title()
        own = f"dom{chance.randrange(9_000)}.com"
        (domain,) = chance.choices(("gmail.com", "outlook.com", "yahoo.com", own), (30, 12, 8, 50))
        yield (
            f"{first} {last}",
            f"{chance.choice(_FIRMS)} {chance.choice(_FIRMS)} Ltd",
            f"{first}.{last}{number}@{domain}".lower(),
            f"+{chance.randrange(1, 99)} {chance.randrange(100, 999)} {chance.randrange(10**6, 10**7)}",
            chance.choice(_CITIES),
            datetime.date(2010 + chance.randrange(16), chance.randrange(1, 13), chance.randrange(1, 29)),
        )


def wide_customers() -> Iterator[Row]:
    """The same with what else shops keep of them."""
    chance = random.Random(11)
    for number, row in enumerate(customers()):
        street = f"{chance.choice(_FIRMS)} Street {chance.randrange(200)}"
        code, country, language = chance.choice((("40210", "Germany", "de"), ("EC1A 1BB", "United Kingdom", "en")))
        yield (*row, number, street, code, country, chance.randrange(40), language)


def lone_addresses() -> Iterator[Row]:
    """Addresses and nothing else."""
    return ((row[2],) for row in customers())


def write_csv(path: Path, header: tuple[str, ...], rows: Iterator[Row], size: int) -> Path:
    """A file of at most so many bytes."""
    with path.open("w", encoding="utf-8") as file:
        if header:
            file.write(",".join(header) + "\n")
        for row in rows:
            file.write(",".join(map(str, row)) + "\n")
            if file.tell() > size - 400:
                break
    return path


def write_xlsx(path: Path, header: tuple[str, ...], rows: Iterator[Row], size: int) -> Path:
    """A workbook of nine tenths to all of so many bytes: as many rows as a small one of the same kind lets expect."""
    few = 2_000
    a_row = _save_workbook(path, header, islice(rows, few)) / few
    written = _save_workbook(path, header, islice(rows, int(0.97 * size / a_row)))
    assert 0.85 * size < written <= size, written
    return path


def _save_workbook(path: Path, header: tuple[str, ...], rows: Iterator[Row]) -> int:
    book = import_module("openpyxl").Workbook(write_only=True)
    sheet = book.create_sheet("People")
    if header:
        sheet.append(header)
    for row in rows:
        sheet.append(row)
    book.save(path)
    return path.stat().st_size


def _compare(path: Path, title: str) -> None:
    kind, nothing, ours = path.suffix[1:], list[float](), list[float]()
    idle = [sys.executable, "-c", _NOTHING[path.suffix], str(path)]
    for _ in range(ROUNDS):
        nothing.append(_children_cpu_s(lambda: subprocess.run(idle, check=True)))
        ours.append(_children_cpu_s(lambda: _review(path)))
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        memory_mb = pool.apply(_measure_memory, (path,))
    middle = ROUNDS // 2
    ratios = sorted(own / other for own, other in zip(ours, nothing, strict=True))
    ratio = sorted(ours)[middle] / sorted(nothing)[middle]
    print(
        f"{kind}, {title}: {path.stat().st_size / 2**20:.1f} MB, {sorted(nothing)[middle]:.2f} s doing nothing, "
        f"{sorted(ours)[middle]:.2f} s reviewed, {ratio:.1f} times ({ratios[0]:.1f} to {ratios[-1]:.1f}), "
        f"{memory_mb:.0f} MB",
        flush=True,
    )
    what = f"review of 10 MB of {kind}, {title}"
    figures.at_most(f"{what}: CPU, of reading it and doing nothing", ratio, BARS[path.suffix], "times", digits=1)
    figures.at_most(f"{what}: memory of its process", memory_mb, MOST_MB, "MB")


def _children_cpu_s(run: Callable[[], object]) -> float:
    """Seconds of processor time of the processes that it starts and waits for."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _measure_memory(path: Path) -> float:
    """The largest memory in MB of the process that reviews a file; called in a process that has no other child."""
    _review(path)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024


def _review(path: Path) -> None:
    """Review a file with repair, as pages do."""
    ask = {
        "options": dataclasses.asdict(ReadOptions()),
        "choices": {"repair": True},
        "max_credits": None,
        "after": 0,
        "chunk_rows": 5_000,
        "free": os.devnull,
    }
    with tempfile.TemporaryFile() as spool:
        make_product("validation.batches.intake.process", "chunks", path, ask, spool)


if __name__ == "__main__":
    reviews()
