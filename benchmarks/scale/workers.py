"""What more worker processes bring on PostgreSQL when the engine is not what limits them.

    POSTGRES_FSYNC=on tests/with_postgres.sh python -m benchmarks.scale.workers

One process, then four, each with an engine that sleeps so that it does `PACE` rows a second (`sleeping_worker`), on a
list of `SECONDS` of work for each. The speed is that between a tenth and four fifths of the list, when every process
has work: at the end of a list one may have a last chunk more than another.
"""

import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks import figures
from benchmarks.lists.running import start_list
from tests.stack import ROOT, Stack, cpu_seconds, wait_until

PACE = 500
SECONDS = 60
COUNTS = (1, 4)
WANTED = 3.5
_PROGRESS = """
from django.db.models import Sum
from validation.batches.chunks.models import Chunk
from validation.batches.models import Batch
import time
batch = Batch.objects.get(public_id={batch_id!r})
wanted, seen = [0.1 * batch.total_emails, 0.8 * batch.total_emails], []
while len(seen) < 2:
    done = Chunk.objects.filter(batch=batch).aggregate(done=Sum("processed"))["done"] or 0
    if done >= wanted[len(seen)]:
        seen.append((time.monotonic(), done))
    time.sleep(0.1)
(begun, before), (ended, after) = seen
print((after - before) / (ended - begun))
"""


def workers() -> None:
    """Print and tell the speeds of one process and of four."""
    with tempfile.TemporaryDirectory() as directory:
        stack = Stack(Path(directory), {"LOG_LEVEL": "WARNING", "REDIS_URL": ""})
        stack.manage("migrate", "--no-input", "-v", "0", "--skip-checks")
        stack.manage("seed_demo")
        speeds = {count: _measure(stack, count) for count in COUNTS}
    one, four = (speeds[count] for count in COUNTS)
    figures.at_least(
        f"{COUNTS[-1]} worker processes on PostgreSQL, engine that sleeps, one alone {one:,.0f} rows/s",
        four,
        WANTED * PACE,
        "rows/s",
    )
    figures.at_least("their speed, of that of one", four / one, WANTED, "times", digits=2)


def _measure(stack: Stack, count: int) -> float:
    rows = count * PACE * SECONDS
    batch_id = start_list(stack, [f"person{number}@company-{number % 4_000}.com" for number in range(rows)])
    code = f"from benchmarks.scale import sleeping_worker; sleeping_worker.main({PACE})"
    command = [sys.executable, "manage.py", "shell", "--no-imports", "-c", code]
    environment = stack.environment | {"WORKERS": str(count)}
    family = subprocess.Popen(command, cwd=ROOT, env=environment)
    try:
        wait_until(lambda: len(stack.members("bulk")) == count, 60)
        members = stack.members("bulk")
        before, started = cpu_seconds(members), time.monotonic()
        speed = float(stack.manage("shell", "--no-imports", "-c", _PROGRESS.format(batch_id=batch_id)).split()[-1])
        used = (cpu_seconds(members) - before) / (time.monotonic() - started)
    finally:
        family.send_signal(signal.SIGTERM)
        family.wait(120)
    print(f"{count} worker processes, {rows:,} rows: {speed:,.0f} rows/s, {used:.2f} cores", flush=True)
    return speed


if __name__ == "__main__":
    workers()
