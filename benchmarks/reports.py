"""What a PDF report costs: of a list with 1,000,000 rows beside one with 1,000, on SQLite.

    make bench-pipeline

The lists are stored as the pipeline leaves them, then what reports rank is counted as the queue does it at the end of a
list. A report is asked for by the call of the API inside the product, the two lists in turns; times are medians of
`ROUNDS`. Memory is what the process grew by at most during a call (VmHWM over VmRSS of proc(5)), after the first calls.
"""

import random
import statistics
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from django.test import Client

from accounts.signin.sessions import start_sign_in
from accounts.users.models import User
from benchmarks import figures
from benchmarks.engine.ours import memory_mb
from benchmarks.lists import seeding
from validation.batches import rankings
from validation.batches.models import Batch

SHORT, LONG = 1_000, 1_000_000
ROUNDS = 20
BARS = {"times": 1.5, "ms": 150, "report MB": 10, "count s": 10, "count MB": 128}


def main() -> None:
    """Print the figures of a run. The database is a copy without anything of value."""
    user = User.objects.create_user("reports@alder.com", name="Benchmark")
    short, long = (seeding.store_list(user, rows, random.Random(rows)) for rows in (SHORT, LONG))
    count_s, count_mb = _measure(partial(rankings.rank_batch, long.pk))
    client = Client(headers={"Authorization": f"Bearer {start_sign_in(user=user, device='benchmark').access}"})
    client.force_login(user)
    measured: dict[int, list[tuple[float, float]]] = {SHORT: [], LONG: []}
    for _ in range(ROUNDS + 1):
        for batch in (short, long):
            measured[batch.total_emails].append(_measure(partial(_report, client, batch)))
    medians = {rows: 1_000 * statistics.median(seconds for seconds, _ in calls[1:]) for rows, calls in measured.items()}
    peaks = {rows: max(grown for _, grown in calls[1:]) for rows, calls in measured.items()}
    print(f"\nreport.pdf, medians of {ROUNDS} calls")
    for rows in (SHORT, LONG):
        print(f"{rows:>9,} rows {medians[rows]:8.1f} ms {peaks[rows]:8.1f} MB at most")
    print(f"counting {LONG:,} rows when they end: {count_s:.1f} s, {count_mb:.0f} MB")
    what = f"report of {LONG:,} rows"
    figures.at_most(
        f"{what}: time of one of {SHORT:,}", medians[LONG] / medians[SHORT], BARS["times"], "times", digits=2
    )
    figures.at_most(f"{what}: median", medians[LONG], BARS["ms"], "ms")
    figures.at_most(f"{what}: memory of the call", peaks[LONG], BARS["report MB"], "MB", digits=1)
    figures.at_most(f"{what}: what the queue counts for it once", count_s, BARS["count s"], "s", digits=1)
    figures.at_most(f"{what}: memory of that count", count_mb, BARS["count MB"], "MB")


def _report(client: Client, batch: Batch) -> None:
    answer = client.get(f"/api/validate/batch/{batch.public_id}/report.pdf")
    assert answer.status_code == 200, answer.content
    assert answer.content.startswith(b"%PDF-")


def _measure(call: Callable[[], None]) -> tuple[float, float]:
    """Seconds of a call, and by how many MB the process grew at most meanwhile."""
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # the peak begins anew
    before, started = memory_mb("VmRSS"), time.perf_counter()
    call()
    return time.perf_counter() - started, memory_mb("VmHWM") - before
