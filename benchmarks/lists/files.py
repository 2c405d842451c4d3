"""Files in and out: the review of 10 MB, and downloads of 400,000 rows from a running copy of the product.

The review is timed from sending the file until its figures are there, with the memory of the process that read it. The
downloads are timed to their first byte and to their end, with what the web process grew by meanwhile.
"""

import dataclasses
import os
import random
import resource
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

from benchmarks import figures
from tests.stack import Stack, running_stack
from validation.listfiles import ReadOptions
from validation.listfiles.child_process import make_product

ROUNDS = 3
EXPORT_ROWS = 400_000
LARGEST = 10 * 2**20
FIRST = ("anna", "ben", "carl", "dora", "emil", "hana", "ivo", "jana", "mia", "nils", "olga", "paul", "rita", "uma")
HEADER = ("email", "name", "id", "city")
SEED = """
import dataclasses
from pathlib import Path
from django.conf import settings
from django.db import transaction
from accounts.users.models import User
from validation.batches.models import Batch
from validation.listfiles.child_process import inspect_list
from validation.results import storage
user = User.objects.get(email="alice@alder-and-ash.com")
path = settings.MEDIA_ROOT / "uploads" / "upl_bench{upload.suffix}"
path.parent.mkdir(parents=True, exist_ok=True)
path.write_bytes(Path("{upload}").read_bytes())
batch = Batch.objects.create(organisation=user.own_organisation, batch_type="file_upload", filename=path.name,
    file=f"uploads/{{path.name}}", status="completed", total_emails={rows},
    address_location=dataclasses.asdict(inspect_list(path).location))
lines = Path("{source}").read_text().splitlines()
for start in range(0, {rows}, 5_000):
    piece = [storage.build_unchecked_row(lines[n], position=n + 1) for n in range(start, min(start + 5_000, {rows}))]
    with transaction.atomic():
        storage.insert_results(storage.prepare_results(piece), organisation_id=batch.organisation_id, batch_id=batch.pk)
print(batch.public_id)
"""


def files(_seed: int, divide: int) -> None:
    """Reviews of 10 MB, downloads of 400,000 rows."""
    rows = EXPORT_ROWS // divide
    print("### files: review of 10 MB, downloads\n")
    with tempfile.TemporaryDirectory() as directory:
        folder = Path(directory)
        lists = [ten_megabytes_csv(folder / "ten.csv"), ten_megabytes_xlsx(folder / "ten.xlsx")]
        source = folder / "long.txt"
        source.write_text("\n".join(f"{number}@example{number % 97}.com" for number in range(rows)))
        with running_stack(folder / "var") as stack:
            for path in lists:
                report_review(stack, path)
            compare_reviews(messy_csv(folder / "messy.csv"))
            seed_and_download(stack, source, source, rows, ("csv", "xlsx", "zip", "original"))
            seed_and_download(stack, source, long_workbook(source), rows, ("original",))


def seed_and_download(stack: Stack, source: Path, upload: Path, rows: int, formats: Iterable[str]) -> None:
    """Downloads of a list whose file is `upload`; `source` has its addresses, one a line."""
    seed = SEED.format(source=source, upload=upload, rows=rows)
    batch_id = stack.manage("shell", "--no-imports", "-c", seed).strip()
    for file_format in formats:
        title = f"{file_format} .xlsx file" if upload.suffix == ".xlsx" else file_format
        report_download(stack, batch_id, file_format, rows, title)


def long_workbook(source: Path) -> Path:
    """The lines of a file as a workbook with a formula beside each and a sheet behind."""
    path = source.with_suffix(".xlsx")
    book = import_module("openpyxl").Workbook(write_only=True)
    sheet = book.create_sheet("People")
    for number, line in enumerate(source.read_text().splitlines(), 1):
        sheet.append((line, f"=ROW()+{number % 7}"))
    book.create_sheet("Notes").append(("a note",))
    book.save(path)
    return path


def people() -> Iterator[tuple[str, str, int, str]]:
    """Rows that do not compress too well."""
    chance = random.Random(5)
    for number in range(10**7):
        first, last = chance.choice(FIRST), "".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=7))
        address = f"{first}.{last}{number}@dom{chance.randrange(9_000)}.com"
        yield address, f"{first.title()} {last.title()}", chance.randrange(10**6), chance.choice(("Oslo", "Bonn"))


def ten_megabytes_csv(path: Path) -> Path:
    with path.open("w") as file:
        file.write(",".join(HEADER) + "\n")
        for row in people():
            file.write(",".join(map(str, row)) + "\n")
            if file.tell() > LARGEST - 200:
                return path
    raise AssertionError("there are people enough")


def messy_csv(path: Path) -> Path:
    """10 MB of which every twentieth address stands behind a name and in brackets."""
    with path.open("w") as file:
        file.write(",".join(HEADER) + "\n")
        for number, (address, *others) in enumerate(people()):
            cell = address if number % 20 else f"{others[0]} <{address}>"
            file.write(",".join(map(str, (cell, *others))) + "\n")
            if file.tell() > LARGEST - 200:
                return path
    raise AssertionError("there are people enough")


def compare_reviews(path: Path) -> None:
    """The processor time of a review with repair and of one without, in turns (REP-010)."""
    times: dict[bool, list[float]] = {False: [], True: []}
    for _ in range(ROUNDS):
        for repair, taken in times.items():
            taken.append(review_cpu_s(path, repair=repair))
    plain, repaired = (sorted(times[repair])[ROUNDS // 2] for repair in (False, True))
    print(f"processor time of a review: {plain:.2f} s as it stands, {repaired:.2f} s with repair")
    figures.at_most("REP-010: a review of 10 MB with repair", repaired / plain, 1.1, "of one without", digits=2)


def review_cpu_s(path: Path, *, repair: bool) -> float:
    """Seconds of processor time that the process takes which reads a file."""
    ask = {
        "options": dataclasses.asdict(ReadOptions()),
        "choices": {"repair": repair},
        "max_credits": None,
        "after": 0,
        "chunk_rows": 500,
        "free": os.devnull,
    }
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryFile() as spool:
        make_product("validation.batches.intake.process", "chunks", path, ask, spool)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def ten_megabytes_xlsx(path: Path) -> Path:
    """As large as it may be; about 39 bytes a row after compression."""
    book = import_module("openpyxl").Workbook(write_only=True)
    sheet = book.create_sheet("People")
    sheet.append(HEADER)
    for row, _ in zip(people(), range(250_000), strict=False):
        sheet.append(row)
    book.save(path)
    assert 0.9 * LARGEST < path.stat().st_size <= LARGEST
    return path


def report_review(stack: Stack, path: Path) -> None:
    times, rows = list[float](), 0
    with watched(lambda: sum(memory_kb(pid) for pid in running("validation.batches.intake.process"))) as peak:
        for _ in range(ROUNDS):
            started = time.monotonic()
            with path.open("rb") as file:
                answer = stack.client.post("/api/validate/upload/inspect", files={"file": (path.name, file)})
            answer.raise_for_status()
            times.append(time.monotonic() - started)
            rows = answer.json()["rows"]
    size = path.stat().st_size / 2**20
    every = ", ".join(f"{seconds:.2f}" for seconds in times)
    print(f"review of {path.name}: {size:.1f} MB, {rows:,} rows: {every} s, child at most {peak[0] // 1024} MB")
    what = f"review of 10 MB of {path.suffix[1:]}"
    figures.at_most(what, sorted(times)[ROUNDS // 2], 3, "s", digits=1)
    figures.at_most(f"{what}: memory of its process", peak[0] / 1024, 512, "MB")


def report_download(stack: Stack, batch_id: str, file_format: str, rows: int, title: str) -> None:
    web = stack.members("web")

    def grown() -> int:
        return sum(map(memory_kb, web))

    idle, size, first = grown(), 0, 0.0
    with watched(grown) as peak:
        started = time.monotonic()
        query = f"/api/validate/batch/{batch_id}/export?format={file_format}"
        with stack.client.stream("GET", query) as answer:
            answer.raise_for_status()
            for piece in answer.iter_bytes():
                first = first or time.monotonic() - started
                size += len(piece)
    total, more = time.monotonic() - started, (peak[0] - idle) / 1024
    print(
        f"{title} of {rows:,} rows: first byte {first:.2f} s, {size / 2**20:.0f} MB in {total:.1f} s, "
        f"web {more:.0f} MB over idle"
    )
    figures.at_most(f"{title} of {rows:,} rows: first byte", first, 0.5, "s", digits=2)
    figures.at_most(f"{title} of {rows:,} rows: web memory over idle", more, 50, "MB")


@contextmanager
def watched(value: Callable[[], int]) -> Iterator[list[int]]:
    """The largest value while the context lasts, looked at every 20 ms."""
    peak, done = [0], threading.Event()

    def look() -> None:
        while not done.wait(0.02):
            peak[0] = max(peak[0], value())

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield peak
    finally:
        done.set()
        thread.join()


def running(word: str) -> list[int]:
    """The ids of the processes with a word in their command line."""
    return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit() and word in command(entry)]


def command(entry: Path) -> str:
    try:
        return (entry / "cmdline").read_text()
    except OSError:
        return ""


def memory_kb(pid: int) -> int:
    """Resident memory of a process, 0 once it is gone."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    found = [line.split()[1] for line in status.splitlines() if line.startswith("VmRSS:")]
    return int(found[0]) if found else 0
